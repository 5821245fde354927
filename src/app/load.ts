import type { Logger } from 'pino';
import type { AlertBuilder } from '../alerts/build.ts';
import { resetWallet } from '../alerts/intake.ts';
import { type Outbox, WALLET_PREFIX } from '../alerts/outbox.ts';
import { CHANNEL_QUEUE_PREFIX, type ChannelQueueStore, DEAD_PREFIX } from '../delivery/channel-queue.ts';
import { DIGEST_PREFIX, type DigestDocuments } from '../digests/documents.ts';
import type { Feed } from '../feed/feed.ts';
import { LEARNING_PREFIX } from '../feed/learning.ts';
import { PAGER_PREFIX, type PagerStore } from '../lookups/stored-lists.ts';
import { createQuarantine } from '../store/quarantine.ts';
import type { Loaded, Store } from '../store/store.ts';
import type { WalletAddress } from '../venue/address.ts';
import { CHANNEL_SETTINGS_PREFIX, type ChannelSettingsStore } from '../watches/channel-settings.ts';
import type { Registry } from '../watches/registry.ts';
import { RESTING_PREFIX, type RestingGuilds } from '../watches/resting.ts';
import { IMPORT_PREFIX, type Imports } from '../watches/transfer/imports.ts';
import { WATCH_PREFIX } from '../watches/watch.ts';

export interface LoadDeps {
  readonly store: Store;
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly resting: RestingGuilds;
  /** Whether the bot may do anything for a guild; the watches of others rest. */
  readonly isServed: (guildId: string) => boolean;
  readonly digests: DigestDocuments;
  readonly outbox: Outbox;
  readonly alertBuilder: Pick<AlertBuilder, 'cacheWallet' | 'evictWallet'>;
  readonly channelQueues: ChannelQueueStore;
  readonly pagers: PagerStore;
  readonly imports: Pick<Imports, 'load'>;
  readonly feed: Pick<Feed, 'load' | 'watch'>;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/**
 * Reads the whole store once, at the start, and gives each part its documents. A document that cannot be read is put
 * aside under another key and named in the log; the rest goes on. A wallet whose document that was begins anew.
 */
export async function loadStore(deps: LoadDeps): Promise<void> {
  const { store, registry, outbox, channelQueues, log } = deps;
  const wallets: WalletAddress[] = [];
  const damaged: WalletAddress[] = [];
  const expired: string[] = [];
  const changes: (() => Promise<void>)[] = [];
  const putAside = createQuarantine(store, log);

  const loadWallet = (key: string, document: unknown): boolean => {
    const wallet = key.slice(WALLET_PREFIX.length) as WalletAddress;
    const loaded = outbox.load(key, document);
    if (loaded === null) {
      damaged.push(wallet);
      return false;
    }
    wallets.push(wallet);
    deps.alertBuilder.cacheWallet(wallet, loaded.poll);
    if (loaded.unreadable.length > 0) {
      changes.push(() => putAside(`${key}:outbox`, loaded.unreadable));
      changes.push(() => store.set(key, loaded.document));
    }
    return true;
  };

  /** Documents that are kept for a while only. */
  const loadMortal = (key: string, document: unknown): Loaded => {
    if (key.startsWith(PAGER_PREFIX)) return deps.pagers.load(key, document);
    if (key.startsWith(IMPORT_PREFIX)) return deps.imports.load(document);
    return key.startsWith(DEAD_PREFIX) ? channelQueues.loadDead(document) : 'kept';
  };

  /** False if the document cannot be read. */
  const take = (key: string, document: unknown): boolean => {
    if (key.startsWith(WATCH_PREFIX)) return registry.load(key, document);
    if (key.startsWith(WALLET_PREFIX)) return loadWallet(key, document);
    if (key.startsWith(CHANNEL_QUEUE_PREFIX)) return channelQueues.load(key, document);
    if (key.startsWith(RESTING_PREFIX)) return deps.resting.load(key, document);
    if (key.startsWith(CHANNEL_SETTINGS_PREFIX)) return deps.channelSettings.load(key, document);
    if (key.startsWith(DIGEST_PREFIX)) return deps.digests.load(key, document);
    if (key.startsWith(LEARNING_PREFIX)) return deps.feed.load(key, document);
    const found = loadMortal(key, document);
    if (found === 'expired') expired.push(key);
    return found !== 'unreadable';
  };

  for await (const [key, document] of store.entries()) {
    if (take(key, document)) continue;
    changes.push(() => putAside(key, document));
    changes.push(() => store.delete(key));
  }
  for (const change of changes) await change();
  for (const guildId of [...registry.guilds()]) {
    if (deps.isServed(guildId) || deps.resting.get(guildId) !== undefined) continue;
    log.info({ event: 'guild.rests', guild: guildId, watches: registry.ofGuild(guildId).length, isGone: false });
    await deps.resting.set({ version: 1, guildId, sinceSeconds: Math.floor(deps.nowMs() / 1000), isGone: false });
  }
  for (const { guildId } of deps.resting.all()) registry.rest(guildId);
  for (const wallet of wallets) {
    if (registry.ofWallet(wallet).length > 0) continue;
    expired.push(WALLET_PREFIX + wallet, LEARNING_PREFIX + wallet);
    deps.alertBuilder.evictWallet(wallet);
  }
  const watched = new Set(
    [...registry.wallets()].flatMap((wallet) => registry.ofWallet(wallet)).map(({ channelId }) => channelId),
  );
  for (const channelId of channelQueues.channels()) if (!watched.has(channelId)) await channelQueues.delete(channelId);
  for (const key of expired) await store.delete(key);
  for (const wallet of damaged) {
    const watches = registry.ofWallet(wallet);
    if (watches.length === 0) continue;
    const { poll, alerts } = resetWallet(wallet, watches, deps.nowMs());
    await outbox.commit(wallet, () => ({ poll, alerts }));
  }
  for (const wallet of registry.wallets()) deps.feed.watch(wallet);
  log.info({ event: 'store.loaded', watches: registry.size, wallets: wallets.length, damaged: damaged.length });
}
