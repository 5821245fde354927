import { z } from 'zod';
import { type StoreKind, shownStore, storeKind } from './address.ts';
import type { BackendOptions, Inspection, Store } from './backend.ts';
import { explainStoreError, StoreError } from './error.ts';

export type { Store } from './backend.ts';

/** What a part says of a document that it was given at the start: `expired` if it need not be kept any longer. */
export type Loaded = 'kept' | 'expired' | 'unreadable';

/** Grows when documents change so that an older walletbell would misread them. */
const SCHEMA_VERSION = 1;

/**
 * Opens the store and makes sure that it can be written. What it needs (file, folder, table) is made. One process at a
 * time: two bots on one store would send every alert twice.
 *
 * @param url sqlite://PATH, relative to the working directory unless PATH begins with a slash; redis:// or rediss://;
 *   postgres:// or postgresql://
 * @throws {StoreError} if it cannot be reached, is damaged, in use, read-only or cannot be made
 */
export async function openStore(url: string, options: Partial<BackendOptions> = {}): Promise<Store> {
  return explained(url, async ({ open }) => {
    const store = await open(url, { onWarning: () => {}, onLost: () => {}, ...options });
    try {
      await stampVersion(store, shownStore(url));
    } catch (error) {
      await store.close().catch(() => {});
      throw error;
    }
    return store;
  });
}

/**
 * Opens a store for reading only, also while a bot has it open.
 *
 * @throws {StoreError} if it cannot be reached or read
 */
export async function inspectStore(url: string): Promise<Inspection> {
  return explained(url, ({ inspect }) => inspect(url));
}

interface Driver {
  readonly open: (url: string, options: BackendOptions) => Promise<Store>;
  readonly inspect: (url: string) => Promise<Inspection>;
}

/** Only the client that the address asks for is loaded: the others would make every start slower. */
const DRIVERS: Readonly<Record<StoreKind, () => Promise<Driver>>> = {
  sqlite: () => import('./sqlite.ts'),
  redis: () => import('./redis.ts'),
  postgres: () => import('./postgres.ts'),
};

async function explained<Result>(url: string, work: (driver: Driver) => Promise<Result>): Promise<Result> {
  const kind = storeKind(url) ?? 'sqlite';
  const driver = await DRIVERS[kind]();
  try {
    return await work(driver);
  } catch (error) {
    throw explainStoreError(kind, shownStore(url), error);
  }
}

const metaSchema = z.object({ schemaVersion: z.int().min(1) });

/** Writes our version of the documents. A store that a later version has written is left as it is. */
async function stampVersion(store: Store, shown: string): Promise<void> {
  const found = metaSchema.safeParse(await store.get('meta')).data?.schemaVersion ?? SCHEMA_VERSION;
  if (found > SCHEMA_VERSION) {
    throw new StoreError(
      `The store ${shown} was written by a later walletbell (version ${found}, this one knows ${SCHEMA_VERSION}). Start the later one, or set another STORE_URL.`,
      undefined,
    );
  }
  await store.set('meta', { schemaVersion: SCHEMA_VERSION });
}
