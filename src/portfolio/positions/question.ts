import * as z from 'zod';
import { activityIdentity } from '../../domain/identity.ts';
import { type ActivityItem, readActivityItemSchema } from '../../domain/records.ts';
import { inTurns } from '../../lib/async/turns.ts';
import { groupBy } from '../../lib/group-by.ts';
import { isMarketId, marketKey, shortHash } from '../market.ts';
import type { Portfolio } from '../portfolio.ts';
import { addToVolume, type VolumeEntry } from '../trades/volume.ts';
import { isKnown } from './known-markets.ts';
import { newFill, placeInMarket } from './market-stories.ts';
import { addInOrder, compareFills, type Position } from './position.ts';

/** Markets of a wallet that the venue is to be asked for at a time. Beyond, the oldest are not, until they are met again. */
const QUESTIONS_LIMIT = 20;
/** Records that are kept for them. */
const LIVE_LIMIT = 100;

/**
 * A market of which the venue is to be asked what the wallet did there before `boundarySeconds` (Unix seconds), and what was
 * detected of it since, in that order.
 */
export const openQuestionSchema = z.object({
  /** From `marketKey`. */
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
 * Adds new records of markets that are not followed: to the question that is open, else to a new one.
 *
 * @param items of one page, oldest first; `isWanted`: whether anybody would see what it means
 * @param detected Unix seconds of the newest record of any market that had been detected before this page, and with it
 * @param refused markets of which no answer is to be had, by `shortHash`
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
  for (const [market, group] of groupBy(items, ({ item }) => marketKey(item))) {
    const live = group.map(({ alertId, item }) => ({ alertId, item }));
    const before = byMarket.get(market);
    const oldestSeconds = Math.min(...group.map(({ item }) => item.time));
    if (before !== undefined) {
      const next = { ...before, seenSeconds, live: [...before.live, ...live] };
      // Listed late: it may be in the answer as well.
      if (oldestSeconds >= before.boundarySeconds) byMarket.set(market, next);
      else {
        byMarket.delete(market);
        givenUp.push(next);
      }
      continue;
    }
    const [{ item }] = group;
    const isAskable = isMarketId(item.marketId) && !refused.includes(shortHash(market));
    // What had been detected of the market before must be before the boundary.
    if (!isAskable || oldestSeconds < beforeSeconds || !group.some(({ isWanted }) => isWanted)) continue;
    byMarket.set(market, { market, marketId: item.marketId, boundarySeconds: oldestSeconds, seenSeconds, live });
  }
  const open = [...byMarket.values()];
  while (open.length > QUESTIONS_LIMIT || open.flatMap(({ live }) => live).length > LIVE_LIMIT) {
    givenUp.push(...open.splice(0, 1));
  }
  return { open, givenUp };
}

/** What the venue has answered of a market: all that the wallet ever did there, up to the moment of the question. */
export interface MarketHistory extends Pick<OpenQuestion, 'market' | 'boundarySeconds' | 'seenSeconds'> {
  /** How many of the question's records had been seen when it was asked. */
  readonly checked: number;
  /** What was held at the boundary; null where it cannot be told, and no answer will ever tell. */
  readonly positions: readonly Position[] | null;
  /** Identities of the records before the boundary. */
  readonly older: ReadonlySet<string>;
  /** The records since. */
  readonly since: readonly ActivityItem[];
}

/**
 * Reads an answer, in turns of the event loop.
 *
 * @param question as it was when it was asked
 * @param answer newest first
 * @returns null where a record is of another market
 */
export async function readHistory(
  { market, boundarySeconds, seenSeconds, live }: OpenQuestion,
  answer: readonly ActivityItem[],
): Promise<MarketHistory | null> {
  if (answer.some((item) => marketKey(item) !== market)) return null;
  const placeOf = ({ time, action }: ActivityItem) => ({ timeSeconds: time, action });
  const inOrder = answer.toReversed().sort((a, b) => compareFills(placeOf(a), placeOf(b)));
  const since = inOrder.filter(({ time }) => time >= boundarySeconds);
  const older = new Set<string>();
  const positions = new Map<string, Position>();
  let isTold = true;
  for await (const piece of inTurns(inOrder.filter(({ time }) => time < boundarySeconds))) {
    for (const item of piece) {
      older.add(activityIdentity(item));
      isTold = addInOrder(positions, item) && isTold;
    }
  }
  const held = [...positions.values()];
  // More was sold than was bought: there are ways to get shares that the venue does not list.
  const told = isTold && held.every(isKnown) ? held : null;
  return { market, boundarySeconds, seenSeconds, checked: live.length, positions: told, older, since };
}

/**
 * The portfolio with a market as the venue tells its history, and what each record since means.
 *
 * @param question as it is now: more may have been detected since it was asked
 * @param nowSeconds the venue's clock, Unix seconds
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 * @returns null if nothing can be said: the history lacks a record that had been seen, or has others of that time
 */
export function answerQuestion(
  portfolio: Portfolio,
  { market, live }: OpenQuestion,
  history: MarketHistory,
  nowSeconds: number,
  boundaries: readonly number[],
) {
  if (history.positions === null || !agrees(history, live)) return null;
  const entries = live.map(({ item }) => newFill(item));
  const placed = placeInMarket(history.positions, entries, history.older.size === 0);
  if (placed === null) return null;
  const contexts = entries.map((entry) => placed.stories.get(entry)?.context ?? null);
  // Until now they were counted as sales of which the profit is not known.
  const profits = contexts.flatMap((context, index): VolumeEntry[] => {
    const [timeSeconds, realized] = [live[index]?.item.time ?? 0, context?.realized ?? null];
    return realized === null ? [] : [{ timeSeconds, sums: { realized }, counts: { unknownSales: -1 } }];
  });
  const others = portfolio.positions.filter((position) => position.market !== market);
  const positions = placed.positions.map((position) => ({ ...position, boundarySeconds: history.boundarySeconds }));
  return {
    portfolio: {
      ...portfolio,
      positions: [...others, ...positions],
      volume: addToVolume(portfolio.volume, profits, nowSeconds, boundaries),
    },
    contexts: new Map(live.map(({ alertId }, index) => [alertId, contexts[index] ?? null])),
  };
}

/**
 * Whether a history has what had been seen, as often, and nothing else of that time: what was counted before the boundary is
 * in its base alone.
 */
function agrees({ seenSeconds, checked, older, since }: MarketHistory, live: OpenQuestion['live']): boolean {
  const items = live.map(({ item }) => item);
  const seen = groupBy(items.slice(0, checked), activityIdentity);
  const [listed, known] = [groupBy(since, activityIdentity), groupBy(items, activityIdentity)];
  const isComplete = [...seen].every(([identity, same]) => (listed.get(identity)?.length ?? 0) >= same.length);
  const isAlone = since.every((item) => {
    const identity = activityIdentity(item);
    return item.time > seenSeconds || (known.get(identity)?.length ?? 0) >= (listed.get(identity)?.length ?? 0);
  });
  return isComplete && isAlone && [...known.keys()].every((identity) => !older.has(identity));
}
