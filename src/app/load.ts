import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { unreadableWatchAlert } from '../alerts/build/gaps.ts';
import {
  looseDocumentSchema,
  onlyFor,
  readWalletDocument,
  WALLET_PREFIX,
} from '../alerts/wallets/wallet-document.ts';
import { hasGuild } from '../discord/gateway/shards.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { Committed, Feed } from '../feed/interface.ts';
import { LEARNING_PREFIX } from '../feed/learning.ts';
import { SETTLEMENTS_PREFIX } from '../feed/settlements/settlements.ts';
import type { Machine } from '../lib/machine.ts';
import { onlyChannels } from '../portfolio/positions/unannounced.ts';
import type { Place } from '../store/collection.ts';
import { readMoves } from '../store/marks.ts';
import { quarantine, quarantinedKey } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import { ownerIdSchema, personOf } from '../watches/owner.ts';
import { WATCH_PREFIX } from '../watches/watch.ts';
import type { BotParts } from './bot-parts.ts';
import { described } from './documents/kinds.ts';

interface LoadParts
  extends Pick<BotParts, 'registry' | 'collections' | 'channelQueues' | 'outbox' | 'walletIndex'> {
  readonly admission: Pick<BotParts['admission'], 'isServed'>;
  readonly feed: Pick<Feed, 'load' | 'watch'>;
}

/**
 * Reads the whole store once, at the start, and gives each part its documents. A document that
 * cannot be read is put aside under another key and named in the log; the rest goes on. A wallet
 * whose document that was begins anew. Nothing is deleted for want of a watch that may be mended.
 */
export async function loadStore(
  { log, nowMs, store }: Machine & { readonly store: Store },
  parts: LoadParts,
): Promise<void> {
  const { registry, admission, collections, outbox, feed } = parts;
  const moveAside = async (key: string, document: unknown) => {
    await quarantine(store, log, key, document);
    await store.delete(key);
  };
  const { committed, damagedWallets, damaged, expired, unreadable, quarantined } =
    await readDocuments(store, parts);
  for (const [key, document] of damaged) await moveAside(key, document);

  for (const key of quarantined) registry.loadUnreadable(key);
  const untold = unreadable.flatMap(([key]) => registry.loadUnreadable(key) ?? []);
  for (const ownerId of [...registry.owners()]) {
    if (admission.isServed(ownerId) || collections.resting.get(ownerId) !== undefined) continue;
    log.info({
      event: 'guild.rests',
      guild: ownerId,
      watches: registry.ofOwner(ownerId).length,
      isGone: false,
    });
    const sinceSeconds = Math.floor(nowMs() / 1000);
    await collections.resting.set(ownerId, { ownerId, sinceSeconds, isGone: false });
  }
  for (const ownerId of collections.resting.ids()) registry.rest(ownerId);

  await deleteUnwatched(store, parts, [...committed.keys()]);
  for (const [key] of expired) await store.delete(key);

  for (const [wallet, document] of damagedWallets) {
    // The outbox puts aside what it cannot read, and begins anew where that is all.
    if (registry.isNeeded(wallet)) await outbox.stateOf(wallet);
    else if (!committed.has(wallet)) await moveAside(WALLET_PREFIX + wallet, document);
  }
  for (const { wallet, channelId } of untold) {
    const notice = unreadableWatchAlert(wallet, channelId, nowMs());
    await outbox.commit(wallet, () => ({ state: {}, alerts: [notice] }));
  }
  // Only now: else a crash would leave the channels untold.
  for (const [key, document] of unreadable) await moveAside(key, document);

  for (const wallet of registry.wallets()) feed.watch(wallet, committed.get(wallet));
  log.info({
    event: 'store.loaded',
    watches: registry.size,
    wallets: committed.size,
    damaged: damaged.length + damagedWallets.size + unreadable.length,
    unreadableWatches: registry.unreadableSize(),
  });
}

async function deleteUnwatched(
  store: Store,
  { registry, channelQueues, collections, walletIndex }: LoadParts,
  wallets: readonly WalletAddress[],
): Promise<void> {
  for (const wallet of wallets) {
    if (registry.ofWallet(wallet).length === 0) walletIndex.evict(wallet);
    if (registry.isNeeded(wallet)) continue;
    await store.delete(WALLET_PREFIX + wallet);
    await store.delete(LEARNING_PREFIX + wallet);
  }
  for (const channelId of channelQueues.channels()) {
    if (!registry.isChannelNeeded(channelId)) await channelQueues.delete(channelId);
  }
  for (const channelId of collections.later.destinations()) {
    if (!registry.isChannelNeeded(channelId)) await collections.later.forget({ channelId });
  }
}

type Stored = readonly [key: string, document: unknown];

/** Gives each part its documents; changes nothing in the store. */
async function readDocuments(store: Store, { registry, collections, outbox, feed }: LoadParts) {
  /** Pages that have been taken of each wallet. */
  const committed = new Map<WalletAddress, Committed>();
  /** Wallets whose document cannot be read, wholly or in parts, with it. */
  const damagedWallets = new Map<WalletAddress, unknown>();
  /** Keys of documents that were put aside at an earlier start. */
  const quarantined: string[] = [];
  /**
   * Damaged documents of other kinds, expired ones, and unreadable watches: what these watch is
   * told before.
   */
  const found: Record<'damaged' | 'expired' | 'unreadable', Stored[]> = {
    damaged: [],
    expired: [],
    unreadable: [],
  };

  const takeWallet = (key: string, document: unknown) => {
    const loaded = outbox.load(key, document);
    const wallet = loaded?.wallet ?? (key.slice(WALLET_PREFIX.length) as WalletAddress);
    if (loaded !== null) committed.set(wallet, loaded.committed);
    if (loaded?.isDamaged !== false) damagedWallets.set(wallet, document);
  };
  const loadOther = (key: string, document: unknown) => {
    const isFeeds = key.startsWith(LEARNING_PREFIX) || key.startsWith(SETTLEMENTS_PREFIX);
    if (isFeeds) return feed.load(key, document) ? 'kept' : 'damaged';
    return collections.all.find(({ holds }) => holds(key))?.load(key, document);
  };
  for await (const [key, document] of store.entries()) {
    const putAside = quarantinedKey(key);
    if (putAside !== undefined) quarantined.push(putAside);
    else if (key.startsWith(WALLET_PREFIX)) takeWallet(key, document);
    else if (key.startsWith(WATCH_PREFIX)) {
      if (!registry.load(key, document)) found.unreadable.push([key, document]);
    } else {
      const loaded = loadOther(key, document);
      if (loaded === 'expired' || loaded === 'damaged') found[loaded].push([key, document]);
    }
  }
  return { committed, damagedWallets, quarantined, ...found };
}

/**
 * Deletes, at the start, before the documents are read, what is of servers that are served from
 * another store. People are served with shard 0. What is known of a wallet stays without what is of
 * their channels; wallets that nobody here watches any more go when the documents are read. What
 * cannot be read stays.
 */
export async function dropMoved(store: Store, log: Logger): Promise<void> {
  const moved = (await readMoves(store)).flatMap(({ shards }) => shards ?? []);
  if (moved.length === 0) return;
  const found: (readonly [key: string, place: Place])[] = [];
  for await (const [key, place] of described(store)) {
    if (typeof place !== 'string') found.push([key, place]);
  }
  const ofOwners = found.filter(([, { ownerId = '' }]) => {
    if (!ownerIdSchema.safeParse(ownerId).success) return false;
    const isPerson = personOf(ownerId) !== null;
    return moved.some((shards) => (isPerson ? shards.ids.includes(0) : hasGuild(shards, ownerId)));
  });
  if (ofOwners.length === 0) return;
  const channels = new Set(ofOwners.flatMap(([, { channelId }]) => channelId ?? []));
  const ofChannels = found.filter(
    ([, { ownerId, channelId = '' }]) => ownerId === undefined && channels.has(channelId),
  );
  for (const [key] of found) {
    if (!key.startsWith(WALLET_PREFIX)) continue;
    const document = await store.get(key);
    const left = withoutChannels(document, channels);
    if (!isDeepStrictEqual(left, document)) await store.set(key, left);
  }
  // Whose a channel is, only documents of owners say: a start that was broken off needs them again.
  for (const [key] of [...ofChannels, ...ofOwners]) await store.delete(key);
  log.info({ event: 'store.moved_dropped', documents: ofChannels.length + ofOwners.length });
}

/** A wallet's document without what is of some channels; what cannot be read stays. */
function withoutChannels(stored: unknown, channels: ReadonlySet<string>): unknown {
  const read = readWalletDocument(stored);
  if (read === null) return stored;
  const { knowledge, handedOn } = read.document.state;
  const isLeft = ({ channelId }: { readonly channelId: string }) => !channels.has(channelId);
  const left = read.document.outbox
    .map((alert) => onlyFor(alert, (channelId) => !channels.has(channelId)))
    .filter((alert) => alert.channels.length > 0);
  const loose = looseDocumentSchema.parse(stored);
  const ofOthers = knowledge && {
    ...knowledge,
    alertedPositions: knowledge.alertedPositions.filter(isLeft),
    announced: knowledge.announced.filter(isLeft),
    unannounced: onlyChannels(knowledge.unannounced, (channelId) => !channels.has(channelId)),
  };
  const handedOnByOthers = handedOn && {
    ...handedOn,
    waiting: handedOn.waiting.filter(
      ({ watches }) => !watches.some(({ channel }) => channels.has(channel)),
    ),
  };
  return {
    ...loose,
    state: {
      ...loose.state,
      ...(ofOthers && { knowledge: ofOthers }),
      ...(handedOnByOthers && { handedOn: handedOnByOthers }),
    },
    outbox: [...left, ...read.unreadableAlerts],
  };
}
