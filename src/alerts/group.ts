import { createHash } from 'node:crypto';
import type { Decimal } from 'decimal.js';
import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import { Exact, quotient } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { entryKeys } from '../portfolio/consensus/entries.ts';
import { marketKey as marketOf, outcomeKey } from '../portfolio/market.ts';
import type { ResultNews } from '../portfolio/news.ts';
import type { Alert } from './alert.ts';

/** What fills that belong together come to. All sums are exact. */
export interface GroupSums {
  readonly fills: number;
  readonly transactions: number;
  readonly shares: Decimal;
  /** Volume-weighted; null if no shares changed hands. */
  readonly averageCents: Decimal | null;
  readonly lowestCents: number;
  readonly highestCents: number;
  readonly grossUsdc: Decimal;
  readonly feeUsdc: Decimal;
  /** Positive: USDC left the wallet. */
  readonly netUsdc: Decimal;
  /** Unix seconds. */
  readonly firstSeconds: number;
  /** Unix seconds. */
  readonly lastSeconds: number;
}

/** Adds up the fills of a group: at least one. */
export function sumUp(items: readonly ActivityItem[]): GroupSums {
  let [shares, weighted, grossUsdc, feeUsdc, netUsdc] = Array.from({ length: 5 }, () => new Exact(0)) as Five;
  for (const item of items) {
    shares = shares.plus(item.quantity);
    weighted = weighted.plus(new Exact(item.price).times(item.quantity));
    grossUsdc = grossUsdc.plus(item.grossValue);
    feeUsdc = feeUsdc.plus(item.fee);
    netUsdc = netUsdc.plus(item.transferNetAmount);
  }
  const prices = items.map(({ price }) => price);
  const times = items.map(({ time }) => time);
  return {
    fills: items.length,
    transactions: new Set(items.map(({ txHash }) => txHash.toLowerCase())).size,
    shares,
    averageCents: shares.isZero() ? null : quotient(weighted, shares),
    lowestCents: Math.min(...prices),
    highestCents: Math.max(...prices),
    grossUsdc,
    feeUsdc,
    netUsdc,
    firstSeconds: Math.min(...times),
    lastSeconds: Math.max(...times),
  };
}

type Five = [Decimal, Decimal, Decimal, Decimal, Decimal];

/** The fills among alerts: their activity items, in their order. */
export function fillsOf(alerts: readonly Alert[]): ActivityItem[] {
  return alerts.flatMap(({ event }) => (event.kind === 'activity' ? [event.item] : []));
}

/** The results among alerts, in their order. */
export function resultsOf(alerts: readonly Alert[]): ResultNews[] {
  return alerts.flatMap(({ event }) => (event.kind === 'result' ? [event.result] : []));
}

/**
 * What alerts that are sent together come to in USDC, for minimums: what the wallet paid and received, fees included,
 * whichever way it went; of a transfer its amount. Null if nothing has an amount, as a gap notice.
 */
export function usdcOf(alerts: readonly Alert[]): Decimal | null {
  let total: Decimal | null = null;
  for (const { event } of alerts) {
    if (event.kind !== 'activity' && event.kind !== 'transfer') continue;
    const usdc = event.kind === 'activity' ? event.item.transferNetAmount : event.item.amount;
    total = (total ?? new Exact(0)).plus(Math.abs(usdc));
  }
  return total;
}

/** Sums of USDC by any key, exact. */
export function addUsdc(total: Decimal | undefined, usdc: number): Decimal {
  return (total ?? new Exact(0)).plus(usdc);
}

/** Fills with the same key belong together, redemptions of a market whatever their outcome; other alerts stand alone. */
export function groupKey(alert: Alert): string {
  const { wallet, event, id } = alert;
  if (event.kind !== 'activity') return JSON.stringify([wallet, id]);
  const { action, positionSide, outcomeIndex } = event.item;
  const outcome = action === 'Redeem' ? [] : [outcomeKey(event.item), positionSide, outcomeIndex];
  return JSON.stringify([wallet, marketOf(event.item), action, ...outcome]);
}

/**
 * Puts alerts that belong together into one group each, in the order of their first. A result goes with the first redemption
 * that has closed its position, if that is among them, and takes its place.
 */
export function groupAlerts(alerts: readonly Alert[], keyOf: (alert: Alert) => string = groupKey): NonEmptyAlerts[] {
  const isResult = ({ event }: Alert) => event.kind === 'result';
  const others = alerts.filter((alert) => !isResult(alert));
  const byClosing = new Map(others.toReversed().map((alert) => [closingKey(alert), alert]));
  const leader = (alert: Alert) => (isResult(alert) ? byClosing.get(closingKey(alert)) : undefined) ?? alert;
  const places = new Map(alerts.map((alert, place) => [alert, place]));
  const inOrder = alerts.toSorted((a, b) => (places.get(leader(a)) ?? 0) - (places.get(leader(b)) ?? 0));
  return [...groupBy(inOrder, (alert) => keyOf(leader(alert))).values()];
}

/** What a result has in common with the redemption that has closed its position; undefined of other alerts. */
function closingKey({ wallet, event }: Alert): string | undefined {
  if (event.kind === 'result') return JSON.stringify([wallet, event.result.key, event.result.closedSeconds]);
  if (event.kind !== 'activity' || event.item.action !== 'Redeem') return undefined;
  return JSON.stringify([wallet, entryKeys(event.item).market, event.item.time]);
}

export type NonEmptyAlerts = [Alert, ...Alert[]];

/** A short name for a wallet's market, for what a channel remembers of it. Null for what has no market. */
export function marketKey(wallet: WalletAddress, { event }: Pick<Alert, 'event'>): string | null {
  return event.kind === 'activity' ? shortKey(JSON.stringify([wallet, marketOf(event.item)])) : null;
}

/** A short name for what fills have in common that belong together. Null for what is no fill. */
export function purchaseKey(alert: Alert): string | null {
  return alert.event.kind === 'activity' ? shortKey(groupKey(alert)) : null;
}

function shortKey(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 12);
}
