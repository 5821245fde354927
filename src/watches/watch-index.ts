import type { WalletAddress } from '../domain/address.ts';
import { createIndex } from '../lib/keyed-index.ts';
import { isLeaving, type Joined, joinedBy, type Watch, type WatchId, watchKey } from './watch.ts';

export type WatchIndex = ReturnType<typeof createWatchIndex>;

/**
 * Indexes watches by wallet, owner and channel. Watches of suspended owners are included, but only
 * methods that say so return or count them.
 *
 * @param listener called when the first active watch of a wallet appeared, one of several was lost,
 *   or the last one was lost
 */
export function createWatchIndex(listener: {
  readonly watched: (wallet: WalletAddress) => void;
  readonly unwatched: (wallet: WalletAddress) => void;
  /** A wallet has lost a watch, but others still watch it. */
  readonly watchersChanged: (wallet: WalletAddress) => void;
}) {
  const byWallet = createIndex(({ wallet }: Watch) => wallet);
  const byOwner = createIndex(({ ownerId }: Watch) => ownerId);
  const byChannel = createIndex(({ channelId }: Watch) => channelId);
  /** Removed watches that can still be restored, by store key. */
  const leaving = new Map<string, Watch>();
  const suspended = new Set<string>();

  const isActive = ({ ownerId }: Watch) => !suspended.has(ownerId);
  const isWatched = (wallet: WalletAddress) => byWallet.has(wallet, isActive);
  const lost = (wallet: WalletAddress) =>
    isWatched(wallet) ? listener.watchersChanged(wallet) : listener.unwatched(wallet);
  const walletsOf = (ownerId: string) => new Set(byOwner.of(ownerId).map(({ wallet }) => wallet));
  const find = (channelId: string, wallet: WalletAddress) => {
    const watch = byChannel.get(channelId, watchKey({ channelId, wallet }));
    if (watch !== undefined && isActive(watch)) return watch;
    return undefined;
  };

  return {
    /** Queries that other modules may use. */
    queries: {
      /**
       * Returns the channel's watch of a wallet; undefined also if it was removed and can still be
       * restored.
       */
      get(channelId: string, wallet: WalletAddress): Watch | undefined {
        const watch = find(channelId, wallet);
        if (watch === undefined || isLeaving(watch)) return undefined;
        return watch;
      },
      /**
       * Returns the channel's watch of a wallet, even if it was removed and can still be restored.
       * The lists of watches include such watches, too.
       */
      kept: find,
      /**
       * Counts the watches that would need a new place. A removed watch that is restored keeps its
       * place.
       */
      placesNeeded: (asked: readonly WatchId[]): number =>
        asked.filter(({ channelId, wallet }) => find(channelId, wallet) === undefined).length,
      ofWallet: (wallet: WalletAddress) => byWallet.of(wallet).filter(isActive),
      ofOwner: (ownerId: string) => byOwner.of(ownerId).filter(isActive),
      ofChannel: (channelId: string) => byChannel.of(channelId).filter(isActive),
      /** Returns the channel's removed watches that can still be restored. */
      leavingChannel(channelId: string): readonly Watch[] {
        const ofChannel = [...leaving.values()].filter((watch) => watch.channelId === channelId);
        return ofChannel.filter(isActive);
      },
      wallets: () => byWallet.keys().filter(isWatched),
      owners: () => byOwner.keys().filter((ownerId) => !suspended.has(ownerId)),
      keptOfOwner: byOwner.of,
      /**
       * Includes suspended watches. The data tracked for their channels is kept until they are
       * resumed or deleted.
       */
      keptOfWallet: byWallet.of,
    },
    isActive,
    /** True if the wallet has any watch, even a suspended one. */
    isKept: (wallet: WalletAddress) => byWallet.has(wallet),
    isWatched,
    isWatchedIn: (channelId: string) => byChannel.has(channelId, isActive),
    isSuspended: (ownerId: string) => suspended.has(ownerId),
    /** Counts the watches of suspended owners, or those of all others. */
    count: ({ isSuspended }: { readonly isSuspended: boolean }) =>
      byOwner.count((ownerId) => suspended.has(ownerId) === isSuspended),
    /** Removed watches that can still be restored. */
    leaving: () => [...leaving.values()].filter(isActive),
    /**
     * Returns when the owner's knowledge of the wallet would begin if the watch were added now.
     *
     * @param knownSinceSeconds how far back the page read for it went, in Unix seconds; 0: to the
     *   wallet's first trade
     * @returns undefined if all known records were seen for this owner
     */
    joinedNow(watch: Omit<Watch, 'joined'>, knownSinceSeconds: number): Joined | undefined {
      const isOwn = ({ ownerId }: Watch) => ownerId === watch.ownerId;
      // Records kept for other suspended owners were seen for them. Records seen for this owner
      // before its own suspension do not count.
      const isSeen = (other: Watch) => !isOwn(other) || isActive(other);
      const present = byWallet.of(watch.wallet).filter(isSeen);
      const own = present.filter(isOwn);
      if (own.length > 0) return joinedBy(own);
      if (present.length === 0) return undefined;
      return { atSeconds: watch.sinceSeconds, knownSinceSeconds };
    },
    /** Adds a watch, or replaces the channel's watch of that wallet. */
    put(watch: Watch): void {
      const key = watchKey(watch);
      const isFirst = isActive(watch) && !isWatched(watch.wallet);
      for (const index of [byWallet, byOwner, byChannel]) index.set(key, watch);
      if (isLeaving(watch)) leaving.set(key, watch);
      else leaving.delete(key);
      if (isFirst) listener.watched(watch.wallet);
    },
    erase(watch: Watch): void {
      for (const index of [byWallet, byOwner, byChannel]) index.delete(watchKey(watch), watch);
      leaving.delete(watchKey(watch));
      lost(watch.wallet);
    },
    suspend(ownerId: string): void {
      suspended.add(ownerId);
      for (const wallet of walletsOf(ownerId)) lost(wallet);
    },
    resume(ownerId: string): void {
      const unwatched = [...walletsOf(ownerId)].filter((wallet) => !isWatched(wallet));
      suspended.delete(ownerId);
      unwatched.forEach(listener.watched);
    },
  };
}
