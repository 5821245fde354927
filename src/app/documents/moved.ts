import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { looseDocumentSchema, readWalletDocument, WALLET_PREFIX } from '../../alerts/wallet-document.ts';
import { hasGuild } from '../../discord/gateway/shards.ts';
import type { Place } from '../../store/collection.ts';
import { readMoves, type Shards } from '../../store/marks.ts';
import type { Store } from '../../store/store.ts';
import { ownerIdSchema, personOf } from '../../watches/owner.ts';
import { described } from './kinds.ts';

/**
 * At the start, before the documents are read: deletes what is of servers that are served from another store. People are
 * served with shard 0. What is known of a wallet stays without what is of their channels; wallets that nobody here watches
 * any more go when the documents are read. What cannot be read stays.
 */
export async function dropMoved(store: Store, log: Logger): Promise<void> {
  const moved = (await readMoves(store)).flatMap(({ shards }) => shards ?? []);
  if (moved.length === 0) return;
  const found: (Place & { readonly key: string })[] = [];
  for await (const [key, description] of described(store)) {
    if (typeof description === 'string') continue;
    const { ownerId, channelId } = description;
    found.push({ key, ownerId, channelId });
  }
  const ofOwners = found.filter((place) => isOfShards(place, moved));
  if (ofOwners.length === 0) return;
  const channels = new Set(ofOwners.flatMap(({ channelId }) => channelId ?? []));
  const ofChannels = found.filter(({ ownerId, channelId = '' }) => ownerId === undefined && channels.has(channelId));
  for (const { key } of found) {
    if (!key.startsWith(WALLET_PREFIX)) continue;
    const document = await store.get(key);
    const left = withoutChannels(document, channels);
    if (!isDeepStrictEqual(left, document)) await store.set(key, left);
  }
  // Whose a channel is, only documents of owners say: a start that was broken off needs them again.
  for (const { key } of [...ofChannels, ...ofOwners]) await store.delete(key);
  log.info({ event: 'store.moved_dropped', documents: ofChannels.length + ofOwners.length });
}

/** Whether a document is of a server of the shards, or of a person, with shard 0 among them. */
function isOfShards({ ownerId }: Place, moved: readonly Shards[]): boolean {
  if (ownerId === undefined || !ownerIdSchema.safeParse(ownerId).success) return false;
  const isPerson = personOf(ownerId) !== null;
  return moved.some((shards) => (isPerson ? shards.ids.includes(0) : hasGuild(shards, ownerId)));
}

/** A wallet's document without what is of some channels; what cannot be read stays. */
function withoutChannels(stored: unknown, channels: ReadonlySet<string>): unknown {
  const read = readWalletDocument(stored);
  if (read === null) return stored;
  const { knowledge } = read.document.poll;
  const isLeft = ({ channelId }: { readonly channelId: string }) => !channels.has(channelId);
  const left = read.document.outbox
    .map((alert) => ({ ...alert, channels: alert.channels.filter((channelId) => !channels.has(channelId)) }))
    .filter((alert) => alert.channels.length > 0);
  const loose = looseDocumentSchema.parse(stored);
  const { alertedPositions, announced } = knowledge ?? { alertedPositions: [], announced: [] };
  const ofChannels = { alertedPositions: alertedPositions.filter(isLeft), announced: announced.filter(isLeft) };
  return {
    ...loose,
    poll: { ...loose.poll, ...(knowledge && { knowledge: { ...knowledge, ...ofChannels } }) },
    outbox: [...left, ...read.unreadableAlerts],
  };
}
