import { z } from 'zod';
import type { WalletAddress } from '../venue/address.ts';

const snowflake = z.string().regex(/^\d{17,20}$/);
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
  /** Identities that were on the page already when the watch was added, though not older than `sinceSeconds`. */
  knownIdentities: z.array(z.string()),
  addedBy: snowflake,
});
export type Watch = z.infer<typeof watchSchema>;

/** Where the watch's document lives. One channel watches a wallet once. */
export function watchKey(watch: Pick<Watch, 'channelId' | 'wallet'>): string {
  return `${WATCH_PREFIX}${watch.channelId}:${watch.wallet}`;
}
export const WATCH_PREFIX = 'watch:';

/** Whether the room wants to hear of an item that the poller has found to be new. */
export function wants(watch: Watch, item: { readonly time: number }, identity: string): boolean {
  return item.time >= watch.sinceSeconds && !watch.knownIdentities.includes(identity);
}
