import type { WalletAddress } from '../domain/address.ts';
import { createIndex } from '../lib/keyed-index.ts';
import { QUARANTINE_PREFIX } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import { parseWatchKey, type Watch, watchKey } from './watch.ts';
import type { Place, WatchIndex } from './watch-index.ts';

/**
 * Watches whose documents cannot be read, but may be mended: nothing that they need is deleted
 * meanwhile.
 *
 * @param unwatched called with a wallet that has lost one, and that nobody watches
 */
export function createUnreadable(
  store: Pick<Store, 'delete'>,
  index: WatchIndex,
  unwatched: (wallet: WalletAddress) => void,
) {
  const places = createIndex(({ wallet }: Place) => wallet);
  const { kept } = index.queries;
  const placesIn = (channelId: string) =>
    places.all().filter((place) => place.channelId === channelId);
  return {
    /** A watch that can be read is in the place. */
    replace: (watch: Watch) => places.delete(watchKey(watch), watch),
    methods: {
      /**
       * Adds an unreadable watch's key at the start, with all others loaded.
       *
       * @returns its place if no watch is in it
       */
      loadUnreadable(key: string): Place | undefined {
        const place = parseWatchKey(key);
        if (place === undefined || kept(place.channelId, place.wallet) !== undefined) {
          return undefined;
        }
        places.set(watchKey(place), place);
        return place;
      },
      /** Deletes watches of a channel that cannot be read. */
      async forgetUnreadable(channelId: string): Promise<void> {
        for (const place of placesIn(channelId)) {
          await store.delete(QUARANTINE_PREFIX + watchKey(place));
          places.delete(watchKey(place), place);
          if (!index.isWatched(place.wallet)) unwatched(place.wallet);
        }
      },
      /** Channels whose watch of the wallet cannot be read. */
      unreadableChannels: (wallet: WalletAddress) =>
        places.of(wallet).map(({ channelId }) => channelId),
      /** Wallets of which the channel's watch cannot be read. */
      unreadableIn: (channelId: string) => placesIn(channelId).map(({ wallet }) => wallet),
      unreadableSize: () => places.count(() => true),
      /**
       * True if a watch needs the wallet's documents: one that is polled for, rests, or cannot be
       * read.
       */
      isNeeded: (wallet: WalletAddress) => index.isKept(wallet) || places.has(wallet),
      /**
       * True if a watch needs the alerts that wait for the channel: it does not rest, or is unread.
       */
      isChannelNeeded: (channelId: string) =>
        index.isWatchedIn(channelId) || placesIn(channelId).length > 0,
    },
  };
}
