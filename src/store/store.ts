import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Machine } from '../lib/machine.ts';
import { type StoreKind, shownStore, storeKind } from './address.ts';
import { type Backend, type Inspection, orClosed } from './backend.ts';
import { explainStoreError, StoreError, StoreInUse, StorePlaceUnfit, StoreUnfit } from './error.ts';
import {
  incompleteness,
  readId,
  SCHEMA_VERSION,
  type Shards,
  unfitness,
  versionFault,
  writeMark,
} from './marks.ts';

export type { Inspection } from './backend.ts';

export interface Store extends Omit<Backend, 'warnings'> {
  /** A UUID of this store alone, which it keeps; a copy of it into another store has its own. */
  readonly id: string;
}

/** A standby tries this often, ms. */
const RETRY_MS = 500;
/**
 * A proof older than this, ms, is asked for anew. Redis gives the store to another process after
 * six seconds.
 */
const PROOF_LIMIT_MS = 3_000;

export interface OpenOptions {
  /**
   * The shards that the process serves: a store from which they have moved, or a copy that is not
   * finished, is refused. `auto`, the default: all there are. Null: it is opened all the same.
   */
  readonly shards?: Shards | 'auto' | null;
  /** Called for each setting of the store's server that may cost data. */
  readonly onWarning?: (text: string) => void;
  /**
   * Called once, when the store does not belong to this process any more. Everything is refused
   * from then on.
   */
  readonly onLost?: (error: StoreError) => void;
}

/**
 * Opens the store and makes sure that it can be written. What it needs (file, folder, table) is
 * made. One process at a time: two bots on one store would send every alert twice.
 *
 * @param url sqlite://PATH, relative to the working directory unless PATH begins with a slash;
 *   redis:// or rediss://; postgres:// or postgresql://
 * @returns its methods reject with a StoreError, too
 * @throws {StoreError} if it cannot be reached, is damaged, in use, read-only or cannot be made;
 *   {@link StoreUnfit} if it moved to another one, a copy into it is not finished, or another
 *   version wrote it. Nothing was written then
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
        (await versionFault(store, shown)) ??
        (shards === null ? null : await unfitness(store, shown, shards));
      if (fault !== null) throw new StoreUnfit(fault);
      await writeMark(store, 'meta', { schemaVersion: SCHEMA_VERSION });
      // Made where there is none: one that cannot be read is of no use to anybody.
      const id = (await readId(store)) ?? randomUUID();
      await writeMark(store, 'store', { id });
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
 * @param log takes that it is waited for, once until it can be asked again that it cannot, and that
 *   it is there
 * @param onWaiting called once where another process has the store, before it is waited for: what
 *   it throws ends that
 * @throws {StoreError} as {@link openStore}, where the store cannot be used at the first attempt,
 *   whoever owns it; {@link StoreUnfit} also later, except for a place that cannot be written
 */
export async function awaitStore(
  url: string,
  options: OpenOptions,
  log: Logger,
  sleep: (delayMs: number) => Promise<unknown> = delay,
  onWaiting: () => Promise<void> = async () => {},
): Promise<Store> {
  const beganMs = performance.now();
  for (let before: StoreError | null = null; ; await sleep(RETRY_MS)) {
    try {
      const store = await openStore(url, options);
      log.info({
        event: 'standby.taking_over',
        waitedSeconds: Math.round((performance.now() - beganMs) / 1000),
      });
      return store;
    } catch (error) {
      const isInUse = error instanceof StoreInUse;
      if (!(error instanceof StoreError)) throw error;
      if (before === null && !isInUse) throw error;
      if (isForGood(error)) throw error;
      if (before === null) {
        log.info({ event: 'standby.waiting', store: shownStore(url) });
        await onWaiting();
      }
      if (before instanceof StoreInUse && !isInUse)
        log.warn({ event: 'standby.store_failed', err: error });
      before = error;
    }
  }
}

/** That waiting for a store is of no use, whoever has it. */
function isForGood(error: StoreError): boolean {
  return error instanceof StoreUnfit && !(error instanceof StorePlaceUnfit);
}

/**
 * Why a standby could not work on a store that another process has: by its marks alone.
 *
 * @returns null if it could; `isFinal`: it never will, because the store has moved or is of another
 *   format
 * @throws {StoreError} if the store cannot be reached or read
 */
export async function standbyFault(url: string, shards: Shards | 'auto') {
  const shown = shownStore(url);
  const inspection = await explained(url, ({ inspect }) => inspect(url, { isQuick: true }));
  try {
    const otherVersion = await versionFault(inspection, shown);
    if (otherVersion !== null) return { reason: otherVersion, isFinal: true };
    const incomplete = await incompleteness(inspection, shown);
    if (incomplete !== null) return { reason: incomplete, isFinal: false };
    const moved = await unfitness(inspection, shown, shards);
    return moved === null ? null : { reason: moved, isFinal: true };
  } finally {
    await inspection.close();
  }
}

/**
 * Opens a store for reading only, even one that is in use. @throws {StoreError} if it cannot be
 * reached or read
 */
export function inspectStore(url: string): Promise<Inspection> {
  return explained(url, ({ inspect }) => inspect(url));
}

/**
 * Keeps a process that was paused or cut off from sending what another one, which took over
 * meanwhile, sends as well.
 *
 * @returns resolves while a proof of ownership is fresh; rejects if the store is another process's
 *   or does not answer
 */
export function createFence(
  { nowMs, monotonicMs }: Pick<Machine, 'nowMs' | 'monotonicMs'>,
  prove: Store['prove'],
): () => Promise<void> {
  // The wall clock goes on while the machine is suspended; the monotonic one is never set back.
  const moment = () => ({ wallMs: nowMs(), monotonicMs: monotonicMs() });
  /** When the last proof was asked for. */
  let proved = { wallMs: Number.NEGATIVE_INFINITY, monotonicMs: Number.NEGATIVE_INFINITY };
  let proving: Promise<void> | null = null;

  const renew = async () => {
    const requested = moment();
    await prove();
    proved = requested;
  };

  const isFresh = () => {
    const now = moment();
    const ageMs = Math.max(
      now.monotonicMs - proved.monotonicMs,
      Math.abs(now.wallMs - proved.wallMs),
    );
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

type Driver = Pick<typeof import('./sqlite.ts'), 'open' | 'inspect'>;

/**
 * Only the client that the address asks for is loaded: the others would make every start slower.
 */
const DRIVERS: Readonly<Record<StoreKind, () => Promise<Driver>>> = {
  sqlite: () => import('./sqlite.ts'),
  redis: () => import('./redis.ts'),
  postgres: () => import('./postgres.ts'),
};

/**
 * Does work with an address's driver. @param work rejects with what its second parameter makes of a
 * driver error
 */
async function explained<Result>(
  url: string,
  work: (driver: Driver, explain: (error: unknown) => never) => Promise<Result>,
): Promise<Result> {
  const kind = storeKind(url);
  const explain = (error: unknown): never => {
    throw explainStoreError(kind, shownStore(url), error);
  };
  return work(await DRIVERS[kind](), explain).catch(explain);
}

export const QUARANTINE_PREFIX = 'quarantine:';

/**
 * The key under which a document stood that is under this one now; undefined if it has not been put
 * aside.
 */
export function quarantinedKey(key: string): string | undefined {
  return key.startsWith(QUARANTINE_PREFIX) ? key.slice(QUARANTINE_PREFIX.length) : undefined;
}

/** Keeps what could not be read under another key, for the operator. Rejects if the store does. */
export async function quarantine(
  store: Pick<Store, 'set'>,
  log: Logger,
  key: string,
  document: unknown,
) {
  log.error({ event: 'store.quarantined', key, movedTo: QUARANTINE_PREFIX + key });
  await store.set(QUARANTINE_PREFIX + key, document);
}
