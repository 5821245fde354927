import * as z from 'zod';
import type { ActivityItem } from '../../feed/interface.ts';
import { marketKey, marketOf, marketSchema, outcomeKey } from '../market.ts';
import { applyFill, EMPTY_HOLDING, type Fill, type FillResult, type Holding, holdingSchema } from './holding.ts';

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
  /** The holding before the recent fills. */
  base: holdingSchema,
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
  const { action } = item;
  if ((action !== 'Buy' && action !== 'Sell' && action !== 'Redeem') || item.quantity <= 0) return undefined;
  return {
    timeSeconds: item.time,
    action,
    shares: item.quantity,
    priceCents: item.price,
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
    baseSeconds: 0,
    recent: [],
    lastSeconds: item.time,
    boundarySeconds: 0,
  };
}

/** A fill with the holding before it and what it has changed. */
export interface PlacedFill extends FillResult {
  readonly fill: Fill;
  readonly before: Holding;
}

/** A position with new fills at their places. */
export interface Placed {
  readonly position: Position;
  /** What each of the new fills changed, in the order in which they were given; null where none can tell any more. */
  readonly placed: readonly PlacedFill[] | null;
  /** Fills that were known before and come after the first of the new ones. */
  readonly overtaken: readonly Fill[];
  /** Unix seconds: of what was held before, `heldAt` knows nothing. */
  readonly firstSeconds: number;
  /** What was held at the end of a second, Unix seconds. */
  heldAt(timeSeconds: number): Holding;
}

/** The order of fills: by time, and within a second purchases first, since nobody sells what is not there yet. */
export function compareFills(a: Pick<Fill, 'timeSeconds' | 'action'>, b: Pick<Fill, 'timeSeconds' | 'action'>): number {
  return a.timeSeconds - b.timeSeconds || Number(b.action === 'Buy') - Number(a.action === 'Buy');
}

/**
 * Adds fills at their places: a record that the venue indexed late counts as if it had come in time, so that a sale whose
 * purchase is indexed after it does not stay a sale of unknown shares.
 *
 * @param fills new ones, each an object of its own
 */
export function placeFills(position: Position, fills: readonly Fill[]): Placed {
  const known = position.recent.map(toFill);
  const isNew = new Set(fills);
  const story = [...known, ...fills].sort(compareFills);
  const lastSeconds = Math.max(position.lastSeconds, story.at(-1)?.timeSeconds ?? 0);
  const steps: PlacedFill[] = [];
  let holding = position.base;
  let { base, baseSeconds } = position;
  const kept: Fill[] = [];
  for (const [index, fill] of story.entries()) {
    const result = applyFill(holding, fill);
    steps.push({ ...result, fill, before: holding });
    holding = result.after;
    if (story.length - index > RECENT_LIMIT || fill.timeSeconds < lastSeconds - LATE_SECONDS) {
      base = holding;
      baseSeconds = fill.timeSeconds;
    } else kept.push(fill);
  }
  const stepOf = new Map(steps.map((step) => [step.fill, step]));
  const first = steps.findIndex(({ fill }) => isNew.has(fill));
  return {
    position: { ...position, base, baseSeconds, lastSeconds, recent: kept.map(fromFill) },
    placed: fills.every(({ timeSeconds }) => timeSeconds > position.baseSeconds)
      ? fills.flatMap((fill) => stepOf.get(fill) ?? [])
      : null,
    overtaken: first < 0 ? [] : steps.slice(first).flatMap(({ fill }) => (isNew.has(fill) ? [] : [fill])),
    firstSeconds: position.baseSeconds,
    heldAt: (timeSeconds) => steps.findLast(({ fill }) => fill.timeSeconds <= timeSeconds)?.after ?? position.base,
  };
}

/** What is held: the base with the recent fills applied. */
export function holdingOf(position: Position): Holding {
  return position.recent.map(toFill).reduce((holding, fill) => applyFill(holding, fill).after, position.base);
}

function toFill([timeSeconds, action, shares, priceCents, netUsdc]: Position['recent'][number]): Fill {
  return { timeSeconds, action, shares, priceCents, netUsdc };
}

function fromFill(fill: Fill): Position['recent'][number] {
  return [fill.timeSeconds, fill.action, fill.shares, fill.priceCents, fill.netUsdc];
}
