import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  activityIdentity,
  activityKey,
  activityVersion,
} from '../domain/records.ts';
import type { LookUps } from '../feed/interface.ts';
import type { Account, AccountOf } from '../lib/fair-shares/account.ts';
import { groupBy } from '../lib/group-by.ts';
import { readPages } from '../lookups/read-pages.ts';
import { isMarketId } from '../portfolio/market.ts';
import { type FillsTarget, isInTarget } from './target.ts';

/** Requests for one alert at the most: a thousand records. */
const PAGES_LIMIT = 10;
/** Records may be listed late: what was read is read again after this. */
const LIFE_MS = 5 * 60_000;
/** Alerts whose records are kept, and records of all of them: some 30 MB. */
const ALERTS_LIMIT = 500;
const RECORDS_LIMIT = 20_000;

/**
 * Records of an alert that were read so lately are not read again because some of them are missing.
 */
const FRESH_MS = 5_000;

/** Records that the venue lists of an alert. */
export interface AlertFills {
  /**
   * Trades or redemptions of the alert, or of its market, outcome, action and time; newest first.
   */
  readonly items: readonly ActivityItem[];
  /**
   * Count of the alert's records that are not among them; null if it is not known which ones were
   * in the alert.
   */
  readonly missing: number | null;
  /** Count of the records read, where there are older ones that were not; null if all were. */
  readonly cutAfter: number | null;
  /** Records that could not be read. */
  readonly skipped: number;
}

/** Everything of a market in a time, which alerts of several outcomes and actions share. */
interface Read extends Omit<AlertFills, 'missing'> {
  readonly readAtMs: number;
}

/**
 * Looks up the records of alerts at the venue: once for all who ask within five minutes, whichever
 * server they are in, for the owner that asks first. Failures are not kept.
 *
 * @param clockMs a clock that never jumps, ms
 * @param accountOf whose share an owner's look-ups are
 */
export function createAlertFillsLookup(
  venue: Pick<LookUps, 'activity'>,
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
    // A look-up that is pushed out of the cache is answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: read }) => read(),
  });

  /** Reads everything of the target's market in its time. */
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
     * @param ownerId whose people ask: among those who wait for the venue it has its turn, without
     *   a limit of its own
     * @param records the alert's, one each: identities, and keys where these are stored; null if
     *   they are not known
     * @throws VenueError as the venue client does
     */
    async of(
      ownerId: string,
      wallet: WalletAddress,
      target: FillsTarget,
      records: AlertRecords | null,
    ): Promise<AlertFills> {
      const { marketId, fromSeconds, toSeconds } = target;
      const key = JSON.stringify([wallet, marketId, fromSeconds, toSeconds]);
      const read = () => readFills(accountOf(ownerId), wallet, target);
      const found = await cache.forceFetch(key, { context: read });
      const fills = fillsOf(found, target, records);
      // The alert may have grown since.
      const isStale = (fills.missing ?? 0) > 0 && clockMs() - found.readAtMs > FRESH_MS;
      if (!isStale) return fills;
      const again = await cache.forceFetch(key, { context: read, forceRefresh: true });
      return fillsOf(again, target, records);
    },
  };
}

/** Records of an alert as they were when it was sent: their identities, and keys in their order. */
export interface AlertRecords {
  readonly identities: readonly string[];
  readonly keys?: readonly string[] | undefined;
}

function fillsOf(read: Read, target: FillsTarget, records: AlertRecords | null): AlertFills {
  const { items, cutAfter, skipped } = read;
  const alike = items.filter((item) => isInTarget(item, target));
  if (records === null) return { items: alike, missing: null, cutAfter, skipped };
  const { identities, keys = [] } = records;
  const picked = new Set<ActivityItem>();
  // Each as often as it was in the alert; first those that are as they were then.
  const places = groupBy(identities.keys(), (place) => identities[place] ?? '');
  const left = new Set(identities.keys());
  for (const item of alike) {
    const names = [activityIdentity(item), activityVersion(item)];
    const place = names.flatMap((name) => places.get(name) ?? []).find((one) => left.has(one));
    if (place === undefined) continue;
    left.delete(place);
    picked.add(item);
  }
  // Then those that the venue has changed since.
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
