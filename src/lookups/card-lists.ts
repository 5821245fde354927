import type { ActivityItem } from '../domain/records.ts';
import { inTurns } from '../lib/async/turns.ts';
import { newPortfolio, type Portfolio } from '../portfolio/portfolio.ts';
import { SIZES_KEPT, tradeSizes } from '../portfolio/trades/sizes.ts';
import { addActivity } from '../portfolio/update.ts';
import type { ScanCoverage } from './list-summary.ts';
import { FIRST_RECORDS, isWhole, type PageScan } from './page-scan.ts';

/** Computes the card of each list once: turning back to the first page costs nothing. */
export function createCardLists() {
  const known = new WeakMap<PageScan<ActivityItem>, { readonly reach: string; readonly list: CardList }>();
  return {
    /** @param scan from the top of the list, without filters */
    async of(scan: PageScan<ActivityItem>, nowSeconds: number): Promise<CardList> {
      const newest = newestOf(scan);
      const { scanned, skipped, cursor } = newest;
      const reach = `${scanned} ${skipped} ${cursor === null}`;
      const kept = known.get(scan);
      // Records beyond the newest change nothing.
      if (kept?.reach === reach) return kept.list;
      const list = { coverage: newest, portfolio: await portfolioOfScan(newest, nowSeconds) };
      known.set(scan, { reach, list });
      return list;
    },
  };
}

/** What a card shows of a list: the portfolio computed from its newest records, and how far these reach. */
interface CardList {
  readonly portfolio: Portfolio;
  readonly coverage: ScanCoverage;
}

type NewestRecords = Omit<ScanCoverage, 'items'> & { readonly items: ActivityItem[] };

/** The newest records of a list: as many as its first page reads, however far somebody has paged. */
function newestOf(scan: PageScan<ActivityItem>): NewestRecords {
  const items = scan.items.slice(0, FIRST_RECORDS);
  const oldest = items.at(-1);
  // The scan grows when somebody turns the page: what a card was computed from stays as it was.
  if (oldest === undefined || items.length === scan.items.length) return { ...scan, items };
  return { ...scan, items, scanned: items.length, oldestSeconds: oldest.time, cursor: undefined };
}

/**
 * What is held, traded and usual by the records of a list alone.
 *
 * @param scan from the top of the list, without filters
 */
export async function portfolioOfScan(scan: NewestRecords, nowSeconds: number): Promise<Portfolio> {
  const isAll = isWhole(scan) && scan.skipped === 0;
  // A record that could not be read may have been of any time.
  const sinceSeconds = scan.skipped > 0 ? nowSeconds : scan.oldestSeconds;
  const oldestFirst = scan.items.toReversed().sort((a, b) => a.time - b.time);
  let portfolio = newPortfolio(isAll ? 0 : sinceSeconds, isAll);
  for await (const piece of inTurns(oldestFirst)) {
    ({ portfolio } = addActivity(portfolio, piece, nowSeconds, () => true));
  }
  // The fills of one trade may have been in two turns.
  return { ...portfolio, sizes: [...tradeSizes(oldestFirst).values()].slice(-SIZES_KEPT) };
}
