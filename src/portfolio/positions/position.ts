import * as z from 'zod';
import type { ActivityItem } from '../../feed/interface.ts';
import { Exact } from '../../lib/exact.ts';
import { marketKey, marketOf, marketSchema, outcomeKey } from '../market.ts';
import { applyFill, EMPTY_HOLDING, type Fill, type FillResult, type Holding, holdingSchema } from './holding.ts';

/**
 * A record may turn up this much later than younger ones and still be put in its place by time. The same as
 * `OVERLAP_SECONDS` of alerts/detect.ts, which takes no later ones.
 */
export const LATE_SECONDS = 3_600;
/** Fills kept one by one; beyond, the oldest are added into `base`. */
const RECENT_LIMIT = 64;

const fillSchema = z.tuple([
  z.number(),
  z.enum(['Buy', 'Sell', 'Redeem']),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
]);

/** What is known of one outcome of a market. */
export const positionSchema = marketSchema.extend({
  /** From `outcomeKey`. */
  key: z.string(),
  /** From `marketKey`. */
  market: z.string(),
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  /** The holding before the recent fills. */
  base: holdingSchema,
  /**
   * Fills of the last `LATE_SECONDS` before which a late record may still belong, oldest first: Unix seconds, action,
   * shares, cents, fee in USDC, net USDC.
   */
  recent: z.array(fillSchema),
  /** Unix seconds of the purchase that opened what is held now. */
  openedSeconds: z.number(),
  /** Unix seconds of the newest fill. */
  lastSeconds: z.number(),
});
export type Position = z.infer<typeof positionSchema>;

/** The item as a fill; undefined for an action that the contract does not describe, and for 0 shares. */
export function fillOf(item: ActivityItem): Fill | undefined {
  const { action } = item;
  if ((action !== 'Buy' && action !== 'Sell' && action !== 'Redeem') || item.quantity <= 0) return undefined;
  return {
    timeSeconds: item.time,
    action,
    shares: item.quantity,
    priceCents: item.price,
    feeUsdc: item.fee,
    netUsdc: item.transferNetAmount,
  };
}

/** A position without fills, for the outcome of an item. */
export function openPosition(item: ActivityItem): Position {
  return {
    ...marketOf(item),
    key: outcomeKey(item),
    market: marketKey(item),
    side: item.positionSide,
    base: EMPTY_HOLDING,
    recent: [],
    openedSeconds: item.time,
    lastSeconds: item.time,
  };
}

/** A fill with the holding before it and what it has changed. */
export interface PlacedFill extends FillResult {
  readonly fill: Fill;
  readonly before: Holding;
}

/**
 * Adds fills at their place by time: a record that the venue indexed late counts as if it had come in time, so that a
 * sale whose purchase is indexed after it does not stay a sale of unknown shares.
 *
 * @param fills oldest first
 * @returns the position with them, and what each of them changed, in their order
 */
export function placeFills(
  position: Position,
  fills: readonly Fill[],
): { readonly position: Position; readonly placed: readonly PlacedFill[] } {
  const recent = position.recent.map(toFill);
  for (const fill of fills) {
    const later = recent.findIndex(({ timeSeconds }) => timeSeconds > fill.timeSeconds);
    recent.splice(later < 0 ? recent.length : later, 0, fill);
  }
  const lastSeconds = Math.max(position.lastSeconds, recent.at(-1)?.timeSeconds ?? 0);
  const placedByFill = new Map<Fill, PlacedFill>();
  let holding: Holding = position.base;
  let { base, openedSeconds } = position;
  const kept: Fill[] = [];
  for (const [index, fill] of recent.entries()) {
    const result = applyFill(holding, fill);
    placedByFill.set(fill, { ...result, fill, before: holding });
    if (new Exact(holding.shares).isZero() && fill.action === 'Buy') openedSeconds = fill.timeSeconds;
    holding = result.after;
    if (recent.length - index > RECENT_LIMIT || fill.timeSeconds < lastSeconds - LATE_SECONDS) base = holding;
    else kept.push(fill);
  }
  return {
    position: { ...position, base, openedSeconds, lastSeconds, recent: kept.map(fromFill) },
    placed: fills.map((fill) => placedByFill.get(fill)).filter((placed) => placed !== undefined),
  };
}

/** What is held: the base with the recent fills applied. */
export function holdingOf(position: Position): Holding {
  return position.recent.map(toFill).reduce((holding, fill) => applyFill(holding, fill).after, position.base);
}

function toFill([timeSeconds, action, shares, priceCents, feeUsdc, netUsdc]: Position['recent'][number]): Fill {
  return { timeSeconds, action, shares, priceCents, feeUsdc, netUsdc };
}

function fromFill(fill: Fill): Position['recent'][number] {
  return [fill.timeSeconds, fill.action, fill.shares, fill.priceCents, fill.feeUsdc, fill.netUsdc];
}
