import type { ActivityItem } from '../../domain/records.ts';
import { Exact, sum, toDecimalText } from '../../lib/exact.ts';
import { outcomeKey } from '../market.ts';
import { DUST_SHARES } from '../positions/position.ts';
import type { Effect, TradeContext, TradeSize } from '../trade-context.ts';

/** A trade or redemption, with its context and size if known. */
export interface KnownFill {
  readonly item: ActivityItem;
  readonly context?: TradeContext | undefined;
  readonly size?: TradeSize | undefined;
}

interface FillInContext {
  readonly item: ActivityItem;
  readonly context: TradeContext;
}

/**
 * Combines the contexts of fills, from the position before the first to the position after the
 * last.
 * @param fills of one wallet, market and action
 * @returns undefined if one of them has no context or another outcome, or if they are not in order
 *   of time, because they then do not add up. `traded`: shares of all the fills. `isWithoutGap`:
 *   nothing else happened to the position between the first and the last
 */
export function combineContexts(fills: readonly KnownFill[]) {
  const included: FillInContext[] = [];
  for (const { item, context } of fills) {
    if (context !== undefined) included.push({ item, context });
  }
  const first = included[0];
  const last = included.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (included.length < fills.length || !isInOrder(included) || !isOfOneOutcome(included)) {
    return undefined;
  }
  const traded = sum(included.map(({ item }) => item.quantity));
  const isWithoutGap = isStep(first, last, traded);
  const realized = included.flatMap(({ context }) => context.realized ?? []);
  const { isOpening: _, ...lastContext } = last.context;
  const context: TradeContext = {
    ...lastContext,
    ...(first.context.isOpening && { isOpening: true }),
    sharesBefore: first.context.sharesBefore,
    entryCents: entryOf(first, last, isWithoutGap),
    realized: realized.length === 0 ? null : toDecimalText(sum(realized)),
    costOfSold: toDecimalText(sum(included.map((fill) => fill.context.costOfSold))),
    isFirstInMarket: first.context.isFirstInMarket,
  };
  return { action: first.item.action, traded, isWithoutGap, context };
}

/**
 * Returns how fills of one wallet, market and action change the position together, regardless of
 * what was left out between them; undefined if not exact.
 */
export function effectOf(fills: readonly KnownFill[]): Effect | undefined {
  const combined = combineContexts(fills);
  if (combined === undefined) return undefined;
  const { action, context } = combined;
  if (action === 'Buy') return isOpening(context) ? 'opens' : 'adds';
  return context.isClosed ? 'closes' : 'reduces';
}

/** True if nothing but dust was held before a purchase. */
export function isOpening(context: TradeContext): boolean {
  return context.isOpening === true || new Exact(context.sharesBefore).isZero();
}

/** Returns the size of the largest trade among fills; null if too few trades are known. */
export function largestSize(fills: readonly KnownFill[]): TradeSize | null {
  let largest: TradeSize | null = null;
  for (const { size } of fills) {
    if (size === undefined) continue;
    if (largest === null || size.usdc > largest.usdc) largest = size;
  }
  return largest;
}

function isInOrder(fills: readonly FillInContext[]): boolean {
  return fills.every(({ item }, index) => {
    const before = fills[index - 1]?.item.time ?? item.time;
    return item.time >= before;
  });
}

function isOfOneOutcome(fills: readonly FillInContext[]): boolean {
  return new Set(fills.map(({ item }) => outcomeKey(item))).size === 1;
}

/**
 * True if the traded shares explain the change from the position before the first fill to the one
 * after the last.
 */
function isStep(first: FillInContext, last: FillInContext, traded: Exact): boolean {
  const before = new Exact(first.context.sharesBefore);
  const after = new Exact(last.context.sharesAfter);
  const expected = first.item.action === 'Buy' ? before.plus(traded) : before.minus(traded);
  return expected.minus(after).abs().lt(DUST_SHARES);
}

/**
 * Returns the entry price in cents. Null for sales with further purchases in between, because their
 * averages differ.
 */
function entryOf(
  first: FillInContext,
  last: FillInContext,
  isWithoutGap: boolean,
): TradeContext['entryCents'] {
  if (first.item.action === 'Buy') return last.context.entryCents;
  if (isWithoutGap) return first.context.entryCents;
  return null;
}
