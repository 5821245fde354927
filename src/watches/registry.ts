import type { Logger } from 'pino';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import type { Store } from '../store/store.ts';
import type { WalletAddress } from '../venue/address.ts';
import { joinedAmong } from './known-since.ts';
import { type Watch, watchKey, watchSchema } from './watch.ts';

export interface RegistryDeps {
  readonly store: Pick<Store, 'set' | 'delete'>;
  readonly log: Logger;
}

export interface RegistryListener {
  /** The first watch of a wallet has come. */
  walletAdded(wallet: WalletAddress): void;
  /** The last watch of a wallet has gone. */
  walletRemoved(wallet: WalletAddress): void;
  /**
   * A watch has been added or resumed by a command that was sent before, or has come back from its rest. What happened from then on it is to be told.
   *
   * @param fromSeconds Unix seconds. Of the very second of a resume what was found in the pause stays untold.
   */
  watchBegun?(watch: Watch, fromSeconds: number): void;
  /** What a channel wants has changed: a watch has been edited, paused, resumed or removed there. */
  channelChanged?(channelId: string): void;
}

/** All watches: in memory by wallet, by guild and by channel, each in the store as a document of its own. */
export interface Registry {
  /** Takes a document that was read at the start. False if it is not a watch. */
  load(key: string, document: unknown): boolean;
  /**
   * Stores first, then knows it.
   *
   * @param knownSinceSeconds how far back the wallet's trades were read for this watch, Unix seconds, 0 for all of them; from
   *   when on it announces, if left out
   * @returns false if the channel watches the wallet already; nothing changes then
   */
  add(watch: Omit<Watch, 'joined'>, knownSinceSeconds?: number): Promise<boolean>;
  /** Stores the watch in the place of the one that the channel has of the wallet. @returns false if there is none any more */
  update(watch: Watch): Promise<boolean>;
  /** @returns the watch that has gone, undefined if there was none */
  remove(channelId: string, wallet: WalletAddress): Promise<Watch | undefined>;
  get(channelId: string, wallet: WalletAddress): Watch | undefined;
  ofWallet(wallet: WalletAddress): readonly Watch[];
  ofGuild(guildId: string): readonly Watch[];
  ofChannel(channelId: string): readonly Watch[];
  wallets(): Iterable<WalletAddress>;
  guilds(): Iterable<string>;
  listen(listener: RegistryListener): void;
  /** Puts the guild's watches aside: they stay in the store, and nothing else here knows them. New ones join them. */
  rest(guildId: string): void;
  /** Watches of a guild that are put aside. */
  restingOf(guildId: string): readonly Watch[];
  /**
   * Takes the guild's watches back: stores what `change` makes of each, does `onStored`, then knows them. When a step
   * fails they stay aside.
   */
  wake(guildId: string, change: (watch: Watch) => Watch, onStored: () => Promise<void>): Promise<void>;
  /** Deletes the guild's watches that are put aside. */
  endResting(guildId: string): Promise<void>;
  /** Watches, without those that are put aside. */
  readonly size: number;
  readonly restingSize: number;
}

export function createRegistry(deps: RegistryDeps): Registry {
  const byWallet = new Map<WalletAddress, Watch[]>();
  const byGuild = new Map<string, Set<Watch>>();
  const byChannel = new Map<string, Map<WalletAddress, Watch>>();
  const listeners: RegistryListener[] = [];
  /** What is done to one watch is done one after the other. */
  const mutex = createKeyedMutex();
  /** By guild that rests and by key. */
  const resting = new Map<string, Map<string, Watch>>();
  let size = 0;

  const find = (channelId: string, wallet: WalletAddress) => byChannel.get(channelId)?.get(wallet);

  const know = (watch: Watch) => {
    const aside = resting.get(watch.guildId);
    if (aside !== undefined) return void aside.set(watchKey(watch), watch);
    const ofWallet = byWallet.get(watch.wallet);
    if (ofWallet === undefined) byWallet.set(watch.wallet, [watch]);
    else ofWallet.push(watch);
    const ofGuild = byGuild.get(watch.guildId);
    if (ofGuild === undefined) byGuild.set(watch.guildId, new Set([watch]));
    else ofGuild.add(watch);
    const ofChannel = byChannel.get(watch.channelId);
    if (ofChannel === undefined) byChannel.set(watch.channelId, new Map([[watch.wallet, watch]]));
    else ofChannel.set(watch.wallet, watch);
    size += 1;
    if (ofWallet === undefined) for (const listener of listeners) listener.walletAdded(watch.wallet);
  };

  const forget = (watch: Watch) => {
    const others = (byWallet.get(watch.wallet) ?? []).filter((other) => other !== watch);
    const ofGuild = byGuild.get(watch.guildId);
    ofGuild?.delete(watch);
    if (ofGuild?.size === 0) byGuild.delete(watch.guildId);
    const ofChannel = byChannel.get(watch.channelId);
    ofChannel?.delete(watch.wallet);
    if (ofChannel?.size === 0) byChannel.delete(watch.channelId);
    size -= 1;
    if (others.length > 0) {
      byWallet.set(watch.wallet, others);
      return;
    }
    byWallet.delete(watch.wallet);
    for (const listener of listeners) listener.walletRemoved(watch.wallet);
  };

  const withJoined = (watch: Omit<Watch, 'joined'>, knownSinceSeconds: number): Watch => {
    const joined = joinedAmong(watch, knownSinceSeconds, byWallet.get(watch.wallet) ?? []);
    return joined === undefined ? watch : { ...watch, joined };
  };

  return {
    load(key, document) {
      const parsed = watchSchema.safeParse(document);
      if (!parsed.success || watchKey(parsed.data) !== key) return false;
      know(parsed.data);
      return true;
    },
    add: (asked, knownSinceSeconds = asked.sinceSeconds) =>
      mutex.run(watchKey(asked), async () => {
        if (find(asked.channelId, asked.wallet) !== undefined) return false;
        const watch = withJoined(asked, knownSinceSeconds);
        await deps.store.set(watchKey(watch), watch);
        know(watch);
        for (const listener of listeners) listener.watchBegun?.(watch, watch.sinceSeconds);
        deps.log.info({
          event: 'watch.added',
          guild: watch.guildId,
          channel: watch.channelId,
          wallet: watch.wallet,
          by: watch.addedBy,
        });
        return true;
      }),
    update: (watch) =>
      mutex.run(watchKey(watch), async () => {
        const before = find(watch.channelId, watch.wallet);
        if (before === undefined) return false;
        await deps.store.set(watchKey(watch), watch);
        const ofWallet = byWallet.get(watch.wallet);
        const index = ofWallet?.indexOf(before) ?? -1;
        if (ofWallet === undefined || index < 0) {
          // Its guild has been put to rest while the write was under way.
          const aside = resting.get(watch.guildId);
          if (aside !== undefined) aside.set(watchKey(watch), watch);
          return aside !== undefined;
        }
        ofWallet[index] = watch;
        byChannel.get(watch.channelId)?.set(watch.wallet, watch);
        const ofGuild = byGuild.get(before.guildId);
        ofGuild?.delete(before);
        ofGuild?.add(watch);
        for (const listener of listeners) {
          if (watch.sinceSeconds > before.sinceSeconds) listener.watchBegun?.(watch, watch.sinceSeconds + 1);
          listener.channelChanged?.(watch.channelId);
        }
        deps.log.info({ event: 'watch.changed', guild: watch.guildId, channel: watch.channelId, wallet: watch.wallet });
        return true;
      }),
    remove(channelId, wallet) {
      const key = watchKey({ channelId, wallet });
      return mutex.run(key, async () => {
        const watch = find(channelId, wallet);
        if (watch === undefined) return undefined;
        await deps.store.delete(key);
        // It may have been put aside meanwhile.
        if (resting.get(watch.guildId)?.delete(key) !== true) forget(watch);
        for (const listener of listeners) listener.channelChanged?.(channelId);
        deps.log.info({ event: 'watch.removed', guild: watch.guildId, channel: channelId, wallet });
        return watch;
      });
    },
    get: find,
    ofWallet: (wallet) => byWallet.get(wallet) ?? [],
    ofGuild: (guildId) => [...(byGuild.get(guildId) ?? [])],
    ofChannel: (channelId) => [...(byChannel.get(channelId)?.values() ?? [])],
    wallets: () => byWallet.keys(),
    guilds: () => byGuild.keys(),
    listen: (listener) => void listeners.push(listener),
    rest(guildId) {
      const aside = resting.get(guildId) ?? new Map<string, Watch>();
      resting.set(guildId, aside);
      for (const watch of [...(byGuild.get(guildId) ?? [])]) {
        aside.set(watchKey(watch), watch);
        forget(watch);
      }
    },
    restingOf: (guildId) => [...(resting.get(guildId)?.values() ?? [])],
    async wake(guildId, change, onStored) {
      const aside = resting.get(guildId);
      if (aside === undefined) return;
      const writes = [...aside.keys()].map((key) =>
        mutex.run(key, async () => {
          const watch = aside.get(key);
          if (watch === undefined) return;
          const { joined: _, ...woken } = change(watch);
          // What was seen for others meanwhile is none of its business.
          const changed = withJoined(woken, woken.sinceSeconds);
          await deps.store.set(key, changed);
          aside.set(key, changed);
        }),
      );
      for (const write of await Promise.allSettled(writes)) if (write.status === 'rejected') throw write.reason;
      await onStored();
      resting.delete(guildId);
      for (const watch of aside.values()) {
        know(watch);
        for (const listener of listeners) listener.watchBegun?.(watch, watch.sinceSeconds);
      }
    },
    async endResting(guildId) {
      for (const watch of resting.get(guildId)?.values() ?? []) {
        await deps.store.delete(watchKey(watch));
        deps.log.info({ event: 'watch.removed', guild: guildId, channel: watch.channelId, wallet: watch.wallet });
      }
      resting.delete(guildId);
    },
    get size() {
      return size;
    },
    get restingSize() {
      return [...resting.values()].reduce((sum, watches) => sum + watches.size, 0);
    },
  };
}
