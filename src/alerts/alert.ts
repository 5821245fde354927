import { createHash, hash } from 'node:crypto';
import type { Decimal } from 'decimal.js';
import type { WalletAddress } from '../domain/address.ts';
import { fillParts } from '../domain/market-keys.ts';
import { sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { entryKeys, marketKey } from '../portfolio/market.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import type { AlertOf, GroupOf } from './kinds/kind.ts';
import { kindOf, type WalletEvent } from './kinds/kinds.ts';
import { resultsOf } from './kinds/result.ts';

export type { WalletEvent };
export type Alert = AlertOf<WalletEvent>;
export type NonEmptyAlerts = [Alert, ...Alert[]];

const ID_LENGTH = 8;
const ID_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/**
 * Eight characters of base 32: short enough to read out, and the same for the same record whenever
 * it is found.
 */
export function alertId(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  let id = '';
  for (const byte of digest.subarray(0, ID_LENGTH)) id += ID_LETTERS.charAt(byte & 31);
  return id;
}

/** Names an alert among those of a channel: its id is unique within its wallet. */
export function alertKey({ wallet, id }: Pick<Alert, 'wallet' | 'id'>): string {
  return `${wallet}:${id}`;
}

/**
 * Returns the id of an alert of a record.
 *
 * @param occurrence its number among equal records, from 1 on
 */
export function recordAlertId(
  wallet: WalletAddress,
  endpoint: string,
  identity: string,
  occurrence: number,
): string {
  return alertId([wallet, endpoint, identity, occurrence]);
}

/** Adds to alerts of trades what they meant for a position, by the alerts' ids, as far as known. */
export function withContextOf(
  contexts: ReadonlyMap<string, TradeContext> | undefined,
): <Own extends Pick<Alert, 'id' | 'event'>>(alert: Own) => Own {
  return (alert) => {
    const context = contexts?.get(alert.id);
    const { event } = alert;
    if (context === undefined || event.kind !== 'activity') return alert;
    return { ...alert, event: { ...event, context } };
  };
}

/**
 * Alerts that one embed or line shows. `alert`: one, or fills that belong together; `late`: several
 * of a wallet, sent late.
 */
export interface AlertGroup extends GroupOf<WalletEvent> {
  readonly kind: 'alert' | 'late';
  /** True of a list that is a row beside others, because so many wait. */
  readonly isRow?: boolean | undefined;
  /** Sums that earlier messages have shown of a list's purchases, USDC, by `purchaseKey`. */
  readonly earlierByKey?: Readonly<Record<string, string>> | undefined;
  /**
   * True if the channel was told of the wallet in the last minutes: its record is not repeated
   * then.
   */
  readonly isInBurst?: boolean | undefined;
}

/** True of several alerts that are sent late: a list. A single one reads as any other. */
export function isLateList({ kind, alerts }: Pick<AlertGroup, 'kind' | 'alerts'>): boolean {
  return kind === 'late' && alerts.length > 1;
}

/**
 * The purchases of a list, and what else is in it, as groups of their own.
 *
 * @param keyOf as in `groupAlerts`
 */
export function apartFromList(
  { alerts, earlierByKey = {} }: Pick<AlertGroup, 'alerts' | 'earlierByKey'>,
  keyOf?: (alert: Alert) => string,
): AlertGroup[] {
  return groupAlerts(alerts, keyOf).map((own) => ({
    kind: 'alert',
    alerts: own,
    earlierUsdc: earlierByKey[purchaseKey(own[0]) ?? ''],
  }));
}

/**
 * Sum of a purchase with what earlier messages have shown of it, USDC. Null without amounts, see
 * `usdcOf`.
 */
export function totalUsdc({
  alerts,
  earlierUsdc = '0',
}: Pick<AlertGroup, 'alerts' | 'earlierUsdc'>): Decimal | null {
  return usdcOf(alerts)?.plus(earlierUsdc) ?? null;
}

export function walletOf({ alerts: [first] }: Pick<AlertGroup, 'alerts'>): WalletAddress {
  return first.wallet;
}

/** True if the group is about several wallets, as a consensus is. */
export function isOfSeveral({ alerts: [{ event }] }: Pick<AlertGroup, 'alerts'>): boolean {
  return kindOf(event).isOfSeveral === true;
}

/**
 * True if the group says first what came of a position, with the redemption that has closed it or
 * without. A sale that has closed one is a trade that says it, too, and several late alerts say how
 * many they are.
 */
export function hasResult(group: Pick<AlertGroup, 'kind' | 'alerts'>): boolean {
  const { alerts } = group;
  if (isLateList(group)) return false;
  return resultsOf(alerts).length > 0 && !isSale(alerts[0]);
}

function isSale({ event }: Pick<Alert, 'event'>): boolean {
  return event.kind === 'activity' && event.item.action === 'Sell';
}

/** Time of an event, epoch milliseconds; of a span of time its end. */
export function eventTimeMs({ event }: Pick<Alert, 'event'>): number {
  return kindOf(event).seconds(event)[1] * 1000;
}

/** Time of the newest event of a group, epoch milliseconds. */
export function newestTimeMs({ alerts }: Pick<AlertGroup, 'alerts'>): number {
  return Math.max(...alerts.map(eventTimeMs));
}

/**
 * Sum of alerts that are sent together, USDC, for minimums: all that the wallet paid and received,
 * fees included, both counted as positive; of a transfer its amount. Null if nothing has an amount,
 * as a gap notice.
 */
export function usdcOf(alerts: readonly Alert[]): Decimal | null {
  const amounts = alerts.flatMap(({ event }) => kindOf(event).usdc?.(event) ?? []);
  return amounts.length === 0 ? null : sum(amounts.map(Math.abs));
}

/**
 * Fills with the same key belong together, redemptions of a market whatever the outcome; other
 * alerts stand alone.
 */
export function groupKey(alert: Alert): string {
  const { wallet, event, id } = alert;
  if (event.kind !== 'activity' || marketKey(event.item) === '') {
    return JSON.stringify([wallet, id]);
  }
  return JSON.stringify([wallet, ...fillParts(event.item)]);
}

/**
 * Puts alerts that belong together into one group each, in the order of their first. A result goes
 * with the sale or redemption that has closed its position, if that is among them, and takes its
 * place: with the last one where several have, because they stand alone in a channel that shows
 * each fill.
 */
export function groupAlerts(
  alerts: readonly Alert[],
  keyOf: (alert: Alert) => string = groupKey,
): NonEmptyAlerts[] {
  const isResult = ({ event }: Alert) => event.kind === 'result';
  const others = alerts.filter((alert) => !isResult(alert));
  const byClosing = new Map(others.map((alert) => [closingKey(alert), alert]));
  const leader = (alert: Alert) =>
    (isResult(alert) ? byClosing.get(closingKey(alert)) : undefined) ?? alert;
  const places = new Map(alerts.map((alert, place) => [alert, place]));
  const placeOf = (alert: Alert) => places.get(leader(alert)) ?? 0;
  const inOrder = alerts.toSorted((a, b) => placeOf(a) - placeOf(b));
  return [...groupBy(inOrder, (alert) => keyOf(leader(alert))).values()];
}

/**
 * Key that a result shares with the sale or redemption that has closed its position: wallet, market
 * and second. Undefined for other alerts.
 */
function closingKey({ wallet, event }: Alert): string | undefined {
  if (event.kind === 'result') {
    return JSON.stringify([wallet, event.result.key, event.result.closedSeconds]);
  }
  if (event.kind !== 'activity' || event.item.action === 'Buy') return undefined;
  // Of two outcomes that are sold in one second, one may stay open.
  if (event.item.action === 'Sell' && event.context?.isClosed === false) return undefined;
  return JSON.stringify([wallet, entryKeys(event.item).market, event.item.time]);
}

/**
 * A short name for a wallet's market, for what a channel remembers of it. Null without a market
 * that has a name.
 */
export function cooldownKey(wallet: WalletAddress, { event }: Pick<Alert, 'event'>): string | null {
  const market = event.kind === 'activity' ? marketKey(event.item) : '';
  return market === '' ? null : shortKey(JSON.stringify([wallet, market]));
}

/** A short name for what fills have in common that belong together. Null for what is no fill. */
export function purchaseKey(alert: Alert): string | null {
  return alert.event.kind === 'activity' ? shortKey(groupKey(alert)) : null;
}

/**
 * A short name for the trades that a fill turns from: what it buys was sold with these, what it
 * sells or redeems was bought with these (see `purchaseKey`). Null for what is no fill.
 */
export function turningKey(alert: Alert): string | null {
  const { event } = alert;
  if (event.kind !== 'activity') return null;
  const action = event.item.action === 'Buy' ? 'Sell' : 'Buy';
  const item = { ...event.item, action };
  return purchaseKey({ ...alert, event: { ...event, item } });
}

function shortKey(content: string): string {
  return hash('sha256', content, 'base64url').slice(0, 12);
}
