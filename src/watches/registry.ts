import type { WalletAddress } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import { QUARANTINE_PREFIX } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import { joinedAmong } from './known-since.ts';
import { isLeaving, parseWatchKey, type Watch, watchKey, watchSchema } from './watch.ts';

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

export type Registry = ReturnType<typeof createRegistry>;

/**
 * All watches: in memory by wallet, by owner and by channel; in the store a document each, `watch:<channel>:<wallet>`.
 * Operations on one watch run one after the other. It is empty until `load` has filled it from the store.
 */
export function createRegistry({ log }: Pick<Machine, 'log'>, store: Pick<Store, 'set' | 'delete'>) {
  const byWallet = createIndex(({ wallet }) => wallet);
  const byOwner = createIndex(({ ownerId }) => ownerId);
  const byChannel = createIndex(({ channelId }) => channelId);
  /** Owners whose watches rest. */
  const resting = new Set<string>();
  const restingByOwner = createIndex(({ ownerId }) => ownerId);
  const restingByWallet = createIndex(({ wallet }) => wallet);
  /** Removed ones, while that can be undone. */
  const leavingByOwner = createIndex(({ ownerId }) => ownerId);
  /** Channels by wallet. */
  const unreadable = new Map<WalletAddress, Set<string>>();
  const listeners: RegistryListener[] = [];
  /** By store key. */
  const mutex = createKeyedMutex();

  const find = (channelId: string, wallet: WalletAddress) => byChannel.get(channelId, watchKey({ channelId, wallet }));

  /** The watch of the channel can be read, or is no more. */
  const endUnreadable = (channelId: string, wallet: WalletAddress) => {
    const channels = unreadable.get(wallet);
    channels?.delete(channelId);
    if (channels?.size === 0) unreadable.delete(wallet);
  };

  /** Adds a watch to those of its owner that rest, or puts it in the place of the one before. False if its owner does not rest. */
  const putAside = (watch: Watch): boolean => {
    if (!resting.has(watch.ownerId)) return false;
    restingByOwner.set(watch);
    restingByWallet.set(watch);
    return true;
  };

  /** False if it does not rest. */
  const takeBack = (watch: Watch): boolean => {
    restingByWallet.delete(watch);
    return restingByOwner.delete(watch);
  };

  /** Adds a watch, or puts it in the place of the one before. */
  const put = (watch: Watch) => {
    for (const index of [byWallet, byOwner, byChannel]) index.set(watch);
    if (isLeaving(watch)) leavingByOwner.set(watch);
    else leavingByOwner.delete(watch);
  };

  const insert = (watch: Watch) => {
    endUnreadable(watch.channelId, watch.wallet);
    if (putAside(watch)) return;
    const isFirst = !byWallet.has(watch.wallet);
    put(watch);
    if (isFirst) for (const listener of listeners) listener.walletAdded(watch.wallet);
  };

  const tellIfUnwatched = (wallet: WalletAddress) => {
    if (!byWallet.has(wallet)) for (const listener of listeners) listener.walletRemoved(wallet);
  };

  const erase = (watch: Watch) => {
    for (const index of [byWallet, byOwner, byChannel, leavingByOwner]) index.delete(watch);
    tellIfUnwatched(watch.wallet);
  };

  /** Puts a changed watch in the place of the one before. False if there is none any more. */
  const replace = (before: Watch, watch: Watch): boolean => {
    // Its owner may have been put to rest while the write was under way.
    if (find(watch.channelId, watch.wallet) !== before) return putAside(watch);
    put(watch);
    for (const listener of listeners) listener.channelChanged?.(watch.channelId);
    return true;
  };

  /** Lets the listeners do their part, then stores the watches. */
  const begin = (begun: readonly BegunWatch[], write: () => Promise<void>): Promise<void> =>
    listeners.reduceRight((next, listener) => () => listener.beginWatches?.(begun, next) ?? next(), write)();

  /** Deletes a watch for good. Called while its key is locked. */
  const end = async (watch: Watch): Promise<void> => {
    const { ownerId, channelId, wallet } = watch;
    await store.delete(watchKey(watch));
    for (const listener of listeners) listener.watchEnding?.(watch);
    // Its owner may have been put to rest during the write.
    if (!takeBack(watch)) erase(watch);
    for (const listener of listeners) {
      listener.watchRemoved?.(watch);
      listener.channelChanged?.(channelId);
    }
    log.info({ event: 'watch.removed', guild: ownerId, channel: channelId, wallet });
  };

  const withJoined = (watch: Omit<Watch, 'joined'>, knownSinceSeconds: number): Watch => {
    // What is kept for owners that rest was seen for them.
    const others = restingByWallet.of(watch.wallet).filter(({ ownerId }) => ownerId !== watch.ownerId);
    const joined = joinedAmong(watch, knownSinceSeconds, [...byWallet.of(watch.wallet), ...others]);
    return joined === undefined ? watch : { ...watch, joined };
  };

  return {
    /** Adds a stored document, at the start. False if it is not a watch. */
    load(key: string, document: unknown): boolean {
      const parsed = watchSchema.safeParse(document);
      if (!parsed.success || watchKey(parsed.data) !== key) return false;
      insert(parsed.data);
      return true;
    },
    /** Adds the key of a watch whose document cannot be read, at the start, once all others are loaded. @returns its place if there is no watch in it */
    loadUnreadable(key: string): Pick<Watch, 'channelId' | 'wallet'> | undefined {
      const place = parseWatchKey(key);
      if (place === undefined || find(place.channelId, place.wallet) !== undefined) return undefined;
      unreadable.set(place.wallet, (unreadable.get(place.wallet) ?? new Set()).add(place.channelId));
      return place;
    },
    /**
     * Channels that watch the wallet by a document that cannot be read. It may be mended, so that nothing of the wallet and of
     * these channels is deleted for want of a watch.
     */
    unreadableChannels: (wallet: WalletAddress): ReadonlySet<string> => unreadable.get(wallet) ?? new Set(),
    /** Whether a channel has a watch that cannot be read. */
    hasUnreadable: (channelId: string) => [...unreadable.values()].some((channels) => channels.has(channelId)),
    /** Deletes watches of a channel that cannot be read. */
    async forgetUnreadable(channelId: string): Promise<void> {
      for (const wallet of [...unreadable.keys()].filter((other) => unreadable.get(other)?.has(channelId))) {
        await store.delete(QUARANTINE_PREFIX + watchKey({ channelId, wallet }));
        endUnreadable(channelId, wallet);
        tellIfUnwatched(wallet);
      }
    },
    /**
     * Stores a watch, then adds it here.
     *
     * @param knownSinceSeconds how far back the wallet's trades were read for this watch, Unix seconds; 0: to its first trade
     * @returns false if the channel watches the wallet already; nothing changes then
     */
    add(asked: Omit<Watch, 'joined'>, knownSinceSeconds = asked.sinceSeconds): Promise<boolean> {
      const { ownerId, channelId, wallet, sinceSeconds, addedBy } = asked;
      return mutex.run(watchKey(asked), async () => {
        const present = find(channelId, wallet);
        if (present !== undefined && !isLeaving(present)) return false;
        if (present !== undefined) await end(present);
        await begin([{ watch: asked, fromSeconds: sinceSeconds }], async () => {
          const watch = withJoined(asked, knownSinceSeconds);
          await store.set(watchKey(watch), watch);
          insert(watch);
        });
        log.info({ event: 'watch.added', guild: ownerId, channel: channelId, wallet, by: addedBy });
        return true;
      });
    },
    /** Stores a changed watch in place of the channel's watch of the wallet. @returns false if there is none any more */
    update(watch: Watch): Promise<boolean> {
      const { ownerId, channelId, wallet, sinceSeconds } = watch;
      return mutex.run(watchKey(watch), async () => {
        const before = find(channelId, wallet);
        if (before === undefined) return false;
        let isReplaced = false;
        const write = async () => {
          await store.set(watchKey(watch), watch);
          isReplaced = replace(before, watch);
        };
        await (sinceSeconds > before.sinceSeconds ? begin([{ watch, fromSeconds: sinceSeconds + 1 }], write) : write());
        if (isReplaced) log.info({ event: 'watch.changed', guild: ownerId, channel: channelId, wallet });
        return isReplaced;
      });
    },
    /** @returns the removed watch, undefined if there was none */
    remove(channelId: string, wallet: WalletAddress): Promise<Watch | undefined> {
      const key = watchKey({ channelId, wallet });
      return mutex.run(key, async () => {
        const watch = find(channelId, wallet);
        if (watch !== undefined) await end(watch);
        return watch;
      });
    },
    /** Removes a watch whose removal was not undone. */
    endLeaving({ channelId, wallet, leavesAtMs }: Watch): Promise<void> {
      return mutex.run(watchKey({ channelId, wallet }), async () => {
        const watch = find(channelId, wallet);
        if (watch !== undefined && isLeaving(watch) && watch.leavesAtMs === leavesAtMs) await end(watch);
      });
    },
    /** The channel's watch of a wallet; undefined also if it was removed, and that can still be undone. */
    get(channelId: string, wallet: WalletAddress): Watch | undefined {
      const watch = find(channelId, wallet);
      return watch === undefined || isLeaving(watch) ? undefined : watch;
    },
    /** The same with one that was removed, while that can be undone. The lists of watches have those, too. */
    kept: find,
    /** Removed watches, while that can be undone. */
    leaving: (): readonly Watch[] => [...leavingByOwner.keys()].flatMap(leavingByOwner.of),
    ofWallet: byWallet.of,
    ofOwner: byOwner.of,
    ofChannel: byChannel.of,
    wallets: byWallet.keys,
    owners: byOwner.keys,
    listen: (listener: RegistryListener) => void listeners.push(listener),
    /** Makes an owner's watches rest: they stay in the store, but no other method returns or counts them. New ones rest too. */
    rest(ownerId: string): void {
      resting.add(ownerId);
      for (const watch of byOwner.of(ownerId)) {
        putAside(watch);
        erase(watch);
      }
    },
    /** An owner's resting watches. */
    restingOf: restingByOwner.of,
    /** Resting watches of a wallet: what is followed for their channels is kept until they go on, or are deleted. */
    restingOfWallet: restingByWallet.of,
    /** Whether a watch needs what is stored of the wallet: one that is polled for, rests, or cannot be read. */
    isNeeded: (wallet: WalletAddress) => byWallet.has(wallet) || restingByWallet.has(wallet) || unreadable.has(wallet),
    /**
     * Ends the rest of an owner's watches: stores what `change` makes of each, runs `onStored`, then adds them here. If a step
     * fails they go on resting.
     */
    async wake(ownerId: string, change: (watch: Watch) => Watch, onStored: () => Promise<void>): Promise<void> {
      if (!resting.has(ownerId)) return;
      await mutex.runAll(restingByOwner.of(ownerId).map(watchKey), async () => {
        const begun = restingByOwner.of(ownerId).map((watch) => {
          const { joined: _, ...woken } = change(watch);
          return { watch: woken, fromSeconds: woken.sinceSeconds };
        });
        await begin(begun, async () => {
          const writes = begun.map(async ({ watch }) => {
            // What was seen for other owners during the rest is not shown to this one.
            const changed = withJoined(watch, watch.sinceSeconds);
            await store.set(watchKey(watch), changed);
            putAside(changed);
          });
          for (const write of await Promise.allSettled(writes)) if (write.status === 'rejected') throw write.reason;
          await onStored();
          const woken = restingByOwner.of(ownerId);
          for (const watch of woken) takeBack(watch);
          resting.delete(ownerId);
          for (const watch of woken) insert(watch);
        });
      });
    },
    /** Deletes an owner's resting watches; wallets that nobody else watches are removed. */
    async endResting(ownerId: string): Promise<void> {
      for (const watch of restingByOwner.of(ownerId)) {
        const { channelId, wallet } = watch;
        await store.delete(watchKey(watch));
        takeBack(watch);
        log.info({ event: 'watch.removed', guild: ownerId, channel: channelId, wallet });
        tellIfUnwatched(wallet);
      }
      resting.delete(ownerId);
    },
    /** How many watches there are, without resting ones. */
    get size() {
      return byOwner.count();
    },
    get restingSize() {
      return restingByOwner.count();
    },
    /** How many watches cannot be read. */
    get unreadableSize() {
      return [...unreadable.values()].reduce((sum, channels) => sum + channels.size, 0);
    },
  };
}

/** Watches by one of their properties, each group in the order in which they came. */
function createIndex<Key extends string>(keyOf: (watch: Watch) => Key) {
  const groups = new Map<Key, Map<string, Watch>>();
  return {
    has: (key: Key) => groups.has(key),
    keys: (): Iterable<Key> => groups.keys(),
    of: (key: Key): readonly Watch[] => [...(groups.get(key)?.values() ?? [])],
    /** @param storeKey of the watch */
    get: (key: Key, storeKey: string) => groups.get(key)?.get(storeKey),
    count: () => [...groups.values()].reduce((sum, group) => sum + group.size, 0),
    /** Adds a watch, or puts it in the place of the one with its store key. */
    set(watch: Watch): void {
      const group = groups.get(keyOf(watch)) ?? new Map<string, Watch>();
      groups.set(keyOf(watch), group.set(watchKey(watch), watch));
    },
    /** False if it was not there. */
    delete(watch: Watch): boolean {
      const group = groups.get(keyOf(watch));
      const isThere = group?.delete(watchKey(watch)) === true;
      if (group?.size === 0) groups.delete(keyOf(watch));
      return isThere;
    },
  };
}
