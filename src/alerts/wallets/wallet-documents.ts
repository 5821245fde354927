import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../domain/address.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Machine } from '../../lib/machine.ts';
import type { AlertedPositions } from '../../portfolio/results/alerted-positions.ts';
import { quarantine } from '../../store/quarantine.ts';
import type { Store } from '../../store/store.ts';
import { createPositionsByChannel } from './positions-by-channel.ts';
import {
  flushed,
  type Parts,
  type Posted,
  postedAfter,
  postedKey,
  storedPosted,
  storedWallet,
  wholeWallet,
} from './posted.ts';
import type { PostedDocuments } from './posted-documents.ts';
import {
  type NewAlert,
  readWalletDocument,
  WALLET_PREFIX,
  type WalletDocument,
} from './wallet-document.ts';

/** Documents that are kept as they were read or written last: those of the wallets that trade now. */
const KEPT_BYTES = 20_000_000;
/**
 * Most bytes that one wallet counts. So the four used last are kept whatever their size, because each
 * delivery would read a large one anew.
 */
const COUNTED_BYTES = KEPT_BYTES / 4;
/** Bytes of a position as it is stored. */
const POSITION_BYTES = 350;

/** A document that was not in memory and has been read. */
export interface ReadDocument {
  readonly wallet: WalletAddress;
  readonly document: WalletDocument;
  /**
   * Memory may hold something else of the wallet: the start has not read it, nobody knew whether
   * its last write had landed, or parts of it could not be read.
   */
  readonly isUnexpected: boolean;
  /** The start has not read it: memory holds nothing of the wallet. */
  readonly isFirst: boolean;
}

/** A wallet's document, and the documents that it is stored in. */
interface Whole {
  /** The document, without the changes below. */
  readonly document: WalletDocument;
  /**
   * Positions that acknowledgements have changed, by channel. They are put into the document's list
   * when somebody reads it whole: a thousand channels acknowledge one trade, and making a list of all
   * their positions takes a millisecond or two.
   */
  readonly changedSince: ReadonlyMap<string, AlertedPositions>;
  readonly parts: Parts;
  /** Bytes of the wallet's own document. */
  readonly bytes: number;
}

/** Bytes of a wallet as the cache counts them. */
function countedBytes({ bytes, parts }: Whole): number {
  let positions = 0;
  for (const own of parts.posted.values()) positions += own.positions.length;
  return Math.min(bytes + positions * POSITION_BYTES, COUNTED_BYTES);
}

/** A wallet's document with these positions instead of its own. */
function withPositions(
  { state, outbox }: WalletDocument,
  change: (positions: AlertedPositions) => AlertedPositions,
): WalletDocument {
  const { knowledge } = state;
  if (knowledge === undefined) return { state, outbox };
  const alertedPositions = change(knowledge.alertedPositions);
  return { state: { ...state, knowledge: { ...knowledge, alertedPositions } }, outbox };
}

const NO_CHANGES: Whole['changedSince'] = new Map();

function bytesOf(stored: unknown): number {
  return JSON.stringify(stored).length;
}

/**
 * The wallets' documents in the store, each in several: the wallet's own, and one of each channel
 * that was told something. Reads them, and writes the part that has changed; those of the wallets
 * that trade now from memory. After a write of which nobody knows whether it has landed it reads
 * all of them again. What cannot be read is put aside.
 *
 * @param parts `anew` gives what a wallet begins with whose document cannot be read; `lostIn`
 *   notices for channels whose own documents cannot be
 */
export function createWalletDocuments(
  { log }: Machine,
  parts: {
    readonly store: Pick<Store, 'get' | 'set' | 'delete'>;
    readonly posted: PostedDocuments;
    readonly anew: (wallet: WalletAddress) => WalletDocument;
    readonly lostIn: (
      wallet: WalletAddress,
      channelIds: ReadonlySet<string>,
    ) => readonly NewAlert[];
  },
) {
  const { store, posted, anew, lostIn } = parts;
  const mutex = createKeyedMutex();
  const positions = createPositionsByChannel();
  const kept = new LRUCache<WalletAddress, Whole>({
    maxSize: KEPT_BYTES,
    sizeCalculation: countedBytes,
  });
  /** Those that something is done with: the cache may let go of them meanwhile. */
  const inUse = new Map<WalletAddress, Whole>();
  /**
   * Wallets of which memory and store may differ: a write is under way, or was rejected, and a
   * store over the network may have it all the same; or unreadable parts were put aside.
   */
  const inDoubt = new Set<WalletAddress>();
  /** Wallets whose documents the start has left unread: memory has nothing of them. */
  const unread = new Set<WalletAddress>();
  const listeners: ((read: ReadDocument) => void)[] = [];

  const keep = (wallet: WalletAddress, whole: Whole): void => {
    kept.set(wallet, whole);
    inUse.set(wallet, whole);
  };

  /**
   * Does work with the store. Rejects if the store does: nobody knows then which documents it has,
   * until the next read.
   */
  const storing = async (wallet: WalletAddress, work: () => Promise<unknown>): Promise<void> => {
    inDoubt.add(wallet);
    kept.delete(wallet);
    inUse.delete(wallet);
    await work();
    inDoubt.delete(wallet);
  };

  /** Stores a wallet's own document. */
  const writeWallet = async (
    wallet: WalletAddress,
    document: WalletDocument,
    before: Parts,
  ): Promise<void> => {
    const stored = storedWallet(document, before);
    await storing(wallet, () => store.set(WALLET_PREFIX + wallet, stored));
    const parts = { ...before, revision: stored.revision };
    keep(wallet, { document, changedSince: NO_CHANGES, parts, bytes: bytesOf(stored) });
  };

  /** Stores documents of channels, with which the wallet is what `whole` says. */
  const writePosted = async (
    wallet: WalletAddress,
    whole: Whole,
    changed: readonly Posted[],
  ): Promise<Parts> => {
    const { parts: before } = whole;
    await storing(wallet, async () => {
      // All of them end before anything is read again.
      const writes = await Promise.allSettled(changed.map(posted.write));
      for (const write of writes) if (write.status === 'rejected') throw write.reason;
    });
    const all = new Map(before.posted);
    for (const one of changed) all.set(one.channelId, one);
    const now = { ...before, posted: all };
    keep(wallet, { ...whole, parts: now });
    return now;
  };

  /** Deletes documents of channels that count for nothing any more. */
  const deletePosted = async (
    wallet: WalletAddress,
    channelIds: Iterable<string>,
  ): Promise<void> => {
    const gone = new Set(channelIds);
    if (gone.size === 0) return;
    const before = inUse.get(wallet);
    await storing(wallet, async () => {
      for (const channelId of gone) await posted.delete(wallet, channelId);
    });
    if (before === undefined) return;
    const left = [...before.parts.posted].filter(([channelId]) => !gone.has(channelId));
    keep(wallet, { ...before, parts: { ...before.parts, posted: new Map(left) } });
  };

  /** Begins a wallet whose document is missing or cannot be read; those of its channels go. */
  const startWithoutDocument = async (
    wallet: WalletAddress,
    found: ReadonlyMap<string, Posted>,
    stored: unknown,
  ): Promise<Whole> => {
    const revisions = [...found.values()].map(({ revision }) => revision);
    const before = { revision: Math.max(0, ...revisions), posted: new Map<string, Posted>() };
    const isMissing = stored === undefined;
    const document = isMissing ? { state: {}, outbox: [] } : anew(wallet);
    if (!isMissing) {
      await quarantine(store, log, WALLET_PREFIX + wallet, stored);
      await writeWallet(wallet, document, before);
    }
    await deletePosted(wallet, posted.channels(wallet));
    // Alerts that waited until now may not be known any more.
    if (!isMissing) inDoubt.add(wallet);
    const begun = { document, changedSince: NO_CHANGES, parts: before, bytes: bytesOf(document) };
    return inUse.get(wallet) ?? begun;
  };

  /** Reads what the store holds. What cannot be read is put aside, and the rest stored anew. */
  const readAndRepair = async (wallet: WalletAddress): Promise<Whole> => {
    const key = WALLET_PREFIX + wallet;
    const [stored, found] = await Promise.all([store.get(key), posted.read(wallet)]);
    const loaded = readWalletDocument(stored);
    if (loaded === null) return startWithoutDocument(wallet, found.posted, stored);
    const reason = loaded.faults.get('knowledge');
    if (reason !== undefined) log.warn({ event: 'knowledge.unreadable', wallet, reason });
    const { damaged, ...read } = wholeWallet(loaded.document, {
      posted: found.posted,
      unreadable: found.unreadable.keys(),
    });
    const whole = { ...read, changedSince: NO_CHANGES, bytes: bytesOf(stored) };
    for (const [keyEnding, part] of loaded.aside) {
      await quarantine(store, log, key + keyEnding, part);
    }
    for (const channelId of damaged) {
      const own = found.posted.get(channelId);
      const part = own === undefined ? found.unreadable.get(channelId) : storedPosted(own);
      if (part === undefined) log.error({ event: 'posted.missing', wallet, channel: channelId });
      else await quarantine(store, log, postedKey({ channelId, wallet }), part);
    }
    if (loaded.aside.length === 0 && damaged.size === 0) return whole;
    const { state, outbox } = whole.document;
    const document = { state, outbox: [...outbox, ...lostIn(wallet, damaged)] };
    await writeWallet(wallet, document, whole.parts);
    await deletePosted(wallet, damaged);
    // Alerts that waited until now may not be known any more.
    inDoubt.add(wallet);
    return inUse.get(wallet) ?? whole;
  };

  /** Reads the whole of a wallet, from memory if it is there. */
  const wholeOf = async (wallet: WalletAddress): Promise<Whole> => {
    const known = inUse.get(wallet) ?? kept.get(wallet);
    if (known !== undefined) {
      inUse.set(wallet, known);
      return known;
    }
    const whole = await readAndRepair(wallet);
    const isInDoubt = inDoubt.delete(wallet);
    // Of one that had to be repaired, memory may have taken what was found before.
    const isFirst = unread.delete(wallet) && !isInDoubt;
    const isUnexpected = isInDoubt || isFirst;
    keep(wallet, whole);
    for (const listener of listeners) {
      listener({ wallet, document: whole.document, isUnexpected, isFirst });
    }
    return whole;
  };

  /** Reads the whole of a wallet, with the changes of acknowledgements in its document. */
  const upToDate = async (wallet: WalletAddress): Promise<Whole> => {
    const whole = await wholeOf(wallet);
    const { document, changedSince } = whole;
    if (changedSince.size === 0) return whole;
    const now = withPositions(document, (all) => positions.with(changedSince, all));
    const next = { ...whole, document: now, changedSince: NO_CHANGES };
    keep(wallet, next);
    return next;
  };

  const using =
    <Result>(wallets: readonly WalletAddress[], work: () => Promise<Result>) =>
    async (): Promise<Result> => {
      try {
        return await work();
      } finally {
        for (const wallet of wallets) inUse.delete(wallet);
      }
    };

  return {
    /** Reads the document; an empty one if there is none. Only within `run` of its wallet. */
    read: async (wallet: WalletAddress): Promise<WalletDocument> =>
      (await upToDate(wallet)).document,
    /**
     * Reads the document as one channel needs it: of positions it has the channel's alone. Only
     * within `run` of its wallet.
     */
    async readFor(wallet: WalletAddress, channelId: string): Promise<WalletDocument> {
      const { document, changedSince } = await wholeOf(wallet);
      return withPositions(
        document,
        (all) => changedSince.get(channelId) ?? positions.in(channelId, all),
      );
    },
    /**
     * Writes the document, which has been read before. Only within `run` of its wallet. Rejects if
     * the store does: nobody knows then which document it has, until the next read.
     */
    async write(wallet: WalletAddress, document: WalletDocument): Promise<void> {
      const whole = await upToDate(wallet);
      const { document: before, parts: known } = whole;
      const first = flushed(before, wallet, known);
      const now = first.length === 0 ? known : await writePosted(wallet, whole, first);
      await writeWallet(wallet, document, now);
    },
    /**
     * Writes the document after an acknowledgement: the channel's part alone, if nothing else has
     * changed. Otherwise as `write`.
     *
     * @param document as `readFor` gives it to the channel, changed
     * @param since `isKept`: whether anything of its own is kept of the channel; `done`: ids of the
     *   alerts that are acknowledged; `added`: alerts that follow
     */
    async writeAfter(
      wallet: WalletAddress,
      { state, outbox }: WalletDocument,
      since: Pick<Posted, 'channelId' | 'done' | 'added'> & { readonly isKept: boolean },
    ): Promise<void> {
      const { channelId, isKept, done, added } = since;
      const own = state.knowledge?.alertedPositions ?? [];
      const whole = await wholeOf(wallet);
      const { document: before, parts: known } = whole;
      const listed = before.state.knowledge?.alertedPositions ?? [];
      const document = withPositions({ state, outbox }, () => listed);
      const changedSince = new Map(whole.changedSince).set(channelId, own);
      const posted = isKept
        ? postedAfter(before, document, known, { channelId, wallet, positions: own, done, added })
        : null;
      if (posted !== null) {
        await writePosted(wallet, { ...whole, document, changedSince }, [posted]);
        return;
      }
      const all = withPositions(document, () => positions.with(changedSince, listed));
      await writeWallet(wallet, all, known);
    },
    /**
     * Deletes documents of channels, once the wallet's own has what they hold. Only within `run` of
     * its wallet.
     */
    async takeUp(wallet: WalletAddress, channelIds: readonly string[]): Promise<void> {
      if (channelIds.length === 0) return;
      const { document, parts: known } = await upToDate(wallet);
      const left = [...known.posted].filter(([channelId]) => !channelIds.includes(channelId));
      await writeWallet(wallet, document, { ...known, posted: new Map(left) });
      await deletePosted(wallet, channelIds);
    },
    /** Notes wallets whose documents the start leaves unread. */
    leaveUnread(wallets: Iterable<WalletAddress>): void {
      for (const wallet of wallets) unread.add(wallet);
    },
    /**
     * Reads documents that the start has left unread, the channels' first, and hands them on as
     * they were found. Only within `run` of the wallet.
     *
     * @param take returns whether memory has taken all; if not, the documents are read and repaired
     *   as by `read`
     */
    async readFirst(
      wallet: WalletAddress,
      take: (key: string, stored: unknown) => boolean,
    ): Promise<void> {
      if (!unread.has(wallet)) return;
      const key = WALLET_PREFIX + wallet;
      const [stored, isSound] = await Promise.all([store.get(key), posted.loadOf(wallet)]);
      const isTaken = isSound && stored !== undefined && take(key, stored);
      posted.endLoading(wallet);
      if (isTaken) unread.delete(wallet);
      else await wholeOf(wallet);
    },
    /** Deletes the document. Only within `run` of its wallet. */
    async delete(wallet: WalletAddress): Promise<void> {
      unread.delete(wallet);
      await storing(wallet, async () => {
        await store.delete(WALLET_PREFIX + wallet);
        for (const channelId of posted.channels(wallet)) await posted.delete(wallet, channelId);
      });
    },
    /** Does something with a wallet's document while nobody else does. */
    run: <Result>(wallet: WalletAddress, work: () => Promise<Result>): Promise<Result> =>
      mutex.run(wallet, using([wallet], work)),
    /** Does something with the documents of several wallets while nobody else does. */
    runAll: <Result>(
      wallets: readonly WalletAddress[],
      work: () => Promise<Result>,
    ): Promise<Result> => mutex.runAll(wallets, using(wallets, work)),
    /** Calls back with each document that was not in memory, before whoever reads it goes on. */
    listen: (listener: (read: ReadDocument) => void): void => void listeners.push(listener),
    /** Resolves when nothing is done with any document. */
    idle: (): Promise<void> => mutex.idle(),
  };
}
export type WalletDocuments = ReturnType<typeof createWalletDocuments>;
