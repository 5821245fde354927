import { z } from 'zod';
import { shownStore, sqlitePath, storeKind } from './address.ts';
import type { Backend, BackendOptions, Inspection } from './backend.ts';
import { StoreError } from './error.ts';
import { type Migration, migrateDocument } from './migrate.ts';

/** Documents by key. Each write is one durable transaction; there is none over several keys. */
export interface Store {
  /** The document, undefined if there is none. Whoever asks validates it. */
  get(key: string): Promise<unknown>;
  /** A store over the network may reject although the write has arrived: whoever goes on must look again. */
  set(key: string, document: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** Every document. Meant for the start, while nobody writes. */
  entries(): AsyncIterable<readonly [key: string, document: unknown]>;
  close(): Promise<void>;
}

/** What a part says of a document that it was given at the start: `outlived` if nobody need keep it any longer. */
export type Loaded = 'kept' | 'expired' | 'unreadable';

export interface StoreOptions extends Partial<BackendOptions> {
  /** Bring documents of older versions up to the present, see `migrateDocument`. */
  readonly migrations?: readonly Migration[];
}

/**
 * Opens the store and makes sure that it can be written. What it needs (file, folder, table) is made. One process at a
 * time: two bots on one store would ring everything twice.
 *
 * @param url sqlite://PATH, relative to the working directory unless PATH begins with a slash; redis:// or rediss://;
 *   postgres:// or postgresql://
 * @throws {StoreError} if it cannot be reached, is damaged, in use, read-only or cannot be made
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const backend = await guarded(url, ({ open }) =>
    open({ onWarning: options.onWarning ?? (() => {}), onLost: options.onLost ?? (() => {}) }),
  );
  const { keyv } = backend;
  try {
    await guarded(url, () => bringUp(backend, shownStore(url), options.migrations ?? []));
  } catch (error) {
    await backend.close().catch(() => {});
    throw error;
  }
  return {
    get: (key) => keyv.get(key),
    set: async (key, document) => void (await keyv.set(key, document)),
    delete: async (key) => void (await keyv.delete(key)),
    entries: backend.entries,
    close: backend.close,
  };
}

/**
 * Looks into a store without changing it, also while a bot has it open.
 *
 * @throws {StoreError} if it cannot be reached or read
 */
export async function inspectStore(url: string): Promise<Inspection> {
  return guarded(url, ({ inspect }) => inspect());
}

interface Driver {
  readonly open: (options: BackendOptions) => Promise<Backend>;
  readonly inspect: () => Promise<Inspection>;
  readonly explain: (shown: string, error: unknown) => StoreError;
}

/** Only the client that the address asks for is loaded: the others would make every start slower. */
async function driverOf(url: string): Promise<Driver> {
  switch (storeKind(url)) {
    case 'redis': {
      const { openRedis, inspectRedis, explainRedis } = await import('./redis.ts');
      return { open: (options) => openRedis(url, options), inspect: () => inspectRedis(url), explain: explainRedis };
    }
    case 'postgres': {
      const { openPostgres, inspectPostgres, explainPostgres } = await import('./postgres.ts');
      return {
        open: (options) => openPostgres(url, options),
        inspect: () => inspectPostgres(url),
        explain: explainPostgres,
      };
    }
    default: {
      const { openSqlite, inspectSqlite, explainSqlite } = await import('./sqlite.ts');
      const path = sqlitePath(url);
      return {
        open: (options) => openSqlite(path, options),
        inspect: () => inspectSqlite(path),
        explain: explainSqlite,
      };
    }
  }
}

async function guarded<Result>(url: string, work: (driver: Driver) => Promise<Result>): Promise<Result> {
  const driver = await driverOf(url);
  try {
    return await work(driver);
  } catch (error) {
    throw driver.explain(shownStore(url), error);
  }
}

const metaSchema = z.object({ schemaVersion: z.int().min(1) });

/** Brings the documents up to the present version. What a later walletbell has written is left alone. */
async function bringUp({ keyv, entries }: Backend, shown: string, migrations: readonly Migration[]): Promise<void> {
  const present = migrations.length + 1;
  const meta = metaSchema.safeParse(await keyv.get('meta'));
  const found = meta.success ? meta.data.schemaVersion : 1;
  if (found > present) {
    throw new StoreError(
      `The store ${shown} was written by a later walletbell (version ${found}, this one knows ${present}). Start the later one, or set another STORE_URL.`,
      undefined,
    );
  }
  if (found < present) {
    const changed: [string, unknown][] = [];
    for await (const [key, document] of entries()) {
      const migrated = migrateDocument(key, document, migrations);
      if (migrated !== document) changed.push([key, migrated]);
    }
    for (const [key, document] of changed) await keyv.set(key, document);
  }
  await keyv.set('meta', { schemaVersion: present });
}
