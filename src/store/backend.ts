import type { StoreError } from './error.ts';

/** Documents by key, of one process alone. Each write is one durable transaction; there is none over several keys. */
export interface Backend {
  /** The document, undefined if there is none. Its reader validates it. */
  get(key: string): Promise<unknown>;
  /** A store over the network may reject although the write has arrived: read again before going on. */
  set(key: string, document: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** Every document, each once. Rejects if the store fails on the way. Meant for the start, while nobody writes. */
  entries(): AsyncIterable<readonly [key: string, document: unknown]>;
  /**
   * Asks whether the store belongs to this process at this moment, which a process that was paused or cut off cannot know by itself.
   * Rejects if it does not, or if that cannot be found out.
   */
  prove(): Promise<void>;
  /** Gives the store back and closes what was opened. */
  close(): Promise<void>;
}

/** A store that has been opened. */
export interface Store extends Backend {
  /** A UUID of this store alone, which it keeps; a copy of it into another store has its own. */
  readonly id: string;
}

export interface BackendOptions {
  /** Called for each setting of the store's server that may cost data. */
  readonly onWarning: (text: string) => void;
  /** Called once, when the store does not belong to this process any more. Every write is refused from then on. */
  readonly onLost: (error: StoreError) => void;
}

/** A store opened for reading only, by a process that need not own it. */
export interface Inspection extends Pick<Backend, 'get' | 'entries' | 'close'> {
  /** Whether a walletbell has it open. */
  readonly isInUse: boolean;
  /** Whether nothing has been made there yet. */
  readonly isNew: boolean;
  readonly warnings: readonly string[];
}

/** Keeps walletbell's documents apart from others in the same database. */
export const NAMESPACE = 'walletbell';
