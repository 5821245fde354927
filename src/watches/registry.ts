import type { Logger } from 'pino';
import type { WalletAddress } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import { QUARANTINE_PREFIX } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import { joinedAmong } from './known-since.ts';
import { parseWatchKey, type Watch, watchKey, watchSchema } from './watch.ts';

export interface RegistryDeps {
  readonly store: Pick<Store, 'set' | 'delete'>;
  readonly log: Logger;
}

export interface RegistryListener {
  /** The first watch of a wallet was added. */
  walletAdded(wallet: WalletAddress): void;
  /** The last watch of a wallet was removed. */
  walletRemoved(wallet: WalletAddress): void;
  /**
   * Watches are being added, resumed or woken: items from their `fromSeconds` on are to be announced, also those that were
   * polled before this call. The watches are stored, and known here, once `store` has resolved. If this rejects, the command
   * has failed.
   */
  beginWatches?(begun: readonly BegunWatch[], store: () => Promise<void>): Promise<void>;
  /** A watch is about to be gone. */
  watchEnding?(watch: Watch): void;
  /** A watch was removed. */
  watchRemoved?(watch: Watch): void;
  /** A watch was edited, paused, resumed or removed in a channel. */
  channelChanged?(channelId: string): void;
}

/** A watch that announces from a time on. */
export interface BegunWatch {
  readonly watch: Omit<Watch, 'joined'>;
  /** Unix seconds; one later than the second of a resume, of which items were polled during the pause. */
  readonly fromSeconds: number;
}

/**
 * All watches: in memory by wallet, by owner and by channel; in the store a document each, `watch:<channel>:<wallet>`.
 * Operations on one watch run one after the other.
 */
export interface Registry {
  /** Adds a stored document, at the start. False if it is not a watch. */
  load(key: string, document: unknown): boolean;
  /** Adds the key of a watch whose document cannot be read, at the start, once all others are loaded. @returns its place if there is no watch in it */
  loadUnreadable(key: string): Pick<Watch, 'channelId' | 'wallet'> | undefined;
  /**
   * Channels that watch the wallet by a document that cannot be read. It may be mended, so that nothing of the wallet and of
   * these channels is deleted for want of a watch.
   */
  unreadableChannels(wallet: WalletAddress): ReadonlySet<string>;
  /** Whether a channel has a watch that cannot be read. */
  hasUnreadable(channelId: string): boolean;
  /** Deletes watches of a channel that cannot be read. */
  forgetUnreadable(channelId: string): Promise<void>;
  /**
   * Stores a watch, then adds it here.
   *
   * @param knownSinceSeconds how far back the wallet's trades were read for this watch, Unix seconds; 0: to its first trade;
   *   `sinceSeconds` of the watch if left out
   * @returns false if the channel watches the wallet already; nothing changes then
   */
  add(watch: Omit<Watch, 'joined'>, knownSinceSeconds?: number): Promise<boolean>;
  /** Stores a changed watch in place of the channel's watch of the wallet. @returns false if there is none any more */
  update(watch: Watch): Promise<boolean>;
  /** @returns the removed watch, undefined if there was none */
  remove(channelId: string, wallet: WalletAddress): Promise<Watch | undefined>;
  get(channelId: string, wallet: WalletAddress): Watch | undefined;
  ofWallet(wallet: WalletAddress): readonly Watch[];
  ofOwner(ownerId: string): readonly Watch[];
  ofChannel(channelId: string): readonly Watch[];
  wallets(): Iterable<WalletAddress>;
  owners(): Iterable<string>;
  listen(listener: RegistryListener): void;
  /** Makes an owner's watches rest: they stay in the store, but no other method returns or counts them. New ones rest too. */
  rest(ownerId: string): void;
  /** An owner's resting watches. */
  restingOf(ownerId: string): readonly Watch[];
  /** Resting watches of a wallet: what is followed for their channels is kept until they go on, or are deleted. */
  restingOfWallet(wallet: WalletAddress): readonly Watch[];
  /** Whether a watch needs what is stored of the wallet: one that is polled for, rests, or cannot be read. */
  isNeeded(wallet: WalletAddress): boolean;
  /**
   * Ends the rest of an owner's watches: stores what `change` makes of each, runs `onStored`, then adds them here. If a step
   * fails they go on resting.
   */
  wake(ownerId: string, change: (watch: Watch) => Watch, onStored: () => Promise<void>): Promise<void>;
  /** Deletes an owner's resting watches; wallets that nobody else watches are removed. */
  endResting(ownerId: string): Promise<void>;
  /** How many watches there are, without resting ones. */
  readonly size: number;
  readonly restingSize: number;
  /** How many watches cannot be read. */
  readonly unreadableSize: number;
}

const NO_CHANNELS: ReadonlySet<string> = new Set();

/** @returns an empty registry; `load` fills it from the store */
export function createRegistry(deps: RegistryDeps): Registry {
  const byWallet = new Map<WalletAddress, Watch[]>();
  const byOwner = new Map<string, Set<Watch>>();
  const byChannel = new Map<string, Map<WalletAddress, Watch>>();
  const listeners: RegistryListener[] = [];
  /** By store key. */
  const mutex = createKeyedMutex();
  /** By owner and store key. */
  const resting = new Map<string, Map<string, Watch>>();
  /** Those by wallet and store key. */
  const restingByWallet = new Map<WalletAddress, Map<string, Watch>>();
  /** Channels by wallet. */
  const unreadable = new Map<WalletAddress, Set<string>>();
  let size = 0;

  const find = (channelId: string, wallet: WalletAddress) => byChannel.get(channelId)?.get(wallet);

  /** The watch of the channel can be read, or is no more. */
  const endUnreadable = (channelId: string, wallet: WalletAddress) => {
    const channels = unreadable.get(wallet);
    channels?.delete(channelId);
    if (channels?.size === 0) unreadable.delete(wallet);
  };

  /** Adds a watch to those of its owner that rest, or puts it in the place of the one before. False if its owner does not rest. */
  const putAside = (watch: Watch): boolean => {
    const aside = resting.get(watch.ownerId);
    if (aside === undefined) return false;
    const key = watchKey(watch);
    aside.set(key, watch);
    restingByWallet.set(watch.wallet, (restingByWallet.get(watch.wallet) ?? new Map()).set(key, watch));
    return true;
  };

  /** False if it does not rest. */
  const takeBack = (watch: Watch): boolean => {
    const key = watchKey(watch);
    const ofWallet = restingByWallet.get(watch.wallet);
    ofWallet?.delete(key);
    if (ofWallet?.size === 0) restingByWallet.delete(watch.wallet);
    return resting.get(watch.ownerId)?.delete(key) === true;
  };

  const restingOfWallet = (wallet: WalletAddress) => [...(restingByWallet.get(wallet)?.values() ?? [])];

  const insert = (watch: Watch) => {
    endUnreadable(watch.channelId, watch.wallet);
    if (putAside(watch)) return;
    const ofWallet = byWallet.get(watch.wallet);
    if (ofWallet === undefined) byWallet.set(watch.wallet, [watch]);
    else ofWallet.push(watch);
    const ofOwner = byOwner.get(watch.ownerId);
    if (ofOwner === undefined) byOwner.set(watch.ownerId, new Set([watch]));
    else ofOwner.add(watch);
    const ofChannel = byChannel.get(watch.channelId);
    if (ofChannel === undefined) byChannel.set(watch.channelId, new Map([[watch.wallet, watch]]));
    else ofChannel.set(watch.wallet, watch);
    size += 1;
    if (ofWallet === undefined) for (const listener of listeners) listener.walletAdded(watch.wallet);
  };

  const tellIfUnwatched = (wallet: WalletAddress) => {
    if (!byWallet.has(wallet)) for (const listener of listeners) listener.walletRemoved(wallet);
  };

  const erase = (watch: Watch) => {
    const others = (byWallet.get(watch.wallet) ?? []).filter((other) => other !== watch);
    const ofOwner = byOwner.get(watch.ownerId);
    ofOwner?.delete(watch);
    if (ofOwner?.size === 0) byOwner.delete(watch.ownerId);
    const ofChannel = byChannel.get(watch.channelId);
    ofChannel?.delete(watch.wallet);
    if (ofChannel?.size === 0) byChannel.delete(watch.channelId);
    size -= 1;
    if (others.length > 0) byWallet.set(watch.wallet, others);
    else byWallet.delete(watch.wallet);
    tellIfUnwatched(watch.wallet);
  };

  /** Puts a changed watch in the place of the one before, in the order of its wallet. False if there is none any more. */
  const replace = (before: Watch, watch: Watch): boolean => {
    const ofWallet = byWallet.get(watch.wallet);
    const index = ofWallet?.indexOf(before) ?? -1;
    if (ofWallet === undefined || index < 0) {
      // Its owner has been put to rest while the write was under way.
      return putAside(watch);
    }
    ofWallet[index] = watch;
    byChannel.get(watch.channelId)?.set(watch.wallet, watch);
    const ofOwner = byOwner.get(before.ownerId);
    ofOwner?.delete(before);
    ofOwner?.add(watch);
    for (const listener of listeners) listener.channelChanged?.(watch.channelId);
    return true;
  };

  const insertResting = (ownerId: string, watches: readonly Watch[]) => {
    for (const watch of watches) takeBack(watch);
    resting.delete(ownerId);
    for (const watch of watches) insert(watch);
  };

  /** Lets the listeners do their part, then stores the watches. */
  const begin = (begun: readonly BegunWatch[], store: () => Promise<void>): Promise<void> =>
    listeners.reduceRight((next, listener) => () => listener.beginWatches?.(begun, next) ?? next(), store)();

  const withJoined = (watch: Omit<Watch, 'joined'>, knownSinceSeconds: number): Watch => {
    // What is kept for owners that rest was seen for them.
    const others = restingOfWallet(watch.wallet).filter(({ ownerId }) => ownerId !== watch.ownerId);
    const joined = joinedAmong(watch, knownSinceSeconds, [...(byWallet.get(watch.wallet) ?? []), ...others]);
    return joined === undefined ? watch : { ...watch, joined };
  };

  return {
    load(key, document) {
      const parsed = watchSchema.safeParse(document);
      if (!parsed.success || watchKey(parsed.data) !== key) return false;
      insert(parsed.data);
      return true;
    },
    loadUnreadable(key) {
      const place = parseWatchKey(key);
      if (place === undefined || find(place.channelId, place.wallet) !== undefined) return undefined;
      unreadable.set(place.wallet, (unreadable.get(place.wallet) ?? new Set()).add(place.channelId));
      return place;
    },
    unreadableChannels: (wallet) => unreadable.get(wallet) ?? NO_CHANNELS,
    hasUnreadable: (channelId) => [...unreadable.values()].some((channels) => channels.has(channelId)),
    async forgetUnreadable(channelId) {
      for (const wallet of [...unreadable.keys()].filter((other) => unreadable.get(other)?.has(channelId))) {
        await deps.store.delete(QUARANTINE_PREFIX + watchKey({ channelId, wallet }));
        endUnreadable(channelId, wallet);
        tellIfUnwatched(wallet);
      }
    },
    add: (asked, knownSinceSeconds = asked.sinceSeconds) =>
      mutex.run(watchKey(asked), async () => {
        if (find(asked.channelId, asked.wallet) !== undefined) return false;
        await begin([{ watch: asked, fromSeconds: asked.sinceSeconds }], async () => {
          const watch = withJoined(asked, knownSinceSeconds);
          await deps.store.set(watchKey(watch), watch);
          insert(watch);
        });
        deps.log.info({
          event: 'watch.added',
          guild: asked.ownerId,
          channel: asked.channelId,
          wallet: asked.wallet,
          by: asked.addedBy,
        });
        return true;
      }),
    update: (watch) =>
      mutex.run(watchKey(watch), async () => {
        const before = find(watch.channelId, watch.wallet);
        if (before === undefined) return false;
        let isReplaced = false;
        const store = async () => {
          await deps.store.set(watchKey(watch), watch);
          isReplaced = replace(before, watch);
        };
        if (watch.sinceSeconds > before.sinceSeconds) {
          await begin([{ watch, fromSeconds: watch.sinceSeconds + 1 }], store);
        } else {
          await store();
        }
        if (!isReplaced) return false;
        deps.log.info({ event: 'watch.changed', guild: watch.ownerId, channel: watch.channelId, wallet: watch.wallet });
        return true;
      }),
    remove(channelId, wallet) {
      const key = watchKey({ channelId, wallet });
      return mutex.run(key, async () => {
        const watch = find(channelId, wallet);
        if (watch === undefined) return undefined;
        await deps.store.delete(key);
        for (const listener of listeners) listener.watchEnding?.(watch);
        // Its owner may have been put to rest during the write.
        if (!takeBack(watch)) erase(watch);
        for (const listener of listeners) {
          listener.watchRemoved?.(watch);
          listener.channelChanged?.(channelId);
        }
        deps.log.info({ event: 'watch.removed', guild: watch.ownerId, channel: channelId, wallet });
        return watch;
      });
    },
    get: find,
    ofWallet: (wallet) => byWallet.get(wallet) ?? [],
    ofOwner: (ownerId) => [...(byOwner.get(ownerId) ?? [])],
    ofChannel: (channelId) => [...(byChannel.get(channelId)?.values() ?? [])],
    wallets: () => byWallet.keys(),
    owners: () => byOwner.keys(),
    listen: (listener) => void listeners.push(listener),
    rest(ownerId) {
      resting.set(ownerId, resting.get(ownerId) ?? new Map<string, Watch>());
      for (const watch of [...(byOwner.get(ownerId) ?? [])]) {
        putAside(watch);
        erase(watch);
      }
    },
    restingOfWallet,
    isNeeded: (wallet) => byWallet.has(wallet) || restingByWallet.has(wallet) || unreadable.has(wallet),
    restingOf: (ownerId) => [...(resting.get(ownerId)?.values() ?? [])],
    async wake(ownerId, change, onStored) {
      const aside = resting.get(ownerId);
      if (aside === undefined) return;
      await mutex.runAll(aside.keys(), async () => {
        const begun = [...aside.values()].map((watch) => {
          const { joined: _, ...woken } = change(watch);
          return { watch: woken, fromSeconds: woken.sinceSeconds };
        });
        await begin(begun, async () => {
          const writes = begun.map(async ({ watch }) => {
            // What was seen for other owners during the rest is not shown to this one.
            const changed = withJoined(watch, watch.sinceSeconds);
            await deps.store.set(watchKey(watch), changed);
            putAside(changed);
          });
          for (const write of await Promise.allSettled(writes)) if (write.status === 'rejected') throw write.reason;
          await onStored();
          insertResting(ownerId, [...aside.values()]);
        });
      });
    },
    async endResting(ownerId) {
      for (const watch of [...(resting.get(ownerId)?.values() ?? [])]) {
        const { channelId, wallet } = watch;
        await deps.store.delete(watchKey(watch));
        takeBack(watch);
        deps.log.info({ event: 'watch.removed', guild: ownerId, channel: channelId, wallet });
        tellIfUnwatched(wallet);
      }
      resting.delete(ownerId);
    },
    get size() {
      return size;
    },
    get restingSize() {
      return [...resting.values()].reduce((sum, watches) => sum + watches.size, 0);
    },
    get unreadableSize() {
      return [...unreadable.values()].reduce((sum, channels) => sum + channels.size, 0);
    },
  };
}
