import type { ActivityItem } from '../../feed/interface.ts';
import { stored, sum } from '../../lib/exact.ts';
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

export interface NewFill {
  readonly item: ActivityItem;
  /** Undefined for an action that the contract does not describe, and for 0 shares. */
  readonly fill: Fill | undefined;
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

/** A market with new fills: its positions, and what each of the fills did. */
export interface MarketStories {
  readonly positions: readonly Position[];
  readonly stories: ReadonlyMap<NewFill, ItemStory>;
}

export function newFill(item: ActivityItem): NewFill {
  return { item, fill: fillOf(item) };
}

/**
 * Puts new fills into the positions of a market.
 *
 * @param followed its positions until now, known from the wallet's first record in it
 * @param isNew whether nothing was traded in it before
 * @returns null where they have no place, so that nothing of the market is known any more
 */
export function placeInMarket(
  followed: readonly Position[],
  entries: readonly NewFill[],
  isNew: boolean,
): MarketStories | null {
  // Nobody knows what an unknown action does to what is held.
  if (entries.some(({ item, fill }) => fill === undefined && item.quantity > 0)) return null;
  const byOutcome = groupBy(
    entries.filter(({ fill }) => fill !== undefined),
    ({ item }) => outcomeKey(item),
  );
  const before = new Map(followed.map((position) => [position.key, position]));
  for (const [key, [{ item }]] of byOutcome) if (!before.has(key)) before.set(key, openPosition(item));
  const placed = new Map(
    [...before].map(([key, position]) => {
      const fills = (byOutcome.get(key) ?? []).flatMap(({ fill }) => fill ?? []);
      return [key, placeFills(position, fills)];
    }),
  );
  if ([...placed.values()].some((one) => one.placed === null)) return null;
  return {
    positions: [...placed.values()].map(({ position }) => position),
    stories: storiesOf(placed, entries, isNew),
  };
}

/** @param positions of a market, by key @param isNew whether nothing was traded in it before */
function storiesOf(
  positions: ReadonlyMap<string, Placed>,
  entries: readonly NewFill[],
  isNew: boolean,
): ReadonlyMap<NewFill, ItemStory> {
  const isExact = [...positions.values()].every(({ position }) => isKnown(position));
  const stepOf = new Map(
    [...positions.values()].flatMap(({ placed }) => (placed ?? []).map((step) => [step.fill, step] as const)),
  );
  const [first] = entries.flatMap(({ fill }) => fill ?? []).sort(compareFills);
  const stories = new Map<NewFill, ItemStory>();
  for (const entry of entries) {
    const { item, fill } = entry;
    const step = fill === undefined ? undefined : stepOf.get(fill);
    const own = positions.get(outcomeKey(item));
    if (step === undefined || own === undefined) continue;
    const others = [...positions.values()].filter((other) => other !== own);
    const overtaken = own.overtaken.filter((other) => compareFills(step.fill, other) < 0);
    const isInReach = others.every(({ firstSeconds }) => item.time >= firstSeconds);
    const isBeforeSale = overtaken.some(({ action }) => action !== 'Buy');
    const isSaid = isExact && isInReach && overtaken.length === 0;
    stories.set(entry, {
      context: isSaid ? contextOf(step, others, isNew && fill === first) : null,
      isDoubtful: !isExact || !isInReach || isBeforeSale || (overtaken.length > 0 && item.action !== 'Buy'),
      isBeforeSale,
    });
  }
  return stories;
}

/** @param others of its market */
function contextOf(
  { fill, before, after, realized, costOfSold }: PlacedFill,
  others: readonly Placed[],
  isFirstInMarket: boolean,
): TradeContext {
  return {
    sharesBefore: before.shares,
    sharesAfter: after.shares,
    isClosed: fill.action !== 'Buy' && isClosed(after),
    entryCents: averageEntryCents(fill.action === 'Buy' ? after : before),
    realized,
    costOfSold,
    oppositeShares: stored(sum(others.map((other) => other.heldAt(fill.timeSeconds).shares))),
    isFirstInMarket,
  };
}
