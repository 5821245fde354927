import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  activityIdentity,
  activityKey,
  activityVersion,
} from '../domain/records.ts';
import type { Lookups } from '../feed/interface.ts';
import type { Account, AccountOf } from '../lib/fair-shares/account.ts';
import { groupBy } from '../lib/group-by.ts';
import { readPages } from '../lookups/read-pages.ts';
import { isMarketId } from '../portfolio/market.ts';
import type { DetailsRecord } from './records.ts';
import { type FillsTarget, isInTarget } from './target.ts';

/** Maximum requests for one alert: a thousand records. */
const PAGES_LIMIT = 10;
/** Time after which records are read again, in ms, because the venue may list some of them late. */
const LIFE_MS = 5 * 60_000;
/** Maximum alerts whose records are kept, and maximum records of all of them: about 30 MB. */
const ALERTS_LIMIT = 500;
const RECORDS_LIMIT = 20_000;

/** Time after reading during which missing records do not cause another read, in ms. */
const FRESH_MS = 5_000;

/** An alert's records, as the venue lists them. */
export interface AlertFills {
  /**
   * Trades or redemptions of the alert, or of its market, outcome, action and time; newest first.
   */
  readonly items: readonly ActivityItem[];
  /** Number of the alert's records that are missing; null if the alert's records are unknown. */
  readonly missing: number | null;
  /** Number of records read, if older ones were not read; null if all were. */
  readonly cutAfter: number | null;
  /** Number of records that could not be read. */
  readonly skipped: number;
}

/** All records of a market in a period, shared by alerts of several outcomes and actions. */
interface Read extends Omit<AlertFills, 'missing'> {
  readonly readAtMs: number;
}

/**
 * Creates the lookup of alerts' records at the venue: once for everyone who asks within five
 * minutes, in any server, charged to the owner that asks first. Failures are not cached.
 *
 * @param clockMs a clock that never jumps, in ms
 * @param accountOf returns the account that an owner's lookups are charged to
 */
export function createAlertFillsLookup(
  venue: Pick<Lookups, 'activity'>,
  clockMs: () => number,
  accountOf: AccountOf,
) {
  const cache = new LRUCache<string, Read, () => Promise<Read>>({
    max: ALERTS_LIMIT,
    maxSize: RECORDS_LIMIT,
    sizeCalculation: ({ items }) => 1 + items.length,
    ttl: LIFE_MS,
    ttlResolution: 0,
    perf: { now: clockMs },
    // A lookup that is evicted from the cache still gets its answer.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: read }) => read(),
  });

  /** Reads all records of the target's market in its period. */
  const readFills = async (
    account: Account,
    wallet: WalletAddress,
    { marketId, fromSeconds, toSeconds }: FillsTarget,
  ): Promise<Read> => {
    const filters = {
      ...(isMarketId(marketId) && { marketIds: [marketId] }),
      fromTimestampSeconds: fromSeconds,
      toTimestampSeconds: toSeconds,
    };
    const { items, skipped, end } = await readPages(PAGES_LIMIT, (paging) =>
      venue.activity(wallet, { ...filters, ...paging }, { priority: 'person', account }),
    );
    const cutAfter = end === 'whole' ? null : items.length;
    return { items, cutAfter, skipped, readAtMs: clockMs() };
  };

  return {
    /**
     * @param ownerId owner of the people asking; it determines the turn among waiting lookups,
     *   without a limit of its own
     * @param records the alert's records, one each, when it was sent; null if unknown
     * @throws VenueError like the venue client
     */
    async of(
      ownerId: string,
      wallet: WalletAddress,
      target: FillsTarget,
      records: NamedRecords | null,
    ): Promise<AlertFills> {
      const { marketId, fromSeconds, toSeconds } = target;
      const key = JSON.stringify([wallet, marketId, fromSeconds, toSeconds]);
      const read = () => readFills(accountOf(ownerId), wallet, target);
      const found = await cache.forceFetch(key, { context: read });
      const fills = fillsOf(found, target, records);
      // The alert may have grown since then.
      const isStale = (fills.missing ?? 0) > 0 && clockMs() - found.readAtMs > FRESH_MS;
      if (!isStale) return fills;
      const again = await cache.forceFetch(key, { context: read, forceRefresh: true });
      return fillsOf(again, target, records);
    },
  };
}

type NamedRecords = Pick<DetailsRecord, 'identities' | 'keys'>;

function fillsOf(read: Read, target: FillsTarget, records: NamedRecords | null): AlertFills {
  const { items, cutAfter, skipped } = read;
  const alike = items.filter((item) => isInTarget(item, target));
  const { identities = null, keys = [] } = records ?? {};
  if (identities === null) return { items: alike, missing: null, cutAfter, skipped };
  const picked = new Set<ActivityItem>();
  // Picks each record as often as the alert contained it, unchanged records first.
  const places = groupBy(identities.keys(), (place) => identities[place] ?? '');
  const left = new Set(identities.keys());
  for (const item of alike) {
    const names = [activityIdentity(item), activityVersion(item)];
    const place = names.flatMap((name) => places.get(name) ?? []).find((one) => left.has(one));
    if (place === undefined) continue;
    left.delete(place);
    picked.add(item);
  }
  // Then picks the records that the venue has changed since then.
  const changed = groupBy(left, (place) => keys[place] ?? '');
  for (const item of changed.size === 0 ? [] : alike) {
    const place = picked.has(item) ? undefined : changed.get(activityKey(item))?.shift();
    if (place === undefined) continue;
    left.delete(place);
    picked.add(item);
  }
  return {
    items: alike.filter((item) => picked.has(item)),
    missing: left.size,
    cutAfter,
    skipped,
  };
}
