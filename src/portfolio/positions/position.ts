import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { marketKey, marketOf, marketSchema, outcomeKey } from '../market.ts';
import { applyFill, EMPTY_HOLDING, type Fill, type Holding, holdingSchema } from './holding.ts';

/** A record may turn up this much later than younger ones and still be put in its place by time. */
export const LATE_SECONDS = 3_600;
/** Fills kept one by one; beyond, the oldest are added into `base`. */
const RECENT_LIMIT = 64;

const fillSchema = z.tuple([z.number(), z.enum(['Buy', 'Sell', 'Redeem']), z.number(), z.number(), z.number()]);

/** What is known of one outcome of a market. */
export const positionSchema = marketSchema.extend({
  /** From `outcomeKey`. */
  key: z.string(),
  /** From `marketKey`. */
  market: z.string(),
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  /** What is held. */
  held: holdingSchema,
  /** What was held before the recent fills, from which `held` is worked out anew for a record listed late; null: no fill was. */
  base: holdingSchema.nullable(),
  /** Unix seconds of the newest fill in `base`; 0 without one. */
  baseSeconds: z.number(),
  /**
   * Fills of the last `LATE_SECONDS` before which a late record may still belong, in their order: Unix seconds, action,
   * shares, cents, net USDC.
   */
  recent: z.array(fillSchema),
  /** Unix seconds of the newest fill. */
  lastSeconds: z.number(),
  /** Unix seconds: what is older comes from the venue's answer to a question, and may be detected later. 0: from no answer. */
  boundarySeconds: z.number(),
});
export type Position = z.infer<typeof positionSchema>;

/** The item as a fill; undefined for an action that the contract does not describe, and for 0 shares. */
export function fillOf(item: ActivityItem): Fill | undefined {
  const { time: timeSeconds, action, quantity: shares, price: priceCents, transferNetAmount: netUsdc } = item;
  if ((action !== 'Buy' && action !== 'Sell' && action !== 'Redeem') || shares <= 0) return undefined;
  return { timeSeconds, action, shares, priceCents, netUsdc };
}

/** A position without fills, for the outcome of an item. */
export function openPosition(item: ActivityItem): Position {
  return {
    ...marketOf(item),
    key: outcomeKey(item),
    market: marketKey(item),
    side: item.positionSide,
    held: EMPTY_HOLDING,
    base: null,
    baseSeconds: 0,
    recent: [],
    lastSeconds: item.time,
    boundarySeconds: 0,
  };
}

/** What says where a fill belongs. */
type FillPlace = Pick<Fill, 'timeSeconds'> & { readonly action: string };

/** The order of fills: by time, and within a second purchases first, since nobody sells what is not there yet. */
export function compareFills(a: FillPlace, b: FillPlace): number {
  return a.timeSeconds - b.timeSeconds || Number(b.action === 'Buy') - Number(a.action === 'Buy');
}

/** The fills that are kept one by one, in their order. */
export function recentFills({ recent }: Position): Fill[] {
  return recent.map(([timeSeconds, action, shares, priceCents, netUsdc]) => ({
    timeSeconds,
    action,
    shares,
    priceCents,
    netUsdc,
  }));
}

/** Adds fills at their places. @param held what is held with them */
export function withFills(position: Position, fills: readonly Fill[], held: Holding): Position {
  const inOrder = [...recentFills(position), ...fills].sort(compareFills);
  const lastSeconds = Math.max(position.lastSeconds, inOrder.at(-1)?.timeSeconds ?? 0);
  const kept = inOrder.slice(-RECENT_LIMIT).filter(({ timeSeconds }) => timeSeconds >= lastSeconds - LATE_SECONDS);
  const old = inOrder.slice(0, inOrder.length - kept.length);
  return {
    ...position,
    held,
    base: old.reduce((holding, fill) => applyFill(holding ?? EMPTY_HOLDING, fill).after, position.base),
    baseSeconds: old.at(-1)?.timeSeconds ?? position.baseSeconds,
    lastSeconds,
    recent: kept.map((fill) => [fill.timeSeconds, fill.action, fill.shares, fill.priceCents, fill.netUsdc]),
  };
}

/**
 * Adds a record that no other will be listed before, so that no recent fills are kept.
 *
 * @param positions by key, with all records before it
 * @returns whether it is known what the record does to what is held
 */
export function addInOrder(positions: Map<string, Position>, item: ActivityItem): boolean {
  const fill = fillOf(item);
  if (fill === undefined) return item.quantity <= 0;
  const position = positions.get(outcomeKey(item)) ?? openPosition(item);
  const held = applyFill(position.held, fill).after;
  positions.set(position.key, { ...position, held, base: held, baseSeconds: item.time, lastSeconds: item.time });
  return true;
}
