import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { stored, sum } from '../../lib/exact.ts';
import { entryKeys, marketOf, marketSchema } from '../market.ts';
import type { TradeContext } from '../trade-context.ts';
import {
  applyFill,
  averageEntryCents,
  compareFills,
  EMPTY_HOLDING,
  type Fill,
  fillOf,
  fillSchema,
  type Holding,
  holdingSchema,
  isClosed,
} from './holding.ts';

/** A record may turn up this much later than younger ones and still be put in its place by time. */
export const LATE_SECONDS = 3_600;
/** Fills kept one by one; beyond, the oldest are added into `base`. */
const RECENT_LIMIT = 64;

/** What is known of one outcome of a market. */
export const positionSchema = marketSchema.extend({
  /** From `entryKeys`. */
  market: z.string(),
  outcome: z.string(),
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  /** What is held. */
  held: holdingSchema,
  /** What was held before the recent fills, from which `held` is worked out anew for a record listed late; null: no fill was. */
  base: holdingSchema.nullable(),
  /** Unix seconds of the newest fill in `base`; 0 without one. */
  baseSeconds: z.number(),
  /** Fills of the last `LATE_SECONDS` before which a late record may still belong, in their order. */
  recent: z.array(fillSchema),
  /** Unix seconds of the newest fill. */
  lastSeconds: z.number(),
  /** Unix seconds: what is older comes from the venue's answer to a question, and may be detected later. 0: from no answer. */
  boundarySeconds: z.number(),
});
export type Position = z.infer<typeof positionSchema>;

/** A position without fills, for the outcome of an item. */
export function openPosition(item: ActivityItem): Position {
  return {
    ...marketOf(item),
    ...entryKeys(item),
    side: item.positionSide,
    held: EMPTY_HOLDING,
    base: null,
    baseSeconds: 0,
    recent: [],
    lastSeconds: item.time,
    boundarySeconds: 0,
  };
}

/** What an item did to a market that is followed. */
export interface ItemStory {
  /** Null where it is not exact. */
  readonly context: TradeContext | null;
  /** Whether what was sold of earlier purchases in its market cannot be told any more. */
  readonly isDoubtful: boolean;
  /** Whether a sale or redemption after it had been counted without it. */
  readonly isBeforeSale: boolean;
}

/** Adds fills at their places. @param held what is held with them */
function withFills(position: Position, fills: readonly Fill[], held: Holding): Position {
  const inOrder = [...position.recent, ...fills].sort(compareFills);
  const lastSeconds = Math.max(position.lastSeconds, inOrder.at(-1)?.[0] ?? 0);
  const recent = inOrder.slice(-RECENT_LIMIT).filter(([timeSeconds]) => timeSeconds >= lastSeconds - LATE_SECONDS);
  const old = inOrder.slice(0, inOrder.length - recent.length);
  return {
    ...position,
    held,
    base: old.reduce((holding, fill) => applyFill(holding ?? EMPTY_HOLDING, fill).after, position.base),
    baseSeconds: old.at(-1)?.[0] ?? position.baseSeconds,
    lastSeconds,
    recent,
  };
}

/**
 * Puts new items into the positions of a market: a record that the venue indexed late counts as if it had come in time, so that
 * a sale whose purchase is indexed after it does not stay a sale of unknown shares.
 *
 * @param followed its positions until now, known from the wallet's first record in it
 * @param items each with what names it in the result
 * @param isNew whether nothing was traded in it before
 * @param fromSeconds Unix seconds before which an item has no place
 * @returns its positions, and what each of the items did (but for those of 0 shares); null where one has no place, so that
 *   nothing of the market is known any more
 */
export function placeInMarket<Id>(
  followed: readonly Position[],
  items: readonly (readonly [Id, ActivityItem])[],
  isNew: boolean,
  fromSeconds = 0,
) {
  // What is before a boundary may be in what the venue has answered.
  const placeFrom = Math.max(fromSeconds, ...followed.map(({ boundarySeconds }) => boundarySeconds));
  const hasPlace = (item: ActivityItem) => fillOf(item) !== undefined && item.time >= placeFrom;
  // Nobody knows what an unknown action does to what is held.
  if (items.some(([, item]) => item.quantity > 0 && !hasPlace(item))) return null;
  const positions = new Map(followed.map((position) => [position.outcome, position]));
  const added = items.flatMap(([id, item]) => {
    const fill = fillOf(item);
    if (fill === undefined) return [];
    const { outcome } = entryKeys(item);
    const position = positions.get(outcome) ?? openPosition(item);
    positions.set(outcome, position);
    return [{ id, outcome, fill, position }];
  });
  if (added.some(({ fill: [timeSeconds], position }) => timeSeconds <= position.baseSeconds)) return null;

  const known = [...positions].flatMap(([outcome, { recent }]) => recent.map((fill) => ({ outcome, fill })));
  const story = [...known, ...added].sort((a, b) => compareFills(a.fill, b.fill));
  // Only where one is listed late are those worked out anew that were known.
  const isInTurn = story.slice(known.length).every((step) => 'id' in step);
  const held = new Map(
    [...positions].map(([outcome, { held, base }]) => [outcome, isInTurn ? held : (base ?? EMPTY_HOLDING)]),
  );
  const changes = new Map<Fill, ReturnType<typeof applyFill> & { readonly before: Holding }>();
  const endOfSecond = new Map<number, ReadonlyMap<string, Holding>>();
  for (const { outcome, fill } of isInTurn ? story.slice(known.length) : story) {
    const before = held.get(outcome) ?? EMPTY_HOLDING;
    const change = applyFill(before, fill);
    held.set(outcome, change.after);
    changes.set(fill, { ...change, before });
    endOfSecond.set(fill[0], new Map(held));
  }

  const isExact = [...held.values()].every(({ unknownSold }) => unknownSold === '0');
  // Of what was held before, nothing is known.
  const baseSeconds = Math.max(...followed.map((position) => position.baseSeconds));
  const first = story.find((step) => 'id' in step);
  const stories = added.map(({ id, outcome, fill, position: { recent } }): [Id, ItemStory] => {
    const [timeSeconds, action] = fill;
    const change = changes.get(fill);
    const isBefore = (other: Fill | undefined) => other !== undefined && compareFills(fill, other) < 0;
    const isOvertaken = isBefore(recent.at(-1));
    const isBeforeSale = isBefore(recent.findLast(([, other]) => other !== 'Buy'));
    const isKnowable = isExact && timeSeconds >= baseSeconds;
    const others = [...(endOfSecond.get(timeSeconds) ?? [])].filter(([other]) => other !== outcome);
    const isSaid = change !== undefined && isKnowable && !isOvertaken;
    const context = isSaid
      ? {
          sharesBefore: change.before.shares,
          sharesAfter: change.after.shares,
          isClosed: action !== 'Buy' && isClosed(change.after),
          entryCents: averageEntryCents(action === 'Buy' ? change.after : change.before),
          realized: change.realized,
          costOfSold: change.costOfSold,
          oppositeShares: stored(sum(others.map(([, { shares }]) => shares))),
          isFirstInMarket: isNew && fill === first?.fill,
        }
      : null;
    const isDoubtful = !isKnowable || isBeforeSale || (isOvertaken && action !== 'Buy');
    return [id, { context, isDoubtful, isBeforeSale }];
  });
  return {
    positions: [...positions].map(([outcome, position]) => {
      const fills = added.flatMap((step) => (step.outcome === outcome ? [step.fill] : []));
      return withFills(position, fills, held.get(outcome) ?? EMPTY_HOLDING);
    }),
    stories: new Map(stories),
  };
}
