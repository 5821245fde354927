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

/** The longest label, in code points. */
export const LABEL_LIMIT = 64;

/**
 * If the time of a command's snowflake differs by more from the venue's clock, it is not believed.
 */
const PLAUSIBLE_MS = 120_000;

/** A watch of one wallet in one channel, as it is stored. */
export const watchSchema = z.object({
  /** The server, or the person for themselves: see `owner.ts`. */
  ownerId: ownerIdSchema,
  channelId: snowflake,
  wallet: walletSchema,
  label: z.string().nullable(),
  /** Unix seconds by the venue's clock: what happened earlier is not announced. */
  sinceSeconds: z.number(),
  /**
   * Unix seconds when the watch was added, where the end of a pause has set `sinceSeconds` later.
   */
  beganSeconds: z.number().optional(),
  /**
   * Identities of the items of the very second `sinceSeconds` that the page held when the watch was
   * added. Of watches that were added before format 11 their versions.
   */
  knownIdentities: z.array(z.string()),
  /** Id of the person who added it; null once the person has had it deleted. */
  addedBy: snowflake.nullable(),
  settings: settingsSchema.prefault({}),
  /**
   * Null: not paused. What happens during a pause is never announced. `untilSeconds` null: until
   * resumed. `heldSeconds`: in a channel that hears later, the time of its clock when the pause
   * ends.
   */
  pause: z
    .object({ untilSeconds: z.number().nullable(), heldSeconds: z.number().optional() })
    .nullable()
    .default(null),
  /**
   * Set when removed, epoch ms: deleted then, unless undone. Until then nobody sees it, and its
   * alerts wait.
   */
  leavesAtMs: z.number().optional(),
  /**
   * Set if another owner watched the wallet already when this one began to: what that one saw is
   * not shown to this one. Unix seconds: when this owner began, and how far back its own first page
   * went, 0 for the wallet's first trade.
   */
  joined: z.object({ atSeconds: z.number(), knownSinceSeconds: z.number() }).optional(),
});
export type Joined = NonNullable<z.infer<typeof watchSchema>['joined']>;
export type Watch = z.infer<typeof watchSchema>;

/** True if it was removed, and that can still be undone. */
export function isLeaving({ leavesAtMs }: Pick<Watch, 'leavesAtMs'>): boolean {
  return leavesAtMs !== undefined;
}

/**
 * The beginning of a room's watch of the wallet, pauses or not: its record for the room counts from
 * there. Unix seconds.
 */
export function beganSecondsOf({
  beganSeconds,
  sinceSeconds,
}: Pick<Watch, 'beganSeconds' | 'sinceSeconds'>): number {
  return beganSeconds ?? sinceSeconds;
}

/**
 * The beginning of the trades that a room is shown in sums: usual sizes, digests. That is the
 * beginning of its watch; trades that were seen for other owners while its own rested are not shown
 * either. Unix seconds.
 */
export function seenSinceOf(
  watch: Pick<Watch, 'beganSeconds' | 'sinceSeconds' | 'joined'>,
): number {
  return Math.max(beganSecondsOf(watch), watch.joined?.atSeconds ?? 0);
}

/**
 * `sinceSeconds` of a new watch, Unix seconds: when the command was sent, by Discord's clock. That
 * also works while the venue is down or this machine's clock is wrong. If it differs from the
 * venue's clock, which stamps the items, by more than two minutes, the venue's counts. While the
 * venue's is unknown, Discord's counts if it is within a day of this machine's or of the reported
 * one: a watch with a start years ahead would never announce anything.
 *
 * @param sentAtMs when Discord says the command was sent, epoch ms
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
 * The time from which an owner knows a wallet that other owners watched before: the earliest of its
 * own watches.
 *
 * @param watches of one owner and one wallet
 * @returns undefined if no other owner watched the wallet when this one began: all that is known
 *   was seen for it
 */
export function joinedBy(watches: readonly Pick<Watch, 'joined'>[]): Joined | undefined {
  const joined = watches.flatMap((watch) => watch.joined ?? []);
  if (joined.length < watches.length || joined.length === 0) return undefined;
  return {
    atSeconds: Math.min(...joined.map(({ atSeconds }) => atSeconds)),
    knownSinceSeconds: Math.min(...joined.map(({ knownSinceSeconds }) => knownSinceSeconds)),
  };
}

/**
 * The later of two beginnings of one owner: nothing from before either is shown. Undefined: as the
 * first owner.
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
 * The time that a first page goes back to, Unix seconds: 0 if it holds all that there is; null if
 * that is not known.
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
 * True if an owner may be shown all sums of a wallet's history: its own watch covers it from the
 * first trade.
 */
export function knowsAll(
  joined: Joined | undefined,
  history: { readonly isWhole: boolean },
): boolean {
  return joined === undefined || (history.isWhole && joined.knownSinceSeconds === 0);
}

/**
 * The watch with nothing announced from before a time, Unix seconds: while it was paused, or its
 * owner rested.
 */
export function announcingFrom(watch: Watch, atSeconds: number): Watch {
  if (atSeconds <= watch.sinceSeconds) return watch;
  return { ...watch, sinceSeconds: atSeconds, beganSeconds: beganSecondsOf(watch) };
}

/** The store key of a watch: `watch:<channel id>:<wallet>`. A channel watches a wallet once. */
export function watchKey({ channelId, wallet }: Pick<Watch, 'channelId' | 'wallet'>): string {
  return `${WATCH_PREFIX}${channelId}:${wallet}`;
}
export const WATCH_PREFIX = 'watch:';

/** The channel and the wallet in a store key; undefined if it is not that of a watch. */
export function parseWatchKey(key: string): Pick<Watch, 'channelId' | 'wallet'> | undefined {
  if (!key.startsWith(WATCH_PREFIX)) return undefined;
  const [channelId, wallet] = key.slice(WATCH_PREFIX.length).split(':');
  const { data } = watchSchema
    .pick({ channelId: true, wallet: true })
    .safeParse({ channelId, wallet });
  if (data !== undefined && watchKey(data) === key) return data;
  return undefined;
}

/** A record of the venue, by the endpoint that shows it. */
export type WatchedItem =
  | {
      readonly kind: 'activity';
      readonly item: ActivityItem;
      readonly sizes?: TradeSizes | undefined;
    }
  | { readonly kind: 'transfer'; readonly item: TransferItem };

/** The kind of a record. */
export function recordKind(watched: WatchedItem): Kind {
  if (watched.kind === 'activity') return actionKind(watched.item.action);
  return transferDirection(watched.item.type);
}

const KINDS_OF_ENDPOINT: Readonly<Record<EndpointName, readonly string[]>> = {
  activity: ['buy', 'sell', 'redeem', ...EFFECTS, 'other'],
  'deposits-withdrawals': ['deposit', 'withdrawal', 'other'],
};

/** True if the watch is paused at this moment, Unix seconds by the venue's clock. */
export function isPaused({ pause }: Pick<Watch, 'pause'>, nowSeconds: number): boolean {
  return pause !== null && (pause.untilSeconds === null || nowSeconds < pause.untilSeconds);
}

/**
 * True if a pause keeps something from a channel that hears later: the channel is silent at
 * present, or it is of the time of a pause that is over.
 *
 * @param timeSeconds of what happened or was seen, Unix seconds
 * @param nowSeconds the venue's clock, Unix seconds
 */
export function holdsLater(
  { pause, sinceSeconds }: Pick<Watch, 'pause' | 'sinceSeconds'>,
  timeSeconds: number,
  nowSeconds: number,
): boolean {
  if (timeSeconds < sinceSeconds || isPaused({ pause }, nowSeconds)) return true;
  return timeSeconds < (pause?.heldSeconds ?? pause?.untilSeconds ?? 0);
}

/**
 * Tells whether a watch counts at present: it is neither paused nor being removed.
 *
 * @param nowSeconds the venue's clock, Unix seconds: pauses end by it
 */
export function isActive(watch: Pick<Watch, 'pause' | 'leavesAtMs'>, nowSeconds: number): boolean {
  return !isPaused(watch, nowSeconds) && !isLeaving(watch);
}

/**
 * Finds what keeps a new item from being announced, as far as the item alone decides (beginning of
 * the watch, pause, filters); null if nothing does. Least amounts apply to the total of an alert and
 * are decided where fills are grouped.
 *
 * @param names of the item, see `knownIdentities`
 * @param nowSeconds the venue's clock, Unix seconds
 */
export function holdOf(
  watch: Watch,
  watched: WatchedItem,
  names: readonly string[],
  nowSeconds: number,
): WatchHold | null {
  return (
    offFor(watch, watched.item, names, nowSeconds) ??
    failingFilter(watch.settings, watched, sizeIn(watch, watched))
  );
}

/** Reason that keeps an item from a watch's channel: it is older, a pause, or a setting. */
export type WatchHold = 'before' | 'pause' | SettingName;

/**
 * True if the watch is there for a new item, and not paused. The parameters are those of {@link
 * holdOf}.
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

/** Says why the watch is not there for a new item, or paused; null if it is there. */
function offFor(
  watch: Timing,
  { time }: Pick<ActivityItem, 'time'>,
  names: readonly string[],
  nowSeconds: number,
): 'before' | 'pause' | null {
  const isKnown = names.some((name) => watch.knownIdentities.includes(name));
  if (time < watch.sinceSeconds || isKnown) return 'before';
  // An item of the time of a pause is not announced after it either.
  if (isPaused(watch, Math.min(nowSeconds, time))) return 'pause';
  return null;
}

/**
 * The size of a trade by what was usual since the watch began; null with too few trades, and of
 * what has no size.
 */
export function sizeIn(watch: Watch, watched: WatchedItem): TradeSize | null {
  const sizes = watched.kind === 'activity' ? watched.sizes : undefined;
  if (sizes === undefined) return null;
  return sizeSince(sizes, seenSinceOf(watch));
}

/** True if gaps of this endpoint are to be announced: a kind that it shows is wanted. */
export function wantsGapsOf(
  { settings }: Pick<Watch, 'settings'>,
  endpoint: EndpointName,
): boolean {
  return settings.kinds?.some((kind) => KINDS_OF_ENDPOINT[endpoint].includes(kind)) ?? true;
}

/**
 * Tells whether a record passes the filters on single records.
 * @param size null with too few trades: then
 * all sizes pass
 */
export function passesFilters(
  settings: WatchSettings,
  watched: WatchedItem,
  size: TradeSize | null = null,
): boolean {
  return failingFilter(settings, watched, size) === null;
}

/** The first setting whose filter a record does not pass; null if it passes all. */
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
