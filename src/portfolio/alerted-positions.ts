import { z } from 'zod';
import { Exact, quotient, stored } from '../lib/exact.ts';
import type { ActivityItem } from '../venue/schema.ts';
import type { TradeContext } from './context.ts';
import { entryKeys } from './entries.ts';

/** Markets that are followed per wallet and channel; beyond, the oldest are given up, and counted. */
const FOLLOWED_LIMIT = 40;
const TITLE_LIMIT = 120;
const DUST = new Exact('0.000001');

const decimal = z.string();
const stakeSchema = z.object({
  outcome: z.string(),
  /** Shares of the alerted purchases that the wallet has not sold or redeemed yet. */
  shares: decimal,
  /** USDC paid for all that were alerted, fees included, and received for what was sold of them. */
  paid: decimal,
  got: decimal,
  fees: decimal,
});
type Stake = z.infer<typeof stakeSchema>;

/** The alerted purchases of one market, followed until the wallet has sold or redeemed them: one bet. */
export const alertedPositionSchema = z.object({
  channelId: z.string(),
  market: z.string(),
  title: z.string(),
  marketId: z.string(),
  marketSlug: z.string(),
  eventSlug: z.string(),
  /** The first message that rang for it; null until one has. */
  messageId: z.string().nullable(),
  /** Unix seconds of the first alerted purchase. */
  openedSeconds: z.number(),
  /** Unix seconds of the last sale or redemption that took of it; null if there was none. */
  soldSeconds: z.number().nullable(),
  stakes: z.array(stakeSchema),
  /** Purchases whose alerts wait: they count when they have rung. */
  waiting: z.array(stakeSchema.extend({ alertId: z.string() })),
});
export type AlertedPosition = z.infer<typeof alertedPositionSchema>;

/** How the alerts of a wallet did in one channel, over markets that are over: enough for a mean and its error. */
export const recordSchema = z.object({
  channelId: z.string(),
  markets: z.number(),
  won: z.number(),
  paid: decimal,
  got: decimal,
  fees: decimal,
  /** Sums over markets of paid², got² and paid·got, for the error of the return. */
  paidPaid: z.number(),
  gotGot: z.number(),
  paidGot: z.number(),
  /** Markets that were given up before they were over. */
  givenUp: z.number(),
});
export type ScoreRecord = z.infer<typeof recordSchema>;

export const alertedPositionsSchema = z.object({
  open: z.array(alertedPositionSchema),
  records: z.array(recordSchema),
});
export type AlertedPositions = z.infer<typeof alertedPositionsSchema>;
export const NO_ALERTED_POSITIONS: AlertedPositions = { open: [], records: [] };

/** A bet that is over: the wallet has sold or redeemed all that the room was told of. */
export interface MarketResult {
  readonly position: AlertedPosition;
  readonly paid: Exact;
  readonly got: Exact;
  readonly fees: Exact;
}

/** A purchase that is about to ring in these channels. */
export interface AlertedPurchase {
  readonly alertId: string;
  readonly item: ActivityItem;
  readonly channels: readonly string[];
}

/** Begins to follow purchases; they count once {@link countDelivered} says that their alerts have rung. */
export function addPurchase(
  { open, records }: AlertedPositions,
  { alertId, item, channels }: AlertedPurchase,
): AlertedPositions {
  const { market, outcome } = entryKeys(item);
  const next = [...open];
  for (const channelId of channels) {
    const index = next.findIndex((position) => position.channelId === channelId && position.market === market);
    const position = next[index] ?? {
      channelId,
      market,
      title: Array.from(item.marketTitle).slice(0, TITLE_LIMIT).join(''),
      marketId: item.marketId,
      marketSlug: item.marketSlug,
      eventSlug: item.eventSlug,
      messageId: null,
      openedSeconds: item.time,
      soldSeconds: null,
      stakes: [],
      waiting: [],
    };
    const waiting = {
      alertId,
      outcome,
      shares: stored(new Exact(item.quantity)),
      paid: stored(new Exact(item.transferNetAmount)),
      got: '0',
      fees: stored(new Exact(item.fee)),
    };
    const grown = { ...position, waiting: [...position.waiting, waiting] };
    if (index < 0) next.push(grown);
    else next[index] = grown;
  }
  return { open: next, records };
}

/**
 * Counts a sale or redemption: it takes the same part of each alerted stake as of the wallet's whole position.
 *
 * @param context what the book says of it
 */
export function addSale(
  alertedPositions: AlertedPositions,
  item: ActivityItem,
  context: TradeContext,
): { readonly alertedPositions: AlertedPositions; readonly results: readonly MarketResult[] } {
  const before = new Exact(context.sharesBefore);
  if (before.isZero() || item.quantity <= 0) return { alertedPositions, results: [] };
  const part = quotient(before.minus(context.sharesAfter), before);
  const { market, outcome } = entryKeys(item);
  const received = quotient(-item.transferNetAmount, item.quantity);
  const fee = quotient(item.fee, item.quantity);
  const sell = <S extends Stake>(stake: S): S => {
    if (stake.outcome !== outcome) return stake;
    const sold = new Exact(stake.shares).times(part);
    const left = new Exact(stake.shares).minus(sold);
    return {
      ...stake,
      shares: left.lt(DUST) ? '0' : stored(left),
      got: stored(new Exact(stake.got).plus(sold.times(received))),
      fees: stored(new Exact(stake.fees).plus(sold.times(fee))),
    };
  };
  const open = alertedPositions.open.map((position) =>
    position.market === market
      ? { ...position, soldSeconds: item.time, stakes: position.stakes.map(sell), waiting: position.waiting.map(sell) }
      : position,
  );
  return close({ ...alertedPositions, open });
}

/**
 * Tells that alerts have rung, or never will.
 *
 * @param rang the message that they are in, if it is known; null if they do not ring
 */
export function countDelivered(
  alertedPositions: AlertedPositions,
  channelId: string,
  alertIds: ReadonlySet<string>,
  delivered: { readonly messageId: string | null } | null,
): { readonly alertedPositions: AlertedPositions; readonly results: readonly MarketResult[] } {
  const open = alertedPositions.open.map((position) => {
    const matched = position.waiting.filter(({ alertId }) => alertIds.has(alertId));
    if (position.channelId !== channelId || matched.length === 0) return position;
    const waiting = position.waiting.filter((stake) => !matched.includes(stake));
    if (delivered === null) return { ...position, waiting };
    const stakes = matched.reduce((merged, { alertId: _, ...stake }) => mergeStake(merged, stake), position.stakes);
    return { ...position, messageId: position.messageId ?? delivered.messageId, stakes, waiting };
  });
  return close({ ...alertedPositions, open: open.filter(({ stakes, waiting }) => stakes.length + waiting.length > 0) });
}

/** After a time of which trades may be missing nobody knows what became of the stakes: they are given up. */
export function giveUp(alertedPositions: AlertedPositions): AlertedPositions {
  const without: AlertedPositions = { ...alertedPositions, open: [] };
  return alertedPositions.open.reduce((next, { channelId }) => countGivenUp(next, channelId), without);
}

/** After a record that came out of its turn nobody knows what was sold of a market's stakes: they are given up. */
export function giveUpMarket(alertedPositions: AlertedPositions, item: ActivityItem): AlertedPositions {
  const { market } = entryKeys(item);
  const others: AlertedPositions = {
    ...alertedPositions,
    open: alertedPositions.open.filter((position) => position.market !== market),
  };
  return alertedPositions.open
    .filter((position) => position.market === market)
    .reduce((next, { channelId }) => countGivenUp(next, channelId), others);
}

/** Forgets what belongs to channels that do not watch the wallet any more. */
export function keepChannels({ open, records }: AlertedPositions, channels: ReadonlySet<string>): AlertedPositions {
  return {
    open: open.filter(({ channelId }) => channels.has(channelId)),
    records: records.filter(({ channelId }) => channels.has(channelId)),
  };
}

function close(alertedPositions: AlertedPositions): {
  readonly alertedPositions: AlertedPositions;
  readonly results: readonly MarketResult[];
} {
  const isOver = ({ stakes, waiting }: AlertedPosition) =>
    stakes.length > 0 && waiting.length === 0 && stakes.every(({ shares }) => shares === '0');
  const results = alertedPositions.open.filter(isOver).map((position): MarketResult => {
    const sum = (name: 'paid' | 'got' | 'fees') =>
      position.stakes.reduce((total, stake) => total.plus(stake[name]), new Exact(0));
    return { position: position, paid: sum('paid'), got: sum('got'), fees: sum('fees') };
  });
  let next: AlertedPositions = {
    ...alertedPositions,
    open: alertedPositions.open.filter((position) => !isOver(position)),
  };
  for (const result of results) next = countResult(next, result);
  for (const channelId of new Set(next.open.map((position) => position.channelId))) {
    const ofChannel = next.open.filter((position) => position.channelId === channelId);
    for (const position of ofChannel.slice(0, Math.max(0, ofChannel.length - FOLLOWED_LIMIT))) {
      next = countGivenUp({ ...next, open: next.open.filter((other) => other !== position) }, channelId);
    }
  }
  return { alertedPositions: next, results };
}

function countResult(
  alertedPositions: AlertedPositions,
  { position, paid, got, fees }: MarketResult,
): AlertedPositions {
  return changeRecord(alertedPositions, position.channelId, (record) => ({
    ...record,
    markets: record.markets + 1,
    won: record.won + (got.gt(paid) ? 1 : 0),
    paid: stored(paid.plus(record.paid)),
    got: stored(got.plus(record.got)),
    fees: stored(fees.plus(record.fees)),
    paidPaid: record.paidPaid + paid.times(paid).toNumber(),
    gotGot: record.gotGot + got.times(got).toNumber(),
    paidGot: record.paidGot + paid.times(got).toNumber(),
  }));
}

function countGivenUp(alertedPositions: AlertedPositions, channelId: string): AlertedPositions {
  return changeRecord(alertedPositions, channelId, (record) => ({ ...record, givenUp: record.givenUp + 1 }));
}

function changeRecord(
  alertedPositions: AlertedPositions,
  channelId: string,
  change: (record: ScoreRecord) => ScoreRecord,
): AlertedPositions {
  const before = alertedPositions.records.find((record) => record.channelId === channelId) ?? {
    channelId,
    markets: 0,
    won: 0,
    paid: '0',
    got: '0',
    fees: '0',
    paidPaid: 0,
    gotGot: 0,
    paidGot: 0,
    givenUp: 0,
  };
  const others = alertedPositions.records.filter((record) => record.channelId !== channelId);
  return { ...alertedPositions, records: [...others, change(before)] };
}

function mergeStake(stakes: readonly Stake[], added: Stake): Stake[] {
  const before = stakes.find(({ outcome }) => outcome === added.outcome);
  if (before === undefined) return [...stakes, added];
  const plus = (name: 'shares' | 'paid' | 'got' | 'fees') => stored(new Exact(before[name]).plus(added[name]));
  const merged = { ...before, shares: plus('shares'), paid: plus('paid'), got: plus('got'), fees: plus('fees') };
  return stakes.map((stake) => (stake === before ? merged : stake));
}
