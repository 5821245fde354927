import * as z from 'zod';
import { walletSchema } from '../domain/address.ts';
import {
  type ActivityItem,
  actionKind,
  type EndpointName,
  type TransferItem,
  transferDirection,
} from '../domain/records.ts';
import type { Feed, VenuePage } from '../feed/interface.ts';
import { DAY_MS } from '../lib/time.ts';
import { EFFECTS, type TradeSize, type TradeSizes } from '../portfolio/trade-context.ts';
import { sizeSince } from '../portfolio/trades/trades.ts';
import { ownerIdSchema, snowflake } from './owner.ts';
import type { Kind } from './settings/setting.ts';
import {
  failingSetting,
  type SettingName,
  settingsSchema,
  type WatchSettings,
} from './watch-settings.ts';

/** Maximum length of a label, in code points. */
export const LABEL_LIMIT = 64;

/**
 * Maximum difference between the time of a command's snowflake and the venue's clock, in ms; beyond
 * it the snowflake is not used.
 */
const PLAUSIBLE_MS = 120_000;

/** A watch of one wallet in one channel, as it is stored. */
export const watchSchema = z.object({
  /** The server, or the person if the watch is their own; see `owner.ts`. */
  ownerId: ownerIdSchema,
  channelId: snowflake,
  wallet: walletSchema,
  label: z.string().nullable(),
  /** Unix seconds by the venue's clock; earlier events are not announced. */
  sinceSeconds: z.number(),
  /**
   * Time when the watch was added, in Unix seconds. Set if the end of a pause has moved
   * `sinceSeconds`.
   */
  beganSeconds: z.number().optional(),
  /**
   * Identities of items in the second `sinceSeconds` that were on the page when the watch was
   * added. For watches added before format 11, their versions.
   */
  knownIdentities: z.array(z.string()),
  /** Id of the person who added it; null after the person had their data deleted. */
  addedBy: snowflake.nullable(),
  settings: settingsSchema.prefault({}),
  /**
   * Null: not paused. Events during a pause are never announced. `untilSeconds` null: until
   * resumed. `heldSeconds`: for a delayed channel, the channel's time when the pause ends.
   */
  pause: z
    .object({ untilSeconds: z.number().nullable(), heldSeconds: z.number().optional() })
    .nullable()
    .default(null),
  /**
   * Set when the watch was removed, in epoch ms: the time when it is deleted unless restored. Until
   * then it is hidden and its alerts wait.
   */
  leavesAtMs: z.number().optional(),
  /**
   * Set if another owner already watched the wallet when this owner began; records seen for the
   * other owner are not shown to this one. In Unix seconds: when this owner began, and how far back
   * its own first page went, 0 for the wallet's first trade.
   */
  joined: z.object({ atSeconds: z.number(), knownSinceSeconds: z.number() }).optional(),
});
export type Joined = NonNullable<z.infer<typeof watchSchema>['joined']>;
export type Watch = z.infer<typeof watchSchema>;
/** Identifies a watch. */
export type WatchId = Pick<Watch, 'channelId' | 'wallet'>;

/** True if it was removed and can still be restored. */
export function isLeaving({ leavesAtMs }: Pick<Watch, 'leavesAtMs'>): boolean {
  return leavesAtMs !== undefined;
}

/**
 * Returns when the channel began to watch the wallet, regardless of pauses, in Unix seconds. The
 * channel's track record of the wallet counts from there.
 */
export function beganSecondsOf({
  beganSeconds,
  sinceSeconds,
}: Pick<Watch, 'beganSeconds' | 'sinceSeconds'>): number {
  return beganSeconds ?? sinceSeconds;
}

/**
 * Returns the time from which trades count in sums shown to the channel (usual sizes, digests), in
 * Unix seconds. It is the beginning of the watch, or later if the owner was suspended: trades seen
 * meanwhile for other owners are not shown.
 */
export function seenSinceOf(
  watch: Pick<Watch, 'beganSeconds' | 'sinceSeconds' | 'joined'>,
): number {
  return Math.max(beganSecondsOf(watch), watch.joined?.atSeconds ?? 0);
}

/**
 * Returns `sinceSeconds` of a new watch: when the command was sent, by Discord's clock. That also
 * works while the venue is down or this machine's clock is wrong. If it differs by more than two
 * minutes from the venue's clock, which stamps the items, the venue's clock is used. While the
 * venue's clock is unknown, Discord's is used if it is within a day of this machine's clock or of
 * the reported one, because a watch with a start years ahead would never announce anything.
 *
 * @param sentAtMs when the command was sent, by Discord, in epoch ms
 */
export function watchSince(
  sentAtMs: number,
  clock: Pick<Feed['budget'], 'venueNowMs' | 'skewKnown' | 'reportedNowMs'>,
): number {
  const nowMs = clock.venueNowMs();
  const reportedMs = clock.reportedNowMs();
  const isNear = (clockMs: number, toleranceMs: number) =>
    Math.abs(sentAtMs - clockMs) <= toleranceMs;
  const isPlausible = () => {
    if (clock.skewKnown()) return isNear(nowMs, PLAUSIBLE_MS);
    return isNear(nowMs, DAY_MS) || (reportedMs !== null && isNear(reportedMs, DAY_MS));
  };
  return Math.floor((isPlausible() ? sentAtMs : nowMs) / 1000);
}

/**
 * Returns the time from which an owner knows a wallet that other owners watched before: the
 * earliest of its own watches.
 *
 * @param watches of one owner and one wallet
 * @returns undefined if no other owner watched the wallet when this one began, so that all known
 *   records were seen for it
 */
export function joinedBy(watches: readonly Watch[]): Joined | undefined {
  const joined = watches.flatMap((watch) => watch.joined ?? []);
  if (joined.length < watches.length || joined.length === 0) return undefined;
  return {
    atSeconds: Math.min(...joined.map(({ atSeconds }) => atSeconds)),
    knownSinceSeconds: Math.min(...joined.map(({ knownSinceSeconds }) => knownSinceSeconds)),
  };
}

/**
 * Returns the later of two beginnings of one owner; nothing from before either is shown. Undefined:
 * the owner was the first.
 */
export function laterJoined(
  one: Joined | undefined,
  other: Joined | undefined,
): Joined | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    atSeconds: Math.max(one.atSeconds, other.atSeconds),
    knownSinceSeconds: Math.max(one.knownSinceSeconds, other.knownSinceSeconds),
  };
}

/**
 * Returns how far back a first page reaches, in Unix seconds; 0 if it holds all records; null if
 * unknown.
 */
export function reachOf(
  page: Pick<VenuePage<{ readonly time: number }>, 'items' | 'skipped' | 'hasMore'>,
) {
  const { items, skipped, hasMore } = page;
  if (skipped.length > 0 || (hasMore && items.length === 0)) return null;
  if (hasMore) return Math.min(...items.map(({ time }) => time));
  return 0;
}

/**
 * True if an owner may see all sums of a wallet's history, because its own watch covers the wallet
 * from its first trade.
 */
export function knowsAll(
  joined: Joined | undefined,
  history: { readonly isWhole: boolean },
): boolean {
  return joined === undefined || (history.isWhole && joined.knownSinceSeconds === 0);
}

/**
 * Returns the watch so that nothing before `atSeconds` is announced. Used after a pause or a
 * suspension.
 */
export function announcingFrom(watch: Watch, atSeconds: number): Watch {
  if (atSeconds <= watch.sinceSeconds) return watch;
  return { ...watch, sinceSeconds: atSeconds, beganSeconds: beganSecondsOf(watch) };
}

/**
 * Returns the store key of a watch: `watch:<channel id>:<wallet>`. A channel watches a wallet at
 * most once.
 */
export function watchKey({ channelId, wallet }: WatchId): string {
  return `${WATCH_PREFIX}${channelId}:${wallet}`;
}
export const WATCH_PREFIX = 'watch:';

/** Returns the channel and the wallet in a store key; undefined if it is not the key of a watch. */
export function parseWatchKey(key: string): WatchId | undefined {
  if (!key.startsWith(WATCH_PREFIX)) return undefined;
  const [channelId, wallet] = key.slice(WATCH_PREFIX.length).split(':');
  const { data } = watchSchema
    .pick({ channelId: true, wallet: true })
    .safeParse({ channelId, wallet });
  if (data !== undefined && watchKey(data) === key) return data;
  return undefined;
}

/** A record of the venue, by the endpoint that returns it. */
export type WatchedItem =
  | {
      readonly kind: 'activity';
      readonly item: ActivityItem;
      readonly sizes?: TradeSizes | undefined;
    }
  | { readonly kind: 'transfer'; readonly item: TransferItem };

/** Returns the kind of a record. */
export function recordKind(watched: WatchedItem): Kind {
  if (watched.kind === 'activity') return actionKind(watched.item.action);
  return transferDirection(watched.item.type);
}

const KINDS_OF_ENDPOINT: Readonly<Record<EndpointName, readonly string[]>> = {
  activity: ['buy', 'sell', 'redeem', ...EFFECTS, 'other'],
  'deposits-withdrawals': ['deposit', 'withdrawal', 'other'],
};

/** True if the watch is paused at `nowSeconds`, in Unix seconds by the venue's clock. */
export function isPaused({ pause }: Pick<Watch, 'pause'>, nowSeconds: number): boolean {
  return pause !== null && (pause.untilSeconds === null || nowSeconds < pause.untilSeconds);
}

/**
 * True if a pause keeps an event from a delayed channel: the channel is paused now, or the event is
 * from the time of a past pause.
 *
 * @param timeSeconds when it happened or was seen, in Unix seconds
 * @param nowSeconds the venue's clock, in Unix seconds
 */
export function isPausedLater(
  { pause, sinceSeconds }: Pick<Watch, 'pause' | 'sinceSeconds'>,
  timeSeconds: number,
  nowSeconds: number,
): boolean {
  if (timeSeconds < sinceSeconds || isPaused({ pause }, nowSeconds)) return true;
  return timeSeconds < (pause?.heldSeconds ?? pause?.untilSeconds ?? 0);
}

/**
 * Whether a watch is active: neither paused nor being removed.
 *
 * @param nowSeconds the venue's clock, in Unix seconds; pauses end by it
 */
export function isActive(watch: Watch, nowSeconds: number): boolean {
  return !isPaused(watch, nowSeconds) && !isLeaving(watch);
}

/**
 * Returns why a new item is not announced, as far as the item alone decides (beginning of the
 * watch, pause, filters); null if it is. Minimum amounts apply to an alert's total and are checked
 * where fills are grouped.
 *
 * @param names identities of the item, see `knownIdentities`
 * @param nowSeconds the venue's clock, in Unix seconds
 */
export function filterReasonOf(
  watch: Watch,
  watched: WatchedItem,
  names: readonly string[],
  nowSeconds: number,
): WatchFilterReason | null {
  return (
    offFor(watch, watched.item, names, nowSeconds) ??
    failingFilter(watch.settings, watched, sizeIn(watch, watched))
  );
}

/**
 * Reason why an item is not announced in a watch's channel: it is older than the watch, a pause, or
 * a setting.
 */
type WatchFilterReason = 'before' | 'pause' | SettingName;

/**
 * True if the item is not older than the watch and the watch is not paused. The parameters are
 * those of {@link filterReasonOf}.
 */
export function isOnFor(
  watch: Timing,
  item: Pick<ActivityItem, 'time'>,
  names: readonly string[],
  nowSeconds: number,
): boolean {
  return offFor(watch, item, names, nowSeconds) === null;
}

type Timing = Pick<Watch, 'sinceSeconds' | 'knownIdentities' | 'pause'>;

/**
 * Returns `before` if the item is older than the watch, `pause` if the watch is paused; otherwise
 * null.
 */
function offFor(
  watch: Timing,
  { time }: Pick<ActivityItem, 'time'>,
  names: readonly string[],
  nowSeconds: number,
): 'before' | 'pause' | null {
  const isKnown = names.some((name) => watch.knownIdentities.includes(name));
  if (time < watch.sinceSeconds || isKnown) return 'before';
  // Items from the time of a pause are not announced after it either.
  if (isPaused(watch, Math.min(nowSeconds, time))) return 'pause';
  return null;
}

/**
 * Rates a trade's size against the usual sizes since the watch began; null if there are too few
 * trades or the item has no size.
 */
export function sizeIn(watch: Watch, watched: WatchedItem): TradeSize | null {
  const sizes = watched.kind === 'activity' ? watched.sizes : undefined;
  if (sizes === undefined) return null;
  return sizeSince(sizes, seenSinceOf(watch));
}

/**
 * True if gaps of this endpoint are to be announced, because it returns a kind that the watch
 * announces.
 */
export function wantsGapsOf(
  { settings }: Pick<Watch, 'settings'>,
  endpoint: EndpointName,
): boolean {
  return settings.kinds?.some((kind) => KINDS_OF_ENDPOINT[endpoint].includes(kind)) ?? true;
}

/** Whether a record passes the filters on single records, except for that on its size. */
export function passesFilters(settings: WatchSettings, watched: WatchedItem): boolean {
  return failingFilter(settings, watched, null) === null;
}

/** Returns the first setting whose filter rejects a record; null if none does. */
function failingFilter(
  settings: WatchSettings,
  watched: WatchedItem,
  size: TradeSize | null,
): SettingName | null {
  const kind = recordKind(watched);
  const activity = watched.kind === 'activity' ? watched.item : null;
  const record = {
    kind,
    activity,
    trade: kind === 'redeem' ? null : activity,
    size,
  };
  return failingSetting(settings, record) ?? null;
}
