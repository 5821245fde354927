import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { unreadableWatchAlert } from '../alerts/builder/gaps.ts';
import { POSTED_PREFIX, postedKey } from '../alerts/wallets/posted.ts';
import { onlyMessages } from '../alerts/wallets/receiver-alerts.ts';
import {
  looseDocumentSchema,
  onlyFor,
  readWalletDocument,
  WALLET_PREFIX,
} from '../alerts/wallets/wallet-document.ts';
import { hasGuild } from '../discord/gateway/shards.ts';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import type { Feed } from '../feed/interface.ts';
import { LEARNING_PREFIX } from '../feed/learning.ts';
import { isFeedKey } from '../feed/stored.ts';
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
  extends Pick<BotParts, 'registry' | 'collections' | 'channelQueues' | 'outbox' | 'firstReading'> {
  readonly admission: Pick<BotParts['admission'], 'isServed'>;
  readonly feed: Pick<Feed, 'load' | 'watch'>;
}

/**
 * Reads the store at startup, and passes each part its documents. Data of wallets is left to
 * `firstReading`, which reads it during normal operation. A document that cannot be read is
 * quarantined under another key and logged; loading continues. Nothing is deleted for lack of a
 * watch that may still be repaired.
 */
export async function loadStore(
  { log, nowMs, store }: Machine & { readonly store: Store },
  parts: LoadParts,
): Promise<void> {
  const { registry, admission, collections, channelQueues, outbox, feed, firstReading } = parts;
  const quarantineDocument = async (key: string, document: unknown) => {
    await quarantine(store, log, key, document);
    await store.delete(key);
  };
  const { damaged, expired, unreadable, quarantined } = await readDocuments(store, parts);
  const { wallets, strange } = await listWallets(store, parts);
  for (const key of strange) damaged.push([key, await store.get(key)]);
  for (const [key, document] of damaged) await quarantineDocument(key, document);

  for (const key of quarantined) registry.loadUnreadable(key);
  const unreported = unreadable.flatMap(([key]) => registry.loadUnreadable(key) ?? []);
  for (const ownerId of [...registry.owners()]) {
    if (admission.isServed(ownerId) || collections.suspended.get(ownerId) !== undefined) continue;
    log.info({
      event: 'guild.rests',
      guild: ownerId,
      watches: registry.ofOwner(ownerId).length,
      isGone: false,
    });
    const sinceSeconds = Math.floor(nowMs() / 1000);
    await collections.suspended.set(ownerId, { ownerId, sinceSeconds, isGone: false });
  }
  for (const ownerId of collections.suspended.ids()) registry.suspend(ownerId);

  const lost = await deleteUnwatched(store, parts, wallets, quarantineDocument);
  for (const [key] of expired) await store.delete(key);

  const needed = [...wallets].filter(registry.isNeeded);
  const isSending = (channelId: string) => channelQueues.get(channelId).message !== null;
  firstReading.leaveUnread(needed, channelQueues.channels().filter(isSending));
  for (const { wallet, channelId } of unreported) {
    const notice = unreadableWatchAlert(wallet, channelId, nowMs());
    await outbox.commit(wallet, () => ({ state: {}, alerts: [notice] }));
  }
  // Only now, because a crash in between would leave the channels without their notice.
  for (const [key, document] of unreadable) await quarantineDocument(key, document);

  for (const wallet of registry.wallets()) feed.watch(wallet);
  log.info({
    event: 'store.loaded',
    watches: registry.size,
    wallets: wallets.size,
    damaged: damaged.length + lost + unreadable.length,
    unreadableWatches: registry.unreadableSize(),
  });
}

/**
 * Deletes data of wallets and channels that no watch needs. Unreadable data of them is quarantined.
 *
 * @param wallets wallets that have documents
 * @returns the number of quarantined documents
 */
async function deleteUnwatched(
  store: Store,
  { registry, channelQueues, collections }: LoadParts,
  wallets: ReadonlySet<WalletAddress>,
  quarantineDocument: (key: string, document: unknown) => Promise<void>,
): Promise<number> {
  const { posted, later } = collections;
  let lost = 0;
  for (const wallet of wallets) {
    if (registry.isNeeded(wallet)) continue;
    const found = await posted.read(wallet);
    const stored = await store.get(WALLET_PREFIX + wallet);
    const unreadable = [...found.unreadable].map(([channelId, document]) => {
      return [postedKey({ channelId, wallet }), document] as const;
    });
    if (stored !== undefined && readWalletDocument(stored) === null) {
      unreadable.push([WALLET_PREFIX + wallet, stored]);
    }
    for (const [key, document] of unreadable) await quarantineDocument(key, document);
    lost += unreadable.length;
    await store.delete(WALLET_PREFIX + wallet);
    await store.delete(LEARNING_PREFIX + wallet);
    for (const channelId of posted.channels(wallet)) await posted.delete(wallet, channelId);
  }
  for (const channelId of channelQueues.channels()) {
    if (!registry.isChannelNeeded(channelId)) await channelQueues.delete(channelId);
  }
  for (const channelId of later.destinations()) {
    if (!registry.isChannelNeeded(channelId)) await later.forget({ channelId });
  }
  return lost;
}

type Stored = readonly [key: string, document: unknown];

/** Lists the wallets that have documents, and records which channels have one for each. */
async function listWallets(store: Store, { collections: { posted } }: LoadParts) {
  const wallets = new Set<WalletAddress>();
  /** Keys that have the prefix of these documents but are invalid. */
  const strange: string[] = [];
  for await (const key of store.keys(POSTED_PREFIX)) if (!posted.noteKey(key)) strange.push(key);
  for (const wallet of posted.wallets()) wallets.add(wallet);
  for await (const key of store.keys(WALLET_PREFIX)) {
    const { data: wallet } = walletSchema.safeParse(key.slice(WALLET_PREFIX.length));
    if (wallet === undefined) strange.push(key);
    else wallets.add(wallet);
  }
  return { wallets, strange };
}

/** Passes each part its documents, except for those of wallets. Does not change the store. */
async function readDocuments(store: Store, { registry, collections, feed }: LoadParts) {
  /** Keys of documents that were quarantined at an earlier start. */
  const quarantined: string[] = [];
  /** Damaged documents, expired ones, and unreadable watches, whose channels are informed first. */
  const found: Record<'damaged' | 'expired' | 'unreadable', Stored[]> = {
    damaged: [],
    expired: [],
    unreadable: [],
  };
  const loadOther = (key: string, document: unknown) => {
    if (isFeedKey(key)) return feed.load(key, document) ? 'kept' : 'damaged';
    return collections.all.find(({ holds }) => holds(key))?.load(key, document);
  };
  for await (const [key, document] of store.entries([WALLET_PREFIX, POSTED_PREFIX])) {
    const original = quarantinedKey(key);
    if (original !== undefined) quarantined.push(original);
    else if (key.startsWith(WATCH_PREFIX)) {
      if (!registry.load(key, document)) found.unreadable.push([key, document]);
    } else {
      const loaded = loadOther(key, document);
      if (loaded === 'expired' || loaded === 'damaged') found[loaded].push([key, document]);
    }
  }
  return { quarantined, ...found };
}

/**
 * Deletes at startup, before the documents are read, data of servers that are served from another
 * store. People are served with shard 0. Wallet data stays, without the parts of these servers'
 * channels; wallets that are no longer watched here are deleted when the documents are read.
 * Unreadable data stays.
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
  // Owners' documents are deleted last, because only they say whose a channel is, and an
  // interrupted start needs them again.
  for (const [key] of [...ofChannels, ...ofOwners]) await store.delete(key);
  log.info({ event: 'store.moved_dropped', documents: ofChannels.length + ofOwners.length });
}

/** Returns a wallet's document without the data of some channels; unreadable data stays. */
function withoutChannels(stored: unknown, channels: ReadonlySet<string>): unknown {
  const read = readWalletDocument(stored);
  if (read === null) return stored;
  const { knowledge, forReceivers } = read.document.state;
  const isLeft = ({ channelId }: { readonly channelId: string }) => !channels.has(channelId);
  const left = read.document.outbox
    .map((alert) => onlyFor(alert, (channelId) => !channels.has(channelId)))
    .filter((alert) => alert.channels.length > 0);
  const loose = looseDocumentSchema.parse(stored);
  const ofOthers = knowledge && {
    ...knowledge,
    alertedPositions: Object.fromEntries(
      Object.entries(knowledge.alertedPositions).filter(([channelId]) => !channels.has(channelId)),
    ),
    announcedConsensus: knowledge.announcedConsensus.filter(isLeft),
    unannounced: onlyChannels(knowledge.unannounced, (channelId) => !channels.has(channelId)),
  };
  const forReceiversOfOthers = forReceivers && {
    ...forReceivers,
    waiting: onlyMessages(
      forReceivers.waiting,
      ({ watches }) => !watches.some(({ channel }) => channels.has(channel)),
    ),
  };
  return {
    ...loose,
    state: {
      ...loose.state,
      ...(ofOthers && { knowledge: ofOthers }),
      ...(forReceiversOfOthers && { forReceivers: forReceiversOfOthers }),
    },
    outbox: [...left, ...read.unreadableAlerts],
  };
}
