import type { PersonsLookups } from '../discord/quotas/lookup-share.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import type { ActivityFilters, VenuePage } from '../feed/interface.ts';
import { entryKeys } from '../portfolio/market.ts';
import type { Position } from '../portfolio/positions/position.ts';
import { answerQuestion, type OpenQuestion, readHistory } from '../portfolio/positions/question.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import { type Paging, VENUE_PAGE } from './page-scan.ts';

/** Maximum pages that `/market` reads of a wallet in a market: five hundred records. */
const MARKET_PAGES = 5;

/**
 * Reads a list from its top, page by page.
 *
 * @param request returns a page; null to stop
 * @returns its records in order, the number of unreadable ones, and whether the list is complete
 */
export async function readPages<Item>(
  pagesLimit: number,
  request: (paging: Paging) => Promise<VenuePage<Item> | null>,
): Promise<{
  readonly items: Item[];
  readonly skipped: number;
  readonly end: 'whole' | 'cut' | 'stopped';
}> {
  const items: Item[] = [];
  let skipped = 0;
  let paging: Paging | null = {};
  let hasMore = false;
  for (let page = 0; page < pagesLimit && paging !== null; page += 1) {
    const found: VenuePage<Item> | null = await request({ limit: VENUE_PAGE, ...paging });
    if (found === null) return { items, skipped, end: 'stopped' };
    items.push(...found.items);
    skipped += found.skipped.length;
    paging = found.nextCursor === null ? null : { cursor: found.nextCursor };
    hasMore = found.hasMore;
  }
  return { items, skipped, end: hasMore ? 'cut' : 'whole' };
}

/**
 * Reads all activity of a wallet in markets.
 *
 * @param nowSeconds by the venue's clock
 * @param request returns a page of it
 * @returns newest first; `unusable`: a row cannot be read, or belongs to another market; `never`:
 *   there are too many pages
 */
export async function readMarkets(
  markets: readonly Pick<OpenQuestion, 'marketId' | 'live'>[],
  nowSeconds: number,
  pagesLimit: number,
  request: (filters: ActivityFilters) => Promise<VenuePage<ActivityItem>>,
): Promise<readonly ActivityItem[] | 'unusable' | 'never'> {
  const marketIds = [...new Set(markets.map(({ marketId }) => marketId))];
  const seenSeconds = markets.flatMap(({ live }) => live.map(({ item }) => item.time));
  // Fixed, so that new records do not shift the pages.
  const toTimestampSeconds = Math.max(Math.floor(nowSeconds), ...seenSeconds);
  const { items, end } = await readPages(pagesLimit, async (paging) => {
    const page = await request({ marketIds, toTimestampSeconds, ...paging });
    const isOfThem = page.items.every(({ marketId }) => marketIds.includes(marketId));
    if (page.skipped.length === 0 && isOfThem) return page;
    return null;
  });
  if (end === 'whole') return items;
  return end === 'cut' ? 'never' : 'unusable';
}

/**
 * Reads all activity of a wallet in a market from the venue, without storing it.
 *
 * @param key short hash of its `marketKey`; null if unknown
 * @param kept knowledge about the wallet: records detected while a question is open must be in the
 *   response
 * @param nowSeconds the venue's clock, in Unix seconds
 * @returns its positions, empty if it never traded there; null if the response does not show the
 *   holdings: it is incomplete, has too many pages, lacks known records, or sells more than was
 *   bought
 */
export async function askMarket(
  venue: Pick<PersonsLookups, 'activity'>,
  wallet: WalletAddress,
  { marketId, key }: { readonly marketId: string; readonly key: string | null },
  kept: Pick<WalletKnowledge, 'record' | 'questions'> | undefined,
  nowSeconds: number,
): Promise<readonly Position[] | null> {
  const open = kept?.questions.find((question) => question.marketId === marketId);
  const newestFirst = await readMarkets(
    [open ?? { marketId, live: [] }],
    nowSeconds,
    MARKET_PAGES,
    (filters) => venue.activity(wallet, filters),
  );
  if (typeof newestFirst === 'string') return null;
  const [newest] = newestFirst;
  if (newest === undefined) {
    const hasTraded = kept?.record.markets.some(({ market }) => market === key) === true;
    if (open === undefined && !hasTraded) return [];
    return null;
  }
  const { market } = entryKeys(newest);
  const all = {
    market,
    marketId,
    boundarySeconds: Number.MAX_SAFE_INTEGER,
    seenSeconds: nowSeconds,
    live: [],
  };
  const history = await readHistory(open ?? all, newestFirst);
  if (typeof history === 'string') return null;
  if (open === undefined) return history.positions;
  return answerQuestion(open, open.live, history)?.positions ?? null;
}
