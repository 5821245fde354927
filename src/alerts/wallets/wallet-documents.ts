import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../domain/address.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Machine } from '../../lib/machine.ts';
import { quarantine } from '../../store/quarantine.ts';
import type { Store } from '../../store/store.ts';
import { readWalletDocument, WALLET_PREFIX, type WalletDocument } from './wallet-document.ts';

/**
 * Documents that are kept as they were read or written last, some 100 kB each: those of the wallets
 * that trade now.
 */
const DOCUMENTS_KEPT = 100;

const EMPTY = { state: {}, outbox: [] };

/** A document that was not in memory and has been read. */
export interface ReadDocument {
  readonly wallet: WalletAddress;
  readonly document: WalletDocument;
  /**
   * Memory may hold something else of the wallet: nobody knew whether its last write had landed, or
   * parts of it could not be read.
   */
  readonly isUnexpected: boolean;
}

/**
 * The wallets' documents in the store: reads and writes them, those of the wallets that trade now
 * from memory; after a write of which nobody knows whether it has landed it reads again; what
 * cannot be read is put aside.
 *
 * @param parts `anew` gives what a wallet begins with whose document cannot be read
 */
export function createWalletDocuments(
  { log }: Pick<Machine, 'log'>,
  parts: {
    readonly store: Pick<Store, 'get' | 'set' | 'delete'>;
    readonly anew: (wallet: WalletAddress) => WalletDocument;
  },
) {
  const { store, anew } = parts;
  const mutex = createKeyedMutex();
  const kept = new LRUCache<WalletAddress, WalletDocument>({ max: DOCUMENTS_KEPT });
  /**
   * Wallets of which memory and store may differ: a write is under way, or was rejected, and a
   * store over the network may have it all the same; or unreadable parts were put aside.
   */
  const inDoubt = new Set<WalletAddress>();
  const listeners: ((read: ReadDocument) => void)[] = [];

  /** Rejects if the store does: nobody knows then which document it has, until the next read. */
  const write = async (wallet: WalletAddress, document: WalletDocument): Promise<void> => {
    inDoubt.add(wallet);
    kept.delete(wallet);
    await store.set(WALLET_PREFIX + wallet, document);
    inDoubt.delete(wallet);
    kept.set(wallet, document);
  };

  /** Reads what the store holds. What cannot be read is put aside, and the rest stored anew. */
  const readAndRepair = async (wallet: WalletAddress): Promise<WalletDocument> => {
    const key = WALLET_PREFIX + wallet;
    const stored = await store.get(key);
    const loaded = readWalletDocument(stored === undefined ? EMPTY : stored);
    const reason = loaded?.faults.get('knowledge');
    if (reason !== undefined) log.warn({ event: 'knowledge.unreadable', wallet, reason });
    const document = loaded?.document ?? anew(wallet);
    const unreadable = loaded?.aside ?? [['', stored]];
    for (const [keyEnding, part] of unreadable) {
      await quarantine(store, log, key + keyEnding, part);
    }
    if (unreadable.length > 0) {
      await write(wallet, document);
      // Alerts that waited until now may not be known any more.
      inDoubt.add(wallet);
    }
    return document;
  };

  return {
    /** Reads the document; an empty one if there is none. Only within `run` of its wallet. */
    async read(wallet: WalletAddress): Promise<WalletDocument> {
      const known = kept.get(wallet);
      if (known !== undefined) return known;
      const document = await readAndRepair(wallet);
      const isUnexpected = inDoubt.delete(wallet);
      for (const listener of listeners) listener({ wallet, document, isUnexpected });
      kept.set(wallet, document);
      return document;
    },
    /**
     * Writes the document, which has been read before. Only within `run` of its wallet. Rejects if
     * the store does: nobody knows then which document it has, until the next read.
     */
    write,
    /** Deletes the document. Only within `run` of its wallet. */
    async delete(wallet: WalletAddress): Promise<void> {
      inDoubt.add(wallet);
      kept.delete(wallet);
      await store.delete(WALLET_PREFIX + wallet);
      inDoubt.delete(wallet);
    },
    /** Does something with a wallet's document while nobody else does. */
    run: mutex.run,
    /** Does something with the documents of several wallets while nobody else does. */
    runAll: mutex.runAll,
    /** Calls back with each document that was not in memory, before whoever reads it goes on. */
    listen: (listener: (read: ReadDocument) => void): void => void listeners.push(listener),
    /** Resolves when nothing is done with any document. */
    idle: (): Promise<void> => mutex.idle(),
  };
}
export type WalletDocuments = ReturnType<typeof createWalletDocuments>;
