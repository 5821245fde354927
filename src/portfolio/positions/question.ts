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
 * Maximum number of a wallet's markets with open questions to the venue. Beyond it, the oldest are
 * given up until they appear again.
 */
const QUESTIONS_LIMIT = 20;
/** Maximum number of records kept for these questions. */
const LIVE_LIMIT = 100;

/**
 * A market about which the venue has to be asked what the wallet did before `boundarySeconds` (Unix
 * seconds), and the records detected since, in that order.
 */
export const openQuestionSchema = z.object({
  /** Key from `entryKeys`. */
  market: z.string(),
  /** The venue's id, a number as text. */
  marketId: z.string(),
  boundarySeconds: z.number(),
  /** Time up to which records had been detected, in Unix seconds. */
  seenSeconds: z.number(),
  live: z.array(z.object({ alertId: z.string(), item: readActivityItemSchema })),
});
export type OpenQuestion = z.infer<typeof openQuestionSchema>;

/**
 * Adds new records of markets that are not tracked to the open question, or to a new one.
 * @param items of one page, oldest first; `isWanted`: whether the meaning would be shown anywhere
 * @param detected time of the newest record in any market detected before this page, and including
 *   it, in Unix seconds
 * @param refused markets for which there is no answer
 * @returns the open questions, and those that are given up
 */
export function addUnknown(
  questions: readonly OpenQuestion[],
  items: readonly (OpenQuestion['live'][number] & { readonly isWanted: boolean })[],
  detected: { readonly beforeSeconds: number; readonly seenSeconds: number },
  refused: readonly string[],
) {
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
      // It may be included in the answer as well.
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
    // Everything detected in the market before must be before the boundary.
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
 * Reason why there is no history. `unusable`: the answer is not usable; `never`: the answer does
 * not show the holdings, and no later one will.
 */
type NoHistory = 'unusable' | 'never';

/**
 * The venue's answer about a market: everything the wallet ever did there, up to the time of the
 * question.
 */
type MarketHistory = Exclude<Awaited<ReturnType<typeof readHistory>>, NoHistory>;

/**
 * Reads an answer, in turns of the event loop.
 * @param question as it was asked
 * @param answer what the wallet did in its market and others, newest first
 * @returns what was held at the boundary, identities of the records before it, these records, and
 *   the records since
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
  let isComplete = true;
  for await (const piece of inTurns(past)) {
    for (const item of piece) {
      older.add(activityIdentity(item));
      const fill = fillOf(item);
      isComplete &&= (fill !== undefined && isOutcomeNamed(item)) || item.quantity <= 0;
      if (fill === undefined) continue;
      fills.push(...recordFillOf(item));
      const position = held.get(entryKeys(item).outcome) ?? openPosition(item);
      const { after } = applyFill(position.held, fill);
      // No other record will be listed before it, so no recent fills are kept.
      const seconds = { baseSeconds: item.time, lastSeconds: item.time };
      held.set(position.outcome, { ...position, ...seconds, held: after, base: after });
    }
  }
  const positions = [...held.values()];
  // More was sold than bought, because there are ways to get shares that the venue does not list.
  if (isComplete && positions.every(isKnown)) return { positions, older, since, fills };
  return 'never' as const;
}

/**
 * Computes a wallet's positions in a market from the history returned by the venue, and the meaning
 * of each record since.
 * @param asked the question as it was asked
 * @param live records detected so far
 * @returns null if nothing can be determined, because the history lacks a record that had been seen
 *   or has others of that time; otherwise the market's positions and account, and the exact
 *   contexts of records, by alert
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
  // The history must contain every record seen, as often, and nothing else of that time. Records
  // counted before the boundary must be only in its base.
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
