import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem } from '../../domain/records.ts';
import {
  isComplete,
  isContradicted,
  isSamePayout,
  type Redemption,
  redemptionOf,
  type Settlement,
  settle,
} from '../../domain/settlement.ts';
import { createLateWrites } from '../../lib/async/late-writes.ts';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_SECONDS } from '../../lib/time.ts';
import type { Store } from '../../store/store.ts';

export const SETTLEMENTS_PREFIX = 'settlements:';
/** Maximum number of markets in one request. */
export const SETTLEMENTS_LIMIT = 1_000;
/**
 * Maximum markets per document (about 100 kB), and maximum documents; beyond it the oldest document
 * is deleted.
 */
const MARKETS_PER_DOCUMENT = 2_000;
const DOCUMENTS_LIMIT = 100;
const KEPT_HOURS = 400 * 24;
/**
 * Maximum number of markets with uncertain redemptions, in memory only; beyond it the oldest is
 * dropped.
 */
const PENDING_LIMIT = 20_000;
/** Maximum redemptions kept for such a market; two that agree are enough. */
const REDEMPTIONS_LIMIT = 16;

/** Some markets, in the order in which their ends became known. */
export const settlementsSchema = z.object({
  markets: z.array(
    z.tuple([
      /** Short hash of the market. */
      z.string(),
      /** Hour since 1970 from which the settlement counts. */
      z.int(),
      /** Short hashes of outcomes, and USDC per share; empty if contradicted. */
      z.array(z.tuple([z.string(), z.number()])),
    ]),
  ),
});

interface Ended {
  readonly payouts: readonly (readonly [outcome: string, payout: number])[];
  readonly atHour: number;
  /** Reported from this hour on, so that nobody can see which page revealed it. */
  readonly reportedFromHour: number;
  readonly document: number;
}

/**
 * Tracks how markets ended, by the redemptions on polled pages: 200,000 markets of the last 400
 * days. Lookups by people settle nothing. A market with contradictory redemptions is frozen
 * permanently.
 *
 * @param nowSeconds the venue's clock, in Unix seconds
 */
export function createSettlements(
  { log }: Machine,
  {
    store,
    nowSeconds,
  }: { readonly store: Pick<Store, 'set' | 'delete'>; readonly nowSeconds: () => number },
) {
  const ended = createEndedMarkets(log, store);
  // With `max` the cache would clear all its slots whenever the last entry goes, which takes a
  // millisecond.
  const pending = new LRUCache<string, Redemption[]>({
    maxSize: PENDING_LIMIT,
    sizeCalculation: () => 1,
  });
  let checkedHour = Number.NEGATIVE_INFINITY;

  /** Returns the known redemptions of a market. */
  const redemptionsOf = (market: string): readonly Redemption[] => [
    ...storedRedemptions(market, ended.get(market)),
    ...(pending.get(market) ?? []),
  ];

  const conclude = (
    market: string,
    redemptions: readonly Redemption[],
    reportedFromHour: number,
  ) => {
    const settlement = settle(redemptions, nowSeconds());
    const before = ended.get(market)?.payouts.length ?? 0;
    if (settlement === null || settlement.payouts.size === before) return;
    ended.set(market, {
      payouts: [...settlement.payouts],
      atHour: hourOf(settlement.atSeconds),
      reportedFromHour,
    });
    if (isComplete(settlement.payouts)) pending.delete(market);
  };

  const count = (redemption: Redemption, conditionId: string) => {
    const { market, outcome, payout } = redemption;
    const before = ended.get(market);
    const hour = hourOf(nowSeconds());
    const isKnown = before?.payouts.some(
      ([name, known]) => name === outcome && isSamePayout(known, payout),
    );
    const isAnswered = isKnown === true || before?.payouts.length === 0;
    if (isAnswered || hourOf(redemption.atSeconds) < hour - KEPT_HOURS) return;
    const redemptions = redemptionsOf(market);
    if (redemptions.some((other) => isSame(other, redemption))) return;
    const all = [...redemptions, redemption];
    if (isContradicted(all)) {
      const fields = { conditionId: conditionId.slice(0, 100), wasSettled: before !== undefined };
      log.warn({ event: 'market.contradicted', ...fields });
      pending.delete(market);
      ended.set(market, {
        payouts: [],
        atHour: before?.atHour ?? hour,
        reportedFromHour: hour + 1,
      });
      return;
    }
    const kept = [...(pending.get(market) ?? []), redemption];
    if (kept.length <= REDEMPTIONS_LIMIT) pending.set(market, kept);
    conclude(market, all, hour + 1);
  };

  /** Once an hour, settles what has become certain by waiting, and deletes what has expired. */
  const turnHour = () => {
    const hour = hourOf(nowSeconds());
    if (hour === checkedHour) return;
    checkedHour = hour;
    for (const market of [...pending.keys()]) conclude(market, redemptionsOf(market), hour);
    ended.dropBefore(hour - KEPT_HOURS);
  };

  return {
    /** Loads a document at startup. Returns false if it cannot be read. */
    load(key: string, document: unknown): boolean {
      const parsed = settlementsSchema.safeParse(document);
      const number = Number(key.slice(SETTLEMENTS_PREFIX.length));
      if (!parsed.success || !Number.isSafeInteger(number) || number < 0) return false;
      ended.load(number, parsed.data.markets);
      return true;
    },
    /**
     * Counts the redemptions among the records that a polled page shows and the previous one did
     * not.
     */
    count(wallet: WalletAddress, items: readonly ActivityItem[]): void {
      turnHour();
      for (const item of items) {
        const redemption = item.action === 'Redeem' ? redemptionOf(item, wallet) : undefined;
        if (redemption !== undefined) count(redemption, item.conditionId);
      }
    },
    /**
     * See `Feed.settlements`.
     *
     * @throws {RangeError} for more than 1,000 markets
     */
    of(markets: readonly string[]): Settlement[] {
      if (markets.length > SETTLEMENTS_LIMIT) {
        throw new RangeError(`Expected at most ${SETTLEMENTS_LIMIT} markets.`);
      }
      turnHour();
      const hour = hourOf(nowSeconds());
      const settlements: Settlement[] = [];
      for (const market of markets) {
        const found = ended.get(market);
        if (found === undefined || found.reportedFromHour > hour) continue;
        const atSeconds = found.atHour * HOUR_SECONDS;
        settlements.push({ market, payouts: new Map(found.payouts), atSeconds });
      }
      return settlements;
    },
    start: ended.start,
    stop: ended.stop,
  };
}

/**
 * Stores the markets that have ended, in several documents, of which the oldest is deleted if there
 * are too many.
 */
function createEndedMarkets(log: Logger, store: Pick<Store, 'set' | 'delete'>) {
  const ended = new Map<string, Ended>();
  /** Short hashes of each document's markets; the oldest document has the lowest number. */
  const documents = new Map<number, string[]>();

  const writes = createLateWrites<number>({
    write(document) {
      const key = SETTLEMENTS_PREFIX + document;
      const markets = documents.get(document);
      if (markets === undefined) return store.delete(key);
      const entries = markets.map((market) => [
        market,
        ended.get(market)?.atHour ?? 0,
        ended.get(market)?.payouts ?? [],
      ]);
      return store.set(key, { markets: entries });
    },
    onFailure: (error) => log.warn({ event: 'settlements.not_stored', err: error }),
  });

  /** Returns the document for the next market; drops the oldest one beyond the limit. */
  const openDocument = (): number => {
    const last = Math.max(-1, ...documents.keys());
    if ((documents.get(last)?.length ?? MARKETS_PER_DOCUMENT) < MARKETS_PER_DOCUMENT) return last;
    documents.set(last + 1, []);
    if (documents.size > DOCUMENTS_LIMIT) drop(Math.min(...documents.keys()));
    return last + 1;
  };

  const drop = (document: number) => {
    for (const market of documents.get(document) ?? []) ended.delete(market);
    documents.delete(document);
    writes.changed(document);
  };

  return {
    get: (market: string) => ended.get(market),
    set(market: string, { payouts, atHour, reportedFromHour }: Omit<Ended, 'document'>): void {
      const document = ended.get(market)?.document ?? openDocument();
      if (!ended.has(market)) documents.get(document)?.push(market);
      ended.set(market, { payouts, atHour, reportedFromHour, document });
      writes.changed(document);
    },
    /** Deletes documents whose markets all ended before this hour. */
    dropBefore(hour: number): void {
      for (const [document, markets] of [...documents]) {
        if (markets.every((market) => (ended.get(market)?.atHour ?? 0) < hour)) drop(document);
      }
    },
    /** Loads a document at startup. */
    load(document: number, markets: z.infer<typeof settlementsSchema>['markets']): void {
      for (const [market, atHour, payouts] of markets) {
        ended.set(market, { payouts, atHour, reportedFromHour: 0, document });
      }
      const hashes = markets.map(([market]) => market);
      documents.set(document, hashes);
    },
    start: writes.start,
    stop: writes.stop,
  };
}

/** Returns the redemptions that a stored market represents: two for each outcome. */
function storedRedemptions(
  market: string,
  { atHour, payouts }: Pick<Ended, 'atHour' | 'payouts'> = { atHour: 0, payouts: [] },
): readonly Redemption[] {
  const atSeconds = atHour * HOUR_SECONDS;
  return payouts.flatMap(([outcome, payout]) =>
    ['stored', 'stored as well'].map((name) => ({
      market,
      outcome,
      txHash: name,
      wallet: name,
      atSeconds,
      payout,
    })),
  );
}

function isSame(one: Redemption, other: Redemption): boolean {
  const isSameRecord =
    one.txHash === other.txHash && one.wallet === other.wallet && one.outcome === other.outcome;
  return isSameRecord && isSamePayout(one.payout, other.payout);
}

function hourOf(seconds: number): number {
  return Math.floor(seconds / HOUR_SECONDS);
}
