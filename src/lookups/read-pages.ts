import type { ActivityItem } from '../domain/records.ts';
import type { ActivityFilters, VenuePage } from '../feed/interface.ts';
import type { OpenQuestion } from '../portfolio/positions/question.ts';
import { VENUE_PAGE } from './page-scan.ts';

/**
 * Reads a list from its top, page by page.
 *
 * @param request asks for a page; null: no more of them are wanted
 * @returns its records in their order, how many could not be read, and whether they are all
 */
export async function readPages<Item>(
  pagesLimit: number,
  request: (paging: { readonly limit: number; readonly cursor?: string }) => Promise<VenuePage<Item> | null>,
): Promise<{ readonly items: Item[]; readonly skipped: number; readonly end: 'whole' | 'cut' | 'stopped' }> {
  const items: Item[] = [];
  let skipped = 0;
  let paging: { readonly cursor?: string } | null = {};
  for (let page = 0; page < pagesLimit && paging !== null; page += 1) {
    const found: VenuePage<Item> | null = await request({ limit: VENUE_PAGE, ...paging });
    if (found === null) return { items, skipped, end: 'stopped' };
    items.push(...found.items);
    skipped += found.skipped.length;
    paging = found.nextCursor === null ? null : { cursor: found.nextCursor };
  }
  return { items, skipped, end: paging === null ? 'whole' : 'cut' };
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
  const { items, end } = await readPages(pagesLimit, async (paging) => {
    const page = await request({ marketIds, toTimestampSeconds, ...paging });
    const isOfThem = page.skipped.length === 0 && page.items.every(({ marketId }) => marketIds.includes(marketId));
    return isOfThem ? page : null;
  });
  return end === 'whole' ? items : end === 'cut' ? 'never' : 'unusable';
}
