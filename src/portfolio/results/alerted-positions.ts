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
 * Maximum number of open positions tracked per wallet and channel. Beyond it, the oldest are no
 * longer tracked.
 */
const OPEN_LIMIT = 400;
/**
 * Maximum number of shares left over from an earlier position, which do not count as a missed
 * purchase.
 */
const LEFT_OVER_SHARES = new Exact('0.01');

const alertedOutcomeSchema = z.object({
  /** Key from `entryKeys`. */
  outcome: z.string(),
  side: z.string(),
  /**
   * Shares of the alerted purchases that the wallet has not sold or redeemed, and that were not
   * settled.
   */
  shares: decimalText,
  /** USDC paid for the alerted purchases, fees included. */
  paid: decimalText,
  /** USDC per share that the settlement paid for the remaining shares; left out without one. */
  payout: z.number().exactOptional(),
  /** USDC received for the shares that were sold, redeemed or settled, after fees. */
  received: decimalText,
  /** Fees in USDC: those included in `paid` and those deducted from `received`. */
  fees: decimalText,
  /** Id of the alert of a purchase that is not delivered yet. The purchase counts once it is. */
  alertId: z.string().exactOptional(),
  /**
   * Time of such a purchase in a delayed channel, in Unix seconds. The channel's filters may reject
   * it later.
   */
  boughtSeconds: z.number().exactOptional(),
  /** True for such a purchase if its position has no result once it counts. */
  isGivenUp: z.literal(true).exactOptional(),
  /**
   * Time of the outcome's last sale, redemption or settlement while a purchase was not delivered
   * yet, in Unix seconds. If that purchase is dropped, the position gets this time. In a delayed
   * channel, also the time when it was seen.
   */
  soldSeconds: z.number().exactOptional(),
  soldSeenSeconds: z.number().exactOptional(),
  /**
   * True if the wallet has sold or redeemed more than was alerted, because the rest had no alert
   * here.
   */
  isPart: z.literal(true).exactOptional(),
});
type AlertedOutcome = z.infer<typeof alertedOutcomeSchema>;

const followedSchema = z.object({
  market: marketSchema,
  /** Key of the market, from `entryKeys`. */
  key: z.string(),
  /**
   * The first delivered message with one of its purchases; null until there is one, or if its id is
   * unknown.
   */
  messageId: z.string().nullable(),
  /** True if that message also shows other alerts. A reply to it would quote one of those. */
  isAmongOthers: z.literal(true).exactOptional(),
  /** Time of the first alerted purchase, in Unix seconds. */
  openedSeconds: z.number(),
});

/** The message in which alerts were delivered. */
export interface Delivered {
  /** Null if only the channel's history shows that they were posted. */
  readonly messageId: string | null;
  /** True if it shows several alerts. */
  readonly isAmongOthers?: boolean;
}

/**
 * Purchases in a market that a channel was alerted to, until the wallet has sold or redeemed all of
 * them, or the market is settled.
 */
export const alertedPositionSchema = followedSchema.extend({
  channelId: z.string(),
  /**
   * Time of the last sale or redemption in this market, or of its settlement, in Unix seconds; null
   * if there was none.
   */
  soldSeconds: z.number().nullable(),
  /**
   * Time when that was seen, in Unix seconds, if a purchase in a delayed channel was not delivered
   * at that time.
   */
  soldSeenSeconds: z.number().exactOptional(),
  /**
   * Purchases: one entry per outcome for those whose alerts were delivered, and one for each other
   * purchase.
   */
  outcomes: z.array(alertedOutcomeSchema),
  /** True if it has no result, because it is unknown how much was sold of the alerted purchases. */
  isGivenUp: z.literal(true).exactOptional(),
});
type AlertedPosition = z.infer<typeof alertedPositionSchema>;

/** Open positions of one wallet that channels were alerted to, for all channels. Oldest first. */
export const alertedPositionsSchema = z.array(alertedPositionSchema).readonly();
export type AlertedPositions = z.infer<typeof alertedPositionsSchema>;

/** Result of the alerted purchases in a market, as stored with its alert. */
export const resultNewsSchema = followedSchema.extend({
  /**
   * USDC paid for the alerted purchases, fees included; USDC received for them, after fees; fees of
   * both.
   */
  paid: decimalText,
  received: decimalText,
  fees: decimalText,
  /**
   * Outcomes that the wallet held when the market was settled, with the USDC per share they paid.
   */
  settled: z.array(z.object({ side: z.string(), payout: z.number() })),
  /** Outcomes that were bought; left out by releases that did not store them. */
  sides: z.array(z.string()).exactOptional(),
  /** True if the alerted purchases were only a part of the wallet's position. */
  isPart: z.literal(true).exactOptional(),
  /** Time of the sale, redemption or settlement that closed the position, in Unix seconds. */
  closedSeconds: z.number(),
});
export type ResultNews = z.infer<typeof resultNewsSchema>;

export interface Updated {
  readonly alertedPositions: AlertedPositions;
  /**
   * Results of closed positions for their channels: everything they were alerted to was sold,
   * redeemed or settled.
   */
  readonly results: readonly {
    readonly channelId: string;
    readonly result: ResultNews;
    /** Time when its last sale was seen, in Unix seconds, if that was before its last delivery. */
    readonly seenSeconds?: number | undefined;
  }[];
}

/**
 * Adds a purchase whose alerts are about to be stored to each channel's position in the market, as
 * undelivered. {@link countDelivered} makes it count.
 */
export function addPurchase(
  open: AlertedPositions,
  added: {
    readonly alertId: string;
    readonly item: ActivityItem;
    readonly channels: readonly string[];
    /** Whether a channel is delayed; left out: none is. */
    readonly isLater?: (channelId: string) => boolean;
  },
): AlertedPositions {
  const { alertId, item, channels, isLater = () => false } = added;
  // Without its market's name it could be any market, and nothing would ever close it.
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
 * True if all of a position was sold before a delayed channel received an alert about it, so that
 * only its result is missing. Later purchases there are another position.
 */
function isClosedBeforeSent({ soldSeenSeconds, outcomes }: AlertedPosition): boolean {
  return soldSeenSeconds !== undefined && outcomes.every(({ shares }) => shares === '0');
}

/** Adds undelivered positions, each to its channel's position in the market if there is one. */
export function addPositions(open: AlertedPositions, added: AlertedPositions): AlertedPositions {
  const next = [...open];
  const keys = new Set(added.map(({ key }) => key));
  // Index of the first position of each channel and market. Built in one pass, because a wallet may
  // have tens of thousands of positions.
  const indices = new Map<string, number>();
  const note = (position: AlertedPosition, index: number): void => {
    if (!keys.has(position.key) || isClosedBeforeSent(position)) return;
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
 * outcome: 1 − sharesAfter / sharesBefore. Shares left of a closed position do not count.
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
  const sell = (alerted: AlertedOutcome, isPart: boolean, dated: SaleTimes): AlertedOutcome => {
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
    if (position.key !== market || isClosedBeforeSent(position)) return position;
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

/** Returns the time of a sale, if a waiting purchase may still be dropped. */
function datedIfWaiting({ outcomes }: AlertedPosition, soldSeconds: number): SaleTimes {
  const waits = outcomes.some(({ alertId }) => alertId !== undefined);
  return waits ? { soldSeconds } : {};
}

/**
 * Pays the remaining shares of positions whose markets are settled, if it is known what their
 * outcomes paid. Purchases after a settlement remain as they are. A position paid by a settlement
 * that is later contradicted is dropped, so that no wrong result is posted.
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
 * Notes when shares of undelivered purchases were sold. The result after their delivery gets that
 * time.
 * @param before the positions before the change
 * @param concerns selects the positions of delayed channels
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
  // Called for each alert of a page, and few channels are delayed.
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
 * Counts purchases whose alerts were delivered, or drops those whose alerts never will be.
 * @param isMeant whether an alert in a channel is one of these
 * @param delivered the message that contains them, with a null id if unknown; null if they were not
 *   delivered
 * @param isReleased whether a delayed channel's time has reached an alert; left out where it does
 *   not matter
 */
export function countDelivered(
  alertedPositions: AlertedPositions,
  isMeant: (channelId: string, alertId: string) => boolean,
  delivered: Delivered | null,
  isReleased: (channelId: string, alertId: string) => boolean = () => false,
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
  return closePositions(mergeReopened(left, changed, isReleased));
}

/** Marks the remaining purchases as a part if dropped ones were sold together with them. */
function withoutDropped(
  left: readonly AlertedOutcome[],
  dropped: readonly AlertedOutcome[],
): AlertedOutcome[] {
  return left.map((alerted) => {
    // For a purchase that was given up, it is unknown when it was sold.
    const isPart = dropped.some((other) => !other.isGivenUp && areSoldTogether(alerted, other));
    return isPart ? { ...alerted, isPart } : alerted;
  });
}

/**
 * Returns the times of the last sale of the remaining purchases after others are dropped, if known.
 */
function lastSold(left: readonly AlertedOutcome[]) {
  const { soldSeconds, soldSeenSeconds } = left.reduce<SaleTimes>(laterSale, {});
  return {
    ...(soldSeconds !== undefined && { soldSeconds }),
    ...(soldSeenSeconds !== undefined && { soldSeenSeconds }),
  };
}

type SaleTimes = Pick<AlertedOutcome, 'soldSeconds' | 'soldSeenSeconds'>;

/** Returns the times of the later of two sales. */
function laterSale(a: SaleTimes, b: SaleTimes): SaleTimes {
  return (b.soldSeconds ?? 0) > (a.soldSeconds ?? 0) ? b : a;
}

/**
 * True if a sale sold shares of both. A sale sells the same part of everything held at that time,
 * so purchases that are completely sold end together.
 */
function areSoldTogether(a: AlertedOutcome, b: AlertedOutcome): boolean {
  if (a.outcome !== b.outcome || (a.shares === '0') !== (b.shares === '0')) return false;
  return a.shares === '0' || (a.received !== '0' && b.received !== '0');
}

/** Returns the message that a result replies to, and whether it also shows other alerts. */
function messageOf({ messageId, isAmongOthers }: Delivered) {
  return isAmongOthers && messageId !== null ? { messageId, isAmongOthers } : { messageId };
}

/** Returns a key for the channel and the market of a position. */
function placeOf({ channelId, key }: AlertedPosition): string {
  return `${channelId} ${key}`;
}

/**
 * Merges a position that was sold before its delivery with later purchases, in a channel whose
 * delayed time has reached both. From the channel's view, the later purchase was made while the
 * first was still waiting for its delivery, and a position with a waiting purchase is not closed.
 * @param places channels and markets to check, from `placeOf`
 */
function mergeReopened(
  positions: AlertedPositions,
  places: ReadonlySet<string>,
  isReleased: (channelId: string, alertId: string) => boolean,
): AlertedPositions {
  // Called at each delivery in any channel, and few channels are delayed.
  if (!positions.some(isClosedBeforeSent)) return positions;
  const joined: AlertedPosition[] = [];
  // Indexes of positions that were sold before their delivery, by channel and market, oldest first.
  const closedBeforeSent = new Map<string, number[]>();
  for (const position of positions) {
    const { channelId, outcomes } = position;
    const place = placeOf(position);
    const indices = closedBeforeSent.get(place) ?? [];
    const index = indices[0] ?? joined.length;
    const before = joined[index];
    // This searches everything waiting for the channel, so it is called only if there is something
    // to merge.
    const isHere = ({ alertId }: AlertedOutcome) =>
      alertId === undefined || isReleased(channelId, alertId);
    if (before !== undefined && outcomes.some(isHere)) {
      const both = joinPositions(before, position);
      joined[index] = both;
      if (!isClosedBeforeSent(both)) indices.shift();
      continue;
    }
    if (places.has(place) && isClosedBeforeSent(position)) {
      closedBeforeSent.set(place, [...indices, joined.length]);
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
 * Returns the time when a position was opened after one of its purchases is dropped: that of the
 * first remaining purchase.
 */
function openedBy({ openedSeconds }: AlertedPosition, left: readonly AlertedOutcome[]): number {
  const isAllWaiting = left.every(({ boughtSeconds }) => boughtSeconds !== undefined);
  if (!isAllWaiting) return openedSeconds;
  return left[0]?.boughtSeconds ?? openedSeconds;
}

/**
 * Returns a function that checks whether a channel has received alerts about purchases of an
 * outcome that have not all been sold. Each position is visited once, however often the function is
 * called.
 * @param outcomes the only outcomes that will be asked about, from `entryKeys`
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
 * Gives up the positions in some markets, or in all markets, because it is unknown how much was
 * sold of them. They are kept until they close, so that purchases alerted there in the meantime
 * have no result either; it would cover only a part.
 */
export function giveUp(
  alertedPositions: AlertedPositions,
  markets?: ReadonlySet<string>,
): AlertedPositions {
  return alertedPositions.map((position) => {
    const isMeant = markets === undefined || markets.has(position.key);
    return isMeant && !isClosedBeforeSent(position) ? giveUpPosition(position) : position;
  });
}

/**
 * Gives up purchases that already count. Waiting purchases of a delayed channel are only marked,
 * because its filters may still reject them; the mark is then removed with them.
 */
function giveUpPosition(position: AlertedPosition): AlertedPosition {
  const outcomes = position.outcomes.map((alerted): AlertedOutcome => {
    if (alerted.boughtSeconds === undefined) return alerted;
    return { ...alerted, isGivenUp: true };
  });
  const isOfLater = outcomes.every(({ boughtSeconds }) => boughtSeconds !== undefined);
  return isOfLater ? { ...position, outcomes } : { ...position, outcomes, isGivenUp: true };
}

/**
 * Removes closed positions, as results unless they were given up, and the oldest beyond 400 per
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
