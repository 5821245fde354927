import type { WalletAddress } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { createIndex } from '../lib/keyed-index.ts';
import type { Machine } from '../lib/machine.ts';
import { QUARANTINE_PREFIX } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import {
  announcingFrom,
  isLeaving,
  isPaused,
  type Joined,
  joinedBy,
  laterJoined,
  parseWatchKey,
  type Watch,
  watchKey,
  watchSchema,
} from './watch.ts';

/** So long a removal can be undone: the watch goes on, unseen, and its alerts wait. */
export const UNDO_MS = 600_000;

/**
 * Calls that tell the one listener of changes: in a row, each when the change holds unless it says
 * otherwise.
 */
export interface RegistryListener {
  /** The first watch of a wallet was added. */
  walletAdded?(wallet: WalletAddress): void;
  /** The last watch of a wallet was removed. */
  walletRemoved?(wallet: WalletAddress): void;
  /**
   * Watches are being added, resumed or woken: items from their `fromSeconds` on are to be
   * announced, also those that were polled before this call. The watches are stored, and known
   * here, once `store` has resolved. If this rejects, the command has failed.
   */
  beginWatches?(begun: readonly BegunWatch[], store: () => Promise<void>): Promise<void>;
  watchEnding?(watch: Watch): void;
  watchRemoved?(watch: Watch): void;
  /** A watch was edited, paused, resumed or removed in a channel. */
  channelChanged?(channelId: string): void;
}

/** A watch that announces from a time on. */
export interface BegunWatch {
  readonly watch: Omit<Watch, 'joined'>;
  /**
   * Unix seconds; one later than the second of a resume, of which items were polled during the
   * pause.
   */
  readonly fromSeconds: number;
}

type Place = Pick<Watch, 'channelId' | 'wallet'>;

export type Registry = ReturnType<typeof createRegistry>;

/**
 * All watches: in memory by wallet, by owner and by channel; in the store a document each,
 * `watch:<channel>:<wallet>`. Operations on one watch run one after the other. It is empty until
 * `load` has filled it from the store.
 */
export function createRegistry(
  { log }: Pick<Machine, 'log'>,
  store: Pick<Store, 'set' | 'delete'>,
) {
  const byWallet = createIndex(({ wallet }: Watch) => wallet);
  const byOwner = createIndex(({ ownerId }: Watch) => ownerId);
  const byChannel = createIndex(({ channelId }: Watch) => channelId);
  /** Removed ones, while that can be undone, by store key. */
  const leaving = new Map<string, Watch>();
  const resting = new Set<string>();
  /** Those whose documents cannot be read. */
  const unreadable = createIndex(({ wallet }: Place) => wallet);
  let listener: RegistryListener = {};
  /** By store key. */
  const mutex = createKeyedMutex();

  const isActive = ({ ownerId }: Watch) => !resting.has(ownerId);
  const isWatched = (wallet: WalletAddress) => byWallet.has(wallet, isActive);
  const walletsOf = (ownerId: string) => [
    ...new Set(byOwner.of(ownerId).map(({ wallet }) => wallet)),
  ];
  const find = (channelId: string, wallet: WalletAddress) => {
    const watch = byChannel.get(channelId, watchKey({ channelId, wallet }));
    return watch !== undefined && isActive(watch) ? watch : undefined;
  };

  const put = (watch: Watch) => {
    for (const index of [byWallet, byOwner, byChannel]) index.set(watchKey(watch), watch);
    if (isLeaving(watch)) leaving.set(watchKey(watch), watch);
    else leaving.delete(watchKey(watch));
  };

  const insert = (watch: Watch) => {
    unreadable.delete(watchKey(watch), watch);
    const isFirst = !isWatched(watch.wallet);
    put(watch);
    if (isFirst && isActive(watch)) listener.walletAdded?.(watch.wallet);
  };

  const tellIfUnwatched = (wallet: WalletAddress) => {
    if (!isWatched(wallet)) listener.walletRemoved?.(wallet);
  };

  const erase = (watch: Watch) => {
    for (const index of [byWallet, byOwner, byChannel]) index.delete(watchKey(watch), watch);
    leaving.delete(watchKey(watch));
    const { ownerId, channelId, wallet } = watch;
    tellIfUnwatched(wallet);
    log.info({ event: 'watch.removed', guild: ownerId, channel: channelId, wallet });
  };

  const begin = (begun: readonly BegunWatch[], write: () => Promise<void>): Promise<void> =>
    listener.beginWatches?.(begun, write) ?? write();

  /** Deletes a watch for good. Called while its key is locked. */
  const end = async (watch: Watch): Promise<void> => {
    await store.delete(watchKey(watch));
    listener.watchEnding?.(watch);
    erase(watch);
    listener.watchRemoved?.(watch);
    listener.channelChanged?.(watch.channelId);
  };

  /** Removes a watch, if it is to be removed as it stands by then. */
  const remove = (
    channelId: string,
    wallet: WalletAddress,
    isToEnd: (watch: Watch) => boolean = () => true,
  ) =>
    mutex.run(watchKey({ channelId, wallet }), async () => {
      const watch = find(channelId, wallet);
      if (watch !== undefined && isToEnd(watch)) await end(watch);
    });

  /**
   * @param knownSinceSeconds how far back the page read for it went, Unix seconds; 0: to the
   * wallet's first trade
   */
  const joinedNow = (
    watch: Omit<Watch, 'joined'>,
    knownSinceSeconds: number,
  ): Joined | undefined => {
    const isOwn = ({ ownerId }: Watch) => ownerId === watch.ownerId;
    // Records kept for owners that rest were seen for them; those seen for this one before its own
    // rest do not count.
    const present = byWallet.of(watch.wallet).filter((other) => !isOwn(other) || isActive(other));
    const own = present.filter(isOwn);
    const asFirst =
      present.length === 0 ? undefined : { atSeconds: watch.sinceSeconds, knownSinceSeconds };
    return own.length > 0 ? joinedBy(own) : asFirst;
  };

  const withJoined = (watch: Omit<Watch, 'joined'>, knownSinceSeconds: number): Watch => {
    const joined = joinedNow(watch, knownSinceSeconds);
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
    /**
     * Adds an unreadable watch's key at the start, with all others loaded. @returns its place if no
     * watch is in it
     */
    loadUnreadable(key: string): Place | undefined {
      const place = parseWatchKey(key);
      if (place === undefined || find(place.channelId, place.wallet) !== undefined)
        return undefined;
      unreadable.set(watchKey(place), place);
      return place;
    },
    /**
     * Channels whose watch of the wallet cannot be read, but may be mended: nothing of theirs is
     * deleted meanwhile.
     */
    unreadableChannels: (wallet: WalletAddress) =>
      unreadable.of(wallet).map(({ channelId }) => channelId),
    /** Deletes watches of a channel that cannot be read. */
    async forgetUnreadable(channelId: string): Promise<void> {
      for (const place of unreadable.all().filter((other) => other.channelId === channelId)) {
        await store.delete(QUARANTINE_PREFIX + watchKey(place));
        unreadable.delete(watchKey(place), place);
        tellIfUnwatched(place.wallet);
      }
    },
    /**
     * Stores a watch, then adds it here. In the place of one that was removed, while that can be
     * undone, it is an Undo with other settings.
     *
     * @param knownSinceSeconds how far back the wallet's trades were read for it, Unix seconds; 0:
     *   to its first trade
     * @returns false if the channel watches the wallet already; nothing changes then
     */
    add(asked: Omit<Watch, 'joined'>, knownSinceSeconds = asked.sinceSeconds): Promise<boolean> {
      const { ownerId, channelId, wallet, sinceSeconds, addedBy } = asked;
      return mutex.run(watchKey(asked), async () => {
        const present = find(channelId, wallet);
        if (present !== undefined && !isLeaving(present)) return false;
        await begin([{ watch: asked, fromSeconds: sinceSeconds }], async () => {
          const watch =
            present === undefined ? withJoined(asked, knownSinceSeconds) : goingOn(present, asked);
          await store.set(watchKey(watch), watch);
          insert(watch);
        });
        if (present !== undefined) listener.channelChanged?.(channelId);
        log.info({ event: 'watch.added', guild: ownerId, channel: channelId, wallet, by: addedBy });
        return true;
      });
    },
    /**
     * Stores a changed watch in place of the channel's of the wallet.
     *
     * @param seen the watch of which the change was made; left out: it is not asked
     * @returns false if there is none any more, or another than was seen
     */
    update(watch: Watch, seen?: Watch): Promise<boolean> {
      const { ownerId, channelId, wallet, sinceSeconds } = watch;
      return mutex.run(watchKey(watch), async () => {
        const before = find(channelId, wallet);
        if (before === undefined || before !== (seen ?? before)) return false;
        const write = async () => {
          await store.set(watchKey(watch), watch);
          put(watch);
          if (isActive(watch)) listener.channelChanged?.(channelId);
        };
        await (sinceSeconds > before.sinceSeconds
          ? begin([{ watch, fromSeconds: sinceSeconds + 1 }], write)
          : write());
        log.info({ event: 'watch.changed', guild: ownerId, channel: channelId, wallet });
        return true;
      });
    },
    remove,
    /** Deletes the watches whose removal cannot be undone any more. @param nowMs epoch ms */
    async endLeaving(nowMs: number): Promise<void> {
      for (const { channelId, wallet, leavesAtMs = 0 } of [...leaving.values()].filter(isActive)) {
        // Much further away than it was ever meant to be: the clock was set back.
        const isOver = leavesAtMs <= nowMs || leavesAtMs > nowMs + 2 * UNDO_MS;
        // The removal may be undone meanwhile.
        if (isOver) await remove(channelId, wallet, (watch) => watch.leavesAtMs === leavesAtMs);
      }
    },
    /**
     * The channel's watch of a wallet; undefined also if it was removed, and that can still be
     * undone.
     */
    get(channelId: string, wallet: WalletAddress): Watch | undefined {
      const watch = find(channelId, wallet);
      return watch === undefined || isLeaving(watch) ? undefined : watch;
    },
    /**
     * The channel's watch of a wallet, also one that was removed, while that can be undone. The
     * lists of watches have those, too.
     */
    kept: find,
    /**
     * Counts those of these watches that would be one more: a watch that goes on in the place of a
     * removed one has its place.
     */
    placesNeeded: (asked: readonly Pick<Watch, 'channelId' | 'wallet'>[]): number =>
      asked.filter(({ channelId, wallet }) => find(channelId, wallet) === undefined).length,
    ofWallet: (wallet: WalletAddress) => byWallet.of(wallet).filter(isActive),
    ofOwner: (ownerId: string) => byOwner.of(ownerId).filter(isActive),
    ofChannel: (channelId: string) => byChannel.of(channelId).filter(isActive),
    /** Those of the channel that were removed, while that can be undone. */
    leavingChannel: (channelId: string) =>
      [...leaving.values()].filter((watch) => watch.channelId === channelId && isActive(watch)),
    wallets: () => byWallet.keys().filter(isWatched),
    owners: () => byOwner.keys().filter((ownerId) => !resting.has(ownerId)),
    listen(given: RegistryListener): void {
      listener = given;
    },
    /**
     * Rests an owner's watches: they stay stored, but no other method returns or counts them. New
     * ones rest too.
     */
    rest(ownerId: string): void {
      resting.add(ownerId);
      for (const wallet of walletsOf(ownerId)) tellIfUnwatched(wallet);
    },
    keptOfOwner: byOwner.of,
    /**
     * With those that rest: what is followed for their channels is kept until they go on, or are
     * deleted.
     */
    keptOfWallet: byWallet.of,
    /**
     * True if a watch needs the wallet's documents: one that is polled for, rests, or cannot be
     * read.
     */
    isNeeded: (wallet: WalletAddress) => byWallet.has(wallet) || unreadable.has(wallet),
    /** True if a watch needs the alerts that wait for the channel: it does not rest, or is unread. */
    isChannelNeeded: (channelId: string) =>
      byChannel.has(channelId, isActive) ||
      unreadable.all().some((place) => place.channelId === channelId),
    /**
     * Ends the rest of an owner's watches: stores each, with nothing announced that happened before
     * then, runs `onStored`, then adds them here. If a step fails they go on resting. @param
     * fromSeconds Unix seconds
     */
    async wake(ownerId: string, fromSeconds: number, onStored: () => Promise<void>): Promise<void> {
      if (!resting.has(ownerId)) return;
      await mutex.runAll(byOwner.of(ownerId).map(watchKey), async () => {
        const begun = byOwner.of(ownerId).map((watch) => {
          const woken = announcingFrom(watch, fromSeconds);
          return { watch: woken, fromSeconds: woken.sinceSeconds };
        });
        await begin(begun, async () => {
          const writes = begun.map(async ({ watch }) => {
            // Records that were seen for other owners before it came, or during its rest, are not
            // shown to this one.
            const joined = laterJoined(watch.joined, joinedNow(watch, watch.sinceSeconds));
            const changed: Watch = joined === undefined ? watch : { ...watch, joined };
            await store.set(watchKey(watch), changed);
            put(changed);
          });
          for (const write of await Promise.allSettled(writes))
            if (write.status === 'rejected') throw write.reason;
          await onStored();
          const unwatched = walletsOf(ownerId).filter((wallet) => !isWatched(wallet));
          resting.delete(ownerId);
          for (const wallet of unwatched) listener.walletAdded?.(wallet);
        });
      });
    },
    /** Deletes an owner's resting watches; wallets that nobody else watches are removed. */
    async endResting(ownerId: string): Promise<void> {
      for (const watch of byOwner.of(ownerId).filter((one) => !isActive(one))) {
        // A change that began before the rest may be under way.
        await mutex.run(watchKey(watch), async () => {
          await store.delete(watchKey(watch));
          erase(watch);
        });
      }
      resting.delete(ownerId);
    },
    /** Count of the watches, without resting ones. */
    get size() {
      return byOwner.count((ownerId) => !resting.has(ownerId));
    },
    get restingSize() {
      return byOwner.count((ownerId) => resting.has(ownerId));
    },
    unreadableSize: () => unreadable.count(() => true),
  };
}

/**
 * A removed watch that goes on as another is asked for. Records of a time when it was paused are
 * not announced.
 */
function goingOn(removed: Watch, asked: Omit<Watch, 'joined'>): Watch {
  const { leavesAtMs: _, ...present } = removed;
  const { label, settings, pause, addedBy, sinceSeconds } = asked;
  const isResumed = isPaused(present, sinceSeconds) && !isPaused(asked, sinceSeconds);
  const watch = isResumed ? announcingFrom(present, sinceSeconds) : present;
  const knownIdentities = isResumed ? asked.knownIdentities : present.knownIdentities;
  return { ...watch, knownIdentities, label, settings, pause, addedBy };
}
