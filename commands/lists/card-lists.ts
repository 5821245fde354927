import { FIRST_RECORDS, isWhole, type PageScan } from '../../src/lookups/page-scan.ts';
import type { Reach } from '../../src/lookups/words.ts';
import { writeFills } from '../../src/portfolio/portfolio.ts';
import { newPortfolio, type Portfolio } from '../../src/portfolio/schema.ts';
import type { ActivityItem } from '../../src/venue/schema.ts';

/** What a card tells of a list: the book written from its newest records, and how far these reach. */
export interface CardList {
  readonly portfolio: Portfolio;
  readonly walked: Reach;
}

/** Reckons once for each list what its card tells: turning back to the first page costs nothing. */
export interface CardLists {
  /** @param walk from the top of the list, with nothing left out by filters */
  of(scan: PageScan<ActivityItem>, nowSeconds: number): CardList;
}

export function createCardLists(): CardLists {
  const known = new WeakMap<PageScan<ActivityItem>, { readonly reach: string; readonly list: CardList }>();
  return {
    of(scan, nowSeconds) {
      const walked = newestOf(scan);
      const { scanned, skipped, cursor } = walked;
      const reach = `${scanned} ${skipped} ${cursor === null}`;
      const kept = known.get(scan);
      // What is read beyond the newest records changes nothing.
      if (kept?.reach === reach) return kept.list;
      const list = { walked, portfolio: portfolioOfScan(walked, nowSeconds) };
      known.set(scan, { reach, list });
      return list;
    },
  };
}

/** The newest records of a list: as many as it begins with, however far somebody has turned. */
function newestOf(scan: PageScan<ActivityItem>): CardWalk {
  const items = scan.items.slice(0, FIRST_RECORDS);
  const oldest = items.at(-1);
  // The walk goes on when somebody turns the page: what a card was made of stays as it was.
  if (oldest === undefined || items.length === scan.items.length) return { ...scan, items };
  return { ...scan, items, scanned: items.length, oldestSeconds: oldest.time, cursor: undefined };
}

type CardWalk = Omit<Reach, 'items'> & { readonly items: ActivityItem[] };

/**
 * A book written from a list that nothing was left out of by filters.
 *
 * @param walk that began at the top of the list
 */
export function portfolioOfScan(scan: CardWalk, nowSeconds: number): Portfolio {
  const isAll = isWhole(scan) && scan.skipped === 0;
  // A record that could not be read may have been of any time.
  const sinceSeconds = scan.skipped > 0 ? nowSeconds : scan.oldestSeconds;
  const oldestFirst = scan.items.toReversed().sort((a, b) => a.time - b.time);
  return writeFills(newPortfolio(isAll ? 0 : sinceSeconds, isAll), oldestFirst, nowSeconds).portfolio;
}
