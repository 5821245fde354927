import type { Logger } from 'pino';
import { type AlertBuilder, resetWallet, unreadableWatchAlert } from '../alerts/build.ts';
import type { Outbox } from '../alerts/outbox.ts';
import { WALLET_PREFIX } from '../alerts/wallet-document.ts';
import { CHANNEL_QUEUE_PREFIX, type ChannelQueueStore, DEAD_PREFIX } from '../delivery/channel-queue.ts';
import { DETAILS_PREFIX, type DetailsRecords } from '../details/records.ts';
import { DIGEST_PREFIX, type DigestDocuments } from '../digests/documents.ts';
import { WELCOME_PREFIX, type Welcomes } from '../discord/guilds/welcome.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { Committed, Feed } from '../feed/feed.ts';
import { LEARNING_PREFIX } from '../feed/learning.ts';
import { SETTLEMENTS_PREFIX } from '../feed/settlements/settlements.ts';
import { PAGER_PREFIX, type PagerStore } from '../lookups/pager-store.ts';
import { NOTICE_PREFIX, type NoticeDocuments, OUTAGE_KEY } from '../notices/documents.ts';
import { PERSON_PREFIX, type PersonDocuments } from '../persons/documents.ts';
import { createQuarantine, type Quarantine, quarantinedKey } from '../store/quarantine.ts';
import type { Loaded, Store } from '../store/store.ts';
import { CHANNEL_SETTINGS_PREFIX, type ChannelSettingsStore } from '../watches/channel-settings.ts';
import type { Registry } from '../watches/registry.ts';
import { RESTING_PREFIX, type RestingOwners } from '../watches/resting-owners.ts';
import { IMPORT_PREFIX, type Imports } from '../watches/transfer/imports.ts';
import { WATCH_PREFIX, type Watch } from '../watches/watch.ts';

export interface LoadDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly resting: RestingOwners;
  /** Whether the bot may do anything for a server, or a person alone; the watches of others rest. */
  readonly isServed: (ownerId: string) => boolean;
  readonly digests: DigestDocuments;
  readonly outbox: Outbox;
  readonly alertBuilder: Pick<AlertBuilder, 'evictWallet'>;
  readonly channelQueues: ChannelQueueStore;
  readonly pagers: PagerStore;
  readonly detailsRecords: Pick<DetailsRecords, 'load'>;
  readonly notices: Pick<NoticeDocuments, 'load'>;
  readonly imports: Pick<Imports, 'load'>;
  readonly welcomes: Pick<Welcomes, 'load'>;
  readonly persons: Pick<PersonDocuments, 'load'>;
  readonly feed: Pick<Feed, 'load' | 'watch'>;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** What a reading of the store has found, and what is left to do about it. */
interface Reading {
  readonly wallets: WalletAddress[];
  /** Which pages of each have been taken. */
  readonly committed: Map<WalletAddress, Committed>;
  /** Keys of documents that cannot be read, wholly or in parts. */
  readonly damaged: string[];
  /** Wallets whose document cannot be read. */
  readonly damagedWallets: WalletAddress[];
  /** Keys of documents that need not be kept. */
  readonly expired: string[];
  /** Watches that cannot be read: what they watch is told first. */
  readonly unreadableWatches: (readonly [key: string, document: unknown])[];
  /** Keys of watches that could not be read at an earlier start. */
  readonly quarantinedWatches: string[];
  /** To be made in this order once everything has been read. */
  readonly changes: (() => Promise<void>)[];
  readonly putAside: Quarantine;
}

/**
 * Reads the whole store once, at the start, and gives each part its documents. A document that cannot be read is put
 * aside under another key and named in the log; the rest goes on. A wallet whose document that was begins anew. Nothing is
 * deleted for want of a watch that may be mended.
 */
export async function loadStore(deps: LoadDeps): Promise<void> {
  const { store, registry, log } = deps;
  const reading = await readDocuments(deps);
  const { wallets, committed, damaged, damagedWallets, expired, unreadableWatches } = reading;
  for (const key of reading.quarantinedWatches) registry.loadUnreadable(key);
  const untold = unreadableWatches.flatMap(([key]) => registry.loadUnreadable(key) ?? []);
  await restUnservedOwners(deps);
  for (const { ownerId } of deps.resting.all()) registry.rest(ownerId);
  expired.push(...evictUnwatchedWallets(deps, wallets));
  await deleteUnwatchedQueues(deps);
  for (const key of expired) await store.delete(key);
  await resetDamagedWallets(deps, damagedWallets);
  for (const place of untold) await tellUnreadable(deps, place);
  // Only now: else a crash would leave the channels untold.
  for (const [key, document] of unreadableWatches) await moveAside(deps, reading, key, document);
  for (const wallet of registry.wallets()) deps.feed.watch(wallet, committed.get(wallet));
  log.info({
    event: 'store.loaded',
    watches: registry.size,
    wallets: wallets.length,
    damaged: damaged.length,
    unreadableWatches: registry.unreadableSize,
  });
}

/** Gives each part its documents, and puts aside what cannot be read, except watches. */
async function readDocuments(deps: LoadDeps): Promise<Reading> {
  const { store, log } = deps;
  const reading: Reading = {
    wallets: [],
    committed: new Map(),
    damaged: [],
    damagedWallets: [],
    unreadableWatches: [],
    quarantinedWatches: [],
    expired: [],
    changes: [],
    putAside: createQuarantine(store, log),
  };
  for await (const [key, document] of store.entries()) {
    const quarantined = quarantinedKey(key);
    if (quarantined?.startsWith(WATCH_PREFIX)) reading.quarantinedWatches.push(quarantined);
    if (loadDocument(deps, reading, key, document)) continue;
    reading.damaged.push(key);
    if (key.startsWith(WATCH_PREFIX)) reading.unreadableWatches.push([key, document]);
    else reading.changes.push(() => moveAside(deps, reading, key, document));
  }
  for (const change of reading.changes) await change();
  return reading;
}

async function moveAside({ store }: LoadDeps, { putAside }: Reading, key: string, document: unknown): Promise<void> {
  await putAside(key, document);
  await store.delete(key);
}

/** False if the document cannot be read. */
function loadDocument(deps: LoadDeps, reading: Reading, key: string, document: unknown): boolean {
  if (key.startsWith(WATCH_PREFIX)) return deps.registry.load(key, document);
  if (key.startsWith(WALLET_PREFIX)) return loadWallet(deps, reading, key, document);
  if (key.startsWith(CHANNEL_QUEUE_PREFIX)) return deps.channelQueues.load(key, document);
  if (key.startsWith(RESTING_PREFIX)) return deps.resting.load(key, document);
  if (key.startsWith(CHANNEL_SETTINGS_PREFIX)) return deps.channelSettings.load(key, document);
  if (key.startsWith(DIGEST_PREFIX)) return deps.digests.load(key, document);
  if (key.startsWith(WELCOME_PREFIX)) return deps.welcomes.load(key, document);
  if (key.startsWith(PERSON_PREFIX)) return deps.persons.load(key, document);
  if (key.startsWith(LEARNING_PREFIX) || key.startsWith(SETTLEMENTS_PREFIX)) return deps.feed.load(key, document);
  if (key === OUTAGE_KEY || key.startsWith(NOTICE_PREFIX)) return deps.notices.load(key, document);
  const loaded = loadTemporary(deps, key, document);
  if (loaded === 'expired') reading.expired.push(key);
  return loaded !== 'unreadable';
}

/** False if the document cannot be read. Alerts in it that cannot be read are put aside without the rest. */
function loadWallet(deps: LoadDeps, reading: Reading, key: string, document: unknown): boolean {
  const loaded = deps.outbox.load(key, document);
  if (loaded === null) {
    reading.damagedWallets.push(key.slice(WALLET_PREFIX.length) as WalletAddress);
    return false;
  }
  const { wallet, committed, isDamaged } = loaded;
  reading.wallets.push(wallet);
  reading.committed.set(wallet, committed);
  if (isDamaged) {
    reading.damaged.push(key);
    // The outbox puts aside what it cannot read.
    reading.changes.push(async () => void (await deps.outbox.stateOf(wallet)));
  }
  return true;
}

/** Documents that are kept for a while only. */
function loadTemporary(deps: LoadDeps, key: string, document: unknown): Loaded {
  if (key.startsWith(PAGER_PREFIX)) return deps.pagers.load(key, document);
  if (key.startsWith(DETAILS_PREFIX)) return deps.detailsRecords.load(key, document);
  if (key.startsWith(IMPORT_PREFIX)) return deps.imports.load(document);
  return key.startsWith(DEAD_PREFIX) ? deps.channelQueues.loadDead(document) : 'kept';
}

/** Stores owners that have watches and are not served as resting. */
async function restUnservedOwners({ registry, resting, isServed, nowMs, log }: LoadDeps): Promise<void> {
  for (const ownerId of [...registry.owners()]) {
    if (isServed(ownerId) || resting.get(ownerId) !== undefined) continue;
    log.info({ event: 'guild.rests', guild: ownerId, watches: registry.ofOwner(ownerId).length, isGone: false });
    await resting.set({ version: 1, ownerId, sinceSeconds: Math.floor(nowMs() / 1000), isGone: false });
  }
}

/** @returns the keys of the documents of wallets that no watch needs any more */
function evictUnwatchedWallets(
  { registry, alertBuilder }: LoadDeps,
  wallets: readonly WalletAddress[],
): readonly string[] {
  const unwatched = wallets.filter((wallet) => registry.ofWallet(wallet).length === 0);
  for (const wallet of unwatched) alertBuilder.evictWallet(wallet);
  return unwatched
    .filter((wallet) => !registry.isNeeded(wallet))
    .flatMap((wallet) => [WALLET_PREFIX + wallet, LEARNING_PREFIX + wallet]);
}

async function deleteUnwatchedQueues({ registry, channelQueues }: LoadDeps): Promise<void> {
  const watched = new Set(
    [...registry.wallets()].flatMap((wallet) => registry.ofWallet(wallet)).map(({ channelId }) => channelId),
  );
  for (const channelId of channelQueues.channels()) {
    if (!watched.has(channelId) && !registry.hasUnreadable(channelId)) await channelQueues.delete(channelId);
  }
}

/** Watched wallets whose document could not be read begin anew. */
async function resetDamagedWallets(
  { registry, outbox, nowMs }: LoadDeps,
  damaged: readonly WalletAddress[],
): Promise<void> {
  for (const wallet of damaged) {
    if (!registry.isNeeded(wallet)) continue;
    await outbox.commit(wallet, () => resetWallet(wallet, registry.ofWallet(wallet), nowMs()));
  }
}

/** What is known of the wallet, and what waits, stays as it is. */
async function tellUnreadable(
  { outbox, nowMs }: LoadDeps,
  { wallet, channelId }: Pick<Watch, 'wallet' | 'channelId'>,
): Promise<void> {
  const notice = unreadableWatchAlert(wallet, channelId, nowMs());
  await outbox.commit(wallet, () => ({ state: {}, alerts: [notice] }));
}
