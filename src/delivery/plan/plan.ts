import type { Decimal } from 'decimal.js';
import {
  type Alert,
  type AlertGroup,
  alertsIn,
  eventTimeMs,
  groupAlerts,
  groupKey,
  hasResult,
  isOfSeveral,
  type NonEmptyAlerts,
  newestTimeMs,
  purchaseKey,
  usdcOf,
  type WalletEvent,
  walletOf,
} from '../../alerts/alert.ts';
import { type FilterReason, filteredBySetting } from '../../alerts/decisions.ts';
import { fillEvents } from '../../alerts/kinds/activity.ts';
import { gainOf, resultsOf } from '../../alerts/kinds/result.ts';
import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem, EndpointName } from '../../domain/records.ts';
import { groupBy } from '../../lib/group-by.ts';
import { compare } from '../../lib/text/compare.ts';
import { entryKeys, marketKey, outcomeKey } from '../../portfolio/market.ts';
import { effectOf } from '../../portfolio/trades/combined.ts';
import { tradeId } from '../../portfolio/trades/trades.ts';
import { passesEffect } from '../../watches/settings/kinds.ts';
import { recordKind } from '../../watches/watch.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../watches/watch-settings.ts';
import { continuing, type JoinContext, type Joining, splitJoining } from './announced.ts';
import { cooledAtMs, elapsed } from './cooldowns.ts';
import { splitGathered } from './gathered.ts';
import { type LateContext, lateTogether } from './late.ts';
import { hasTurned } from './turns.ts';

/**
 * Time that a fill below the minimum waits for others of its purchase, in ms, and that a fill which
 * may be part of a closing sale waits. Both also wait until the wallet has been polled again,
 * because fills of one purchase may lie on both sides of a poll.
 */
export const GROUPING_WINDOW_MS = 90_000;
/**
 * Time that results wait for others, in ms, because many positions close together when markets
 * settle. They do not wait if a redemption comes with one, or a trade after it.
 */
export const RESULTS_WINDOW_MS = 3_000;
/** Interval between checks whether that poll has taken place, in ms. */
const LOOK_AGAIN_MS = 15_000;
/** Tolerance for the venue's clock, in ms, because each of its answers adjusts it. */
const CLOCK_TOLERANCE_MS = 60_000;
/** Reason why records of kinds that the channel leaves out are dropped. */
const LEFT_OUT: FilterReason = { by: 'consensusOnly' };

export interface PlanContext extends JoinContext, LateContext {
  /** Time at which the endpoint was last polled, by the venue's clock; null if not in this run. */
  readonly polledAtMs: (wallet: WalletAddress, endpoint: EndpointName) => number | null;
  /**
   * Whether the channel was watching when the wallet opened a trade's position, and has received no
   * alert about it. For the channel, the trade then opens the position.
   */
  readonly isUnannounced: (alert: Alert) => boolean;
  /** Kinds of alerts that the channel does not want, whatever its watches' settings are. */
  readonly leftOut: readonly WalletEvent['kind'][];
}

/** An alert that will not be sent, with the reason. */
export interface Dropped {
  readonly alert: Alert;
  readonly reason: FilterReason;
}

/** An alert that is waiting, with the setting that causes it. */
export interface Wait {
  readonly alert: Alert;
  readonly setting: 'cooldownSeconds' | 'minUsdc' | 'kinds';
  /** Latest time at which it is checked again, by the venue's clock in epoch milliseconds. */
  readonly untilMs: number;
}

export interface Plan {
  /**
   * Groups that may be sent now: consensus first, results of positions last, and the others between
   * them, oldest first. A wallet's groups keep their order as far as grouping allows.
   */
  readonly groups: readonly AlertGroup[];
  /** Fills to be added to existing messages, at most one entry per message. */
  readonly joining: readonly Joining[];
  /**
   * Alerts that will not be sent because they are no longer wanted, are below the minimum, or have
   * an effect on the position that the watch leaves out.
   */
  readonly drop: readonly Dropped[];
  /** Waiting alerts, except those added to a message or waiting with other results. */
  readonly waits: readonly Wait[];
  /**
   * Time at which a waiting alert may change, by the venue's clock; Infinity if none is waiting.
   */
  readonly nextDueMs: number;
}

/**
 * Decides about everything waiting for a channel: what is sent now and together, what waits, and
 * what is dropped.
 */
export function plan(
  waiting: readonly Alert[],
  context: PlanContext,
  overtaken: ReadonlySet<string> = new Set(),
): Plan {
  const waits: Wait[] = [];
  const { settingsByWallet, wanted, drop } = separateWanted(waiting, context);
  const continuedPurchase = continuing(context);
  const split = context.takesEdits ? splitJoining : splitGathered;
  const {
    joining,
    keys,
    others: apart,
    nextDueMs: splitDueMs,
  } = split(wanted, context, continuedPurchase, overtaken);
  const groups = groupAlerts(apart, (alert) =>
    settingsByWallet.get(alert.wallet)?.style === 'each'
      ? JSON.stringify([alert.wallet, alert.id])
      : groupKey(alert),
  );
  const belongsToSentPurchase = (alert: Alert) =>
    continuedPurchase(alert)?.belongsToSentPurchase ?? false;
  // Fills shown one by one are still one trade.
  const wantedByEffect = new Set<Alert>();
  for (const together of groupAlerts(apart)) {
    const settings = settingsByWallet.get(together[0].wallet) ?? DEFAULT_SETTINGS;
    for (const alert of withWantedEffect(together, settings, context)) wantedByEffect.add(alert);
  }
  const included: AlertGroup[] = [];
  let nextDueMs = splitDueMs;
  for (const group of groups) {
    const settings = settingsByWallet.get(group[0].wallet) ?? DEFAULT_SETTINGS;
    const { announce, ...verdict } = judge(group, settings, context, {
      wantedByEffect,
      belongsToSentPurchase,
    });
    if (announce !== null) {
      included.push({
        kind: 'alert',
        alerts: announce,
        earlierUsdc: continuedPurchase(announce[0])?.purchase.usdc,
      });
    }
    drop.push(...verdict.drop);
    waits.push(...verdict.waits);
    nextDueMs = Math.min(nextDueMs, verdict.nextDueMs);
  }
  // If a purchase continues after a sale, the message above the sale remains as it is.
  const goingOn =
    keys.size === 0
      ? []
      : included.filter(({ alerts }) => !hasTurned(alerts[0], context.announced));
  const overtaking = goingOn.map(({ alerts }) => purchaseKey(alerts[0]) ?? '');
  if (overtaking.some((key) => keys.has(key))) {
    return plan(waiting, context, new Set([...overtaken, ...overtaking]));
  }
  const { ofSeveral, others, results, afterResults } = arrange(withClosingLast(included, waiting));
  const settled = dueResults(results, settingsByWallet, context, afterResults.length > 0);
  drop.push(...settled.drop);
  return {
    groups: [
      ...ofSeveral,
      ...lateTogether(others, (wallet) => settingsByWallet.get(wallet), context),
      ...settled.groups,
      ...afterResults,
    ],
    joining,
    drop,
    waits,
    nextDueMs: Math.min(nextDueMs, settled.dueMs),
  };
}

/** Separates alerts that their watch and channel want from those to be dropped. */
function separateWanted(waiting: readonly Alert[], { settingsOf, leftOut }: PlanContext) {
  const settingsByWallet = new Map<WalletAddress, WatchSettings | undefined>();
  const drop: Dropped[] = [];
  const wanted: Alert[] = [];
  for (const alert of waiting) {
    const { wallet, event } = alert;
    if (!settingsByWallet.has(wallet)) settingsByWallet.set(wallet, settingsOf(wallet));
    const isOff = settingsByWallet.get(wallet) === undefined;
    if (isOff) drop.push({ alert, reason: { by: 'pause' } });
    else if (leftOut.includes(event.kind)) drop.push({ alert, reason: LEFT_OUT });
    else wanted.push(alert);
  }
  return { settingsByWallet, wanted, drop };
}

/**
 * Moves each sale that closed a position behind the wallet's earlier trades in that market. The
 * sale says that the position is closed, so it must be the last message about it.
 */
function withClosingLast(groups: readonly AlertGroup[], waiting: readonly Alert[]): AlertGroup[] {
  const isClosing = (group: AlertGroup) =>
    resultsOf(group.alerts).length > 0 && !hasResult(group) && marketOf(group) !== null;
  const closed = new Set(groups.filter(isClosing).map(marketOf));
  if (closed.size === 0) return [...groups];
  const places = new Map(waiting.map((alert, place) => [alert, place]));
  const lastPlace = ({ alerts }: AlertGroup) =>
    Math.max(
      ...alerts.map((alert) => (alert.event.kind === 'result' ? -1 : (places.get(alert) ?? -1))),
    );
  const isConcerned = (group: AlertGroup) => closed.has(marketOf(group)) && !hasResult(group);
  const byMarket = groupBy(groups.filter(isConcerned), marketOf);
  const inOrder = new Map(
    [...byMarket].map(([market, own]) => [
      market,
      own.toSorted((a, b) => lastPlace(a) - lastPlace(b)).values(),
    ]),
  );
  return groups.map((group) => {
    const next = isConcerned(group) ? inOrder.get(marketOf(group))?.next().value : undefined;
    return next ?? group;
  });
}

/**
 * Separates groups about several wallets, and results, together with their wallets' later trades in
 * the market.
 */
function arrange(groups: readonly AlertGroup[]) {
  const closedMs = new Map<string | null, number>();
  for (const group of groups.filter(hasResult)) {
    const market = marketOf(group);
    closedMs.set(market, Math.max(newestTimeMs(group), closedMs.get(market) ?? 0));
  }
  const resultMarkets = new Set<string | null>();
  const byPlace = groupBy(groups, (group) => {
    if (isOfSeveral(group)) return 'ofSeveral';
    const market = closedMs.size === 0 ? null : marketOf(group);
    if (hasResult(group)) {
      resultMarkets.add(market);
      return 'results';
    }
    const endMs = market === null ? undefined : closedMs.get(market);
    if (endMs === undefined) return 'others';
    const afterMs = newestTimeMs(group) - endMs;
    return afterMs > 0 || (afterMs === 0 && resultMarkets.has(market)) ? 'afterResults' : 'others';
  });
  const at = (place: 'ofSeveral' | 'others' | 'results' | 'afterResults') =>
    byPlace.get(place) ?? [];
  return {
    ofSeveral: at('ofSeveral'),
    others: at('others'),
    results: at('results').toSorted(byTime),
    afterResults: at('afterResults'),
  };
}

/**
 * Returns a key for the wallet and market of a group's first alert; null without a named market.
 */
function marketOf(group: AlertGroup): string | null {
  const [{ event }] = group.alerts;
  if (event.kind === 'result') return JSON.stringify([walletOf(group), event.result.key]);
  if (event.kind !== 'activity' || marketKey(event.item) === '') return null;
  return JSON.stringify([walletOf(group), entryKeys(event.item).market]);
}

/**
 * Sorts results by time, because purchases delivered together may close in any order. Those of the
 * same second keep the order of their redemptions; without redemptions, they are sorted by id.
 */
function byTime({ alerts: [a] }: AlertGroup, { alerts: [b] }: AlertGroup): number {
  const apartMs = eventTimeMs(a) - eventTimeMs(b);
  if (apartMs !== 0) return apartMs;
  const isAlone = a.event.kind === 'result';
  const isOtherAlone = b.event.kind === 'result';
  if (isAlone !== isOtherAlone) return isAlone ? 1 : -1;
  return isAlone ? compare(a.id, b.id) : 0;
}

/**
 * Returns the time until which results wait for others; Infinity if they do not wait, or there are
 * none.
 */
function waitingUntilMs(results: readonly AlertGroup[], { nowMs }: PlanContext): number {
  const isYoung = ({ event, seenAtMs }: Alert) =>
    event.kind === 'result' && elapsed(seenAtMs, nowMs) < RESULTS_WINDOW_MS;
  const alerts = alertsIn(results);
  return Math.min(
    ...(alerts.every(isYoung) ? alerts : []).map(({ seenAtMs }) => seenAtMs + RESULTS_WINDOW_MS),
  );
}

/**
 * Decides about results: which are sent, which wait for others until `dueMs`, which are dropped. A
 * single result without its redemption is not sent if its gain or loss is below its watch's
 * minimum.
 * @param areFollowed whether trades in their markets come after them; the last message in the
 *   channel must be the wallet's last action
 */
function dueResults(
  results: readonly AlertGroup[],
  settingsByWallet: ReadonlyMap<WalletAddress, WatchSettings | undefined>,
  context: PlanContext,
  areFollowed: boolean,
): { readonly groups: readonly AlertGroup[]; readonly drop: Dropped[]; readonly dueMs: number } {
  const dueMs = areFollowed ? Infinity : waitingUntilMs(results, context);
  if (Number.isFinite(dueMs)) return { groups: [], drop: [], dueMs };
  const [only, ...others] = results;
  const [alert, ...further] = only?.alerts ?? [];
  if (others.length > 0 || further.length > 0 || alert?.event.kind !== 'result') {
    return { groups: results, drop: [], dueMs };
  }
  const settings = settingsByWallet.get(alert.wallet) ?? DEFAULT_SETTINGS;
  if (gainOf(alert.event.result).abs().gte(settings.minUsdc)) {
    return { groups: results, drop: [], dueMs };
  }
  return { groups: [], drop: [{ alert, reason: filteredBySetting(settings, 'minUsdc') }], dueMs };
}

/**
 * Decides about alerts that belong together: post, wait or drop. A result is subject to no minimum
 * or cooldown, and may be sent without its sale or redemption. A sale with its result is subject to
 * no cooldown, and to no minimum that the gain or loss reaches.
 * @param known `wantedByEffect`: alerts whose effect on the position is wanted;
 *   `belongsToSentPurchase`: whether nothing delays an alert, because its purchase has passed
 *   minimum and cooldown and its effect is wanted
 */
function judge(
  group: NonEmptyAlerts,
  settings: WatchSettings,
  context: PlanContext,
  {
    wantedByEffect,
    belongsToSentPurchase,
  }: {
    readonly wantedByEffect: ReadonlySet<Alert>;
    readonly belongsToSentPurchase: (alert: Alert) => boolean;
  },
) {
  const results = group.filter(({ event }) => event.kind === 'result');
  const others = group.filter((alert) => !results.includes(alert));
  const wanted = others.filter(
    (alert) => wantedByEffect.has(alert) || belongsToSentPurchase(alert),
  );
  const unwanted = others.filter((alert) => !wanted.includes(alert));
  const isClosing = closesWithResult(wanted, results, settings);
  const cooling = splitByTime(wanted, (alert) =>
    isClosing || belongsToSentPurchase(alert) ? null : coolingUntilMs(alert, settings, context),
  );
  const ready = cooling.atOnce;
  const isEnough =
    isClosing ||
    (ready.length > 0 &&
      (ready.some(belongsToSentPurchase) || reachesMinimum(usdcOf(ready), settings)));
  const [first, ...rest] = [...(isEnough ? ready : []), ...results];
  const announce: NonEmptyAlerts | null = first === undefined ? null : [first, ...rest];
  // Alerts that are waiting for the end of a cooldown may still raise the sum above the minimum.
  const isBelow = !isEnough && ready.length === wanted.length;
  // A trade that only reduces a position may be the first part of a sale that closes it.
  const mayClose =
    settings.kinds?.includes('closes') === true && fillEvents(unwanted)[0]?.item.action !== 'Buy';
  const apart = [...(isBelow ? ready : []), ...(mayClose ? unwanted : [])];
  const grouping = splitByTime(apart, (alert) =>
    settings.style === 'each' ? null : groupingUntilMs(alert, context),
  );
  const filterFor = (alert: Alert) => (unwanted.includes(alert) ? 'kinds' : 'minUsdc');
  const dropped = mayClose ? grouping.atOnce : [...unwanted, ...grouping.atOnce];
  const waits: Wait[] = cooling.later.map((late) => ({ ...late, setting: 'cooldownSeconds' }));
  if (!isEnough && !isBelow) {
    for (const alert of ready) waits.push({ alert, setting: 'minUsdc', untilMs: cooling.dueMs });
  }
  for (const late of grouping.later) waits.push({ ...late, setting: filterFor(late.alert) });
  return {
    announce,
    drop: dropped.map((alert) => ({
      alert,
      reason: filteredBySetting(settings, filterFor(alert)),
    })),
    waits,
    nextDueMs: Math.min(cooling.dueMs, grouping.dueMs),
  };
}

/**
 * True if a sale is sent at once with the result of the position it closed, because one of the two
 * reaches the minimum.
 */
function closesWithResult(
  wanted: readonly Alert[],
  results: readonly Alert[],
  settings: WatchSettings,
): boolean {
  if (fillEvents(wanted)[0]?.item.action !== 'Sell') return false;
  const gains = resultsOf(results).map((news) => gainOf(news).abs());
  if (gains.length === 0) return false;
  return [usdcOf(wanted), ...gains].some((usdc) => reachesMinimum(usdc, settings));
}

/** True also if there is no amount. */
function reachesMinimum(usdc: Decimal | null, { minUsdc }: WatchSettings): boolean {
  return minUsdc === 0 || usdc === null || usdc.gte(minUsdc);
}

/**
 * Returns the alerts whose effect on the position is wanted or unknown. Alerts that wait together
 * are assessed as one, so that a purchase in several fills opens a position as a whole; if that
 * effect is left out, by transaction. Decided only now, because the venue may have been asked what
 * a trade does.
 */
function withWantedEffect(
  group: readonly Alert[],
  { kinds }: WatchSettings,
  { isUnannounced }: PlanContext,
): ReadonlySet<Alert> {
  const isWanted = (alerts: readonly Alert[]) => {
    const fills = fillEvents(alerts);
    if (fills[0] === undefined) return true;
    const kind = recordKind(fills[0]);
    const effect = effectOf(fills);
    if (passesEffect(kinds, kind, effect)) return true;
    return effect === 'adds' && alerts.some(isUnannounced) && passesEffect(kinds, kind, 'opens');
  };
  const parts = (alerts: readonly Alert[], keyOf: (item: ActivityItem) => string) =>
    groupBy(alerts, ({ event }) => (event.kind === 'activity' ? keyOf(event.item) : '')).values();
  const wanted = [...parts(group, outcomeKey)].flatMap((alerts) =>
    isWanted(alerts) ? alerts : [...parts(alerts, tradeId)].filter(isWanted).flat(),
  );
  return new Set(wanted);
}

/**
 * Separates alerts that need not wait from the others.
 * @returns `dueMs`: when the first of the others may change; Infinity if there are none
 */
function splitByTime(alerts: readonly Alert[], untilMsOf: (alert: Alert) => number | null) {
  const atOnce: Alert[] = [];
  const later: { readonly alert: Alert; readonly untilMs: number }[] = [];
  for (const alert of alerts) {
    const untilMs = untilMsOf(alert);
    if (untilMs === null) atOnce.push(alert);
    else later.push({ alert, untilMs });
  }
  return { atOnce, later, dueMs: Math.min(...later.map(({ untilMs }) => untilMs)) };
}

/** Returns when the cooldown that delays an alert ends; null if none does. */
function coolingUntilMs(
  alert: Alert,
  settings: WatchSettings,
  { nowMs, cooldowns }: PlanContext,
): number | null {
  const cooledMs = cooledAtMs(alert, cooldowns, settings);
  if (cooledMs === null || cooledMs <= nowMs) return null;
  // A cooldown that ends later than possible began on a clock that was set back.
  return cooledMs - nowMs <= settings.cooldownSeconds * 1000 + CLOCK_TOLERANCE_MS ? cooledMs : null;
}

/**
 * Returns when a fill below the minimum is checked next; null if it has waited long enough, or no
 * other fill can join it.
 */
function groupingUntilMs(
  { wallet, event, seenAtMs }: Alert,
  { nowMs, polledAtMs }: PlanContext,
): number | null {
  if (event.kind !== 'activity') return null;
  const untilMs = seenAtMs + GROUPING_WINDOW_MS;
  if (untilMs > nowMs) return Math.min(untilMs, nowMs + GROUPING_WINDOW_MS);
  const polledMs = polledAtMs(wallet, 'activity');
  // The poll that found it does not count, and its time in seconds, converted back, may be off by a
  // fraction.
  return polledMs !== null && polledMs > seenAtMs + 1 ? null : nowMs + LOOK_AGAIN_MS;
}
