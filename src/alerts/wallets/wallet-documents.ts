import { setImmediate as nextTurn } from 'node:timers/promises';
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
  type StoredWallet,
  WALLET_PREFIX,
  type WalletDocument,
} from './wallet-document.ts';

/**
 * Maximum size of the cached documents in bytes, enough for the wallets that are currently trading.
 */
const KEPT_BYTES = 20_000_000;
/**
 * Maximum number of bytes counted for one wallet. This keeps the four wallets used last whatever
 * their size, because otherwise each delivery would read a large one again.
 */
const COUNTED_BYTES = KEPT_BYTES / 4;
/** Size of a stored position in bytes. */
const POSITION_BYTES = 350;
/**
 * Size above which a document counts as large, in bytes. Serializing it takes ten milliseconds or
 * more.
 */
const LARGE_BYTES = 1_000_000;
/** Bytes of a channel's id as an alert has it, with quotes and comma. */
const CHANNEL_BYTES = 22;

/** A document that was not in memory and has been read. */
export interface ReadDocument {
  readonly wallet: WalletAddress;
  readonly document: WalletDocument;
  /**
   * True if memory may hold something else for the wallet: the start has not read it, the outcome
   * of its last write was unknown, or parts of it were unreadable.
   */
  readonly isUnexpected: boolean;
  /** True if the start has not read it, so memory holds nothing for the wallet. */
  readonly isFirst: boolean;
}

/** A wallet's document, and the documents in which it is stored. */
interface Whole {
  /** The document without the changes below. */
  readonly document: WalletDocument;
  /**
   * Positions changed by acknowledgements, by channel. They are merged into the document's list
   * only when the whole document is read, because a thousand channels may acknowledge one trade and
   * building the list takes a millisecond or two.
   */
  readonly changedSince: ReadonlyMap<string, AlertedPositions>;
  readonly parts: Parts;
  /** Size of the wallet's own document in bytes. */
  readonly bytes: number;
}

/** Returns a wallet's size as counted by the cache, in bytes. */
function countedBytes({ bytes, parts }: Whole): number {
  let positions = 0;
  for (const own of parts.posted.values()) positions += own.positions.length;
  return Math.min(bytes + positions * POSITION_BYTES, COUNTED_BYTES);
}

/** Returns a wallet's document with its positions replaced. */
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

/**
 * Gives other work a turn of the event loop after a step of work on a large document, because each
 * step (counting positions, serializing, noting waiting alerts) holds the loop for as long as a
 * command may.
 */
async function afterWork(bytes: number): Promise<void> {
  if (bytes > LARGE_BYTES) await nextTurn();
}

/**
 * Size of a wallet's own document in the store, in bytes. A thousand alerts for two hundred
 * channels have four megabytes of ids, so these are counted rather than written out.
 */
function bytesOf({ state, outbox }: Whole['document'] | StoredWallet): number {
  let ofChannels = 0;
  const alerts = outbox.map((alert) => {
    ofChannels += alert.channels.length * CHANNEL_BYTES;
    return { ...alert, channels: [] };
  });
  return JSON.stringify({ state, outbox: alerts }).length + ofChannels;
}

/**
 * Reads and writes the wallets' documents in the store. Each wallet has several: its own, and one
 * for each channel with posts about it. Only the changed part is written, and wallets that are
 * currently trading are kept in memory. After a write whose outcome is unknown, all of a wallet's
 * documents are read again. Unreadable data is quarantined.
 * @param parts `anew` returns the initial document of a wallet whose stored one is unreadable;
 *   `lostIn` returns notices for channels whose own documents are damaged
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
  /** Wallets currently being worked on, because the cache may evict them in the meantime. */
  const inUse = new Map<WalletAddress, Whole>();
  /**
   * Wallets whose memory and store may differ: a write is in progress, a write was rejected (a
   * store over the network may have applied it anyway), or unreadable parts were quarantined.
   */
  const uncertain = new Set<WalletAddress>();
  /** Wallets whose documents the start left unread, so memory holds nothing for them. */
  const unread = new Set<WalletAddress>();
  const listeners: ((read: ReadDocument) => void)[] = [];

  const keep = (wallet: WalletAddress, whole: Whole): void => {
    kept.set(wallet, whole);
    inUse.set(wallet, whole);
  };

  /**
   * Runs work on the store. Rejects if the store does; its contents are then unknown until the next
   * read.
   */
  const storing = async (wallet: WalletAddress, work: () => Promise<unknown>): Promise<void> => {
    uncertain.add(wallet);
    kept.delete(wallet);
    inUse.delete(wallet);
    await work();
    uncertain.delete(wallet);
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
    const bytes = bytesOf(stored);
    keep(wallet, { document, changedSince: NO_CHANGES, parts, bytes });
    await afterWork(bytes);
  };

  /** Stores documents of channels. With them, the wallet's state is `whole`. */
  const writePosted = async (
    wallet: WalletAddress,
    whole: Whole,
    changed: readonly Posted[],
  ): Promise<Parts> => {
    const { parts: before } = whole;
    await storing(wallet, async () => {
      // All writes must have ended before anything is read again.
      const writes = await Promise.allSettled(changed.map(posted.write));
      for (const write of writes) if (write.status === 'rejected') throw write.reason;
    });
    const all = new Map(before.posted);
    for (const one of changed) all.set(one.channelId, one);
    const now = { ...before, posted: all };
    keep(wallet, { ...whole, parts: now });
    return now;
  };

  /** Deletes documents of channels that are no longer needed. */
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

  /**
   * Initializes a wallet whose document is missing or unreadable, and deletes its channels'
   * documents.
   */
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
    // Alerts that have been waiting until now may be lost.
    if (!isMissing) uncertain.add(wallet);
    const begun = { document, changedSince: NO_CHANGES, parts: before, bytes: bytesOf(document) };
    return inUse.get(wallet) ?? begun;
  };

  /** Reads the store's contents. Unreadable data is quarantined, and the rest is stored again. */
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
    const whole = { ...read, changedSince: NO_CHANGES, bytes: bytesOf(loaded.document) };
    for (const [keyEnding, part] of loaded.toQuarantine) {
      await quarantine(store, log, key + keyEnding, part);
    }
    for (const channelId of damaged) {
      const own = found.posted.get(channelId);
      const part = own === undefined ? found.unreadable.get(channelId) : storedPosted(own);
      if (part === undefined) log.error({ event: 'posted.missing', wallet, channel: channelId });
      else await quarantine(store, log, postedKey({ channelId, wallet }), part);
    }
    if (loaded.toQuarantine.length === 0 && damaged.size === 0) return whole;
    const { state, outbox } = whole.document;
    const document = { state, outbox: [...outbox, ...lostIn(wallet, damaged)] };
    await writeWallet(wallet, document, whole.parts);
    await deletePosted(wallet, damaged);
    // Alerts that have been waiting until now may be lost.
    uncertain.add(wallet);
    return inUse.get(wallet) ?? whole;
  };

  /** Returns a wallet with all its documents, from memory if possible. */
  const wholeOf = async (wallet: WalletAddress): Promise<Whole> => {
    const known = inUse.get(wallet) ?? kept.get(wallet);
    if (known !== undefined) {
      inUse.set(wallet, known);
      return known;
    }
    const whole = await readAndRepair(wallet);
    const isUncertain = uncertain.delete(wallet);
    // If the documents had to be repaired, memory may hold data from before the repair.
    const isFirst = unread.delete(wallet) && !isUncertain;
    const isUnexpected = isUncertain || isFirst;
    keep(wallet, whole);
    for (const listener of listeners) {
      listener({ wallet, document: whole.document, isUnexpected, isFirst });
    }
    return whole;
  };

  /** Returns a wallet with all its documents, with changes from acknowledgements merged in. */
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
    /**
     * Reads the document; an empty one if there is none. Call it only inside `run` for its wallet.
     */
    read: async (wallet: WalletAddress): Promise<WalletDocument> =>
      (await upToDate(wallet)).document,
    /**
     * Reads the document for one channel, with only that channel's positions. Call it only inside
     * `run` for its wallet.
     */
    async readFor(wallet: WalletAddress, channelId: string): Promise<WalletDocument> {
      const { document, changedSince } = await wholeOf(wallet);
      return withPositions(
        document,
        (all) => changedSince.get(channelId) ?? positions.in(channelId, all),
      );
    },
    /**
     * Writes a document that has been read before. Call it only inside `run` for its wallet.
     * Rejects if the store does; which document is stored is then unknown until the next read.
     */
    async write(wallet: WalletAddress, document: WalletDocument): Promise<void> {
      const whole = await upToDate(wallet);
      const { document: before, parts: known } = whole;
      const first = flushed(before, wallet, known);
      const now = first.length === 0 ? known : await writePosted(wallet, whole, first);
      await afterWork(whole.bytes);
      await writeWallet(wallet, document, now);
    },
    /**
     * Writes the document after an acknowledgement. If only the channel's part has changed, only
     * that part is written. Otherwise works like `write`.
     * @param document as returned by `readFor` for the channel, with changes
     * @param since `isKept`: whether the channel has a document of its own; `done`: ids of the
     *   acknowledged alerts; `added`: resulting alerts
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
     * Deletes documents of channels after moving their contents into the wallet's own. Call it only
     * inside `run` for its wallet.
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
     * Reads documents that the start left unread, the channels' first, and passes them to `take` as
     * found. Call it only inside `run` for the wallet.
     * @param take returns true if memory has loaded everything; if not, the documents are read and
     *   repaired as in `read`
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
    /** Deletes the document. Call it only inside `run` for its wallet. */
    async delete(wallet: WalletAddress): Promise<void> {
      unread.delete(wallet);
      await storing(wallet, async () => {
        await store.delete(WALLET_PREFIX + wallet);
        for (const channelId of posted.channels(wallet)) await posted.delete(wallet, channelId);
      });
    },
    /** Runs work on a wallet's document with exclusive access. */
    run: <Result>(wallet: WalletAddress, work: () => Promise<Result>): Promise<Result> =>
      mutex.run(wallet, using([wallet], work)),
    /** Runs work on several wallets' documents with exclusive access. */
    runAll: <Result>(
      wallets: readonly WalletAddress[],
      work: () => Promise<Result>,
    ): Promise<Result> => mutex.runAll(wallets, using(wallets, work)),
    /** Calls back with each document that was not in memory, before its reader continues. */
    listen: (listener: (read: ReadDocument) => void): void => void listeners.push(listener),
    /** Resolves when no document is in use. */
    idle: (): Promise<void> => mutex.idle(),
  };
}
export type WalletDocuments = ReturnType<typeof createWalletDocuments>;
