import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Machine } from '../lib/machine.ts';
import { type StoreKind, shownStore, storeKind } from './address.ts';
import { type Backend, type Inspection, type Lose, orClosed } from './backend.ts';
import { explainStoreError, StoreError, StoreInUse, StoreUnfit } from './error.ts';
import { readId, SCHEMA_VERSION, type Shards, unfitness, versionFault, writeMark } from './marks.ts';

export type { Inspection } from './backend.ts';

/** A store that has been opened. */
export interface Store extends Omit<Backend, 'warnings'> {
  /** A UUID of this store alone, which it keeps; a copy of it into another store has its own. */
  readonly id: string;
}

/** A standby tries this often, ms. */
const RETRY_MS = 500;
/** A proof that is older than this, ms, is asked for anew. Redis gives the store to another process after six seconds. */
const PROOF_LIMIT_MS = 3_000;

export interface OpenOptions {
  /**
   * The shards that the process serves: a store from which they have moved, or a copy that is not finished, is refused. `auto`,
   * the default: all there are. Null: it is opened all the same.
   */
  readonly shards?: Shards | 'auto' | null;
  /** Called for each setting of the store's server that may cost data. */
  readonly onWarning?: (text: string) => void;
  /** Called once, when the store does not belong to this process any more. Everything is refused from then on. */
  readonly onLost?: (error: StoreError) => void;
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
  const shown = shownStore(url);
  let loss: StoreError | undefined;
  const lose = (error: StoreError): StoreError => {
    if (loss === undefined) onLost(error);
    loss ??= error;
    return loss;
  };
  return explained(url, async ({ open }, explain) => {
    const { warnings, ...store } = await open(url, lose);
    const owned = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (loss !== undefined) throw loss;
      const result = await work().catch(explain);
      if (loss !== undefined) throw loss;
      return result;
    };
    return orClosed(store.close, async () => {
      for (const warning of warnings) onWarning(warning);
      const fault =
        (await versionFault(store, shown)) ?? (shards === null ? null : await unfitness(store, shown, shards));
      if (fault !== null) throw new StoreUnfit(fault);
      await writeMark(store, 'meta', { schemaVersion: SCHEMA_VERSION });
      // Made where there is none: one that cannot be read is of no use to anybody.
      const id = (await readId(store)) ?? randomUUID();
      await writeMark(store, 'store', { version: 1, id });
      return {
        id,
        get: (key) => owned(() => store.get(key)),
        set: (key, document) => owned(() => store.set(key, document)),
        delete: (key) => owned(() => store.delete(key)),
        prove: () => owned(store.prove),
        async *entries() {
          try {
            yield* store.entries();
          } catch (error) {
            explain(error);
          }
        },
        close: store.close,
      };
    });
  });
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

/**
 * Keeps a process that was paused or cut off from sending what another one, which has taken over meanwhile, sends as well.
 *
 * @returns resolves while a proof of ownership is fresh; rejects if the store belongs to another process or does not answer
 */
export function createFence(
  { nowMs, monotonicMs }: Pick<Machine, 'nowMs' | 'monotonicMs'>,
  prove: Store['prove'],
): () => Promise<void> {
  // The one goes on while the machine is suspended, the other while the process is stopped.
  const moment = () => ({ wallMs: nowMs(), monotonicMs: monotonicMs() });
  /** When the last proof was asked for; null before the first one. */
  let proved: ReturnType<typeof moment> | null = null;
  let proving: Promise<void> | null = null;

  const renew = async () => {
    const requested = moment();
    await prove();
    proved = requested;
  };

  const isFresh = () => {
    if (proved === null) return false;
    const now = moment();
    const ageMs = Math.max(now.monotonicMs - proved.monotonicMs, Math.abs(now.wallMs - proved.wallMs));
    return ageMs <= PROOF_LIMIT_MS;
  };

  return async () => {
    // An answer may itself come after a pause.
    while (!isFresh()) {
      proving ??= renew().finally(() => {
        proving = null;
      });
      await proving;
    }
  };
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
  readonly open: (url: string, lose: Lose) => Promise<Backend>;
  readonly inspect: (url: string) => Promise<Inspection>;
}

/** Only the client that the address asks for is loaded: the others would make every start slower. */
const DRIVERS: Readonly<Record<StoreKind, () => Promise<Driver>>> = {
  sqlite: () => import('./sqlite.ts'),
  redis: () => import('./redis.ts'),
  postgres: () => import('./postgres.ts'),
};

/** Does work with the driver of an address. @param work rejects with what its second parameter makes of an error of the driver */
async function explained<Result>(
  url: string,
  work: (driver: Driver, explain: (error: unknown) => never) => Promise<Result>,
): Promise<Result> {
  const kind = storeKind(url) ?? 'sqlite';
  const explain = (error: unknown): never => {
    throw explainStoreError(kind, shownStore(url), error);
  };
  return work(await DRIVERS[kind](), explain).catch(explain);
}

export const QUARANTINE_PREFIX = 'quarantine:';

/** The key under which a document stood that is under this one now; undefined if it has not been put aside. */
export function quarantinedKey(key: string): string | undefined {
  return key.startsWith(QUARANTINE_PREFIX) ? key.slice(QUARANTINE_PREFIX.length) : undefined;
}

/** Keeps what could not be read under another key, for the operator. Rejects if the store does. */
export function createQuarantine(store: Pick<Store, 'set'>, log: Logger) {
  return async (key: string, document: unknown): Promise<void> => {
    log.error({ event: 'store.quarantined', key, movedTo: QUARANTINE_PREFIX + key });
    await store.set(QUARANTINE_PREFIX + key, document);
  };
}
