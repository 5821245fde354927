import type { WalletAddress } from '../domain/address.ts';
import { createIndex } from '../lib/keyed-index.ts';
import { QUARANTINE_PREFIX } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import { parseWatchKey, type Watch, type WatchId, watchKey } from './watch.ts';
import type { WatchIndex } from './watch-index.ts';

/**
 * Tracks watches whose documents cannot be read but may be repaired. Until then nothing that they
 * need is deleted.
 *
 * @param unwatched called with a wallet whose unreadable watch was deleted and that no other watch
 *   needs
 */
export function createUnreadable(
  store: Pick<Store, 'delete'>,
  index: WatchIndex,
  unwatched: (wallet: WalletAddress) => void,
) {
  const places = createIndex(({ wallet }: WatchId) => wallet);
  const { kept } = index.queries;
  const placesIn = (channelId: string) =>
    places.all().filter((place) => place.channelId === channelId);
  return {
    /** Call it when a readable watch takes the place of an unreadable one. */
    replace: (watch: Watch) => places.delete(watchKey(watch), watch),
    methods: {
      /**
       * Adds an unreadable watch's key at startup, after all readable watches have been loaded.
       *
       * @returns its place, unless a readable watch is there
       */
      loadUnreadable(key: string): WatchId | undefined {
        const place = parseWatchKey(key);
        if (place === undefined || kept(place.channelId, place.wallet) !== undefined) {
          return undefined;
        }
        places.set(watchKey(place), place);
        return place;
      },
      /** Deletes the unreadable watches of a channel. */
      async forgetUnreadable(channelId: string): Promise<void> {
        for (const place of placesIn(channelId)) {
          await store.delete(QUARANTINE_PREFIX + watchKey(place));
          places.delete(watchKey(place), place);
          if (!index.isWatched(place.wallet)) unwatched(place.wallet);
        }
      },
      /** Channels with an unreadable watch of the wallet. */
      unreadableChannels: (wallet: WalletAddress) =>
        places.of(wallet).map(({ channelId }) => channelId),
      /** Wallets with an unreadable watch in the channel. */
      unreadableIn: (channelId: string) => placesIn(channelId).map(({ wallet }) => wallet),
      unreadableSize: () => places.count(() => true),
      /**
       * True if a watch needs the wallet's documents, whether it is active, suspended or
       * unreadable.
       */
      isNeeded: (wallet: WalletAddress) => index.isKept(wallet) || places.has(wallet),
      /**
       * True if a watch needs the channel's waiting alerts: one that is not suspended, or is
       * unreadable.
       */
      isChannelNeeded: (channelId: string) =>
        index.isWatchedIn(channelId) || placesIn(channelId).length > 0,
    },
  };
}
