import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import KeyvSqlite from '@keyv/sqlite';
import { type DeserializedData, Keyv } from 'keyv';
import { z } from 'zod';
import { StoreError } from './error.ts';
import { acquireFileLock } from './lock.ts';
import { type Migration, migrateDocument } from './migrate.ts';

/** A document that is in the store but is not JSON: kept as it is, for a person to look at. */
export class UnreadableDocument {
  readonly raw: string;
  readonly reason: string;

  constructor(raw: string, reason: string) {
    this.raw = raw;
    this.reason = reason;
  }
}

/** Documents by key. Each write is one durable transaction; there is none over several keys. */
export interface Store {
  /** The document, undefined if there is none. Whoever asks validates it. */
  get(key: string): Promise<unknown>;
  set(key: string, document: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** Every document. Meant for the start, while nobody writes. */
  entries(): AsyncIterable<readonly [key: string, document: unknown]>;
  close(): Promise<void>;
}

const NAMESPACE = 'walletbell';
const BUSY_TIMEOUT_MS = 5_000;
/** Keyv's iterator pages with OFFSET, so that its cost grows with the number of pages: large ones keep it linear. */
const ROWS_PER_PAGE = 50_000;

/**
 * Opens the SQLite store and makes sure that it can be written. File and folder are created. One process at a time:
 * two bots on one store would ring everything twice.
 *
 * @param migrations bring documents of older versions up to the present, see `migrateDocument`
 * @param url sqlite://PATH, relative to the working directory unless PATH begins with a slash
 * @throws {StoreError} if the file is corrupt, locked, read-only or cannot be created
 */
export async function openStore(url: string, migrations: readonly Migration[] = []): Promise<Store> {
  const path = url.replace(/^sqlite:\/\//, '');
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new StoreError(`The folder of the store ${path} cannot be created. Check STORE_URL and its rights.`, error);
  }
  const lock = await acquireFileLock(`${path}.lock`);
  try {
    return await openLocked(path, migrations, lock.release);
  } catch (error) {
    await lock.release();
    throw explain(path, error);
  }
}

async function openLocked(
  path: string,
  migrations: readonly Migration[],
  release: () => Promise<void>,
): Promise<Store> {
  const adapter = new KeyvSqlite({
    uri: `sqlite://${path}`,
    busyTimeout: BUSY_TIMEOUT_MS,
    iterationLimit: ROWS_PER_PAGE,
  });
  // Every failure also reaches the caller as a rejection; without a listener Node would end the process instead.
  adapter.on('error', () => {});
  const keyv = new Keyv({
    store: adapter,
    namespace: NAMESPACE,
    throwOnErrors: true,
    serialize: JSON.stringify,
    deserialize,
  });
  keyv.on('error', () => {});
  try {
    await adapter.query('PRAGMA journal_mode=WAL');
    await adapter.query('PRAGMA synchronous=FULL');
    const [check] = await adapter.query('PRAGMA quick_check(1)');
    if (check?.quick_check !== 'ok') throw new Error(`quick_check: ${check?.quick_check}`);
    await bringUp(keyv, path, migrations);
  } catch (error) {
    await adapter.close().catch(() => {});
    throw error;
  }
  return {
    get: (key) => keyv.get(key),
    set: async (key, document) => void (await keyv.set(key, document)),
    delete: async (key) => void (await keyv.delete(key)),
    async *entries() {
      for await (const entry of keyv.iterator?.(NAMESPACE) ?? []) yield entry;
    },
    async close() {
      await keyv.disconnect();
      await release();
    },
  };
}

const metaSchema = z.object({ schemaVersion: z.int().min(1) });

/** Brings the documents up to the present version. What a later walletbell has written is left alone. */
async function bringUp(keyv: Keyv, path: string, migrations: readonly Migration[]): Promise<void> {
  const present = migrations.length + 1;
  const meta = metaSchema.safeParse(await keyv.get('meta'));
  const found = meta.success ? meta.data.schemaVersion : 1;
  if (found > present) {
    throw new StoreError(
      `The store ${path} was written by a later walletbell (version ${found}, this one knows ${present}). Start the later one, or set another STORE_URL.`,
      undefined,
    );
  }
  if (found < present) {
    const changed: [string, unknown][] = [];
    for await (const [key, document] of keyv.iterator?.(NAMESPACE) ?? []) {
      const migrated = migrateDocument(key, document, migrations);
      if (migrated !== document) changed.push([key, migrated]);
    }
    for (const [key, document] of changed) await keyv.set(key, document);
  }
  await keyv.set('meta', { schemaVersion: present });
}

/** Keyv wraps each document as `{value, expires}`; what is not JSON comes out marked instead of ending an iteration. */
function deserialize<T>(raw: string): DeserializedData<T> {
  try {
    return JSON.parse(raw);
  } catch (error) {
    return { value: new UnreadableDocument(raw, (error as Error).message) as T };
  }
}

function explain(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (/NOTADB|CORRUPT|malformed|quick_check/.test(text)) {
    return new StoreError(
      `The store ${path} is not a sound SQLite database (${text}). Put a backup in its place, or move it away to begin with an empty one.`,
      error,
    );
  }
  if (/BUSY|LOCKED/.test(text)) {
    return new StoreError(
      `The store ${path} is locked by another program (${text}). End that program, then start again.`,
      error,
    );
  }
  if (/READONLY|EACCES|EPERM/.test(text)) {
    return new StoreError(
      `The store ${path} is read-only (${text}). Give this user the right to write it and its folder.`,
      error,
    );
  }
  return new StoreError(
    `The store ${path} cannot be opened (${text}). Check STORE_URL, the rights and the free space.`,
    error,
  );
}
