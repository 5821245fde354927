import * as z from 'zod';
import { ACTIONS, type ActivityItem } from '../../domain/records.ts';
import { decimalText, Exact, quotient, sum, toDecimalText } from '../../lib/exact.ts';
import { HOUR_SECONDS } from '../../lib/time.ts';
import { entryKeys, marketOf, marketSchema } from '../market.ts';
import type { TradeContext } from '../trade-context.ts';

/** A record may turn up this much later than younger ones and still be put in its place by time. */
export const LATE_SECONDS = HOUR_SECONDS;
/**
 * Fills kept one by one, and all others of the oldest one's second; those before it are added into
 * `base`.
 */
const RECENT_LIMIT = 64;

/**
 * A trade or redemption as far as a position depends on it: Unix seconds, action, shares (above 0),
 * cents a share, and the venue's `transferNetAmount` in USDC. Positive: it left the wallet;
 * negative: it came back.
 */
const fillSchema = z
  .tuple([z.number(), z.enum(ACTIONS), z.number(), z.number(), z.number()])
  .readonly();
export type Fill = z.infer<typeof fillSchema>;

/**
 * The item as a fill; undefined for an action that the contract does not describe, and for 0
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
 * The order of fills: by time, and within a second purchases first, since nobody sells what is not
 * there yet.
 */
export function compareFills([aSeconds, a]: FillPlace, [bSeconds, b]: FillPlace): number {
  return aSeconds - bSeconds || Number(b === 'Buy') - Number(a === 'Buy');
}

/**
 * Orders records, in the form in which the venue lists them, as `compareFills` orders fills;
 * deposits and withdrawals by time alone.
 */
export function compareRecords(a: RecordPlace, b: RecordPlace): number {
  return compareFills([a.time, a.action], [b.time, b.action]);
}

/** Holding of one outcome. Decimal texts, as {@link toDecimalText} writes them. */
const holdingSchema = z.object({
  shares: decimalText,
  /** USDC paid for the held shares, fees included, by average cost. */
  cost: decimalText,
  /** Cents × shares of the held shares; divided by the shares it is the average entry price. */
  entry: decimalText,
  /** Shares bought since nothing was held. */
  bought: decimalText,
  /** Unix seconds of the first purchase since nothing was held; 0 if nothing is. */
  sinceSeconds: z.number(),
  /** USDC gained by sales and redemptions: proceeds − average cost, fees included. */
  realized: decimalText,
  /** USDC that the shares sold or redeemed had cost. */
  costOfSold: decimalText,
  /**
   * Shares sold or redeemed beyond those known to be held. Unless it is 0, all the rest is a guess.
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
 * Fewer shares than this are a rounding of figures with six decimals (USDC has six), not a holding.
 */
export const DUST_SHARES = new Exact('0.000001');
/** A share pays $1 at the most: so many are worth no more than a cent. */
const CENT_SHARES = new Exact('0.01');
const CLOSED_PART = new Exact('0.001');

/**
 * True if nothing is held, of a position or of a first purchase: 0.01 share at the most, and a
 * thousandth of what was bought at the most. Sales of round numbers leave such dust.
 */
export function isClosed({
  shares,
  bought,
}: Readonly<Record<'shares' | 'bought', string | number>>): boolean {
  return CENT_SHARES.gte(shares) && CLOSED_PART.times(bought).gte(shares);
}

/**
 * Applies a fill by average cost: a sale of the part p of the holding takes p of its cost and entry
 * along, so that the averages of the rest stay. A purchase after nothing was held begins anew, with
 * the dust that was left and its cost.
 *
 * @returns the holding after it, USDC that it realized (null for a purchase), and what the shares
 *   sold or redeemed had cost
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

/** The average entry price in cents, `entry / shares`; null if nothing is held. */
export function averageEntryCents({ entry, shares }: Holding): number | null {
  if (new Exact(shares).isZero()) return null;
  return quotient(entry, shares).toNumber();
}

/** Knowledge of one outcome of a market. */
export const positionSchema = marketSchema.extend({
  /** Keys from `entryKeys`. */
  market: z.string(),
  outcome: z.string(),
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  held: holdingSchema,
  /**
   * Holding before the recent fills, from which `held` is worked out anew for a late record; null:
   * no fill was before them.
   */
  base: holdingSchema.nullable(),
  /** Unix seconds of the newest fill in `base`; 0 without one. */
  baseSeconds: z.number(),
  /**
   * Fills of the last `LATE_SECONDS` before which a late record may still belong, in their order.
   */
  recent: z.array(fillSchema),
  /** Unix seconds of the newest fill. */
  lastSeconds: z.number(),
  /**
   * Unix seconds: older records come from the venue's answer, and may be detected later. 0: from no
   * answer.
   */
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

/**
 * True if every share that was sold had been bought: else what is held is a guess, until a late
 * purchase explains it.
 */
export function isKnown({ held }: Position): boolean {
  return held.unknownSold === '0';
}

/**
 * The position once a record that was counted has other figures.
 *
 * @returns null where what is held is not known any more: the record has been folded, and something
 *   was sold since
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
 * A holding once a fill in it has other figures: exact where nothing was sold since it was bought,
 * and of a sale where only its money has changed; else null.
 */
function amendHolding(holding: Holding, before: Fill, after: Fill): Holding | null {
  const [timeSeconds, action, sharesBefore, centsBefore, netBefore] = before;
  const [, , sharesAfter, centsAfter, netAfter] = after;
  const moved = (total: string, from: Exact | number, to: Exact | number) =>
    toDecimalText(new Exact(total).plus(to).minus(from));
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

/** Effect of an item on a market that is followed. */
export interface ItemStory {
  /** Null where it is not exact. */
  readonly context: TradeContext | null;
  /** True if it cannot be told any more what was sold of earlier purchases in its market. */
  readonly isDoubtful: boolean;
}

/**
 * Adds fills at their places.
 *
 * @param held what is held with them
 */
function withFills(position: Position, fills: readonly Fill[], held: Holding): Position {
  const inOrder = [...position.recent, ...fills].sort(compareFills);
  const lastSeconds = Math.max(position.lastSeconds, inOrder.at(-1)?.[0] ?? 0);
  // The venue may list a second in two portions: what is listed second has no place once a part of
  // it is folded.
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
 * Puts new items into the positions of a market: a record that the venue indexed late counts as if
 * it had come in time, so that a sale whose purchase is indexed after it does not stay a sale of
 * unknown shares.
 *
 * @param followed its positions until now, known from the wallet's first record in it
 * @param items each with what names it in the result
 * @param isNew whether nothing was traded in it before
 * @returns its positions, and what each of the items did (but for those of 0 shares); null where
 *   one has no place, so that nothing of the market is known any more
 */
export function placeInMarket<Id>(
  followed: readonly Position[],
  items: readonly (readonly [Id, ActivityItem])[],
  isNew: boolean,
) {
  // A record from before a boundary may be in what the venue has answered.
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
  // Nobody knows what an unknown action does to what is held.
  if (added.length < items.filter(([, { quantity }]) => quantity > 0).length) return null;
  if (added.some(({ fill: [at], position }) => at < placeFrom || at <= position.baseSeconds)) {
    return null;
  }

  const known = [...positions].flatMap(([outcome, { recent }]) =>
    recent.map((fill) => ({ outcome, fill })),
  );
  const story = [...known, ...added].sort((a, b) => compareFills(a.fill, b.fill));
  // Only where one is listed late are those worked out anew that were known.
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
  // Nothing is known of what was held before the base.
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
    const isSaid = change !== undefined && isKnowable && !isOvertaken;
    const context = isSaid
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
    const isDoubtful = !isKnowable || isBeforeSale || (isOvertaken && action !== 'Buy');
    return [id, { context, isDoubtful }];
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
