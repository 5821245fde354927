import type { StoreError } from './error.ts';

/** Separates walletbell's documents from others in the same database. */
export const NAMESPACE = 'walletbell';

/**
 * Documents by key. Each write is one durable transaction; there are no transactions over several
 * keys.
 */
export interface Documents<Document = unknown> {
  /** Returns the document, undefined if there is none. Its reader validates it. */
  get(key: string): Promise<Document | undefined>;
  /**
   * A store over the network may reject although the write has arrived; read again before
   * continuing.
   */
  set(key: string, document: Document): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Iterates over all documents, each once. Rejects if the store fails in between. Meant for the
   * start, while nothing is being written.
   *
   * @param except prefixes of keys whose documents are skipped and not read; none by default
   */
  entries(except?: readonly string[]): AsyncIterable<readonly [key: string, document: Document]>;
}

/** A store owned by one process. It stores texts, which `Format` converts to documents. */
export interface Backend extends Documents<string> {
  /**
   * Iterates over all keys that begin with a prefix, each once. Rejects if the store fails in
   * between.
   */
  keys(prefix: string): AsyncIterable<string>;
  /**
   * Reads the last part of some documents' texts, by key. Missing documents are left out.
   *
   * @param keys at most a hundred, because a store scans these documents completely
   * @param length of an ending, in bytes or characters, as the store counts
   */
  endings(keys: readonly string[], length: number): Promise<ReadonlyMap<string, string>>;
  /**
   * Rejects unless the store provably belongs to this process now; a process that was paused or cut
   * off cannot know that.
   */
  prove(): Promise<void>;
  /** Releases the store and closes everything that was opened. */
  close(): Promise<void>;
  /** One text for each setting of the store's server that may cost data. */
  readonly warnings: readonly string[];
}

/**
 * Called each time it is noticed that the store no longer belongs to this process.
 *
 * @returns the error to reject with
 */
export type Lose = (error: StoreError) => StoreError;

/** A store opened for reading only, by a process that need not own it. */
export interface BackendInspection extends Pick<Backend, 'get' | 'entries' | 'close' | 'warnings'> {
  /** True if a walletbell has it open. */
  readonly isInUse: boolean;
  /** True if nothing was created there yet. */
  readonly isNew: boolean;
}

/** Options for inspecting a store; a kind of store ignores options that it has no use for. */
export interface InspectOptions {
  /** Skips the check that the whole file is sound. */
  readonly isQuick: boolean;
  /** Reads everything in one transaction, as of its beginning. */
  readonly isOneMoment: boolean;
}

/** Completes an opening; if that fails, closes what is already open. */
export async function orClosed<Result>(
  close: () => unknown,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}

/** A stored document that is not JSON; kept unchanged for the operator. */
export class UnreadableDocument {
  readonly raw: string;
  readonly reason: string;

  constructor(raw: string, reason: string) {
    this.raw = raw;
    this.reason = reason;
  }
}
