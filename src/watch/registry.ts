import type { Logger } from 'pino';
import type { Store } from '../store/store.ts';
import type { WalletAddress } from '../venue/address.ts';
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
   * A watch has been added or resumed by a command that was sent before. What happened from then on it is to be told.
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
  /** Stores first, then knows it. @returns false if the channel watches the wallet already; nothing changes then */
  add(watch: Watch): Promise<boolean>;
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
  readonly size: number;
}

export function createRegistry(deps: RegistryDeps): Registry {
  const byWallet = new Map<WalletAddress, Watch[]>();
  const byGuild = new Map<string, Set<Watch>>();
  const byChannel = new Map<string, Map<WalletAddress, Watch>>();
  const listeners: RegistryListener[] = [];
  const beingAdded = new Set<string>();
  let size = 0;

  const find = (channelId: string, wallet: WalletAddress) => byChannel.get(channelId)?.get(wallet);

  const know = (watch: Watch) => {
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

  return {
    load(key, document) {
      const parsed = watchSchema.safeParse(document);
      if (!parsed.success || watchKey(parsed.data) !== key) return false;
      know(parsed.data);
      return true;
    },
    async add(watch) {
      const key = watchKey(watch);
      if (find(watch.channelId, watch.wallet) !== undefined || beingAdded.has(key)) return false;
      beingAdded.add(key);
      try {
        await deps.store.set(key, watch);
      } finally {
        beingAdded.delete(key);
      }
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
    },
    async update(watch) {
      const before = find(watch.channelId, watch.wallet);
      if (before === undefined) return false;
      await deps.store.set(watchKey(watch), watch);
      const ofWallet = byWallet.get(watch.wallet);
      const index = ofWallet?.indexOf(before) ?? -1;
      if (ofWallet === undefined || index < 0) {
        // It was removed, or changed by somebody else, while the write was under way: what is known now is what stays.
        const now = find(watch.channelId, watch.wallet);
        await (now === undefined ? deps.store.delete(watchKey(watch)) : deps.store.set(watchKey(now), now));
        return false;
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
    },
    async remove(channelId, wallet) {
      const watch = find(channelId, wallet);
      if (watch === undefined) return undefined;
      await deps.store.delete(watchKey(watch));
      if (find(channelId, wallet) !== watch) return undefined;
      forget(watch);
      for (const listener of listeners) listener.channelChanged?.(channelId);
      deps.log.info({ event: 'watch.removed', guild: watch.guildId, channel: channelId, wallet });
      return watch;
    },
    get: find,
    ofWallet: (wallet) => byWallet.get(wallet) ?? [],
    ofGuild: (guildId) => [...(byGuild.get(guildId) ?? [])],
    ofChannel: (channelId) => [...(byChannel.get(channelId)?.values() ?? [])],
    wallets: () => byWallet.keys(),
    guilds: () => byGuild.keys(),
    listen: (listener) => void listeners.push(listener),
    get size() {
      return size;
    },
  };
}
