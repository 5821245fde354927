import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { payoutOf, type Settlement } from '../../domain/settlement.ts';
import { decimalText, Exact, quotient, sum, toDecimalText } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { sideOf } from '../consensus.ts';
import { entryKeys, marketKey, marketOf, marketSchema } from '../market.ts';
import { DUST_SHARES } from '../positions/position.ts';
import type { TradeContext } from '../trade-context.ts';

/**
 * Open positions that are followed per wallet and channel; of more, the oldest are not any more.
 */
const OPEN_LIMIT = 400;
/** Shares that are left of an earlier position at the most: they are no purchase that was missed. */
const LEFT_OVER_SHARES = new Exact('0.01');

const alertedOutcomeSchema = z.object({
  /** Key from `entryKeys`. */
  outcome: z.string(),
  side: z.string(),
  /**
   * Shares of the alerted purchases that the wallet has not sold or redeemed yet, and that were not
   * settled.
   */
  shares: decimalText,
  /** USDC paid for the alerted purchases, fees included. */
  paid: decimalText,
  /** USDC a share that its settlement paid for what was left; left out without one. */
  payout: z.number().exactOptional(),
  /** USDC received for what was sold, redeemed or settled of them, after fees. */
  received: decimalText,
  /** USDC of fees of both. */
  fees: decimalText,
  /** Id of the alert of one purchase that is not delivered yet: it counts once it is. */
  alertId: z.string().exactOptional(),
  /** Unix seconds of such a purchase in a channel that hears later, which may not want it then. */
  boughtSeconds: z.number().exactOptional(),
  /** True of such a purchase if its position has no result once it counts. */
  isGivenUp: z.literal(true).exactOptional(),
  /**
   * Unix seconds of the outcome's last sale, redemption or settlement, where a purchase was not
   * delivered then: the position has its time once that is dropped. In a channel that hears later
   * also when it was seen.
   */
  soldSeconds: z.number().exactOptional(),
  soldSeenSeconds: z.number().exactOptional(),
  /** True if the wallet has sold or redeemed more than was alerted: the rest had no alert here. */
  isPart: z.literal(true).exactOptional(),
});
type AlertedOutcome = z.infer<typeof alertedOutcomeSchema>;

const followedSchema = z.object({
  market: marketSchema,
  /** Key of the market, from `entryKeys`. */
  key: z.string(),
  /**
   * The first delivered message with one of its purchases; null until there is one, or if its id is
   * not known.
   */
  messageId: z.string().nullable(),
  /** True if that message shows other alerts, too: a reply to it would quote one of them. */
  isAmongOthers: z.literal(true).exactOptional(),
  /** Unix seconds of the first alerted purchase. */
  openedSeconds: z.number(),
});

/** The message that has brought alerts. */
export interface Delivered {
  /** Null if only the history had it. */
  readonly messageId: string | null;
  /** True if it shows several alerts. */
  readonly isAmongOthers?: boolean;
}

/**
 * Purchases that a channel was alerted to in a market, until the wallet has sold or redeemed all of
 * it, or it is settled.
 */
export const alertedPositionSchema = followedSchema.extend({
  channelId: z.string(),
  /**
   * Unix seconds of the last sale or redemption in this market, or of its settlement; null if there
   * was none.
   */
  soldSeconds: z.number().nullable(),
  /**
   * Unix seconds when that was seen, if a purchase was not delivered then in a channel that hears
   * later.
   */
  soldSeenSeconds: z.number().exactOptional(),
  /**
   * Purchases: one entry an outcome of those whose alerts were delivered, and one of each other.
   */
  outcomes: z.array(alertedOutcomeSchema),
  /** True if it has no result: nobody knows all that was sold of what was alerted there. */
  isGivenUp: z.literal(true).exactOptional(),
});
type AlertedPosition = z.infer<typeof alertedPositionSchema>;

/**
 * Positions that the channels were alerted to and that are not closed, of one wallet in all
 * channels. Oldest first.
 */
export const alertedPositionsSchema = z.array(alertedPositionSchema).readonly();
export type AlertedPositions = z.infer<typeof alertedPositionsSchema>;

/** Result of the alerted purchases of a market, as it is stored with its alert. */
export const resultNewsSchema = followedSchema.extend({
  /**
   * USDC paid for the alerted purchases, fees included; received for them, after fees; fees of
   * both.
   */
  paid: decimalText,
  received: decimalText,
  fees: decimalText,
  /**
   * Outcomes of which the wallet held some when the market was settled, and USDC a share that they
   * got.
   */
  settled: z.array(z.object({ side: z.string(), payout: z.number() })),
  /** Outcomes that were bought; left out by releases that did not store them. */
  sides: z.array(z.string()).exactOptional(),
  /** True if the alerted purchases were only a part of the wallet's position. */
  isPart: z.literal(true).exactOptional(),
  /** Unix seconds of the sale, redemption or settlement that closed the position. */
  closedSeconds: z.number(),
});
export type ResultNews = z.infer<typeof resultNewsSchema>;

export interface Updated {
  readonly alertedPositions: AlertedPositions;
  /**
   * Results of closed positions that channels are told of: all that they were alerted to was sold,
   * redeemed or settled.
   */
  readonly results: readonly {
    readonly channelId: string;
    readonly result: ResultNews;
    /** Unix seconds when its last sale was seen, where that was before its last delivery. */
    readonly seenSeconds?: number | undefined;
  }[];
}

/**
 * Adds a purchase for which alerts are about to be stored, as undelivered, in each channel's
 * position of the market; {@link countDelivered} makes it count.
 */
export function addPurchase(
  open: AlertedPositions,
  added: {
    readonly alertId: string;
    readonly item: ActivityItem;
    readonly channels: readonly string[];
    /** Tells whether a channel hears later; left out: none does. */
    readonly isLater?: (channelId: string) => boolean;
  },
): AlertedPositions {
  const { alertId, item, channels, isLater = () => false } = added;
  // Without a name of its market it may be any: nothing would ever close it.
  if (marketKey(item) === '') return open;
  const { market: key, outcome } = entryKeys(item);
  const purchase = {
    alertId,
    outcome,
    side: sideOf(item),
    shares: toDecimalText(new Exact(item.quantity)),
    paid: toDecimalText(new Exact(item.transferNetAmount)),
    received: '0',
    fees: toDecimalText(new Exact(item.fee)),
  };
  const opened = {
    messageId: null,
    openedSeconds: item.time,
    soldSeconds: null,
  };
  const purchaseIn = (channelId: string) =>
    isLater(channelId) ? { ...purchase, boughtSeconds: item.time } : purchase;
  const positions = channels.map((channelId) => ({
    market: marketOf(item),
    key,
    channelId,
    ...opened,
    outcomes: [purchaseIn(channelId)],
  }));
  return addPositions(open, positions);
}

/**
 * True if all of a position was sold before a channel that hears later was told of it: only its
 * result is missing. What is bought there afterwards is another position.
 */
function isSoldUntold({ soldSeenSeconds, outcomes }: AlertedPosition): boolean {
  return soldSeenSeconds !== undefined && outcomes.every(({ shares }) => shares === '0');
}

/**
 * Adds positions of which nothing is delivered yet, each to its channel's position of the market if
 * there is one.
 */
export function addPositions(open: AlertedPositions, added: AlertedPositions): AlertedPositions {
  const next = [...open];
  const keys = new Set(added.map(({ key }) => key));
  // By channel and market. Each position is looked at once: a wallet may have tens of thousands.
  const indices = new Map<string, number>();
  const note = (position: AlertedPosition, index: number): void => {
    if (!keys.has(position.key) || isSoldUntold(position)) return;
    const place = placeOf(position);
    if (!indices.has(place)) indices.set(place, index);
  };
  for (const [index, position] of open.entries()) note(position, index);
  for (const position of added) {
    const index = indices.get(placeOf(position)) ?? next.length;
    const before = next[index];
    if (before === undefined) {
      next.push(position);
      note(position, index);
    } else next[index] = { ...before, outcomes: [...before.outcomes, ...position.outcomes] };
  }
  return next;
}

/**
 * Adds a sale or redemption. It sells the same part of the alerted shares as of all shares of the
 * outcome: 1 − sharesAfter / sharesBefore. What is left of a closed position counts for nothing.
 */
export function addSale(
  alertedPositions: AlertedPositions,
  item: ActivityItem,
  context: TradeContext,
): Updated {
  const before = new Exact(context.sharesBefore);
  if (before.isZero() || item.quantity <= 0) return { alertedPositions, results: [] };
  const part = quotient(before.minus(context.sharesAfter), before);
  const { market, outcome } = entryKeys(item);
  const receivedPerShare = quotient(-item.transferNetAmount, item.quantity);
  const feePerShare = quotient(item.fee, item.quantity);
  const sell = (alerted: AlertedOutcome, isPart: boolean, dated: Dated): AlertedOutcome => {
    if (alerted.outcome !== outcome) return alerted;
    const sold = part.times(alerted.shares);
    const left = new Exact(alerted.shares).minus(sold);
    return {
      ...alerted,
      ...dated,
      ...(isPart && { isPart }),
      shares: context.isClosed || left.lt(DUST_SHARES) ? '0' : toDecimalText(left),
      received: toDecimalText(sold.times(receivedPerShare).plus(alerted.received)),
      fees: toDecimalText(sold.times(feePerShare).plus(alerted.fees)),
    };
  };
  // Shares of a position that was given up may have been sold before, unseen.
  const isOut = context.isClosed && new Exact(context.oppositeShares).lt(DUST_SHARES);
  const leave = (alerted: AlertedOutcome): AlertedOutcome => ({ ...alerted, shares: '0' });
  const open = alertedPositions.map((position) => {
    if (position.key !== market || isSoldUntold(position)) return position;
    const own = position.outcomes.filter((alerted) => alerted.outcome === outcome);
    const unalerted = before.minus(sum(own.map(({ shares }) => shares)));
    const isPart = unalerted.gt(LEFT_OVER_SHARES);
    const dated = datedIfWaiting(position, item.time);
    const outcomes = position.outcomes.map((alerted) => {
      const isGivenUp = position.isGivenUp || alerted.isGivenUp;
      return isOut && isGivenUp ? leave(alerted) : sell(alerted, isPart, dated);
    });
    return { ...position, soldSeconds: item.time, outcomes };
  });
  return closePositions(open);
}

type Dated = Pick<AlertedOutcome, 'soldSeconds'>;

/** The time of a sale, where a purchase waits that may be dropped. */
function datedIfWaiting({ outcomes }: AlertedPosition, soldSeconds: number): Dated {
  const waits = outcomes.some(({ alertId }) => alertId !== undefined);
  return waits ? { soldSeconds } : {};
}

/**
 * Pays what is left of positions whose markets are settled, as far as it is known what their
 * outcomes got. What was bought after a settlement stays as it is. A position that a contradicted
 * settlement has paid for is dropped: no result is made up.
 */
export function settlePositions(
  alertedPositions: AlertedPositions,
  settlements: ReadonlyMap<string, Settlement>,
): Updated {
  const open = alertedPositions.flatMap((position) => {
    const settlement = settlements.get(position.key);
    if (settlement === undefined || settlement.atSeconds < position.openedSeconds) {
      return [position];
    }
    const { outcomes } = position;
    if (settlement.payouts.size === 0) {
      return outcomes.some(({ payout }) => payout !== undefined) ? [] : [position];
    }
    const dated = datedIfWaiting(position, settlement.atSeconds);
    const paid = outcomes.map((alerted): AlertedOutcome => {
      const payout = payoutOf(settlement, alerted.outcome);
      if (payout === undefined || alerted.shares === '0') return alerted;
      const received = toDecimalText(
        new Exact(alerted.shares).times(payout).plus(alerted.received),
      );
      return { ...alerted, ...dated, shares: '0', received, payout };
    });
    const isPaid = paid.some((alerted, index) => alerted !== outcomes[index]);
    return [isPaid ? { ...position, soldSeconds: settlement.atSeconds, outcomes: paid } : position];
  });
  return closePositions(open);
}

/**
 * Notes when something was sold of purchases that are not delivered yet: the result that follows
 * their delivery has that time.
 *
 * @param before the positions as they were
 * @param concerns picks those of channels that hear later
 */
export function noteSoldSeen(
  before: AlertedPositions,
  after: AlertedPositions,
  concerns: (position: AlertedPositions[number]) => boolean,
  nowSeconds: number,
): AlertedPositions {
  const isConcerned = (position: AlertedPosition) =>
    position.soldSeconds !== null &&
    concerns(position) &&
    position.outcomes.some(({ alertId }) => alertId !== undefined);
  // Called for each alert of a page, and few channels hear later.
  if (!after.some(isConcerned)) return after;
  const known = new Set(before);
  const knownOutcomes = new Set(before.flatMap(({ outcomes }) => outcomes));
  return after.map((position) => {
    if (!isConcerned(position) || known.has(position)) return position;
    const outcomes = position.outcomes.map((alerted) =>
      alerted.soldSeconds === undefined || knownOutcomes.has(alerted)
        ? alerted
        : { ...alerted, soldSeenSeconds: nowSeconds },
    );
    return { ...position, soldSeenSeconds: nowSeconds, outcomes };
  });
}

/**
 * Makes purchases count whose alerts were delivered, or drops those whose alerts never will be.
 *
 * @param isMeant whether these are what became of an alert in a channel
 * @param delivered the message that they are in, its id null if it is not known; null if they were
 *   not delivered
 * @param isHeard whether the clock of a channel that hears later has come to an alert; left out:
 *   nothing follows from it
 */
export function countDelivered(
  alertedPositions: AlertedPositions,
  isMeant: (channelId: string, alertId: string) => boolean,
  delivered: Delivered | null,
  isHeard: (channelId: string, alertId: string) => boolean = () => false,
): Updated {
  const changed = new Set<string>();
  const open = alertedPositions.map((position) => {
    const isCounted = ({ alertId }: AlertedOutcome) =>
      alertId !== undefined && isMeant(position.channelId, alertId);
    const counted = position.outcomes.filter(isCounted);
    if (counted.length === 0) return position;
    changed.add(placeOf(position));
    const others = position.outcomes.filter((outcome) => !isCounted(outcome));
    const outcomes =
      delivered === null ? withoutDropped(others, counted) : counted.reduce(mergeOutcome, others);
    const isFirst = position.messageId === null && delivered !== null;
    const message = isFirst ? messageOf(delivered) : messageOf(position);
    const openedSeconds =
      delivered === null ? openedBy(position, outcomes) : position.openedSeconds;
    const isGivenUp = delivered !== null && counted.some((outcome) => outcome.isGivenUp);
    const sold = delivered === null ? lastSold(outcomes) : {};
    const next = { ...position, ...sold, ...message, openedSeconds, outcomes };
    return isGivenUp ? { ...next, isGivenUp } : next;
  });
  const left = open.filter(({ outcomes }) => outcomes.length > 0);
  return closePositions(joinHeard(left, changed, isHeard));
}

/** Marks as a part what is left once purchases are dropped that were sold together with it. */
function withoutDropped(
  left: readonly AlertedOutcome[],
  dropped: readonly AlertedOutcome[],
): AlertedOutcome[] {
  return left.map((alerted) => {
    // Of one that was given up nobody knows when it was sold.
    const isPart = dropped.some((other) => !other.isGivenUp && areSoldTogether(alerted, other));
    return isPart ? { ...alerted, isPart } : alerted;
  });
}

/** Times of the last sale of what is left once purchases are dropped, as far as they are known. */
function lastSold(left: readonly AlertedOutcome[]) {
  const { soldSeconds, soldSeenSeconds } = left.reduce<SaleTimes>(laterSale, {});
  return {
    ...(soldSeconds !== undefined && { soldSeconds }),
    ...(soldSeenSeconds !== undefined && { soldSeenSeconds }),
  };
}

type SaleTimes = Pick<AlertedOutcome, 'soldSeconds' | 'soldSeenSeconds'>;

/** The times of the later one of two sales. */
function laterSale(a: SaleTimes, b: SaleTimes): SaleTimes {
  return (b.soldSeconds ?? 0) > (a.soldSeconds ?? 0) ? b : a;
}

/**
 * True if a sale has sold of both: it sells the same part of all that is held then, so that what is
 * sold as a whole ends together.
 */
function areSoldTogether(a: AlertedOutcome, b: AlertedOutcome): boolean {
  if (a.outcome !== b.outcome || (a.shares === '0') !== (b.shares === '0')) return false;
  return a.shares === '0' || (a.received !== '0' && b.received !== '0');
}

/** The message that a result is about, and whether it shows other alerts, too. */
function messageOf({ messageId, isAmongOthers }: Delivered) {
  return isAmongOthers && messageId !== null ? { messageId, isAmongOthers } : { messageId };
}

/** Names the channel and the market of a position. */
function placeOf({ channelId, key }: AlertedPosition): string {
  return `${channelId} ${key}`;
}

/**
 * Joins what was sold untold with what was bought afterwards, in a channel whose clock has come to
 * both: there the second was bought while the first still waited for its delivery, and a position
 * with a purchase that waits is not closed.
 *
 * @param places channels and markets that are concerned, from `placeOf`
 */
function joinHeard(
  positions: AlertedPositions,
  places: ReadonlySet<string>,
  isHeard: (channelId: string, alertId: string) => boolean,
): AlertedPositions {
  // Called at each delivery in any channel, and few channels hear later.
  if (!positions.some(isSoldUntold)) return positions;
  const joined: AlertedPosition[] = [];
  // Indices of positions that were sold untold, by channel and market, oldest first.
  const soldUntold = new Map<string, number[]>();
  for (const position of positions) {
    const { channelId, outcomes } = position;
    const place = placeOf(position);
    const indices = soldUntold.get(place) ?? [];
    const index = indices[0] ?? joined.length;
    const before = joined[index];
    // Looks through all that waits for the channel: asked only where there is something to join.
    const isHere = ({ alertId }: AlertedOutcome) =>
      alertId === undefined || isHeard(channelId, alertId);
    if (before !== undefined && outcomes.some(isHere)) {
      const both = joinPositions(before, position);
      joined[index] = both;
      if (!isSoldUntold(both)) indices.shift();
      continue;
    }
    if (places.has(place) && isSoldUntold(position)) {
      soldUntold.set(place, [...indices, joined.length]);
    }
    joined.push(position);
  }
  return joined;
}

function joinPositions(before: AlertedPosition, added: AlertedPosition): AlertedPosition {
  const delivered = added.outcomes.filter(({ alertId }) => alertId === undefined);
  const waiting = added.outcomes.filter(({ alertId }) => alertId !== undefined);
  const { isAmongOthers: _, ...both } = { ...before, ...added };
  return {
    ...both,
    ...messageOf(before.messageId === null ? added : before),
    openedSeconds: before.openedSeconds,
    soldSeconds: added.soldSeconds ?? before.soldSeconds,
    outcomes: [...delivered.reduce(mergeOutcome, before.outcomes), ...waiting],
  };
}

/**
 * Time at which a position was opened, once a purchase of it is dropped: by the first that was seen
 * of those that are left.
 */
function openedBy({ openedSeconds }: AlertedPosition, left: readonly AlertedOutcome[]): number {
  const isAllWaiting = left.every(({ boughtSeconds }) => boughtSeconds !== undefined);
  if (!isAllWaiting) return openedSeconds;
  return left[0]?.boughtSeconds ?? openedSeconds;
}

/**
 * Returns a check whether a channel has got alerts of purchases of an outcome that have not all been
 * sold. It looks at each position once, however often it is asked.
 *
 * @param outcomes of `entryKeys`, the only ones that it is asked about
 */
export function alertedIn(
  alertedPositions: AlertedPositions,
  outcomes: ReadonlySet<string>,
): (channelId: string, outcome: string) => boolean {
  const alerted = new Set<string>();
  for (const { channelId, outcomes: own } of alertedPositions) {
    for (const { outcome, shares, alertId } of own) {
      const isHeld = outcomes.has(outcome) && shares !== '0' && alertId === undefined;
      if (isHeld) alerted.add(`${channelId} ${outcome}`);
    }
  }
  return (channelId, outcome) => alerted.has(`${channelId} ${outcome}`);
}

/**
 * Gives up the positions of a market, or of all: what was sold of them is not known. They are kept
 * until they close, so that what is alerted there meanwhile has no result either: it would be one
 * of a part.
 */
export function giveUp(alertedPositions: AlertedPositions, market?: string): AlertedPositions {
  const isMeant = ({ key }: AlertedPosition) => key === (market ?? key);
  return giveUpWhere(alertedPositions, isMeant);
}

/** Gives up the positions of some markets, as {@link giveUp} does those of one. */
export function giveUpMarkets(
  alertedPositions: AlertedPositions,
  markets: ReadonlySet<string>,
): AlertedPositions {
  return giveUpWhere(alertedPositions, ({ key }) => markets.has(key));
}

function giveUpWhere(
  alertedPositions: AlertedPositions,
  isMeant: (position: AlertedPosition) => boolean,
): AlertedPositions {
  return alertedPositions.map((position) =>
    isMeant(position) && !isSoldUntold(position) ? giveUpPosition(position) : position,
  );
}

/** Gives up what counts already. What a channel hears later it may not want: its mark goes then. */
function giveUpPosition(position: AlertedPosition): AlertedPosition {
  const outcomes = position.outcomes.map((alerted): AlertedOutcome => {
    if (alerted.boughtSeconds === undefined) return alerted;
    return { ...alerted, isGivenUp: true };
  });
  const isOfLater = outcomes.every(({ boughtSeconds }) => boughtSeconds !== undefined);
  return isOfLater ? { ...position, outcomes } : { ...position, outcomes, isGivenUp: true };
}

/**
 * Takes closed positions out, as results unless they were given up, and the oldest beyond 400 a
 * channel.
 */
function closePositions(positions: AlertedPositions): Updated {
  const isClosed = ({ outcomes }: AlertedPosition) =>
    outcomes.every(({ shares, alertId }) => shares === '0' && alertId === undefined);
  const open = groupBy(
    positions.filter((position) => !isClosed(position)),
    ({ channelId }) => channelId,
  );
  const followed = new Set([...open.values()].flatMap((ofChannel) => ofChannel.slice(-OPEN_LIMIT)));
  return {
    alertedPositions: positions.filter((position) => followed.has(position)),
    results: positions
      .filter((position) => isClosed(position) && !position.isGivenUp)
      .map((position) => {
        const { channelId, soldSeconds, soldSeenSeconds, outcomes, ...rest } = position;
        const { isGivenUp: _, ...followed } = rest;
        const sumOf = (name: 'paid' | 'received' | 'fees') =>
          toDecimalText(sum(outcomes.map((outcome) => outcome[name])));
        const result = {
          ...followed,
          paid: sumOf('paid'),
          received: sumOf('received'),
          fees: sumOf('fees'),
          settled: outcomes.flatMap(({ side, payout }) =>
            payout === undefined ? [] : [{ side, payout }],
          ),
          sides: [...new Set(outcomes.map(({ side }) => side))],
          closedSeconds: soldSeconds ?? followed.openedSeconds,
          ...(outcomes.some(({ isPart }) => isPart) && { isPart: true as const }),
        };
        return { channelId, result, seenSeconds: soldSeenSeconds };
      }),
  };
}

function mergeOutcome(
  outcomes: AlertedOutcome[],
  { alertId: _, boughtSeconds: __, isGivenUp: ___, ...added }: AlertedOutcome,
): AlertedOutcome[] {
  const before = outcomes.find(
    ({ outcome, alertId }) => outcome === added.outcome && alertId === undefined,
  );
  if (before === undefined) return [...outcomes, added];
  const sums = (['shares', 'paid', 'received', 'fees'] as const).map((name) => [
    name,
    toDecimalText(new Exact(before[name]).plus(added[name])),
  ]);
  const merged: AlertedOutcome = {
    ...added,
    ...before,
    ...Object.fromEntries(sums),
    ...lastSold([before, added]),
  };
  return outcomes.map((outcome) => (outcome === before ? merged : outcome));
}
