/** Compares texts by UTF-16 units, with the same result on every machine. */
export function compare(a: string, b: string): number {
  if (a < b) return -1;
  return Number(a > b);
}
