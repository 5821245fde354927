import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type StoreKind, shownStore, storeKind } from './address.ts';
import type { Backend, BackendOptions, Inspection, Store } from './backend.ts';
import { explainStoreError, StoreError, StoreInUse } from './error.ts';

export type { Store } from './backend.ts';

/** What a part says of a document that it was given at the start: `expired` if it need not be kept any longer. */
export type Loaded = 'kept' | 'expired' | 'unreadable';

/** Grows when documents change so that an older walletbell would misread them. */
const SCHEMA_VERSION = 1;
/** A standby tries this often, ms. */
const RETRY_MS = 500;

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
      return { ...store, id: await readId(store) };
    } catch (error) {
      await store.close().catch(() => {});
      throw error;
    }
  });
}

/** How a standby waits for a store. */
export interface Waiting {
  /** Called once, when the store is found in use. */
  readonly onWaiting: () => void;
  /** Called when a store that is waited for cannot be asked: once until it can be. */
  readonly onFailure: (error: StoreError) => void;
  readonly sleep: (delayMs: number) => Promise<unknown>;
}

/**
 * Opens a store as soon as no other process has it.
 *
 * @throws {StoreError} as {@link openStore}, where the store cannot be used at the first attempt, whoever owns it
 */
export async function awaitStore(
  url: string,
  options: Partial<BackendOptions>,
  { onWaiting, onFailure, sleep }: Waiting,
): Promise<Store> {
  const attempt = () =>
    openStore(url, options).catch((error: unknown) => {
      if (error instanceof StoreError) return error;
      throw error;
    });
  let opened = await attempt();
  if (opened instanceof StoreInUse) onWaiting();
  else if (opened instanceof StoreError) throw opened;
  while (opened instanceof StoreError) {
    const wasInUse = opened instanceof StoreInUse;
    await sleep(RETRY_MS);
    opened = await attempt();
    if (wasInUse && opened instanceof StoreError && !(opened instanceof StoreInUse)) onFailure(opened);
  }
  return opened;
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
  readonly open: (url: string, options: BackendOptions) => Promise<Backend>;
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
async function stampVersion(store: Backend, shown: string): Promise<void> {
  const found = metaSchema.safeParse(await store.get('meta')).data?.schemaVersion ?? SCHEMA_VERSION;
  if (found > SCHEMA_VERSION) {
    throw new StoreError(
      `The store ${shown} was written by a later walletbell (version ${found}, this one knows ${SCHEMA_VERSION}). Start the later one, or set another STORE_URL.`,
      undefined,
    );
  }
  await store.set('meta', { schemaVersion: SCHEMA_VERSION });
}

const idSchema = z.object({ id: z.uuid() });

/** The store's id, made at its first opening. */
async function readId(store: Backend): Promise<string> {
  const found = idSchema.safeParse(await store.get('store'));
  if (found.success) return found.data.id;
  const id = randomUUID();
  await store.set('store', { version: 1, id });
  return id;
}
