import type { WalletAddress } from '../../domain/address.ts';
import { fewAtATime } from '../../lib/async/turns.ts';
import { defineKind } from '../../store/collection.ts';
import type { Store } from '../../store/store.ts';
import {
  type LoadedPosted,
  POSTED_PREFIX,
  type Posted,
  postedKey,
  postedPlace,
  postedSchema,
  readPosted,
  storedPosted,
} from './posted.ts';

/**
 * Channels' documents of a wallet that are read at the same time. Reading one with 400 positions
 * takes as long as parsing a third of a MiB, and a wallet may have thousands of them.
 */
const READ_AT_ONCE = 4;

const kind = defineKind({
  prefix: POSTED_PREFIX,
  schema: postedSchema,
  belongs: (posted, id) => postedKey(posted) === POSTED_PREFIX + id,
  placeOf: ({ channelId }) => ({ channelId }),
});

/** The kind of document that records what was posted in a channel about a wallet. */
export const postedKind = {
  ...kind,
  open: (store: Pick<Store, 'get' | 'set' | 'delete'>) => createPostedDocuments(store),
};

type Forget = (wallet: WalletAddress) => Promise<void>;

/** Accesses the documents in the store and keeps in memory which ones exist. */
function createPostedDocuments(store: Pick<Store, 'get' | 'set' | 'delete'>) {
  const channelsByWallet = new Map<WalletAddress, Set<string>>();
  const loaded = new Map<WalletAddress, Map<string, LoadedPosted>>();
  let forgetUnwatched: Forget = async () => {};

  const note = (wallet: WalletAddress, channelId: string): void => {
    const channels = channelsByWallet.get(wallet) ?? new Set();
    channelsByWallet.set(wallet, channels.add(channelId));
  };

  const channels = (wallet: WalletAddress): readonly string[] => [
    ...(channelsByWallet.get(wallet) ?? []),
  ];

  const drop = (wallet: WalletAddress, channelId: string): void => {
    const left = channelsByWallet.get(wallet);
    left?.delete(channelId);
    if (left?.size === 0) channelsByWallet.delete(wallet);
  };

  /** Loads a document that was read at the start. An unreadable one is noted as existing, too. */
  const load = (key: string, stored: unknown): 'kept' | 'damaged' => {
    const place = postedPlace(key);
    if (place === null) return 'damaged';
    const { wallet, channelId } = place;
    note(wallet, channelId);
    const posted = readPosted(key, stored);
    if (posted === null) return 'damaged';
    const { revision, done, reached, added, positions } = posted;
    const markets = positions.map((position) => position.key);
    const ofWallet = loaded.get(wallet) ?? new Map<string, LoadedPosted>();
    ofWallet.set(channelId, { channelId, revision, done, reached, added, positions: markets });
    loaded.set(wallet, ofWallet);
    return 'kept';
  };

  return {
    holds: kind.holds,
    load,
    /** Notes that a document exists. Returns false if the key is not of this kind. */
    noteKey(key: string): boolean {
      const place = postedPlace(key);
      if (place !== null) note(place.wallet, place.channelId);
      return place !== null;
    },
    /**
     * Reads and loads a wallet's documents.
     * @returns whether all are readable
     */
    async loadOf(wallet: WalletAddress): Promise<boolean> {
      let areKept = true;
      await fewAtATime(channels(wallet), READ_AT_ONCE, async (channelId) => {
        const key = postedKey({ channelId, wallet });
        const stored = await store.get(key);
        if (stored !== undefined && load(key, stored) !== 'kept') areKept = false;
      });
      return areKept;
    },
    /** Returns the parts of a wallet's documents loaded at the start, by channel. */
    loadedOf: (wallet: WalletAddress): ReadonlyMap<string, LoadedPosted> =>
      loaded.get(wallet) ?? new Map(),
    /** Releases the data of a wallet that was loaded at startup. */
    endLoading: (wallet: WalletAddress): void => void loaded.delete(wallet),
    /** Returns the wallets that have documents, or may have some. */
    wallets: (): readonly WalletAddress[] => [...channelsByWallet.keys()],
    /** Returns the channels that have a document about a wallet, or may have one. */
    channels,
    /** Reads a wallet's documents by channel. Unreadable ones are returned as found. */
    async read(wallet: WalletAddress) {
      const posted = new Map<string, Posted>();
      const unreadable = new Map<string, unknown>();
      await fewAtATime(channels(wallet), READ_AT_ONCE, async (channelId) => {
        const key = postedKey({ channelId, wallet });
        const stored = await store.get(key);
        const read = readPosted(key, stored);
        if (read !== null) posted.set(channelId, read);
        else if (stored !== undefined) unreadable.set(channelId, stored);
      });
      return { posted, unreadable };
    },
    async write(posted: Posted): Promise<void> {
      // Noted before the write, because a rejected write may still have been stored.
      note(posted.wallet, posted.channelId);
      await store.set(postedKey(posted), storedPosted(posted));
    },
    async delete(wallet: WalletAddress, channelId: string): Promise<void> {
      await store.delete(postedKey({ channelId, wallet }));
      drop(wallet, channelId);
    },
    /** Deletes a channel's documents. No document belongs to an owner alone. */
    async forget(whose: { readonly ownerId: string } | { readonly channelId: string }) {
      if ('ownerId' in whose) return;
      const { channelId } = whose;
      const wallets = [...channelsByWallet].filter(([, own]) => own.has(channelId));
      for (const [wallet] of wallets) await forgetUnwatched(wallet);
    },
    /** Sets the function that deletes a wallet's documents of channels that no longer watch it. */
    onForget(forget: Forget): void {
      forgetUnwatched = forget;
    },
    owners: (): readonly string[] => [],
    channelsOf: (): readonly string[] => [],
  };
}
export type PostedDocuments = ReturnType<typeof createPostedDocuments>;
