import * as z from 'zod';
import {
  type ActivityItem,
  activityIdentity,
  readActivityItemSchema,
} from '../../domain/records.ts';
import { inTurns } from '../../lib/async/turns.ts';
import { groupBy } from '../../lib/group-by.ts';
import { newAccount, withFills } from '../accounts/account.ts';
import { entryKeys, isMarketId, isOutcomeNamed, marketKey, shortHash } from '../market.ts';
import type { RecordFill } from '../record/first-purchase.ts';
import { recordFill } from '../record/record.ts';
import type { TradeContext } from '../trade-context.ts';
import {
  applyFill,
  compareRecords,
  fillOf,
  isKnown,
  openPosition,
  type Position,
  placeInMarket,
} from './position.ts';

/**
 * Markets of a wallet that the venue is asked for at a time. Beyond, the oldest are not, until they
 * are met again.
 */
const QUESTIONS_LIMIT = 20;
/** Records that are kept for them. */
const LIVE_LIMIT = 100;

/**
 * A market of which the venue is to be asked what the wallet did there before `boundarySeconds`
 * (Unix seconds), and what was detected of it since, in that order.
 */
export const openQuestionSchema = z.object({
  /** Key from `entryKeys`. */
  market: z.string(),
  /** A number. */
  marketId: z.string(),
  boundarySeconds: z.number(),
  /** Unix seconds up to which records had been detected. */
  seenSeconds: z.number(),
  live: z.array(z.object({ alertId: z.string(), item: readActivityItemSchema })),
});
export type OpenQuestion = z.infer<typeof openQuestionSchema>;

/**
 * Adds new records of markets that are not followed: to the question that is open, else to a new
 * one.
 *
 * @param items of one page, oldest first; `isWanted`: whether anybody would see what it means
 * @param detected Unix seconds of the newest record of any market that had been detected before
 *   this page, and with it
 * @param refused markets of which no answer is to be had
 * @returns the open questions, and those that are given up
 */
export function addUnknown(
  questions: readonly OpenQuestion[],
  items: readonly (OpenQuestion['live'][number] & { readonly isWanted: boolean })[],
  detected: { readonly beforeSeconds: number; readonly seenSeconds: number },
  refused: readonly string[],
): { readonly open: readonly OpenQuestion[]; readonly givenUp: readonly OpenQuestion[] } {
  const { beforeSeconds, seenSeconds } = detected;
  const byMarket = new Map(questions.map((question) => [question.market, question]));
  const givenUp: OpenQuestion[] = [];
  for (const [market, group] of groupBy(items, ({ item }) => entryKeys(item).market)) {
    const live = group.map(({ alertId, item }) => ({ alertId, item }));
    const before = byMarket.get(market);
    const oldestSeconds = Math.min(...group.map(({ item }) => item.time));
    if (before !== undefined) {
      const next = { ...before, seenSeconds, live: [...before.live, ...live] };
      const isLate = oldestSeconds < before.boundarySeconds;
      // It may be in the answer as well.
      if (isLate) {
        byMarket.delete(market);
        givenUp.push(next);
      } else {
        byMarket.set(market, next);
      }
      continue;
    }
    const [{ item }] = group;
    const isAskable = isMarketId(item.marketId) && !refused.includes(market);
    const isWanted = group.some((one) => one.isWanted);
    // All that had been detected of the market before must be before the boundary.
    if (!isAskable || !isWanted || oldestSeconds < beforeSeconds) continue;
    byMarket.set(market, {
      market,
      marketId: item.marketId,
      boundarySeconds: oldestSeconds,
      seenSeconds,
      live,
    });
  }
  const open = [...byMarket.values()];
  while (open.length > QUESTIONS_LIMIT || open.flatMap(({ live }) => live).length > LIVE_LIMIT) {
    givenUp.push(...open.splice(0, 1));
  }
  return { open, givenUp };
}

/**
 * Why there is no history. `unusable`: the answer is none; `never`: it does not tell what was held,
 * nor will any.
 */
type NoHistory = 'unusable' | 'never';

/**
 * Answer of the venue about a market: all that the wallet ever did there, up to the moment of the
 * question.
 */
type MarketHistory = Exclude<Awaited<ReturnType<typeof readHistory>>, NoHistory>;

/**
 * Reads an answer, in turns of the event loop.
 *
 * @param question as it was when it was asked
 * @param answer what the wallet did in its market and others, newest first
 * @returns what was held at the boundary, identities of the records before it, these themselves,
 *   and the records since
 */
export async function readHistory(
  { market, marketId, boundarySeconds }: OpenQuestion,
  answer: readonly ActivityItem[] | NoHistory,
) {
  if (typeof answer === 'string') return answer;
  const own = answer.filter((item) => item.marketId === marketId);
  const markets = new Set(own.map(marketKey));
  if ([...markets].some((name) => shortHash(name) !== market)) return 'unusable' as const;
  const inOrder = own.toReversed().sort(compareRecords);
  const since = inOrder.filter(({ time }) => time >= boundarySeconds);
  const past = inOrder.filter(({ time }) => time < boundarySeconds);
  const older = new Set<string>();
  const held = new Map<string, Position>();
  const fills: RecordFill[] = [];
  let isTold = true;
  for await (const piece of inTurns(past)) {
    for (const item of piece) {
      older.add(activityIdentity(item));
      const fill = fillOf(item);
      isTold &&= (fill !== undefined && isOutcomeNamed(item)) || item.quantity <= 0;
      if (fill === undefined) continue;
      fills.push(...recordFillOf(item));
      const position = held.get(entryKeys(item).outcome) ?? openPosition(item);
      const { after } = applyFill(position.held, fill);
      // No other will be listed before: no recent fills are kept.
      const seconds = { baseSeconds: item.time, lastSeconds: item.time };
      held.set(position.outcome, { ...position, ...seconds, held: after, base: after });
    }
  }
  const positions = [...held.values()];
  // More was sold than was bought: there are ways to get shares that the venue does not list.
  if (isTold && positions.every(isKnown)) return { positions, older, since, fills };
  return 'never' as const;
}

/**
 * Works out what a wallet has in a market by the history that the venue tells, and what each record
 * since means.
 *
 * @param asked the question as it was when it was asked
 * @param live what has been detected of it until now
 * @returns null if nothing can be said: the history lacks a record that had been seen, or has
 *   others of that time; else the market's positions and account, and what is exact of each record,
 *   by alert
 */
export function answerQuestion(
  asked: OpenQuestion,
  live: OpenQuestion['live'],
  history: MarketHistory,
) {
  const { positions, older, since, fills } = history;
  const listed = groupBy(since, activityIdentity);
  const seen = groupBy(asked.live, ({ item }) => activityIdentity(item));
  const known = groupBy(live, ({ item }) => activityIdentity(item));
  const countIn = (records: typeof seen | typeof listed, identity: string) =>
    records.get(identity)?.length ?? 0;
  // The history has what had been seen, as often, and nothing else of that time: what was counted
  // before the boundary is in its base alone.
  const isComplete = [...seen].every(
    ([identity, same]) => countIn(listed, identity) >= same.length,
  );
  const isAlone = [...listed].every(
    ([identity, same]) =>
      same[0].time > asked.seenSeconds || countIn(known, identity) >= same.length,
  );
  const isInBase = [...known.keys()].some((identity) => older.has(identity));
  if (!isComplete || !isAlone || isInBase) return null;
  const items = live.map(({ alertId, item }) => [alertId, item] as const);
  const placed = placeInMarket(positions, items, older.size === 0);
  if (placed === null) return null;
  const { boundarySeconds } = asked;
  const lately = live.flatMap(({ item }) => recordFillOf(item));
  const newestSeconds = Math.max(0, ...lately.map(({ atSeconds }) => atSeconds));
  const opened = newAccount(asked.market, asked.marketId, true);
  const contexts = new Map<string, TradeContext>();
  for (const [id, { context }] of placed.stories) {
    if (context !== null) contexts.set(id, context);
  }
  return {
    account: withFills(opened, [...fills, ...lately], newestSeconds),
    positions: placed.positions.map((position) => ({ ...position, boundarySeconds })),
    contexts,
  };
}

function recordFillOf(item: ActivityItem): RecordFill[] {
  const fill = recordFill(item);
  if (fill === undefined) return [];
  return [fill];
}
