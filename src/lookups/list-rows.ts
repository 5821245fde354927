/** Whether two records that follow each other in a list are one row, such as fills of one purchase. */
export type IsOneRow<Item> = (a: Item, b: Item) => boolean;

/** The records of a page, row by row. @param from index of its first record @param most rows */
export function rowsFrom<Item>(items: readonly Item[], from: number, most: number, isOneRow: IsOneRow<Item>): Item[][] {
  const rows: Item[][] = [];
  for (let index = from; index < items.length; index += 1) {
    const [item, before] = [items[index] as Item, items[index - 1]];
    if (index > from && before !== undefined && isOneRow(before, item)) rows.at(-1)?.push(item);
    else if (rows.length === most) break;
    else rows.push([item]);
  }
  return rows;
}

/** Index of the record with which the page begins that ends before this one; 0 where it would begin before all of them. */
export function startBefore<Item>(items: readonly Item[], to: number, most: number, isOneRow: IsOneRow<Item>): number {
  let from = to;
  for (let rows = 0; rows < most && from > 0; rows += 1) {
    from -= 1;
    while (from > 0 && isOneRow(items[from - 1] as Item, items[from] as Item)) from -= 1;
  }
  return from;
}
