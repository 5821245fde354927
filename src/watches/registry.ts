import type { WalletAddress } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import { QUARANTINE_PREFIX, type Store } from '../store/store.ts';
import { joinedBy } from './known-since.ts';
import { announcingFrom, isLeaving, parseWatchKey, type Watch, watchKey, watchSchema } from './watch.ts';

/** What is told of changes; called in a row, each when the change holds unless it says otherwise. */
export interface RegistryListener {
  /** The first watch of a wallet was added. */
  walletAdded?(wallet: WalletAddress): void;
  /** The last watch of a wallet was removed. */
  walletRemoved?(wallet: WalletAddress): void;
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

/** A channel watches a wallet once. */
type Place = Pick<Watch, 'channelId' | 'wallet'>;

export type Registry = ReturnType<typeof createRegistry>;

/**
 * All watches: in memory by wallet, by owner and by channel; in the store a document each, `watch:<channel>:<wallet>`.
 * Operations on one watch run one after the other. It is empty until `load` has filled it from the store.
 */
export function createRegistry({ log }: Pick<Machine, 'log'>, store: Pick<Store, 'set' | 'delete'>) {
  const byWallet = createIndex(({ wallet }: Watch) => wallet);
  const byOwner = createIndex(({ ownerId }: Watch) => ownerId);
  const byChannel = createIndex(({ channelId }: Watch) => channelId);
  /** Removed ones, while that can be undone. */
  const leaving = createIndex((_watch: Watch) => '');
  /** Owners whose watches rest. */
  const resting = new Set<string>();
  /** Those whose documents cannot be read. */
  const unreadable = createIndex(({ wallet }: Place) => wallet);
  let listener: RegistryListener = {};
  /** By store key. */
  const mutex = createKeyedMutex();

  const rests = ({ ownerId }: Watch) => resting.has(ownerId);
  const isActive = (watch: Watch) => !rests(watch);
  const isWatched = (wallet: WalletAddress) => byWallet.has(wallet, isActive);
  const walletsOf = (ownerId: string) => [...new Set(byOwner.of(ownerId).map(({ wallet }) => wallet))];
  const found = (channelId: string, wallet: WalletAddress) => byChannel.get(channelId, watchKey({ channelId, wallet }));
  const find = (channelId: string, wallet: WalletAddress) => {
    const watch = found(channelId, wallet);
    return watch === undefined || rests(watch) ? undefined : watch;
  };

  /** Adds a watch, or puts it in the place of the one before. */
  const put = (watch: Watch) => {
    for (const index of [byWallet, byOwner, byChannel]) index.set(watch);
    if (isLeaving(watch)) leaving.set(watch);
    else leaving.delete(watch);
  };

  const insert = (watch: Watch) => {
    unreadable.delete(watch);
    const isFirst = !isWatched(watch.wallet);
    put(watch);
    if (isFirst && isActive(watch)) listener.walletAdded?.(watch.wallet);
  };

  const tellIfUnwatched = (wallet: WalletAddress) => {
    if (!isWatched(wallet)) listener.walletRemoved?.(wallet);
  };

  const erase = (watch: Watch) => {
    for (const index of [byWallet, byOwner, byChannel, leaving]) index.delete(watch);
    tellIfUnwatched(watch.wallet);
  };

  /** Lets the listener do its part, and stores the watches. */
  const begin = (begun: readonly BegunWatch[], write: () => Promise<void>): Promise<void> =>
    listener.beginWatches?.(begun, write) ?? write();

  /** Deletes a watch for good. Called while its key is locked. */
  const end = async (watch: Watch): Promise<void> => {
    const { ownerId, channelId, wallet } = watch;
    await store.delete(watchKey(watch));
    listener.watchEnding?.(watch);
    erase(watch);
    listener.watchRemoved?.(watch);
    listener.channelChanged?.(channelId);
    log.info({ event: 'watch.removed', guild: ownerId, channel: channelId, wallet });
  };

  /** @param knownSinceSeconds how far back the page went that was read for it, Unix seconds; 0: to the wallet's first trade */
  const withJoined = (watch: Omit<Watch, 'joined'>, knownSinceSeconds: number): Watch => {
    const isOwn = ({ ownerId }: Watch) => ownerId === watch.ownerId;
    // What is kept for owners that rest was seen for them; what was for this one before its own rest does not count.
    const present = byWallet.of(watch.wallet).filter((other) => !isOwn(other) || isActive(other));
    const own = present.filter(isOwn);
    const asFirst = present.length === 0 ? undefined : { atSeconds: watch.sinceSeconds, knownSinceSeconds };
    const joined = own.length > 0 ? joinedBy(own) : asFirst;
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
    loadUnreadable(key: string): Place | undefined {
      const place = parseWatchKey(key);
      if (place === undefined || find(place.channelId, place.wallet) !== undefined) return undefined;
      unreadable.set(place);
      return place;
    },
    /**
     * Channels that watch the wallet by a document that cannot be read. It may be mended, so that nothing of the wallet and of
     * these channels is deleted for want of a watch.
     */
    unreadableChannels: (wallet: WalletAddress) => unreadable.of(wallet).map(({ channelId }) => channelId),
    /** Whether a channel has a watch that cannot be read. */
    hasUnreadable: (channelId: string) => unreadable.all().some((place) => place.channelId === channelId),
    /** Deletes watches of a channel that cannot be read. */
    async forgetUnreadable(channelId: string): Promise<void> {
      for (const place of unreadable.all().filter((other) => other.channelId === channelId)) {
        await store.delete(QUARANTINE_PREFIX + watchKey(place));
        unreadable.delete(place);
        tellIfUnwatched(place.wallet);
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
          // It may have been deleted with its owner's rest while the write was under way.
          isReplaced = found(channelId, wallet) === before;
          if (!isReplaced) return;
          put(watch);
          if (isActive(watch)) listener.channelChanged?.(channelId);
        };
        await (sinceSeconds > before.sinceSeconds ? begin([{ watch, fromSeconds: sinceSeconds + 1 }], write) : write());
        if (isReplaced) log.info({ event: 'watch.changed', guild: ownerId, channel: channelId, wallet });
        return isReplaced;
      });
    },
    /** Removes a watch, if it is to be removed as it stands by then. */
    remove: (channelId: string, wallet: WalletAddress, isToEnd: (watch: Watch) => boolean = () => true) =>
      mutex.run(watchKey({ channelId, wallet }), async () => {
        const watch = find(channelId, wallet);
        if (watch !== undefined && isToEnd(watch)) await end(watch);
      }),
    /** The channel's watch of a wallet; undefined also if it was removed, and that can still be undone. */
    get(channelId: string, wallet: WalletAddress): Watch | undefined {
      const watch = find(channelId, wallet);
      return watch === undefined || isLeaving(watch) ? undefined : watch;
    },
    /** The same with one that was removed, while that can be undone. The lists of watches have those, too. */
    kept: find,
    /** Removed watches, while that can be undone. */
    leaving: () => leaving.all().filter(isActive),
    ofWallet: (wallet: WalletAddress) => byWallet.of(wallet).filter(isActive),
    ofOwner: (ownerId: string) => byOwner.of(ownerId).filter(isActive),
    ofChannel: (channelId: string) => byChannel.of(channelId).filter(isActive),
    wallets: () => byWallet.keys().filter(isWatched),
    owners: () => byOwner.keys().filter((ownerId) => !resting.has(ownerId)),
    /** There is one listener. */
    listen(given: RegistryListener): void {
      listener = given;
    },
    /** Makes an owner's watches rest: they stay in the store, but no other method returns or counts them. New ones rest too. */
    rest(ownerId: string): void {
      resting.add(ownerId);
      for (const wallet of walletsOf(ownerId)) tellIfUnwatched(wallet);
    },
    /** An owner's resting watches. */
    restingOf: (ownerId: string) => byOwner.of(ownerId).filter(rests),
    /** Resting watches of a wallet: what is followed for their channels is kept until they go on, or are deleted. */
    restingOfWallet: (wallet: WalletAddress) => byWallet.of(wallet).filter(rests),
    /** Whether a watch needs what is stored of the wallet: one that is polled for, rests, or cannot be read. */
    isNeeded: (wallet: WalletAddress) => byWallet.has(wallet) || unreadable.has(wallet),
    /**
     * Ends the rest of an owner's watches: stores each, with nothing announced that happened before then, runs `onStored`, then adds
     * them here. If a step fails they go on resting. @param fromSeconds Unix seconds
     */
    async wake(ownerId: string, fromSeconds: number, onStored: () => Promise<void>): Promise<void> {
      if (!resting.has(ownerId)) return;
      await mutex.runAll(byOwner.of(ownerId).map(watchKey), async () => {
        const begun = byOwner.of(ownerId).map((watch) => {
          const { joined: _, ...woken } = announcingFrom(watch, fromSeconds);
          return { watch: woken, fromSeconds: woken.sinceSeconds };
        });
        await begin(begun, async () => {
          const writes = begun.map(async ({ watch }) => {
            // What was seen for other owners during the rest is not shown to this one.
            const changed = withJoined(watch, watch.sinceSeconds);
            await store.set(watchKey(watch), changed);
            put(changed);
          });
          for (const write of await Promise.allSettled(writes)) if (write.status === 'rejected') throw write.reason;
          await onStored();
          const unwatched = walletsOf(ownerId).filter((wallet) => !isWatched(wallet));
          resting.delete(ownerId);
          for (const wallet of unwatched) listener.walletAdded?.(wallet);
        });
      });
    },
    /** Deletes an owner's resting watches; wallets that nobody else watches are removed. */
    async endResting(ownerId: string): Promise<void> {
      for (const watch of byOwner.of(ownerId).filter(rests)) {
        const { channelId, wallet } = watch;
        await store.delete(watchKey(watch));
        erase(watch);
        log.info({ event: 'watch.removed', guild: ownerId, channel: channelId, wallet });
      }
      resting.delete(ownerId);
    },
    /** How many watches there are, without resting ones. */
    get size() {
      return byOwner.count((ownerId) => !resting.has(ownerId));
    },
    get restingSize() {
      return byOwner.count((ownerId) => resting.has(ownerId));
    },
    /** How many watches cannot be read. */
    get unreadableSize() {
      return unreadable.count(() => true);
    },
  };
}

/** Watches by one of their properties, each group in the order in which they came. */
function createIndex<Item extends Place, Key extends string>(keyOf: (watch: Item) => Key) {
  const groups = new Map<Key, Map<string, Item>>();
  return {
    /** Looks no further than to the first that is meant: thousands may watch one wallet. */
    has(key: Key, isMeant: (item: Item) => boolean = () => true): boolean {
      for (const item of groups.get(key)?.values() ?? []) if (isMeant(item)) return true;
      return false;
    },
    keys: () => [...groups.keys()],
    of: (key: Key) => [...(groups.get(key)?.values() ?? [])],
    all: () => [...groups.values()].flatMap((group) => [...group.values()]),
    count: (isMeant: (key: Key) => boolean) =>
      [...groups].reduce((sum, [key, { size }]) => sum + (isMeant(key) ? size : 0), 0),
    /** @param storeKey of the watch */
    get: (key: Key, storeKey: string) => groups.get(key)?.get(storeKey),
    /** Adds a watch, or puts it in the place of the one with its store key. */
    set(watch: Item): void {
      const group = groups.get(keyOf(watch)) ?? new Map<string, Item>();
      groups.set(keyOf(watch), group.set(watchKey(watch), watch));
    },
    delete(watch: Item): void {
      const group = groups.get(keyOf(watch));
      group?.delete(watchKey(watch));
      if (group?.size === 0) groups.delete(keyOf(watch));
    },
  };
}
