import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../lib/error.ts';
import type { Machine } from '../lib/machine.ts';
import type { Kept } from './kept.ts';
import type { MarketFacts } from './record.ts';
import { CONDITIONS_MOST, type Source } from './source.ts';
import type { ActivityRow, Market } from './source-rows.ts';

/** Longest time that a page waits for its markets, in ms. */
const PATIENCE_MS = 1_000;
/** Delay before a market that Gamma does not list is looked up again, in ms. */
const UNLISTED_MS = 60_000;
/** Delay before a market is looked up again because a token is missing from its lists, in ms. */
const STALE_MS = 3_600_000;
/** Interval between attempts while Gamma or the Data API fails, in ms. */
const FAILED_MS = 5_000;
const MEMORY_MOST = 20_000;
/** Maximum additional tokens that are kept for a market. */
const TOKENS_MOST = 400;

/** Looks up each market once, and the payouts of an ended one. */
export function createMarketBook(
  machine: Machine,
  { source, kept }: { readonly source: Source; readonly kept: Kept },
) {
  const { log, nowMs } = machine;
  const markets = createLookup(nowMs, async (conditions) => {
    const found = await source.markets(conditions);
    for (const market of found) {
      const before = (await kept.markets([market.conditionId])).get(market.conditionId);
      const payouts = before?.payouts ?? null;
      await kept.keepMarket({ market: joined(before?.market, market), payouts });
    }
  });
  const payouts = createLookup(nowMs, async (conditions) => {
    const found = await source.payouts(conditions);
    const known = await kept.markets([...found.keys()]);
    for (const [condition, paid] of found) {
      const market = known.get(condition)?.market;
      if (market !== undefined && paid.length === market.outcomes.length) {
        await kept.keepMarket({ market, payouts: paid });
      }
    }
  });

  const settled = async (work: readonly Promise<void>[], signal: AbortSignal) => {
    if (work.length === 0) return;
    const results = Promise.allSettled(work);
    const patience = delay(PATIENCE_MS, undefined, { signal }).catch(() => undefined);
    const done = await Promise.race([results, patience]);
    for (const result of done ?? []) {
      if (result.status === 'rejected') {
        log.warn({ event: 'polymarket.markets_unknown', reason: reasonOf(result.reason) });
      }
    }
  };

  return {
    /**
     * Returns the known facts of these rows' markets. It waits at most a second for unknown ones; a
     * later page then finds them.
     */
    async factsOf(rows: readonly ActivityRow[]): Promise<(row: ActivityRow) => MarketFacts> {
      const conditions = [...new Set(rows.filter(hasMarket).map(conditionOf))];
      const known = await kept.markets(conditions);
      const stale = rows.filter(
        (row) => hasMarket(row) && isForeignToken(known.get(conditionOf(row))?.market, row),
      );
      const redeemed = rows
        .filter((row) => row.type === 'REDEEM' && hasMarket(row))
        .map(conditionOf);
      const ending = new AbortController();
      try {
        await settled(
          [
            ...markets.ask(
              conditions.filter((condition) => !known.has(condition)),
              UNLISTED_MS,
            ),
            ...markets.ask([...new Set(stale.map(conditionOf))], STALE_MS),
          ],
          ending.signal,
        );
        const listed = await kept.markets([...new Set(redeemed)]);
        const unpaid = [...listed].filter(([, market]) => market.payouts === null);
        await settled(
          payouts.ask(
            unpaid.map(([condition]) => condition),
            UNLISTED_MS,
          ),
          ending.signal,
        );
      } finally {
        ending.abort();
      }
      const facts = await kept.markets(conditions);
      return (row) => facts.get(conditionOf(row)) ?? { market: null, payouts: null };
    },
  };
}

/**
 * Looks up conditions in batches. A condition is looked up at most once at a time, and not again
 * before a pause has passed.
 */
function createLookup(nowMs: () => number, look: (conditions: readonly string[]) => Promise<void>) {
  const underWay = new Map<string, Promise<void>>();
  /** Time until which a condition is not looked up again, in epoch ms. */
  const askAgainMs = new Map<string, number>();

  const lookUp = async (batch: readonly string[], pauseMs: number) => {
    const pause = (delayMs: number) => {
      for (const condition of batch) {
        askAgainMs.delete(condition);
        askAgainMs.set(condition, nowMs() + delayMs);
      }
      for (const [oldest] of askAgainMs) {
        if (askAgainMs.size <= MEMORY_MOST) break;
        askAgainMs.delete(oldest);
      }
    };
    try {
      await look(batch);
      pause(pauseMs);
    } catch (error) {
      pause(FAILED_MS);
      throw error;
    } finally {
      for (const condition of batch) underWay.delete(condition);
    }
  };

  return {
    ask(conditions: readonly string[], pauseMs: number): readonly Promise<void>[] {
      const due = conditions.filter((condition) => {
        const againMs = askAgainMs.get(condition) ?? 0;
        return !underWay.has(condition) && (againMs <= nowMs() || againMs > nowMs() + pauseMs);
      });
      for (let at = 0; at < due.length; at += CONDITIONS_MOST) {
        const batch = due.slice(at, at + CONDITIONS_MOST);
        const looking = lookUp(batch, pauseMs);
        for (const condition of batch) underWay.set(condition, looking);
      }
      const waits = conditions.map((condition) => underWay.get(condition));
      return [...new Set(waits)].filter((wait) => wait !== undefined);
    },
  };
}

const conditionOf = (row: ActivityRow) => row.condition_id.toLowerCase();

/** Whether Gamma lists the row's market. A combo has a condition of its own, with 62 digits. */
function hasMarket(row: ActivityRow): boolean {
  return (
    (row.type === 'TRADE' || row.type === 'REDEEM') &&
    !row.is_combo &&
    /^0x[0-9a-f]{64}$/i.test(row.condition_id)
  );
}

/**
 * Returns a market that was looked up again. Its outcomes and tokens stay unchanged, because trades
 * were shown with them; new tokens become additional ones.
 */
function joined(before: Market | undefined, now: Market): Market {
  if (before === undefined || before.outcomes.length === 0 || before.tokens.length === 0)
    return now;
  const { outcomes, tokens } = before;
  const places = outcomes.map((outcome) => now.outcomes.indexOf(outcome));
  const isSame = places.length === now.outcomes.length && !places.includes(-1);
  const otherTokens = [...before.otherTokens];
  for (const list of isSame ? [now.tokens, now.otherTokens] : []) {
    const added = places.flatMap((place) => list[place] ?? []);
    const isNew = !added.some((token) => tokens.includes(token) || otherTokens.includes(token));
    const fits = otherTokens.length + added.length <= TOKENS_MOST;
    if (added.length === places.length && isNew && fits) otherTokens.push(...added);
  }
  return { ...now, id: before.id || now.id, outcomes, tokens, otherTokens };
}

/** Whether a row's token is in neither list of its market. */
export function isForeignToken(market: Market | null | undefined, row: ActivityRow): boolean {
  if (!market || row.token_id === '') return false;
  return !market.tokens.includes(row.token_id) && !market.otherTokens.includes(row.token_id);
}
