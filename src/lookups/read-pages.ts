import type { ActivityItem } from '../domain/records.ts';
import type { ActivityFilters, VenuePage } from '../feed/interface.ts';
import type { OpenQuestion } from '../portfolio/positions/question.ts';
import { VENUE_PAGE } from './page-scan.ts';

/**
 * Reads a list from its top, page by page.
 *
 * @param request asks for a page; null: no more of them are wanted
 * @returns its records in their order, and whether they are all; null if `request` has returned it
 */
export async function readPages<Item>(
  pagesLimit: number,
  request: (paging: { readonly limit: number; readonly cursor?: string }) => Promise<VenuePage<Item> | null>,
): Promise<{ readonly items: readonly Item[]; readonly isWhole: boolean } | null> {
  const items: Item[] = [];
  let paging: { readonly cursor?: string } | null = {};
  for (let page = 0; page < pagesLimit && paging !== null; page += 1) {
    const found: VenuePage<Item> | null = await request({ limit: VENUE_PAGE, ...paging });
    if (found === null) return null;
    items.push(...found.items);
    paging = found.nextCursor === null ? null : { cursor: found.nextCursor };
  }
  return { items, isWhole: paging === null };
}

/**
 * Reads all that a wallet did in markets.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param request asks for a page of the wallet
 * @returns newest first; `unusable`: a row cannot be read, or is of another market; `never`: it has more pages
 */
export async function readMarkets(
  markets: readonly Pick<OpenQuestion, 'marketId' | 'live'>[],
  nowSeconds: number,
  pagesLimit: number,
  request: (filters: ActivityFilters) => Promise<VenuePage<ActivityItem>>,
): Promise<readonly ActivityItem[] | 'unusable' | 'never'> {
  const marketIds = [...new Set(markets.map(({ marketId }) => marketId))];
  const seenSeconds = markets.flatMap(({ live }) => live.map(({ item }) => item.time));
  // Frozen, so that what happens meanwhile does not shift the pages.
  const toTimestampSeconds = Math.max(Math.floor(nowSeconds), ...seenSeconds);
  const read = await readPages(pagesLimit, async (paging) => {
    const page = await request({ marketIds, toTimestampSeconds, ...paging });
    const isOfThem = page.skipped.length === 0 && page.items.every(({ marketId }) => marketIds.includes(marketId));
    return isOfThem ? page : null;
  });
  if (read === null) return 'unusable';
  return read.isWhole ? read.items : 'never';
}
