import { LRUCache } from 'lru-cache';
import { type ActivityItem, activityIdentity, type LookUps, type WalletAddress } from '../feed/interface.ts';
import { VENUE_PAGE } from '../lookups/page-scan.ts';
import { type FillsTarget, isInTarget } from './target.ts';

/** The venue's contract: a number carried as text. */
const MARKET_ID = /^\d{1,78}$/;
/** Requests for one alert at the most: a thousand records. */
const PAGES_LIMIT = 10;
/** Records may be listed late: what was read is read again after this. */
const LIFE_MS = 5 * 60_000;
/** Alerts whose records are kept, and records of all of them: some 30 MB. */
const ALERTS_LIMIT = 500;
const RECORDS_LIMIT = 20_000;

/** What the venue lists of an alert. */
export interface AlertFills {
  /** Trades or redemptions of the alert's market, outcome, action and time, newest first. */
  readonly items: readonly ActivityItem[];
  /** How many records were read, where there are older ones that were not; null if all were. */
  readonly cutAfter: number | null;
  /** Records that could not be read. */
  readonly skipped: number;
}

/**
 * Looks up the records of alerts at the venue: once for all who ask within five minutes, whichever server they are in, and
 * counted for none of them. Failures are not kept.
 */
export interface AlertFillsLookup {
  /** @throws VenueError as the venue client does */
  of(wallet: WalletAddress, target: FillsTarget): Promise<AlertFills>;
}

/** A look-up: everything of the market in the time, which alerts of several outcomes and actions share. */
interface Asked {
  readonly wallet: WalletAddress;
  readonly target: FillsTarget;
}

/** @param clockMs a clock that never jumps, ms */
export function createAlertFillsLookup(venue: Pick<LookUps, 'activity'>, clockMs: () => number): AlertFillsLookup {
  const read = async ({ wallet, target }: Asked): Promise<AlertFills> => {
    const { marketId, fromSeconds, toSeconds } = target;
    const filters = {
      // With anything else the venue may refuse the request.
      ...(MARKET_ID.test(marketId) ? { marketIds: [marketId] } : {}),
      fromTimestampSeconds: fromSeconds,
      toTimestampSeconds: toSeconds,
      limit: VENUE_PAGE,
    };
    const items: ActivityItem[] = [];
    let skipped = 0;
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_LIMIT; page += 1) {
      const paging: { cursor?: string } = cursor === null ? {} : { cursor };
      const found = await venue.activity(wallet, { ...filters, ...paging }, { priority: 'person' });
      items.push(...found.items);
      skipped += found.skipped.length;
      cursor = found.nextCursor;
      if (cursor === null) break;
    }
    return { items, cutAfter: cursor === null ? null : items.length, skipped };
  };

  const cache = new LRUCache<string, AlertFills, Asked>({
    max: ALERTS_LIMIT,
    maxSize: RECORDS_LIMIT,
    sizeCalculation: ({ items }) => 1 + items.length,
    ttl: LIFE_MS,
    ttlResolution: 0,
    perf: { now: clockMs },
    // What is pushed out of the cache is answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => read(context),
  });

  return {
    async of(wallet, target) {
      const { marketId, fromSeconds, toSeconds } = target;
      const key = JSON.stringify([wallet, marketId, fromSeconds, toSeconds]);
      const fills = await cache.forceFetch(key, { context: { wallet, target } });
      return { ...fills, items: fills.items.filter((item) => isInTarget(item, target)) };
    },
  };
}

/**
 * The records of one alert among those of its market, outcome, action and time.
 *
 * @param identities of the alert's records, one each
 * @returns those that the venue lists, in their order, and how many it does not list
 */
export function pickAlerted(
  items: readonly ActivityItem[],
  identities: readonly string[],
): { readonly items: readonly ActivityItem[]; readonly missing: number } {
  const left = new Map<string, number>();
  for (const identity of identities) left.set(identity, (left.get(identity) ?? 0) + 1);
  const picked = items.filter((item) => {
    const identity = activityIdentity(item);
    const count = left.get(identity) ?? 0;
    if (count > 0) left.set(identity, count - 1);
    return count > 0;
  });
  return { items: picked, missing: identities.length - picked.length };
}
