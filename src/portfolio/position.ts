import { z } from 'zod';
import { Exact } from '../lib/exact.ts';
import type { ActivityItem } from '../venue/schema.ts';
import { applyFill, EMPTY, type Fill, type Holding, holdingSchema, type Step } from './holding.ts';
import { marketKey, outcomeKey } from './outcome.ts';

/** Records may turn up this much later than younger ones and still be put in their place: the overlap of `detect`. */
export const LATE_SECONDS = 3_600;
/** Fills that are kept one by one at the most; beyond, the oldest are taken into the sum. */
const RECENT_LIMIT = 64;
const TITLE_LIMIT = 120;

const fillSchema = z.tuple([
  z.number(),
  z.enum(['Buy', 'Sell', 'Redeem']),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
]);

/** What is known of one outcome, as it is stored. */
export const positionSchema = z.object({
  key: z.string(),
  market: z.string(),
  marketId: z.string(),
  marketSlug: z.string(),
  eventSlug: z.string(),
  title: z.string(),
  side: z.string(),
  /** Everything but the recent fills. */
  base: holdingSchema,
  /** Fills that a late record may still come before, oldest first: time, action, shares, price, fee, net. */
  recent: z.array(fillSchema),
  /** Unix seconds of the purchase that opened what is held now. */
  openedSeconds: z.number(),
  lastSeconds: z.number(),
});
export type Position = z.infer<typeof positionSchema>;

/** The fill of an item; undefined for an action that the contract does not describe, and for nothing at all. */
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

export function openPosition(item: ActivityItem): Position {
  return {
    key: outcomeKey(item),
    market: marketKey(item),
    marketId: item.marketId,
    marketSlug: item.marketSlug,
    eventSlug: item.eventSlug,
    title: Array.from(item.marketTitle).slice(0, TITLE_LIMIT).join(''),
    side: item.positionSide,
    base: EMPTY,
    recent: [],
    openedSeconds: item.time,
    lastSeconds: item.time,
  };
}

/** One of the fills that have come, with what was held before it. */
export interface PlacedStep extends Step {
  readonly before: Holding;
}

/**
 * Puts fills where they belong by their time: a record that is indexed late counts as if it had come in its turn, so
 * that a sale whose purchase is indexed after it does not stay a sale of unknown shares.
 *
 * @param fills oldest first
 * @returns the steps of these fills, in their order
 */
export function place(
  position: Position,
  fills: readonly Fill[],
): { readonly position: Position; readonly steps: readonly PlacedStep[] } {
  const recent = position.recent.map(toFill);
  for (const fill of fills) {
    const later = recent.findIndex(({ timeSeconds }) => timeSeconds > fill.timeSeconds);
    recent.splice(later < 0 ? recent.length : later, 0, fill);
  }
  const lastSeconds = Math.max(position.lastSeconds, recent.at(-1)?.timeSeconds ?? 0);
  const stepOf = new Map<Fill, PlacedStep>();
  let holding: Holding = position.base;
  let { base, openedSeconds } = position;
  const kept: Fill[] = [];
  for (const [index, fill] of recent.entries()) {
    const step = applyFill(holding, fill);
    stepOf.set(fill, { ...step, before: holding });
    if (new Exact(holding.shares).isZero() && fill.action === 'Buy') openedSeconds = fill.timeSeconds;
    holding = step.after;
    if (recent.length - index > RECENT_LIMIT || fill.timeSeconds < lastSeconds - LATE_SECONDS) base = holding;
    else kept.push(fill);
  }
  return {
    position: { ...position, base, openedSeconds, lastSeconds, recent: kept.map(fromFill) },
    steps: fills.map((fill) => stepOf.get(fill)).filter((step) => step !== undefined),
  };
}

/** What is held, with the recent fills. */
export function holdingOf(position: Position): Holding {
  return position.recent.map(toFill).reduce((holding, fill) => applyFill(holding, fill).after, position.base);
}

function toFill([timeSeconds, action, shares, priceCents, feeUsdc, netUsdc]: Position['recent'][number]): Fill {
  return { timeSeconds, action, shares, priceCents, feeUsdc, netUsdc };
}

function fromFill(fill: Fill): Position['recent'][number] {
  return [fill.timeSeconds, fill.action, fill.shares, fill.priceCents, fill.feeUsdc, fill.netUsdc];
}
