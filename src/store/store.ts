import { randomUUID } from 'node:crypto';
import { type StoreKind, shownStore, storeKind } from './address.ts';
import type { Backend, BackendOptions, Inspection, Store } from './backend.ts';
import { explainStoreError, StoreError, StoreInUse, StoreUnfit } from './error.ts';
import { readId, type Shards, unfitness, versionFault, writeId, writeVersion } from './marks.ts';

export type { Inspection, Store } from './backend.ts';

/** A standby tries this often, ms. */
const RETRY_MS = 500;

export interface OpenOptions extends Partial<BackendOptions> {
  /** The shards that the process serves: a store from which they have moved is refused. `auto`, the default: all there are. */
  readonly shards?: Shards | 'auto';
}

/**
 * Opens the store and makes sure that it can be written. What it needs (file, folder, table) is made. One process at a
 * time: two bots on one store would send every alert twice.
 *
 * @param url sqlite://PATH, relative to the working directory unless PATH begins with a slash; redis:// or rediss://;
 *   postgres:// or postgresql://
 * @throws {StoreError} if it cannot be reached, is damaged, in use, read-only or cannot be made; {@link StoreUnfit} if it has
 *   moved to another one, a copy into it has not been finished, or another version has written it
 */
export function openStore(url: string, { shards = 'auto', ...options }: OpenOptions = {}): Promise<Store> {
  return openIf(url, options, async (store) => {
    const fault = await unfitness(store, shownStore(url), shards);
    if (fault !== null) throw new StoreUnfit(fault);
  });
}

/**
 * Opens a store for `store copy` alone, which decides what it may do with one that has moved or is incomplete. Its methods
 * reject with a StoreError, too.
 */
export async function openForCopy(url: string, options: Partial<BackendOptions> = {}): Promise<Store> {
  const store = await openIf(url, options, async () => {});
  const explain = (error: unknown) => explainStoreError(storeKind(url) ?? 'sqlite', shownStore(url), error);
  const explaining = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      throw explain(error);
    });
  return {
    ...store,
    get: (key) => explaining(store.get(key)),
    set: (key, document) => explaining(store.set(key, document)),
    delete: (key) => explaining(store.delete(key)),
    prove: () => explaining(store.prove()),
    async *entries() {
      try {
        yield* store.entries();
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

/** @param admit rejects if the store must not be worked on; nothing has been written then */
function openIf(
  url: string,
  options: Partial<BackendOptions>,
  admit: (store: Backend) => Promise<void>,
): Promise<Store> {
  const withDefaults = { onWarning: () => {}, onLost: () => {}, ...options };
  return explained(url, async ({ open }) => {
    const store = await open(url, withDefaults);
    try {
      const fault = await versionFault(store, shownStore(url));
      if (fault !== null) throw new StoreUnfit(fault);
      await admit(store);
      await writeVersion(store);
      return { ...store, id: await ownId(store) };
    } catch (error) {
      await store.close().catch(() => {});
      throw error;
    }
  });
}

/**
 * Opens a store as soon as no other process has it.
 *
 * @throws {StoreError} as {@link openStore}, where the store cannot be used at the first attempt, whoever owns it;
 *   {@link StoreUnfit} also later
 */
export async function awaitStore(
  url: string,
  options: OpenOptions,
  {
    onWaiting,
    onFailure,
    sleep,
  }: {
    /** Called once, when the store is found in use. */
    readonly onWaiting: () => void;
    /** Called when a store that is waited for cannot be asked: once until it can be. */
    readonly onFailure: (error: StoreError) => void;
    readonly sleep: (delayMs: number) => Promise<unknown>;
  },
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
    if (opened instanceof StoreUnfit) throw opened;
    if (wasInUse && opened instanceof StoreError && !(opened instanceof StoreInUse)) onFailure(opened);
  }
  return opened;
}

/**
 * Opens a store for reading only, also while a bot has it open.
 *
 * @throws {StoreError} if it cannot be reached or read
 */
export function inspectStore(url: string): Promise<Inspection> {
  return explained(url, ({ inspect }) => inspect(url));
}

/** Works with a store that is closed afterwards, however the work ends. */
export async function closing<Opened extends { close(): Promise<void> }, Result>(
  opening: Promise<Opened>,
  work: (store: Opened) => Promise<Result>,
): Promise<Result> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
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

/** The store's id, made where there is none: one that cannot be read is of no use to anybody. */
async function ownId(store: Backend): Promise<string> {
  const found = await readId(store);
  if (found !== undefined) return found;
  const id = randomUUID();
  await writeId(store, id);
  return id;
}
