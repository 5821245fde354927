import { Keyv, type KeyvOptions } from 'keyv';
import { deserialize } from './document.ts';
import type { StoreError } from './error.ts';

/** A store that has been opened and belongs to this process alone. */
export interface Backend {
  readonly keyv: Keyv;
  /** Every document, each once. Rejects if the store fails on the way: an iteration that ends is complete. */
  entries(): AsyncIterable<readonly [key: string, document: unknown]>;
  /** Gives the store back and closes what was opened. */
  close(): Promise<void>;
}

export interface BackendOptions {
  /** Is told what is wrong with the store's settings, though it works. */
  readonly onWarning: (text: string) => void;
  /** Is told, once, that the store does not belong to this process any more. Every write is refused from then on. */
  readonly onLost: (error: StoreError) => void;
}

/** A store as somebody looks at it who changes nothing and need not own it. */
export interface Inspection {
  /** Whether a walletbell has it open. */
  readonly isInUse: boolean;
  /** Whether nothing has been made there yet. */
  readonly isNew: boolean;
  readonly warnings: readonly string[];
  entries(): AsyncIterable<readonly [key: string, document: unknown]>;
  close(): Promise<void>;
}

/** What keeps walletbell's documents apart from others in the same database. */
export const NAMESPACE = 'walletbell';

/**
 * Documents as JSON in our part of a store.
 *
 * @param options what a kind of store wants otherwise
 */
export function documentsIn(
  store: NonNullable<KeyvOptions['store']>,
  options: Pick<KeyvOptions, 'useKeyPrefix'> = {},
): Keyv {
  const keyv = new Keyv({
    store,
    namespace: NAMESPACE,
    throwOnErrors: true,
    serialize: JSON.stringify,
    deserialize,
    ...options,
  });
  // Every failure also reaches the caller as a rejection; without a listener Node would end the process instead.
  keyv.on('error', () => {});
  return keyv;
}
