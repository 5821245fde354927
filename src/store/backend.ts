import type { StoreError } from './error.ts';

/** Keeps walletbell's documents apart from others in the same database. */
export const NAMESPACE = 'walletbell';

/**
 * Documents by key. Each write is one durable transaction; there is none over several keys.
 */
export interface Documents<Document = unknown> {
  /** The document, undefined if there is none. Its reader validates it. */
  get(key: string): Promise<Document | undefined>;
  /**
   * A store over the network may reject although the write has arrived: read again before going on.
   */
  set(key: string, document: Document): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Every document, each once. Rejects if the store fails on the way. Meant for the start, while
   * nobody writes.
   *
   * @param except beginnings of keys whose documents are left out, and not read; none by default
   */
  entries(except?: readonly string[]): AsyncIterable<readonly [key: string, document: Document]>;
}

/** Documents of which keys and ends can be read alone. */
export interface Listed {
  /** Every key that begins with a prefix, each once. Rejects if the store fails on the way. */
  keys(prefix: string): AsyncIterable<string>;
  /**
   * Reads how the texts of some documents end, by key; a text's last character is the last one
   * here. A document that is missing is left out.
   *
   * @param keys at most a hundred: a store looks through their whole documents
   * @param length of an ending, in bytes or characters, as the store counts
   */
  endings(keys: readonly string[], length: number): Promise<ReadonlyMap<string, string>>;
}

/** A store of one process alone. It holds texts: `Format` makes documents of them. */
export interface Backend extends Documents<string>, Listed {
  /**
   * Rejects unless the store is known to be this process's now: one that was paused or cut off
   * cannot know that.
   */
  prove(): Promise<void>;
  /** Gives the store back and closes what was opened. */
  close(): Promise<void>;
  /** Each setting of the store's server that may cost data. */
  readonly warnings: readonly string[];
}

/**
 * Told, as often as it is noticed, that the store is no longer this process's.
 *
 * @returns the error to reject with
 */
export type Lose = (error: StoreError) => StoreError;

/** A store opened for reading only, by a process that need not own it. */
export interface BackendInspection extends Pick<Backend, 'get' | 'entries' | 'close' | 'warnings'> {
  /** True if a walletbell has it open. */
  readonly isInUse: boolean;
  /** True if nothing has been made there yet. */
  readonly isNew: boolean;
}

/** Options for looking into a store; a kind of store that has no use for one ignores it. */
export interface InspectOptions {
  /** Does without the proof that the whole file is sound. */
  readonly isQuick: boolean;
  /** Reads all in one transaction, as it is at its beginning. */
  readonly isOneMoment: boolean;
}

/** Does the rest of an opening; if that fails, what is open already is closed. */
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

/** A document that is in the store but is not JSON: kept as it is, for the operator. */
export class UnreadableDocument {
  readonly raw: string;
  readonly reason: string;

  constructor(raw: string, reason: string) {
    this.raw = raw;
    this.reason = reason;
  }
}
