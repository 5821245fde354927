import type { WalletAddress } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import type { Store } from '../store/store.ts';
import { changeOf } from './changes.ts';
import { createUnreadable } from './unreadable-watches.ts';
import {
  announcingFrom,
  isLeaving,
  isPaused,
  laterJoined,
  type Watch,
  watchKey,
  watchSchema,
} from './watch.ts';
import { createWatchIndex, type WatchIndex } from './watch-index.ts';

/**
 * Time within which a removal can be undone, in ms. Until then the watch continues unseen, and its
 * alerts wait.
 */
export const UNDO_MS = 600_000;

/**
 * Callbacks of the registry's one listener, called one after the other. Each is called after the
 * change has been stored, unless it says otherwise.
 */
interface RegistryListener {
  /** The first watch of a wallet was added. */
  walletAdded?(wallet: WalletAddress): void;
  /** The last watch of a wallet was removed. */
  walletRemoved?(wallet: WalletAddress): void;
  /** A watch was removed or suspended whose wallet others still watch. */
  watchersChanged?(wallet: WalletAddress): void;
  /**
   * Watches are being added, resumed or woken. Items from their `fromSeconds` on are to be
   * announced, including those polled before this call. The watches are stored, and in the
   * registry, once `store` has resolved. If this rejects, the command has failed.
   */
  beginWatches?(begun: readonly BegunWatch[], store: () => Promise<void>): Promise<void>;
  watchEnding?(watch: Watch): void;
  watchRemoved?(watch: Watch): void;
  /** A watch was edited, paused, resumed or removed in a channel. */
  channelChanged?(channelId: string): void;
}

/** A watch that announces from a given time on. */
export interface BegunWatch {
  readonly watch: Omit<Watch, 'joined'>;
  /**
   * Unix seconds. For a resumed watch it is the second after the resume, because items of that
   * second were polled during the pause.
   */
  readonly fromSeconds: number;
}

export type Registry = ReturnType<typeof createRegistry>;

/**
 * All watches: in memory by wallet, owner and channel; in the store one document each,
 * `watch:<channel>:<wallet>`. Operations on one watch run one after the other. The registry is
 * empty until `load` has filled it from the store.
 */
export function createRegistry({ log }: Machine, store: Pick<Store, 'set' | 'delete'>) {
  let listener: RegistryListener = {};
  const index = createWatchIndex({
    watched: (wallet) => listener.walletAdded?.(wallet),
    unwatched: (wallet) => listener.walletRemoved?.(wallet),
    watchersChanged: (wallet) => listener.watchersChanged?.(wallet),
  });
  const { kept } = index.queries;
  /** By store key. */
  const mutex = createKeyedMutex();
  const unreadable = createUnreadable(store, index, (wallet) => listener.walletRemoved?.(wallet));

  const insert = (watch: Watch) => {
    unreadable.replace(watch);
    index.put(watch);
  };

  const erase = (watch: Watch) => {
    const { ownerId, channelId, wallet } = watch;
    index.erase(watch);
    log.info({ event: 'watch.removed', guild: ownerId, channel: channelId, wallet });
  };

  const begin = (begun: readonly BegunWatch[], write: () => Promise<void>): Promise<void> =>
    listener.beginWatches?.(begun, write) ?? write();

  /** Deletes a watch permanently. The caller holds the lock of its key. */
  const end = async (watch: Watch): Promise<void> => {
    await store.delete(watchKey(watch));
    listener.watchEnding?.(watch);
    erase(watch);
    listener.watchRemoved?.(watch);
    listener.channelChanged?.(watch.channelId);
  };

  /** Removes a watch if `isToEnd` holds for it at that time. */
  const remove = (
    channelId: string,
    wallet: WalletAddress,
    isToEnd: (watch: Watch) => boolean = () => true,
  ) =>
    mutex.run(watchKey({ channelId, wallet }), async () => {
      const watch = kept(channelId, wallet);
      if (watch !== undefined && isToEnd(watch)) await end(watch);
    });

  return {
    ...index.queries,
    ...unreadable.methods,
    ...createWatchSuspension({ store, index, mutex, begin, erase }),
    /** Loads a stored document at startup. Returns false if it is not a valid watch. */
    load(key: string, document: unknown): boolean {
      const parsed = watchSchema.safeParse(document);
      if (!parsed.success || watchKey(parsed.data) !== key) return false;
      insert(parsed.data);
      return true;
    },
    /**
     * Stores a watch, then adds it to the registry. If the channel's earlier watch of the wallet
     * was removed and can still be restored, it is restored with the new settings.
     *
     * @param knownSinceSeconds how far back the wallet's trades were read for it, in Unix seconds;
     *   0: to its first trade
     * @returns false if the channel already watches the wallet; then nothing changes
     */
    add(asked: Omit<Watch, 'joined'>, knownSinceSeconds = asked.sinceSeconds): Promise<boolean> {
      const { ownerId, channelId, wallet, sinceSeconds, addedBy } = asked;
      return mutex.run(watchKey(asked), async () => {
        const present = kept(channelId, wallet);
        if (present !== undefined && !isLeaving(present)) return false;
        await begin([{ watch: asked, fromSeconds: sinceSeconds }], async () => {
          const joined = index.joinedNow(asked, knownSinceSeconds);
          const watch = present === undefined ? withJoined(asked, joined) : goingOn(present, asked);
          await store.set(watchKey(watch), watch);
          insert(watch);
        });
        if (present !== undefined) listener.channelChanged?.(channelId);
        log.info({ event: 'watch.added', guild: ownerId, channel: channelId, wallet, by: addedBy });
        return true;
      });
    },
    /**
     * Stores a changed watch in place of the channel's present watch of the wallet.
     *
     * @param by id of the person who made the change; null if no person did
     * @param seen the watch on which the change is based; not checked if left out
     * @returns false if the watch no longer exists or is not the one that was seen
     */
    update(watch: Watch, by: string | null, seen?: Watch): Promise<boolean> {
      const { ownerId, channelId, wallet, sinceSeconds } = watch;
      return mutex.run(watchKey(watch), async () => {
        const before = kept(channelId, wallet);
        if (before === undefined || before !== (seen ?? before)) return false;
        const write = async () => {
          await store.set(watchKey(watch), watch);
          index.put(watch);
          if (index.isActive(watch)) listener.channelChanged?.(channelId);
        };
        if (sinceSeconds <= before.sinceSeconds) await write();
        else await begin([{ watch, fromSeconds: sinceSeconds + 1 }], write);
        const deed = changeOf(before, watch)?.deed;
        log.info({ event: 'watch.changed', guild: ownerId, channel: channelId, wallet, deed, by });
        return true;
      });
    },
    remove,
    /** Removes a person's id from an owner's watches that the person added; the watches stay. */
    async forgetAdder(ownerId: string, personId: string): Promise<void> {
      const added = index.queries.keptOfOwner(ownerId).filter((one) => one.addedBy === personId);
      for (const { channelId, wallet } of added) {
        await mutex.run(watchKey({ channelId, wallet }), async () => {
          const watch = kept(channelId, wallet);
          if (watch?.addedBy !== personId) return;
          const changed = { ...watch, addedBy: null };
          await store.set(watchKey(watch), changed);
          index.put(changed);
        });
      }
    },
    /**
     * Deletes removed watches that can no longer be restored.
     *
     * @param nowMs epoch ms
     * @param isKnown whether a wallet's document has been read; needed because the removal of a
     *   ranked wallet is counted
     */
    async endLeaving(nowMs: number, isKnown: (wallet: WalletAddress) => boolean): Promise<void> {
      for (const { channelId, wallet, leavesAtMs = 0 } of index.leaving()) {
        // The removal may have been undone before the lock is acquired.
        if (isKnown(wallet) && !canBeUndone(leavesAtMs, nowMs)) {
          await remove(channelId, wallet, (watch) => watch.leavesAtMs === leavesAtMs);
        }
      }
    },
    listen(given: RegistryListener): void {
      listener = given;
    },
    /** Number of watches, without suspended ones. */
    get size() {
      return index.count({ isSuspended: false });
    },
    get suspendedSize() {
      return index.count({ isSuspended: true });
    },
  };
}

/** Suspends owners: their watches stay stored, but nothing is polled or announced for them. */
function createWatchSuspension(parts: {
  readonly store: Pick<Store, 'set' | 'delete'>;
  readonly index: WatchIndex;
  readonly mutex: ReturnType<typeof createKeyedMutex>;
  readonly begin: (begun: readonly BegunWatch[], write: () => Promise<void>) => Promise<void>;
  readonly erase: (watch: Watch) => void;
}) {
  const { store, index, mutex, begin, erase } = parts;
  const { keptOfOwner } = index.queries;

  /**
   * Stores a watch that is being resumed after a suspension. Records seen for other owners before
   * its start, or while it was suspended, are not shown to its channel.
   */
  const resumeOne = async (watch: Watch): Promise<void> => {
    const joined = laterJoined(watch.joined, index.joinedNow(watch, watch.sinceSeconds));
    const changed = withJoined(watch, joined);
    await store.set(watchKey(watch), changed);
    index.put(changed);
  };

  return {
    /**
     * Suspends an owner's watches: they stay stored, but no other method returns or counts them.
     * New watches of the owner are suspended too.
     */
    suspend: index.suspend,
    /**
     * Ends the suspension of an owner: stores each watch so that nothing earlier is announced, runs
     * `onStored`, then activates them. If a step fails, they stay suspended.
     *
     * @param fromSeconds Unix seconds
     */
    async resume(
      ownerId: string,
      fromSeconds: number,
      onStored: () => Promise<void>,
    ): Promise<void> {
      if (!index.isSuspended(ownerId)) return;
      await mutex.runAll(keptOfOwner(ownerId).map(watchKey), async () => {
        const resumed = keptOfOwner(ownerId).map((watch) => announcingFrom(watch, fromSeconds));
        const begun = resumed.map((watch) => ({ watch, fromSeconds: watch.sinceSeconds }));
        await begin(begun, async () => {
          for (const write of await Promise.allSettled(resumed.map(resumeOne))) {
            if (write.status === 'rejected') throw write.reason;
          }
          await onStored();
          index.resume(ownerId);
        });
      });
    },
    /** Deletes an owner's suspended watches, and wallets that no other watch needs. */
    async deleteSuspended(ownerId: string): Promise<void> {
      for (const watch of keptOfOwner(ownerId).filter((one) => !index.isActive(one))) {
        // A change that began before the suspension may still be running.
        await mutex.run(watchKey(watch), async () => {
          await store.delete(watchKey(watch));
          erase(watch);
        });
      }
      index.resume(ownerId);
    },
  };
}

function canBeUndone(leavesAtMs: number, nowMs: number): boolean {
  // A time further away than any removal sets means that the clock was set back.
  return nowMs < leavesAtMs && leavesAtMs <= nowMs + 2 * UNDO_MS;
}

function withJoined(watch: Omit<Watch, 'joined'>, joined: Watch['joined']): Watch {
  return joined === undefined ? watch : { ...watch, joined };
}

/**
 * Combines a removed watch with a request to add it again. Records from a time when it was paused
 * are not announced.
 */
function goingOn(removed: Watch, asked: Omit<Watch, 'joined'>): Watch {
  const { leavesAtMs: _, ...present } = removed;
  const { label, settings, pause, addedBy, sinceSeconds } = asked;
  const isResumed = isPaused(present, sinceSeconds) && !isPaused(asked, sinceSeconds);
  const watch = isResumed ? announcingFrom(present, sinceSeconds) : present;
  const knownIdentities = isResumed ? asked.knownIdentities : present.knownIdentities;
  return {
    ...watch,
    knownIdentities,
    label,
    settings,
    pause,
    addedBy,
  };
}
