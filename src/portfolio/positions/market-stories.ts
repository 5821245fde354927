import type { ActivityItem } from '../../domain/records.ts';
import { stored, sum } from '../../lib/exact.ts';
import { outcomeKey } from '../market.ts';
import type { TradeContext } from '../trade-context.ts';
import { applyFill, averageEntryCents, EMPTY_HOLDING, type Fill, type Holding, isClosed } from './holding.ts';
import { compareFills, fillOf, openPosition, type Position, recentFills, withFills } from './position.ts';

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

/**
 * Puts new fills into the positions of a market: a record that the venue indexed late counts as if it had come in time, so that
 * a sale whose purchase is indexed after it does not stay a sale of unknown shares.
 *
 * @param followed its positions until now, known from the wallet's first record in it
 * @param isNew whether nothing was traded in it before
 * @returns its positions, and what each of the fills did; null where they have no place, so that nothing of the market is known
 *   any more
 */
export function placeInMarket(followed: readonly Position[], entries: readonly NewFill[], isNew: boolean) {
  // Nobody knows what an unknown action does to what is held.
  if (entries.some(({ item, fill }) => fill === undefined && item.quantity > 0)) return null;
  const positions = new Map(followed.map((position) => [position.key, position]));
  const added = entries.flatMap((entry) => {
    const { item, fill } = entry;
    if (fill === undefined) return [];
    const key = outcomeKey(item);
    const position = positions.get(key) ?? openPosition(item);
    positions.set(key, position);
    return [{ key, fill, entry, position }];
  });
  if (added.some(({ fill, position }) => fill.timeSeconds <= position.baseSeconds)) return null;

  const known = [...positions].flatMap(([key, position]) => recentFills(position).map((fill) => ({ key, fill })));
  const story = [...known, ...added].sort((a, b) => compareFills(a.fill, b.fill));
  // Only where one is listed late are those worked out anew that were known.
  const isInTurn = story.slice(known.length).every((step) => 'entry' in step);
  const held = new Map(
    [...positions].map(([key, position]) => [key, isInTurn ? position.held : (position.base ?? EMPTY_HOLDING)]),
  );
  const changes = new Map<Fill, ReturnType<typeof applyFill> & { readonly before: Holding }>();
  const endOfSecond = new Map<number, ReadonlyMap<string, Holding>>();
  for (const { key, fill } of isInTurn ? story.slice(known.length) : story) {
    const before = held.get(key) ?? EMPTY_HOLDING;
    const change = applyFill(before, fill);
    held.set(key, change.after);
    changes.set(fill, { ...change, before });
    endOfSecond.set(fill.timeSeconds, new Map(held));
  }

  const isExact = [...held.values()].every(({ unknownSold }) => unknownSold === '0');
  // Of what was held before, nothing is known.
  const baseSeconds = Math.max(...followed.map((position) => position.baseSeconds));
  const first = story.find((step) => 'entry' in step);
  const stories = new Map<NewFill, ItemStory>();
  for (const { key, fill, entry, position } of added) {
    const change = changes.get(fill);
    const recent = recentFills(position);
    const isBefore = (other: Fill | undefined) => other !== undefined && compareFills(fill, other) < 0;
    const isOvertaken = isBefore(recent.at(-1));
    const isBeforeSale = isBefore(recent.findLast(({ action }) => action !== 'Buy'));
    const isInReach = fill.timeSeconds >= baseSeconds;
    const isSaid = change !== undefined && isExact && isInReach && !isOvertaken;
    const others = [...(endOfSecond.get(fill.timeSeconds) ?? [])].filter(([other]) => other !== key);
    stories.set(entry, {
      context: isSaid
        ? {
            sharesBefore: change.before.shares,
            sharesAfter: change.after.shares,
            isClosed: fill.action !== 'Buy' && isClosed(change.after),
            entryCents: averageEntryCents(fill.action === 'Buy' ? change.after : change.before),
            realized: change.realized,
            costOfSold: change.costOfSold,
            oppositeShares: stored(sum(others.map(([, { shares }]) => shares))),
            isFirstInMarket: isNew && fill === first?.fill,
          }
        : null,
      isDoubtful: !isExact || !isInReach || isBeforeSale || (isOvertaken && fill.action !== 'Buy'),
      isBeforeSale,
    });
  }
  const fillsOf = (key: string) => added.flatMap((step) => (step.key === key ? [step.fill] : []));
  return {
    positions: [...positions].map(([key, position]) =>
      withFills(position, fillsOf(key), held.get(key) ?? EMPTY_HOLDING),
    ),
    stories,
  };
}
