import * as z from 'zod';
import { ACTIONS, type ActivityItem } from '../../domain/records.ts';
import { decimalText, Exact, quotient, sum, toDecimalText } from '../../lib/exact.ts';
import { HOUR_SECONDS } from '../../lib/time.ts';
import { entryKeys, marketOf, marketSchema } from '../market.ts';
import type { TradeContext } from '../trade-context.ts';

/**
 * Maximum time, in seconds, by which a record may be listed later than newer ones and still be
 * inserted at its place in time.
 */
export const LATE_SECONDS = HOUR_SECONDS;
/**
 * Number of fills kept separately, plus all others in the same second as the oldest. Earlier ones
 * are added up in `base`.
 */
const RECENT_LIMIT = 64;

/**
 * The parts of a trade or redemption that matter for a position: Unix seconds, action, shares
 * (above 0), cents per share, and the venue's `transferNetAmount` in USDC. Positive if it left the
 * wallet, negative if it was returned.
 */
const fillSchema = z
  .tuple([z.number(), z.enum(ACTIONS), z.number(), z.number(), z.number()])
  .readonly();
export type Fill = z.infer<typeof fillSchema>;

/**
 * Returns the item as a fill; undefined for an action that the API does not describe, and for 0
 * shares.
 */
export function fillOf({
  time,
  action,
  quantity,
  price,
  transferNetAmount,
}: ActivityItem): Fill | undefined {
  const known = ACTIONS.find((name) => name === action);
  if (known === undefined || quantity <= 0) return undefined;
  return [time, known, quantity, price, transferNetAmount];
}

type FillPlace = readonly [timeSeconds: number, action: string | undefined, ...unknown[]];
interface RecordPlace {
  readonly time: number;
  readonly action?: string;
}

/**
 * Compares fills by time, and within a second purchases first, because shares cannot be sold before
 * they are bought.
 */
export function compareFills([aSeconds, a]: FillPlace, [bSeconds, b]: FillPlace): number {
  return aSeconds - bSeconds || Number(b === 'Buy') - Number(a === 'Buy');
}

/**
 * Compares records in the venue's form the way `compareFills` compares fills; deposits and
 * withdrawals only by time.
 */
export function compareRecords(a: RecordPlace, b: RecordPlace): number {
  return compareFills([a.time, a.action], [b.time, b.action]);
}

/** Holding of one outcome. Decimal texts, as written by {@link toDecimalText}. */
const holdingSchema = z.object({
  shares: decimalText,
  /** USDC paid for the held shares, fees included, by average cost. */
  cost: decimalText,
  /** Cents × shares of the held shares. Divided by the shares, it is the average entry price. */
  entry: decimalText,
  /** Number of shares bought since nothing was held. */
  bought: decimalText,
  /** Time of the first purchase since nothing was held, in Unix seconds; 0 if nothing is held. */
  sinceSeconds: z.number(),
  /** USDC gained by sales and redemptions: proceeds − average cost, fees included. */
  realized: decimalText,
  /** USDC that the sold or redeemed shares cost. */
  costOfSold: decimalText,
  /**
   * Number of shares sold or redeemed beyond those known to be held. Unless it is 0, all other
   * fields are a guess.
   */
  unknownSold: decimalText,
});
export type Holding = z.infer<typeof holdingSchema>;

export const EMPTY_HOLDING: Holding = {
  shares: '0',
  cost: '0',
  entry: '0',
  bought: '0',
  sinceSeconds: 0,
  realized: '0',
  costOfSold: '0',
  unknownSold: '0',
};

/**
 * Number of shares below which a difference is the rounding of figures with six decimals (USDC has
 * six), not a holding.
 */
export const DUST_SHARES = new Exact('0.000001');
/** Number of shares worth at most one cent, because a share pays at most $1. */
const CENT_SHARES = new Exact('0.01');
const CLOSED_PART = new Exact('0.001');

/**
 * True if nothing is held of a position or first purchase: at most 0.01 share, and at most a
 * thousandth of what was bought. Sales of round numbers leave such dust.
 */
export function isClosed({
  shares,
  bought,
}: Readonly<Record<'shares' | 'bought', string | number>>): boolean {
  return CENT_SHARES.gte(shares) && CLOSED_PART.times(bought).gte(shares);
}

/**
 * Applies a fill by average cost. A sale of the part p of the holding removes p of its cost and
 * entry, so that the averages of the rest remain. A purchase after nothing was held starts again,
 * including the dust that was left and its cost.
 * @returns the holding after it, the USDC it realized (null for a purchase), and the cost of the
 *   shares sold or redeemed
 */
export function applyFill(
  before: Holding,
  [timeSeconds, action, shares, priceCents, netUsdc]: Fill,
) {
  if (action === 'Buy') {
    const isAnew = isClosed(before);
    const after = {
      ...before,
      shares: toDecimalText(new Exact(shares).plus(before.shares)),
      cost: toDecimalText(new Exact(before.cost).plus(netUsdc)),
      entry: toDecimalText(new Exact(shares).times(priceCents).plus(before.entry)),
      bought: toDecimalText(new Exact(shares).plus(isAnew ? before.shares : before.bought)),
      sinceSeconds: isAnew ? timeSeconds : before.sinceSeconds,
    };
    return { after, realized: null, costOfSold: '0' };
  }
  const left = new Exact(before.shares).minus(shares);
  const isAll = left.lt(DUST_SHARES);
  const part = isAll ? new Exact(1) : quotient(shares, before.shares);
  const costOfSold = part.times(before.cost);
  const realized = new Exact(netUsdc).negated().minus(costOfSold);
  const isUnknown = left.lt(DUST_SHARES.negated());
  const after = {
    ...before,
    ...(isAll
      ? EMPTY_HOLDING
      : {
          shares: toDecimalText(left),
          cost: toDecimalText(new Exact(before.cost).minus(costOfSold)),
          entry: toDecimalText(new Exact(before.entry).minus(part.times(before.entry))),
        }),
    realized: toDecimalText(realized.plus(before.realized)),
    costOfSold: toDecimalText(costOfSold.plus(before.costOfSold)),
    unknownSold: isUnknown
      ? toDecimalText(left.negated().plus(before.unknownSold))
      : before.unknownSold,
  };
  return { after, realized: toDecimalText(realized), costOfSold: toDecimalText(costOfSold) };
}

/** Returns the average entry price in cents, `entry / shares`; null if nothing is held. */
export function averageEntryCents({ entry, shares }: Holding): number | null {
  if (new Exact(shares).isZero()) return null;
  return quotient(entry, shares).toNumber();
}

/** Knowledge of one outcome of a market. */
export const positionSchema = marketSchema.extend({
  /** Keys from `entryKeys`. */
  market: z.string(),
  outcome: z.string(),
  /** The venue's name of the outcome, for example `Yes`. */
  side: z.string(),
  held: holdingSchema,
  /**
   * Holding before the recent fills, from which `held` is recomputed for a late record; null if
   * there was no fill before them.
   */
  base: holdingSchema.nullable(),
  /** Time of the newest fill in `base`, in Unix seconds; 0 without one. */
  baseSeconds: z.number(),
  /**
   * Fills of the last `LATE_SECONDS`, in order. A late record may still have to be inserted among
   * them.
   */
  recent: z.array(fillSchema),
  /** Time of the newest fill, in Unix seconds. */
  lastSeconds: z.number(),
  /**
   * Unix seconds. Older records come from the venue's answer, and may be detected later. 0: not
   * from an answer.
   */
  boundarySeconds: z.number(),
});
export type Position = z.infer<typeof positionSchema>;

/** Returns a position without fills, for the outcome of an item. */
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

/**
 * True if every share that was sold had been bought. Otherwise, what is held is a guess until a
 * late purchase explains it.
 */
export function isKnown({ held }: Position): boolean {
  return held.unknownSold === '0';
}

/**
 * Returns the position after the figures of a counted record have changed.
 * @returns null if what is held is no longer known, because the record has been folded and
 *   something was sold since
 */
export function amendPosition(
  position: Position,
  before: ActivityItem,
  after: ActivityItem,
): Position | null {
  const { recent, base } = position;
  const [fill, fillAfter] = [fillOf(before), fillOf(after)];
  if (fill === undefined) return position;
  const index = recent.findIndex((one) => one.every((part, place) => part === fill[place]));
  if (index >= 0) {
    if (fillAfter !== undefined && fillAfter[0] <= position.baseSeconds) return null;
    const fills = recent.toSpliced(index, 1, ...(fillAfter === undefined ? [] : [fillAfter]));
    return withRecent(position, fills.sort(compareFills), base);
  }
  if (base === null || fillAfter === undefined) return null;
  const amended = amendHolding(base, fill, fillAfter);
  return amended && withRecent(position, recent, amended);
}

function withRecent(position: Position, recent: Fill[], base: Holding | null): Position {
  const held = recent.reduce(
    (holding, fill) => applyFill(holding, fill).after,
    base ?? EMPTY_HOLDING,
  );
  return { ...position, held, base, recent };
}

/**
 * Returns a holding after the figures of one of its fills have changed. Exact for a purchase if
 * nothing was sold since, and for a sale if only its amount has changed; otherwise null.
 */
export function amendHolding(holding: Holding, before: Fill, after: Fill): Holding | null {
  const [timeSeconds, action, sharesBefore, centsBefore, netBefore] = before;
  const [, , sharesAfter, centsAfter, netAfter] = after;
  if (action !== 'Buy') {
    if (sharesBefore !== sharesAfter) return null;
    return { ...holding, realized: moved(holding.realized, netAfter, netBefore) };
  }
  if (holding.shares !== holding.bought || timeSeconds < holding.sinceSeconds) return null;
  return {
    ...holding,
    shares: moved(holding.shares, sharesBefore, sharesAfter),
    bought: moved(holding.bought, sharesBefore, sharesAfter),
    cost: moved(holding.cost, netBefore, netAfter),
    entry: moved(
      holding.entry,
      new Exact(sharesBefore).times(centsBefore),
      new Exact(sharesAfter).times(centsAfter),
    ),
  };
}

/** Returns a total after one of its parts has changed. */
export function moved(total: string, from: Exact | number, to: Exact | number): string {
  return toDecimalText(new Exact(total).plus(to).minus(from));
}

/** Effect of an item on a market that is tracked. */
export interface ItemStory {
  /** Null if it is not exact. */
  readonly context: TradeContext | null;
  /** True if it is no longer known how much was sold of earlier purchases in its market. */
  readonly isUncertain: boolean;
}

/**
 * Inserts fills at their places in time.
 * @param held holding including these fills
 */
function withFills(position: Position, fills: readonly Fill[], held: Holding): Position {
  const inOrder = [...position.recent, ...fills].sort(compareFills);
  const lastSeconds = Math.max(position.lastSeconds, inOrder.at(-1)?.[0] ?? 0);
  // The venue may list a second in two portions. The second portion has no place once part of that
  // second is folded.
  const oldestKept = inOrder.at(-RECENT_LIMIT);
  const fromSeconds = Math.max(oldestKept?.[0] ?? 0, lastSeconds - LATE_SECONDS);
  const recent = inOrder.filter(([timeSeconds]) => timeSeconds >= fromSeconds);
  const old = inOrder.slice(0, inOrder.length - recent.length);
  return {
    ...position,
    held,
    base: old.reduce(
      (holding, fill) => applyFill(holding ?? EMPTY_HOLDING, fill).after,
      position.base,
    ),
    baseSeconds: old.at(-1)?.[0] ?? position.baseSeconds,
    lastSeconds,
    recent,
  };
}

/**
 * Inserts new items into the positions in a market. A record that the venue indexed late counts as
 * if it had come in time, so that a sale whose purchase is indexed after it does not remain a sale
 * of unknown shares.
 * @param followed its positions so far, known from the wallet's first record in it
 * @param items each with the id by which it is named in the result
 * @param isNew whether nothing was traded in it before
 * @returns its positions, and the effect of each item (except those of 0 shares); null if an item
 *   has no place, so that nothing about the market is known any more
 */
export function placeInMarket<Id>(
  followed: readonly Position[],
  items: readonly (readonly [Id, ActivityItem])[],
  isNew: boolean,
) {
  // A record from before a boundary may be included in the venue's answer.
  const placeFrom = Math.max(0, ...followed.map(({ boundarySeconds }) => boundarySeconds));
  const positions = new Map(followed.map((position) => [position.outcome, position]));
  const added: { id: Id; outcome: string; fill: Fill; position: Position }[] = [];
  for (const [id, item] of items) {
    const fill = fillOf(item);
    if (fill === undefined) continue;
    const { outcome } = entryKeys(item);
    const position = positions.get(outcome) ?? openPosition(item);
    positions.set(outcome, position);
    added.push({ id, outcome, fill, position });
  }
  // The effect of an unknown action on what is held is unknown.
  if (added.length < items.filter(([, { quantity }]) => quantity > 0).length) return null;
  if (added.some(({ fill: [at], position }) => at < placeFrom || at <= position.baseSeconds)) {
    return null;
  }

  const known = [...positions].flatMap(([outcome, { recent }]) =>
    recent.map((fill) => ({ outcome, fill })),
  );
  const story = [...known, ...added].sort((a, b) => compareFills(a.fill, b.fill));
  // Known fills are applied again only if an item is listed late.
  const isInTurn = story.slice(known.length).every((step) => 'id' in step);
  const held = new Map(
    [...positions].map(([outcome, { held, base }]) => [
      outcome,
      isInTurn ? held : (base ?? EMPTY_HOLDING),
    ]),
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
  // What was held before the base is unknown.
  const baseSeconds = Math.max(...followed.map((position) => position.baseSeconds));
  const first = story.find((step) => 'id' in step);
  const stories = added.map(({ id, outcome, fill, position }): [Id, ItemStory] => {
    const { recent } = position;
    const [timeSeconds, action] = fill;
    const change = changes.get(fill);
    const isBefore = (other: Fill | undefined) =>
      other !== undefined && compareFills(fill, other) < 0;
    const isOvertaken = isBefore(recent.at(-1));
    const isBeforeSale = isBefore(recent.findLast(([, other]) => other !== 'Buy'));
    const isKnowable = isExact && timeSeconds >= baseSeconds;
    const others = [...(endOfSecond.get(timeSeconds) ?? [])].filter(([other]) => other !== outcome);
    const hasContext = change !== undefined && isKnowable && !isOvertaken;
    const context = hasContext
      ? {
          sharesBefore: change.before.shares,
          sharesAfter: change.after.shares,
          ...(action === 'Buy' &&
            change.before.shares !== '0' &&
            isClosed(change.before) && { isOpening: true as const }),
          isClosed: action !== 'Buy' && isClosed(change.after),
          entryCents: averageEntryCents(action === 'Buy' ? change.after : change.before),
          realized: change.realized,
          costOfSold: change.costOfSold,
          oppositeShares: toDecimalText(sum(others.map(([, { shares }]) => shares))),
          isFirstInMarket: isNew && fill === first?.fill,
        }
      : null;
    const isUncertain = !isKnowable || isBeforeSale || (isOvertaken && action !== 'Buy');
    return [id, { context, isUncertain }];
  });
  return {
    positions: [...positions].map(([outcome, position]) => {
      const own = added.filter((step) => step.outcome === outcome);
      const fills = own.map(({ fill }) => fill);
      return withFills(position, fills, held.get(outcome) ?? EMPTY_HOLDING);
    }),
    stories: new Map(stories),
  };
}
