import type { WalletAddress } from '../domain/address.ts';
import { createIndex } from '../lib/keyed-index.ts';
import { isLeaving, type Joined, joinedBy, type Watch, watchKey } from './watch.ts';

export type Place = Pick<Watch, 'channelId' | 'wallet'>;
export type WatchIndex = ReturnType<typeof createWatchIndex>;

/**
 * Watches by wallet, by owner and by channel. Those of an owner that rests are in it, but only what
 * says so returns or counts them.
 *
 * @param told called with a wallet when its first watch is there that does not rest, when it has
 *   lost one, and when none is left
 */
export function createWatchIndex(told: {
  readonly watched: (wallet: WalletAddress) => void;
  readonly unwatched: (wallet: WalletAddress) => void;
  /** A wallet that others go on watching has lost a watch. */
  readonly watchersChanged: (wallet: WalletAddress) => void;
}) {
  const byWallet = createIndex(({ wallet }: Watch) => wallet);
  const byOwner = createIndex(({ ownerId }: Watch) => ownerId);
  const byChannel = createIndex(({ channelId }: Watch) => channelId);
  /** Removed ones, while that can be undone, by store key. */
  const leaving = new Map<string, Watch>();
  const resting = new Set<string>();

  const isActive = ({ ownerId }: Watch) => !resting.has(ownerId);
  const isWatched = (wallet: WalletAddress) => byWallet.has(wallet, isActive);
  const lost = (wallet: WalletAddress) =>
    isWatched(wallet) ? told.watchersChanged(wallet) : told.unwatched(wallet);
  const walletsOf = (ownerId: string) => new Set(byOwner.of(ownerId).map(({ wallet }) => wallet));
  const find = (channelId: string, wallet: WalletAddress) => {
    const watch = byChannel.get(channelId, watchKey({ channelId, wallet }));
    if (watch !== undefined && isActive(watch)) return watch;
    return undefined;
  };

  return {
    /** Questions of others about the watches. */
    queries: {
      /**
       * The channel's watch of a wallet; undefined also if it was removed, and that can still be
       * undone.
       */
      get(channelId: string, wallet: WalletAddress): Watch | undefined {
        const watch = find(channelId, wallet);
        if (watch === undefined || isLeaving(watch)) return undefined;
        return watch;
      },
      /**
       * The channel's watch of a wallet, also one that was removed, while that can be undone. The
       * lists of watches have those, too.
       */
      kept: find,
      /**
       * Counts those of these watches that would be one more: a watch that goes on in the place of
       * a removed one has its place.
       */
      placesNeeded: (asked: readonly Place[]): number =>
        asked.filter(({ channelId, wallet }) => find(channelId, wallet) === undefined).length,
      ofWallet: (wallet: WalletAddress) => byWallet.of(wallet).filter(isActive),
      ofOwner: (ownerId: string) => byOwner.of(ownerId).filter(isActive),
      ofChannel: (channelId: string) => byChannel.of(channelId).filter(isActive),
      /** Those of the channel that were removed, while that can be undone. */
      leavingChannel(channelId: string): readonly Watch[] {
        const ofChannel = [...leaving.values()].filter((watch) => watch.channelId === channelId);
        return ofChannel.filter(isActive);
      },
      wallets: () => byWallet.keys().filter(isWatched),
      owners: () => byOwner.keys().filter((ownerId) => !resting.has(ownerId)),
      keptOfOwner: byOwner.of,
      /**
       * With those that rest: what is followed for their channels is kept until they go on, or are
       * deleted.
       */
      keptOfWallet: byWallet.of,
    },
    isActive,
    /** True if a watch of the wallet is there, be it one that rests. */
    isKept: (wallet: WalletAddress) => byWallet.has(wallet),
    isWatched,
    isWatchedIn: (channelId: string) => byChannel.has(channelId, isActive),
    isResting: (ownerId: string) => resting.has(ownerId),
    /** Count of the watches of owners that rest, or of the others. */
    count: ({ isResting }: { readonly isResting: boolean }) =>
      byOwner.count((ownerId) => resting.has(ownerId) === isResting),
    /** Those that were removed while that can be undone. */
    leaving: () => [...leaving.values()].filter(isActive),
    /**
     * Beginning of the owner's knowledge of the wallet, were the watch added now.
     *
     * @param knownSinceSeconds how far back the page read for it went, Unix seconds; 0: to the
     *   wallet's first trade
     * @returns undefined if all that is known was seen for this owner
     */
    joinedNow(watch: Omit<Watch, 'joined'>, knownSinceSeconds: number): Joined | undefined {
      const isOwn = ({ ownerId }: Watch) => ownerId === watch.ownerId;
      // Records kept for owners that rest were seen for them; those seen for this one before its
      // own rest do not count.
      const isSeen = (other: Watch) => !isOwn(other) || isActive(other);
      const present = byWallet.of(watch.wallet).filter(isSeen);
      const own = present.filter(isOwn);
      if (own.length > 0) return joinedBy(own);
      if (present.length === 0) return undefined;
      return { atSeconds: watch.sinceSeconds, knownSinceSeconds };
    },
    /** Adds a watch, or puts it in the place of the channel's of the wallet. */
    put(watch: Watch): void {
      const key = watchKey(watch);
      const isFirst = isActive(watch) && !isWatched(watch.wallet);
      for (const index of [byWallet, byOwner, byChannel]) index.set(key, watch);
      if (isLeaving(watch)) leaving.set(key, watch);
      else leaving.delete(key);
      if (isFirst) told.watched(watch.wallet);
    },
    erase(watch: Watch): void {
      for (const index of [byWallet, byOwner, byChannel]) index.delete(watchKey(watch), watch);
      leaving.delete(watchKey(watch));
      lost(watch.wallet);
    },
    rest(ownerId: string): void {
      resting.add(ownerId);
      for (const wallet of walletsOf(ownerId)) lost(wallet);
    },
    endRest(ownerId: string): void {
      const unwatched = [...walletsOf(ownerId)].filter((wallet) => !isWatched(wallet));
      resting.delete(ownerId);
      unwatched.forEach(told.watched);
    },
  };
}
