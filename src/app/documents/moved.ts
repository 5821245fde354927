import type { Logger } from 'pino';
import { WALLET_PREFIX } from '../../alerts/wallet-document.ts';
import { hasGuild } from '../../discord/gateway/shards.ts';
import { readMoves, type Shards } from '../../store/marks.ts';
import type { Store } from '../../store/store.ts';
import { ownerIdSchema, personOf } from '../../watches/owner.ts';
import { describeDocument } from './kinds.ts';
import { type Description, withoutChannels } from './wallet.ts';

/**
 * At the start, before the documents are read: deletes what is of servers that are served from another store. People are
 * served with shard 0. What is known of a wallet stays without what is of their channels; wallets that nobody here watches
 * any more go when the documents are read. What cannot be read stays.
 */
export async function dropMoved(store: Store, log: Logger): Promise<void> {
  const moved = (await readMoves(store)).flatMap(({ shards }) => shards ?? []);
  if (moved.length === 0) return;
  const { ofOwners, channels } = await findOwned(store, moved);
  if (ofOwners.length === 0) return;
  const ofChannels: string[] = [];
  const wallets: string[] = [];
  for await (const [key, { ownerId, channelId }] of described(store)) {
    if (ownerId === undefined && channelId !== undefined && channels.has(channelId)) ofChannels.push(key);
    if (key.startsWith(WALLET_PREFIX)) wallets.push(key);
  }
  for (const key of wallets) {
    const document = await store.get(key);
    const left = withoutChannels(document, channels);
    if (left !== document) await store.set(key, left);
  }
  // Whose a channel is, only documents of owners say: a start that was broken off needs them again.
  for (const key of [...ofChannels, ...ofOwners]) await store.delete(key);
  log.info({ event: 'store.moved_dropped', documents: ofChannels.length + ofOwners.length });
}

/** Keys of the documents that are of servers and people of the shards, and the channels that these name. */
async function findOwned(store: Pick<Store, 'entries'>, moved: readonly Shards[]) {
  const ofOwners: string[] = [];
  const channels = new Set<string>();
  for await (const [key, description] of described(store)) {
    if (!isOfShards(description, moved)) continue;
    ofOwners.push(key);
    if (description.channelId !== undefined) channels.add(description.channelId);
  }
  return { ofOwners, channels };
}

/** Whether a document is of a server of the shards, or of a person, with shard 0 among them. */
function isOfShards({ ownerId }: Description, moved: readonly Shards[]): boolean {
  if (ownerId === undefined || !ownerIdSchema.safeParse(ownerId).success) return false;
  const isPerson = personOf(ownerId) !== null;
  return moved.some((shards) => (isPerson ? shards.ids.includes(0) : hasGuild(shards, ownerId)));
}

async function* described(store: Pick<Store, 'entries'>) {
  for await (const [key, document] of store.entries()) {
    const description = describeDocument(key, document);
    if (typeof description !== 'string') yield [key, description] as const;
  }
}
