import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type StoreKind, shownStore, storeKind } from './address.ts';
import type { Backend, BackendOptions, Inspection, Store } from './backend.ts';
import { explainStoreError, StoreError, StoreInUse, StoreUnfit } from './error.ts';
import { readId, type Shards, unfitness, versionFault, writeId, writeVersion } from './marks.ts';

export type { Inspection, Store } from './backend.ts';

/** A standby tries this often, ms. */
const RETRY_MS = 500;

export interface OpenOptions extends Partial<BackendOptions> {
  /**
   * The shards that the process serves: a store from which they have moved, or a copy that is not finished, is refused. `auto`,
   * the default: all there are. Null: it is opened all the same.
   */
  readonly shards?: Shards | 'auto' | null;
}

/**
 * Opens the store and makes sure that it can be written. What it needs (file, folder, table) is made. One process at a
 * time: two bots on one store would send every alert twice.
 *
 * @param url sqlite://PATH, relative to the working directory unless PATH begins with a slash; redis:// or rediss://;
 *   postgres:// or postgresql://
 * @returns its methods reject with a StoreError, too
 * @throws {StoreError} if it cannot be reached, is damaged, in use, read-only or cannot be made; {@link StoreUnfit} if it has
 *   moved to another one, a copy into it has not been finished, or another version has written it. Nothing has been written then
 */
export function openStore(
  url: string,
  { shards = 'auto', onWarning = () => {}, onLost = () => {} }: OpenOptions = {},
): Promise<Store> {
  return explained(url, async ({ open }) => {
    const store = await open(url, { onWarning, onLost });
    try {
      const shown = shownStore(url);
      const fault =
        (await versionFault(store, shown)) ?? (shards === null ? null : await unfitness(store, shown, shards));
      if (fault !== null) throw new StoreUnfit(fault);
      await writeVersion(store);
      // Made where there is none: one that cannot be read is of no use to anybody.
      const id = (await readId(store)) ?? randomUUID();
      await writeId(store, id);
      return { ...explaining(store, url), id };
    } catch (error) {
      await store.close().catch(() => {});
      throw error;
    }
  });
}

/** The store, whose methods say what an error means and what the operator can do. */
function explaining(store: Backend, url: string): Backend {
  const explain = (error: unknown) => {
    throw explainStoreError(storeKind(url) ?? 'sqlite', shownStore(url), error);
  };
  return {
    ...store,
    get: (key) => store.get(key).catch(explain),
    set: (key, document) => store.set(key, document).catch(explain),
    delete: (key) => store.delete(key).catch(explain),
    prove: () => store.prove().catch(explain),
    async *entries() {
      try {
        yield* store.entries();
      } catch (error) {
        explain(error);
      }
    },
  };
}

/**
 * Opens a store as soon as no other process has it.
 *
 * @param log takes that it is waited for, once until it can be asked again that it cannot, and that it is there
 * @throws {StoreError} as {@link openStore}, where the store cannot be used at the first attempt, whoever owns it;
 *   {@link StoreUnfit} also later
 */
export async function awaitStore(
  url: string,
  options: OpenOptions,
  log: Logger,
  sleep: (delayMs: number) => Promise<unknown> = delay,
): Promise<Store> {
  const beganMs = performance.now();
  const attempt = () =>
    openStore(url, options).catch((error: unknown) => {
      if (error instanceof StoreError) return error;
      throw error;
    });
  let opened = await attempt();
  if (opened instanceof StoreInUse) log.info({ event: 'standby.waiting', store: shownStore(url) });
  else if (opened instanceof StoreError) throw opened;
  while (opened instanceof StoreError) {
    const wasInUse = opened instanceof StoreInUse;
    await sleep(RETRY_MS);
    opened = await attempt();
    if (opened instanceof StoreUnfit) throw opened;
    const isAway = opened instanceof StoreError && !(opened instanceof StoreInUse);
    if (wasInUse && isAway) log.warn({ event: 'standby.store_failed', err: opened });
  }
  log.info({ event: 'standby.taking_over', waitedSeconds: Math.round((performance.now() - beganMs) / 1000) });
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
