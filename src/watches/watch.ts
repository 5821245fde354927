import { z } from 'zod';
import type { WalletAddress } from '../venue/address.ts';
import type { ActivityItem, EndpointName, TransferItem } from '../venue/schema.ts';
import { type Kind, settingsSchema, type WatchSettings } from './watch-settings.ts';

export const snowflake = z.string().regex(/^\d{17,20}$/);
export const walletSchema = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .transform((text) => text as WalletAddress);

/** The longest label, in characters as Discord counts them. */
export const LABEL_LIMIT = 64;

/** What a room asked for: ring in this channel when this wallet moves. */
export const watchSchema = z.object({
  version: z.literal(1),
  guildId: snowflake,
  channelId: snowflake,
  wallet: walletSchema,
  label: z.string().nullable(),
  /** Unix seconds by the venue's clock: what happened before is not announced. */
  sinceSeconds: z.number(),
  /** Identities of the very second `sinceSeconds` that were on the page when the watch was added. */
  knownIdentities: z.array(z.string()),
  addedBy: snowflake,
  settings: settingsSchema.prefault({}),
  /** While it lasts nothing rings, and what happens meanwhile is not made up for. `untilSeconds` null: until resumed. */
  pause: z.object({ untilSeconds: z.number().nullable() }).nullable().default(null),
  /**
   * Set if another server watched the wallet already when this one began to: what was seen for that one is not told here.
   * Unix seconds: when this server began, and how far back its own first page reached, 0 for the wallet's first trade.
   */
  joined: z.object({ atSeconds: z.number(), knownSinceSeconds: z.number() }).optional(),
});
export type Joined = NonNullable<z.infer<typeof watchSchema>['joined']>;
export type Watch = z.infer<typeof watchSchema>;

/** Where the watch's document lives. One channel watches a wallet once. */
export function watchKey(watch: Pick<Watch, 'channelId' | 'wallet'>): string {
  return `${WATCH_PREFIX}${watch.channelId}:${watch.wallet}`;
}
export const WATCH_PREFIX = 'watch:';

/** A record of the venue, and of which list. */
export type WatchedItem =
  | {
      readonly kind: 'activity';
      readonly item: ActivityItem;
      readonly context?: { readonly size: TradeSize | null } | undefined;
    }
  | { readonly kind: 'transfer'; readonly item: TransferItem };

/** The size of a trade against the 95th percentile of the wallet's trades before it, USDC. */
export interface TradeSize {
  readonly usdc: number;
  readonly p95: number;
}

const KIND_BY_ACTION: Readonly<Record<string, Kind>> = { Buy: 'buy', Sell: 'sell', Redeem: 'redeem' };
const KIND_BY_TYPE: Readonly<Record<string, Kind>> = { deposit: 'deposit', withdrawal: 'withdrawal' };
const KINDS_OF_ENDPOINT: Readonly<Record<EndpointName, readonly Kind[]>> = {
  activity: ['buy', 'sell', 'redeem'],
  'deposits-withdrawals': ['deposit', 'withdrawal'],
};

/** The kind of a record; undefined for an action or a type that the contract does not describe. */
export function kindOf(watched: WatchedItem): Kind | undefined {
  const [names, name] =
    watched.kind === 'activity' ? [KIND_BY_ACTION, watched.item.action] : [KIND_BY_TYPE, watched.item.type];
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

/** Whether nothing is to ring at this moment, Unix seconds by the venue's clock. */
export function isPaused({ pause }: Pick<Watch, 'pause'>, nowSeconds: number): boolean {
  return pause !== null && (pause.untilSeconds === null || nowSeconds < pause.untilSeconds);
}

/**
 * Whether the room wants to hear of an item that the poller has found to be new, as far as the item alone can tell:
 * what is asked of an alert's total is decided where alerts are put together.
 */
export function wants(watch: Watch, watched: WatchedItem, identity: string, nowSeconds: number): boolean {
  return (
    watched.item.time >= watch.sinceSeconds &&
    !watch.knownIdentities.includes(identity) &&
    // What happened in a pause is not made up for when it is seen later.
    !isPaused(watch, Math.min(nowSeconds, watched.item.time)) &&
    passesFilters(watch.settings, watched)
  );
}

/** Whether the room is to be told that records of this endpoint may be missing. */
export function wantsGapsOf({ settings }: Pick<Watch, 'settings'>, endpoint: EndpointName): boolean {
  return settings.kinds?.some((kind) => KINDS_OF_ENDPOINT[endpoint].includes(kind)) ?? true;
}

/** The filters that look at one record: kinds, market, price band, liquidity role. */
export function passesFilters(settings: WatchSettings, watched: WatchedItem): boolean {
  const kind = kindOf(watched);
  if (settings.kinds !== null && (kind === undefined || !settings.kinds.includes(kind))) return false;
  if (watched.kind === 'transfer') return true;
  const { marketId, marketSlug, price, liquidityRole } = watched.item;
  if (settings.markets !== null) {
    const isNamed = [marketId, marketSlug].some((name) => settings.markets?.names.includes(name.toLowerCase()));
    if (isNamed !== (settings.markets.mode === 'only')) return false;
  }
  // The 100 cents of a redemption are no price that anybody traded at.
  if (kind === 'redeem') return true;
  const band = settings.priceCents;
  if (band !== null && (price < band.min || price > band.max)) return false;
  const size = watched.context?.size ?? null;
  // With too few trades to tell what is usual, all ring.
  if (settings.unusualOnly && size !== null && size.usdc <= size.p95) return false;
  const role = liquidityRole?.toLowerCase();
  // A role that is not known is no reason to keep a trade from the room.
  return settings.liquidityRole === null || (role !== 'maker' && role !== 'taker') || role === settings.liquidityRole;
}
