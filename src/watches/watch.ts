import * as z from 'zod';
import { walletSchema } from '../domain/address.ts';
import {
  type ActivityItem,
  actionKind,
  type EndpointName,
  type TransferItem,
  transferKind,
} from '../domain/records.ts';
import { EFFECTS, type TradeSize, type TradeSizes } from '../portfolio/trade-context.ts';
import { sizeSince } from '../portfolio/trades/trades.ts';
import { ownerIdSchema, snowflake } from './owner.ts';
import type { Kind } from './settings/setting.ts';
import { passesSettings, settingsSchema, type WatchSettings } from './watch-settings.ts';

/** The longest label, in code points. */
export const LABEL_LIMIT = 64;

/** A watch of one wallet in one channel, as it is stored. */
export const watchSchema = z.object({
  version: z.literal(1),
  /** The server, or the person for themselves: see `owner.ts`. */
  ownerId: ownerIdSchema,
  channelId: snowflake,
  wallet: walletSchema,
  /** The owner's name for the wallet. */
  label: z.string().nullable(),
  /** Unix seconds by the venue's clock: what happened earlier is not announced. */
  sinceSeconds: z.number(),
  /** Unix seconds when the watch was added, where the end of a pause has set `sinceSeconds` later. */
  beganSeconds: z.number().optional(),
  /** Identities of the items of the very second `sinceSeconds` that the page held when the watch was added. */
  knownIdentities: z.array(z.string()),
  /** User id. */
  addedBy: snowflake,
  settings: settingsSchema.prefault({}),
  /** Null: not paused. What happens during a pause is never announced. `untilSeconds` null: until resumed. */
  pause: z.object({ untilSeconds: z.number().nullable() }).nullable().default(null),
  /**
   * Set when it was removed, epoch ms: deleted then, unless that is undone. Until then people do not see it, and its alerts wait.
   */
  leavesAtMs: z.number().optional(),
  /**
   * Set if another owner watched the wallet already when this one began to: what was seen for that one is not shown to this
   * one. Unix seconds: when this owner began, and how far back its own first page went, 0 for the wallet's first trade.
   */
  joined: z.object({ atSeconds: z.number(), knownSinceSeconds: z.number() }).optional(),
});
export type Joined = NonNullable<z.infer<typeof watchSchema>['joined']>;
export type Watch = z.infer<typeof watchSchema>;

/** Whether it was removed, and that can still be undone. */
export function isLeaving({ leavesAtMs }: Pick<Watch, 'leavesAtMs'>): boolean {
  return leavesAtMs !== undefined;
}

/** When a room began to watch the wallet, pauses or not: what the wallet's record for it counts from. Unix seconds. */
export function beganSecondsOf({ beganSeconds, sinceSeconds }: Pick<Watch, 'beganSeconds' | 'sinceSeconds'>): number {
  return beganSeconds ?? sinceSeconds;
}

/**
 * Since when a room is shown what adds up over the wallet's trades: usual sizes, sums of digests. That is since it began to
 * watch; what was seen for other owners while its own rested is not shown either. Unix seconds.
 */
export function seenSinceOf(watch: Pick<Watch, 'beganSeconds' | 'sinceSeconds' | 'joined'>): number {
  return Math.max(beganSecondsOf(watch), watch.joined?.atSeconds ?? 0);
}

/** The watch with nothing announced that happened before a time, Unix seconds: while it was paused, or its owner rested. */
export function announcingFrom(watch: Watch, atSeconds: number): Watch {
  return atSeconds <= watch.sinceSeconds
    ? watch
    : { ...watch, sinceSeconds: atSeconds, beganSeconds: beganSecondsOf(watch) };
}

/** The store key of a watch: `watch:<channel id>:<wallet>`. A channel watches a wallet once. */
export function watchKey(watch: Pick<Watch, 'channelId' | 'wallet'>): string {
  return `${WATCH_PREFIX}${watch.channelId}:${watch.wallet}`;
}
export const WATCH_PREFIX = 'watch:';

/** The channel and the wallet in a store key; undefined if it is not that of a watch. */
export function parseWatchKey(key: string): Pick<Watch, 'channelId' | 'wallet'> | undefined {
  if (!key.startsWith(WATCH_PREFIX)) return undefined;
  const [channelId, wallet] = key.slice(WATCH_PREFIX.length).split(':');
  const { data } = watchSchema.pick({ channelId: true, wallet: true }).safeParse({ channelId, wallet });
  return data !== undefined && watchKey(data) === key ? data : undefined;
}

/** A record of the venue, by the endpoint that shows it. */
export type WatchedItem =
  | { readonly kind: 'activity'; readonly item: ActivityItem; readonly sizes?: TradeSizes | undefined }
  | { readonly kind: 'transfer'; readonly item: TransferItem };

/** The kind of a record; undefined for an action or a type that the contract does not describe. */
export function kindOf(watched: WatchedItem): Kind | undefined {
  const kind = watched.kind === 'activity' ? actionKind(watched.item.action) : transferKind(watched.item.type);
  return kind === 'other' ? undefined : kind;
}

const KINDS_OF_ENDPOINT: Readonly<Record<EndpointName, readonly string[]>> = {
  activity: ['buy', 'sell', 'redeem', ...EFFECTS],
  'deposits-withdrawals': ['deposit', 'withdrawal'],
};

/** Whether the watch is paused at this moment, Unix seconds by the venue's clock. */
export function isPaused({ pause }: Pick<Watch, 'pause'>, nowSeconds: number): boolean {
  return pause !== null && (pause.untilSeconds === null || nowSeconds < pause.untilSeconds);
}

/**
 * Whether a new item is to be announced, as far as the item alone decides: since when the watch is there, pause, filters.
 * Least amounts apply to the total of an alert and are decided where fills are grouped.
 *
 * @param identity of the item, see `knownIdentities`
 * @param nowSeconds the venue's clock, Unix seconds
 */
export function wants(watch: Watch, watched: WatchedItem, identity: string, nowSeconds: number): boolean {
  return (
    watched.item.time >= watch.sinceSeconds &&
    !watch.knownIdentities.includes(identity) &&
    // An item of the time of a pause is not announced after it either.
    !isPaused(watch, Math.min(nowSeconds, watched.item.time)) &&
    passesFilters(watch.settings, watched, sizeIn(watch, watched))
  );
}

/** The size of a trade by what was usual since the watch began; null with too few trades, and of what has no size. */
export function sizeIn(watch: Watch, watched: WatchedItem): TradeSize | null {
  const sizes = watched.kind === 'activity' ? watched.sizes : undefined;
  return sizes === undefined ? null : sizeSince(sizes, seenSinceOf(watch));
}

/** Whether gaps of this endpoint are to be announced: if any kind that it shows is wanted. */
export function wantsGapsOf({ settings }: Pick<Watch, 'settings'>, endpoint: EndpointName): boolean {
  return settings.kinds?.some((kind) => KINDS_OF_ENDPOINT[endpoint].includes(kind)) ?? true;
}

/**
 * Whether a record passes the filters on single records.
 *
 * @param size null while the room has seen too few trades: then every size passes
 */
export function passesFilters(settings: WatchSettings, watched: WatchedItem, size: TradeSize | null = null): boolean {
  const kind = kindOf(watched);
  const activity = watched.kind === 'activity' ? watched.item : null;
  return passesSettings(settings, { kind, activity, trade: kind === 'redeem' ? null : activity, size });
}
