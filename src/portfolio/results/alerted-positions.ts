import * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { payoutOf, type Settlement } from '../../domain/settlement.ts';
import { decimalText, Exact, quotient, stored, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { entryKeys, sideOf } from '../consensus/entries.ts';
import { marketOf, marketSchema } from '../market.ts';
import { DUST_SHARES } from '../positions/holding.ts';
import type { TradeContext } from '../trade-context.ts';

/** Open positions that are followed per wallet and channel; of more, the oldest are not any more. */
const OPEN_LIMIT = 400;

const alertedOutcomeSchema = z.object({
  /** From `entryKeys`. */
  outcome: z.string(),
  /** The venue's name of it, such as `Yes`. */
  side: z.string(),
  /** Shares of the alerted purchases that the wallet has not sold or redeemed yet, and that were not settled. */
  shares: decimalText,
  /** USDC paid for the alerted purchases, fees included. */
  paid: decimalText,
  /** USDC a share that its settlement paid for what was left; left out without one. */
  payout: z.number().exactOptional(),
  /** USDC received for what was sold, redeemed or settled of them, after fees. */
  received: decimalText,
  /** USDC of fees of both. */
  fees: decimalText,
});
type AlertedOutcome = z.infer<typeof alertedOutcomeSchema>;

/** What a channel was alerted to in one market, until the wallet has sold or redeemed all of it, or the market is settled. */
export const alertedPositionSchema = marketSchema.extend({
  channelId: z.string(),
  /** From `entryKeys`. */
  market: z.string(),
  /** The first delivered message with one of its purchases; null until there is one, or if its id is not known. */
  messageId: z.string().nullable(),
  /** Unix seconds of the first alerted purchase. */
  openedSeconds: z.number(),
  /** Unix seconds of the last sale or redemption in this market, or of its settlement; null if there was none. */
  soldSeconds: z.number().nullable(),
  /** Purchases whose alerts were delivered, one entry an outcome. */
  outcomes: z.array(alertedOutcomeSchema),
  /** Purchases whose alerts are not delivered yet: they count once they are. */
  undelivered: z.array(alertedOutcomeSchema.extend({ alertId: z.string() })),
});
export type AlertedPosition = z.infer<typeof alertedPositionSchema>;

/** What the channels were alerted to and is not closed, of one wallet in all channels. Oldest first. */
export const alertedPositionsSchema = z.array(alertedPositionSchema).readonly();
export type AlertedPositions = readonly AlertedPosition[];

/** A closed position: all that the channel was alerted to was sold, redeemed or settled. USDC. */
export interface MarketResult {
  readonly position: AlertedPosition;
  readonly paid: Exact;
  readonly received: Exact;
  readonly fees: Exact;
}

interface Updated {
  readonly alertedPositions: AlertedPositions;
  /** Positions that it has closed. */
  readonly results: readonly MarketResult[];
}

/**
 * Adds a purchase for which alerts are about to be stored, as undelivered, in each channel's position of the market;
 * {@link countDelivered} makes it count.
 */
export function addPurchase(
  open: AlertedPositions,
  added: { readonly alertId: string; readonly item: ActivityItem; readonly channels: readonly string[] },
): AlertedPositions {
  const { alertId, item, channels } = added;
  const { market, outcome } = entryKeys(item);
  const purchase = {
    alertId,
    outcome,
    side: sideOf(item),
    shares: stored(new Exact(item.quantity)),
    paid: stored(new Exact(item.transferNetAmount)),
    received: '0',
    fees: stored(new Exact(item.fee)),
  };
  const opened = {
    messageId: null,
    openedSeconds: item.time,
    soldSeconds: null,
    outcomes: [],
    undelivered: [purchase],
  };
  const positions = channels.map((channelId) => ({ ...marketOf(item), channelId, market, ...opened }));
  return addPositions(open, positions);
}

/** Adds positions of which nothing is delivered yet, each to its channel's position of the market if there is one. */
export function addPositions(open: AlertedPositions, added: AlertedPositions): AlertedPositions {
  const next = [...open];
  for (const position of added) {
    const { channelId, market, undelivered } = position;
    const index = next.findIndex((other) => other.channelId === channelId && other.market === market);
    const before = next[index];
    if (before === undefined) next.push(position);
    else next[index] = { ...before, undelivered: [...before.undelivered, ...undelivered] };
  }
  return next;
}

/**
 * Adds a sale or redemption. It sells the same part of the alerted shares as of all shares of the outcome:
 * 1 − sharesAfter / sharesBefore. What is left of a closed position counts for nothing.
 *
 * @param context of the item, from the wallet's portfolio
 */
export function addSale(alertedPositions: AlertedPositions, item: ActivityItem, context: TradeContext): Updated {
  const before = new Exact(context.sharesBefore);
  if (before.isZero() || item.quantity <= 0) return { alertedPositions, results: [] };
  const part = quotient(before.minus(context.sharesAfter), before);
  const { market, outcome } = entryKeys(item);
  const receivedPerShare = quotient(-item.transferNetAmount, item.quantity);
  const feePerShare = quotient(item.fee, item.quantity);
  const sell = <Alerted extends AlertedOutcome>(alerted: Alerted): Alerted => {
    if (alerted.outcome !== outcome) return alerted;
    const sold = part.times(alerted.shares);
    const left = new Exact(alerted.shares).minus(sold);
    return {
      ...alerted,
      shares: context.isClosed || left.lt(DUST_SHARES) ? '0' : stored(left),
      received: stored(sold.times(receivedPerShare).plus(alerted.received)),
      fees: stored(sold.times(feePerShare).plus(alerted.fees)),
    };
  };
  const open = alertedPositions.map((position) =>
    position.market === market
      ? {
          ...position,
          soldSeconds: item.time,
          outcomes: position.outcomes.map(sell),
          undelivered: position.undelivered.map(sell),
        }
      : position,
  );
  return closePositions(open);
}

/**
 * Pays what is left of positions whose markets are settled, as far as it is known what their outcomes got. What was bought
 * after a settlement stays as it is. A position that a contradicted settlement has paid for is dropped: no result is made up.
 *
 * @param settlements by market
 */
export function settlePositions(
  alertedPositions: AlertedPositions,
  settlements: ReadonlyMap<string, Settlement>,
): Updated {
  const open = alertedPositions.flatMap((position) => {
    const settlement = settlements.get(position.market);
    if (settlement === undefined || settlement.atSeconds < position.openedSeconds) return [position];
    const all = [...position.outcomes, ...position.undelivered];
    if (settlement.payouts.size === 0) return all.some(({ payout }) => payout !== undefined) ? [] : [position];
    const isPaid = ({ outcome, shares }: AlertedOutcome) =>
      shares !== '0' && payoutOf(settlement, outcome) !== undefined;
    if (!all.some(isPaid)) return [position];
    const pay = <Alerted extends AlertedOutcome>(alerted: Alerted): Alerted => {
      const payout = payoutOf(settlement, alerted.outcome);
      if (payout === undefined || !isPaid(alerted)) return alerted;
      const received = stored(new Exact(alerted.shares).times(payout).plus(alerted.received));
      return { ...alerted, shares: '0', received, payout };
    };
    const soldSeconds = settlement.atSeconds;
    return [
      { ...position, soldSeconds, outcomes: position.outcomes.map(pay), undelivered: position.undelivered.map(pay) },
    ];
  });
  return closePositions(open);
}

/**
 * Makes purchases count whose alerts were delivered, or drops those whose alerts never will be.
 *
 * @param delivered the message that they are in, its id null if it is not known; null if they were not delivered
 */
export function countDelivered(
  alertedPositions: AlertedPositions,
  channelId: string,
  alertIds: ReadonlySet<string>,
  delivered: { readonly messageId: string | null } | null,
): Updated {
  const open = alertedPositions.map((position) => {
    const matched = position.undelivered.filter(({ alertId }) => alertIds.has(alertId));
    if (position.channelId !== channelId || matched.length === 0) return position;
    const undelivered = position.undelivered.filter((purchase) => !matched.includes(purchase));
    if (delivered === null) return { ...position, undelivered };
    const outcomes = matched.reduce(
      (merged, { alertId: _, ...added }) => mergeOutcome(merged, added),
      position.outcomes,
    );
    return { ...position, messageId: position.messageId ?? delivered.messageId, outcomes, undelivered };
  });
  return closePositions(open.filter(({ outcomes, undelivered }) => outcomes.length + undelivered.length > 0));
}

/** Without the positions of an item's market: what was sold of them is not known. */
export function withoutMarket(alertedPositions: AlertedPositions, item: ActivityItem): AlertedPositions {
  const { market } = entryKeys(item);
  return alertedPositions.filter((position) => position.market !== market);
}

/** Drops what belongs to other channels than these: they do not watch the wallet any more. */
export function keepChannels(alertedPositions: AlertedPositions, channels: ReadonlySet<string>): AlertedPositions {
  return alertedPositions.filter(({ channelId }) => channels.has(channelId));
}

/** Takes closed positions out as results, and the oldest beyond 400 a channel. */
function closePositions(positions: AlertedPositions): Updated {
  const isClosed = ({ outcomes, undelivered }: AlertedPosition) =>
    outcomes.length > 0 && undelivered.length === 0 && outcomes.every(({ shares }) => shares === '0');
  const open = groupBy(
    positions.filter((position) => !isClosed(position)),
    ({ channelId }) => channelId,
  );
  const followed = new Set([...open.values()].flatMap((ofChannel) => ofChannel.slice(-OPEN_LIMIT)));
  return {
    alertedPositions: positions.filter((position) => followed.has(position)),
    results: positions.filter(isClosed).map((position) => {
      const sumOf = (name: 'paid' | 'received' | 'fees') => sum(position.outcomes.map((outcome) => outcome[name]));
      return { position, paid: sumOf('paid'), received: sumOf('received'), fees: sumOf('fees') };
    }),
  };
}

function mergeOutcome(outcomes: readonly AlertedOutcome[], added: AlertedOutcome): AlertedOutcome[] {
  const before = outcomes.find(({ outcome }) => outcome === added.outcome);
  if (before === undefined) return [...outcomes, added];
  const sums = (['shares', 'paid', 'received', 'fees'] as const).map((name) => [
    name,
    stored(new Exact(before[name]).plus(added[name])),
  ]);
  const merged: AlertedOutcome = { ...added, ...before, ...Object.fromEntries(sums) };
  return outcomes.map((outcome) => (outcome === before ? merged : outcome));
}
