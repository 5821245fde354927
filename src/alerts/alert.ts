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
 * Returns eight characters of base 32: short enough to read out, and the same whenever the same
 * record is found.
 */
export function alertId(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  let id = '';
  for (const byte of digest.subarray(0, ID_LENGTH)) id += ID_LETTERS.charAt(byte & 31);
  return id;
}

/** Returns a key for an alert within a channel. Its id alone is unique only within its wallet. */
export function alertKey({ wallet, id }: Pick<Alert, 'wallet' | 'id'>): string {
  return `${wallet}:${id}`;
}

/**
 * Returns the id of the alert of a record.
 * @param occurrence number of this copy among equal records, counted from 1
 */
export function recordAlertId(
  wallet: WalletAddress,
  endpoint: string,
  identity: string,
  occurrence: number,
): string {
  return alertId([wallet, endpoint, identity, occurrence]);
}

/**
 * Returns a function that adds to a trade's alert what the trade meant for its position, if that is
 * known. The contexts are keyed by alert id.
 */
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
 * Alerts shown by one embed or line. `alert`: one alert, or fills that belong together; `late`:
 * several alerts of a wallet that are sent late.
 */
export interface AlertGroup extends GroupOf<WalletEvent> {
  readonly kind: 'alert' | 'late';
  /** True if a list is shown as one row among others, because many alerts are waiting. */
  readonly isRow?: boolean | undefined;
  /** USDC of a list's purchases that earlier messages have already shown, by `purchaseKey`. */
  readonly earlierByKey?: Readonly<Record<string, string>> | undefined;
  /**
   * True if something about the wallet was posted here in the last minutes. Its track record is not
   * repeated then.
   */
  readonly isInBurst?: boolean | undefined;
}

/** True if several alerts are sent late, as a list. A single late alert is shown like any other. */
export function isLateList({ kind, alerts }: Pick<AlertGroup, 'kind' | 'alerts'>): boolean {
  return kind === 'late' && alerts.length > 1;
}

/**
 * Splits a group of late alerts into its purchases and other alerts, each a group of its own. Any
 * other group stays whole.
 * @param keyOf as in `groupAlerts`
 */
export function apartFromList(
  group: AlertGroup,
  keyOf?: (alert: Alert) => string,
): readonly AlertGroup[] {
  if (group.kind === 'alert') return [group];
  const { alerts, earlierByKey = {} } = group;
  return groupAlerts(alerts, keyOf).map((own) => ({
    kind: 'alert',
    alerts: own,
    earlierUsdc: earlierByKey[purchaseKey(own[0]) ?? ''],
  }));
}

/**
 * Returns the USDC of a purchase, including what earlier messages have shown of it. Null without
 * amounts, see `usdcOf`.
 */
export function totalUsdc({
  alerts,
  earlierUsdc = '0',
}: Pick<AlertGroup, 'alerts' | 'earlierUsdc'>): Decimal | null {
  return usdcOf(alerts)?.plus(earlierUsdc) ?? null;
}

/** Returns the alerts of all groups. */
export function alertsIn(groups: readonly AlertGroup[]): Alert[] {
  return groups.flatMap(({ alerts }) => alerts);
}

export function walletOf({ alerts: [first] }: AlertGroup): WalletAddress {
  return first.wallet;
}

/** True if the group concerns several wallets, for example a consensus. */
export function isOfSeveral({ alerts: [{ event }] }: AlertGroup): boolean {
  return kindOf(event).isOfSeveral === true;
}

/**
 * True if the group begins with the result of a position, with or without the redemption that
 * closed it. A sale that closed a position is shown as a trade with its result, and a late list
 * begins with the number of its alerts.
 */
export function hasResult(group: Pick<AlertGroup, 'kind' | 'alerts'>): boolean {
  if (isLateList(group)) return false;
  const [{ event }] = group.alerts;
  const isSale = event.kind === 'activity' && event.item.action === 'Sell';
  return !isSale && resultsOf(group.alerts).length > 0;
}

/** Time of an event, or the end of its time span, in epoch milliseconds. */
export function eventTimeMs({ event }: Pick<Alert, 'event'>): number {
  return kindOf(event).seconds(event)[1] * 1000;
}

/** Time of a group's newest event, in epoch milliseconds. */
export function newestTimeMs({ alerts }: AlertGroup): number {
  return Math.max(...alerts.map(eventTimeMs));
}

/**
 * USDC of alerts that are sent together, to compare with minimums. Adds up everything the wallet
 * paid and received, both as positive numbers and including fees; for a transfer, its amount. Null
 * if no alert has an amount, for example for a gap notice.
 */
export function usdcOf(alerts: readonly Alert[]): Decimal | null {
  const amounts = alerts.flatMap(({ event }) => kindOf(event).usdc?.(event) ?? []);
  return amounts.length === 0 ? null : sum(amounts.map(Math.abs));
}

/**
 * Key of alerts that belong together: fills of one purchase or sale, and all redemptions of a
 * market whatever the outcome. Other alerts have a key of their own.
 */
export function groupKey(alert: Alert): string {
  const { wallet, event, id } = alert;
  if (event.kind !== 'activity' || marketKey(event.item) === '') {
    return JSON.stringify([wallet, id]);
  }
  return JSON.stringify([wallet, ...fillParts(event.item)]);
}

/**
 * Groups alerts that belong together, in the order of each group's first alert. A result joins the
 * sale or redemption that closed its position, if that is in the list, and takes its place. If
 * several closed it, the result joins the last, because a channel that shows each fill shows them
 * separately.
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
 * Key that a result shares with the sale or redemption that closed its position: wallet, market and
 * second. Undefined for other alerts.
 */
function closingKey({ wallet, event }: Alert): string | undefined {
  if (event.kind === 'result') {
    return JSON.stringify([wallet, event.result.key, event.result.closedSeconds]);
  }
  if (event.kind !== 'activity' || event.item.action === 'Buy') return undefined;
  // If two outcomes are sold in the same second, one of them may stay open.
  if (event.item.action === 'Sell' && event.context?.isClosed === false) return undefined;
  return JSON.stringify([wallet, entryKeys(event.item).market, event.item.time]);
}

/**
 * Short key of a wallet's market, used in what is stored for a channel. Null if the alert has no
 * named market.
 */
export function cooldownKey(wallet: WalletAddress, { event }: Alert): string | null {
  const market = event.kind === 'activity' ? marketKey(event.item) : '';
  return market === '' ? null : shortKey(JSON.stringify([wallet, market]));
}

/**
 * Short key that fills of the same purchase, sale or redemption share. Null if the alert is not a
 * fill.
 */
export function purchaseKey(alert: Alert): string | null {
  return alert.event.kind === 'activity' ? shortKey(groupKey(alert)) : null;
}

/**
 * `purchaseKey` of the opposite trades: for a purchase, the key of the sales; for a sale or
 * redemption, the key of the purchases. Null if the alert is not a fill.
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
