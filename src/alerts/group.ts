import { createHash } from 'node:crypto';
import type { Decimal } from 'decimal.js';
import type { WalletAddress } from '../domain/address.ts';
import { sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { entryKeys } from '../portfolio/consensus/entries.ts';
import { marketKey as marketOf, outcomeKey } from '../portfolio/market.ts';
import type { Alert } from './alert.ts';
import { kindOf } from './kinds/kinds.ts';

/**
 * What alerts that are sent together come to in USDC, for minimums: what the wallet paid and received, fees included,
 * whichever way it went; of a transfer its amount. Null if nothing has an amount, as a gap notice.
 */
export function usdcOf(alerts: readonly Alert[]): Decimal | null {
  const amounts = alerts.flatMap(({ event }) => kindOf(event).usdc(event) ?? []);
  return amounts.length === 0 ? null : sum(amounts.map(Math.abs));
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
