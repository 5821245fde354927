import type { ActivityItem } from '../../domain/records.ts';
import { type Exact, stored, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { outcomeKey } from '../market.ts';
import type { TradeContext } from '../trade-context.ts';
import { averageEntryCents, type Fill, isClosed } from './holding.ts';
import { isKnown } from './known-markets.ts';
import {
  compareFills,
  fillOf,
  openPosition,
  type Placed,
  type PlacedFill,
  type Position,
  placeFills,
} from './position.ts';

/** What an item did to a market that is followed. */
export interface ItemStory {
  /** Null where it is not exact. */
  readonly context: TradeContext | null;
  /** Whether what was sold of earlier purchases in its market cannot be told any more. */
  readonly isDoubtful: boolean;
  /** Whether a sale or redemption after it had been counted without it. */
  readonly isBeforeSale: boolean;
}

export type NewFill = ReturnType<typeof newFill>;

export function newFill(item: ActivityItem) {
  return { item, fill: fillOf(item) };
}

/** A market with new fills: its positions, and what each of the fills did. */
export type MarketStories = NonNullable<ReturnType<typeof placeInMarket>>;

/**
 * Puts new fills into the positions of a market.
 *
 * @param followed its positions until now, known from the wallet's first record in it
 * @param isNew whether nothing was traded in it before
 * @returns null where they have no place, so that nothing of the market is known any more
 */
export function placeInMarket(followed: readonly Position[], entries: readonly NewFill[], isNew: boolean) {
  // Nobody knows what an unknown action does to what is held.
  if (entries.some(({ item, fill }) => fill === undefined && item.quantity > 0)) return null;
  const byOutcome = groupBy(
    entries.filter(({ fill }) => fill !== undefined),
    ({ item }) => outcomeKey(item),
  );
  const before = new Map(followed.map((position) => [position.key, position]));
  for (const [key, [{ item }]] of byOutcome) if (!before.has(key)) before.set(key, openPosition(item));
  const fromSeconds = Math.min(...entries.map(({ item }) => item.time));
  const placed = new Map(
    [...before].map(([key, position]) => {
      const fills = (byOutcome.get(key) ?? []).flatMap(({ fill }) => fill ?? []);
      return [key, placeFills(position, fills, fromSeconds)];
    }),
  );
  if ([...placed.values()].some(({ isTold }) => !isTold)) return null;
  return {
    positions: [...placed.values()].map(({ position }) => position),
    stories: storiesOf(placed, entries, isNew, Math.max(...followed.map(({ baseSeconds }) => baseSeconds))),
  };
}

/**
 * @param positions of a market, by key
 * @param isNew whether nothing was traded in it before
 * @param baseSeconds Unix seconds: of what was held before, nothing is known
 */
function storiesOf(
  positions: ReadonlyMap<string, Placed>,
  entries: readonly NewFill[],
  isNew: boolean,
  baseSeconds: number,
): ReadonlyMap<NewFill, ItemStory> {
  const isExact = [...positions.values()].every(({ position }) => isKnown(position));
  const allSteps = [...positions.values()].flatMap(({ steps }) => steps);
  const stepOf = new Map(allSteps.map((step) => [step.fill, step]));
  const oppositeShares = oppositeSharesIn([...positions.values()]);
  const [first] = entries.flatMap(({ fill }) => fill ?? []).sort(compareFills);
  const stories = new Map<NewFill, ItemStory>();
  for (const entry of entries) {
    const { item, fill } = entry;
    const step = fill === undefined ? undefined : stepOf.get(fill);
    const own = positions.get(outcomeKey(item));
    if (step === undefined || own === undefined) continue;
    const isBefore = (other: Fill | undefined) => other !== undefined && compareFills(step.fill, other) < 0;
    const isOvertaken = isBefore(own.lastKnown);
    const isInReach = item.time >= baseSeconds;
    const isBeforeSale = isBefore(own.lastKnownSale);
    const isSaid = isExact && isInReach && !isOvertaken;
    stories.set(entry, {
      context: isSaid ? contextOf(step, oppositeShares(own, item.time), isNew && fill === first) : null,
      isDoubtful: !isExact || !isInReach || isBeforeSale || (isOvertaken && item.action !== 'Buy'),
      isBeforeSale,
    });
  }
  return stories;
}

/**
 * Shares of a market's other outcomes at the end of a second in which one of its positions had a step: all that was held
 * then, less its own.
 */
function oppositeSharesIn(positions: readonly Placed[]): (own: Placed, timeSeconds: number) => string {
  const owned = new Map(positions.map((one) => [one, new Map<number, string>()]));
  const all = new Map<number, Exact>();
  let total = sum(positions.map(({ sharesBefore }) => sharesBefore));
  const steps = positions.flatMap((own) => own.steps.map((step) => ({ own, ...step })));
  for (const { own, fill, before, after } of steps.sort((a, b) => a.fill.timeSeconds - b.fill.timeSeconds)) {
    total = total.plus(after.shares).minus(before.shares);
    all.set(fill.timeSeconds, total);
    owned.get(own)?.set(fill.timeSeconds, after.shares);
  }
  return (own, timeSeconds) => stored((all.get(timeSeconds) ?? total).minus(owned.get(own)?.get(timeSeconds) ?? 0));
}

function contextOf(
  { fill, before, after, realized, costOfSold }: PlacedFill,
  oppositeShares: string,
  isFirstInMarket: boolean,
): TradeContext {
  return {
    sharesBefore: before.shares,
    sharesAfter: after.shares,
    isClosed: fill.action !== 'Buy' && isClosed(after),
    entryCents: averageEntryCents(fill.action === 'Buy' ? after : before),
    realized,
    costOfSold,
    oppositeShares,
    isFirstInMarket,
  };
}
