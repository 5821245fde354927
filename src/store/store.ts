import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Machine } from '../lib/machine.ts';
import { type StoreKind, shownStore, storeKind } from './address.ts';
import {
  type Backend,
  type BackendInspection,
  type Documents,
  type InspectOptions,
  type Lose,
  orClosed,
} from './backend.ts';
import {
  conversionText,
  prepareConversion,
  roomFault,
  type StartRule,
  unreadableFault,
} from './conversion.ts';
import { keptCopies } from './copy-before.ts';
import { explainStoreError, StoreError, StoreInUse, StorePlaceUnfit, StoreUnfit } from './error.ts';
import { FORMAT, type Format } from './format.ts';
import {
  incompleteness,
  readId,
  readMeta,
  type Shards,
  unfitness,
  versionFault,
  writeMark,
} from './marks.ts';

export interface Store extends Documents, Pick<Backend, 'keys' | 'endings' | 'prove' | 'close'> {
  /** A UUID of this store alone, which it keeps; a copy of it into another store has its own. */
  readonly id: string;
}

/** A store opened for reading only, by a process that need not own it. */
export interface Inspection
  extends Pick<Documents, 'get' | 'entries'>,
    Omit<BackendInspection, 'get' | 'entries'> {}

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
  /**
   * Given by a bot or a feed, which alone convert a store of an older format: its mark is raised
   * before anything else is written. Left out by tools: these convert what they read, and mark
   * nothing.
   */
  readonly start?: StartRule;
  /** Another one than the program's own. */
  readonly format?: Format;
}

/**
 * Opens the store and makes sure that it can be written. What it needs (file, folder, table) is
 * made. One process at a time: with two bots on one store alerts may come twice.
 *
 * @param url sqlite://PATH, relative to the working directory unless PATH begins with a slash;
 *   redis:// or rediss://; postgres:// or postgresql://
 * @returns its methods reject with a StoreError, too
 * @throws {StoreError} if it cannot be reached, is damaged, in use, read-only or cannot be made;
 *   {@link StoreUnfit} if it moved to another one, a copy into it is not finished, a later version
 *   wrote it, or what an earlier one wrote cannot be converted. Nothing was written then
 */
export function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  const { onWarning = () => {}, onLost = () => {}, format = FORMAT } = options;
  let loss: StoreError | undefined;
  const lose = (error: StoreError): StoreError => {
    if (loss === undefined) onLost(error);
    loss ??= error;
    return loss;
  };
  return explained(url, async ({ open }, explain) => {
    const backend = await open(url, lose, onWarning);
    const owned = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (loss !== undefined) throw loss;
      const result = await work().catch(explain);
      if (loss !== undefined) throw loss;
      return result;
    };
    return orClosed(backend.close, async () => {
      for (const warning of backend.warnings) onWarning(warning);
      const store = withFormat(backend, format);
      await begin(store, url, options);
      // Made where there is none: one that cannot be read is of no use to anybody.
      const found = await readId(store);
      const id = found ?? randomUUID();
      if (found === undefined) await writeMark(store, 'store', { id });
      return {
        id,
        get: (key) => owned(() => store.get(key)),
        set: (key, document) => owned(() => store.set(key, document)),
        delete: (key) => owned(() => store.delete(key)),
        endings: (keys, length) => owned(() => backend.endings(keys, length)),
        prove: () => owned(backend.prove),
        async *entries(except) {
          try {
            yield* store.entries(except);
          } catch (error) {
            explain(error);
          }
        },
        async *keys(prefix) {
          try {
            yield* backend.keys(prefix);
          } catch (error) {
            explain(error);
          }
        },
        close: backend.close,
      };
    });
  });
}

/**
 * Sees whether the store may be worked on, converts its marks where a bot or feed starts, and gives
 * a new one its marks.
 *
 * @throws {StoreUnfit} why it may not be. Nothing was written then
 */
async function begin(store: Documents, url: string, options: OpenOptions): Promise<void> {
  const { shards = 'auto', start, format = FORMAT } = options;
  const shown = shownStore(url);
  const fault =
    (await versionFault(store, shown, format, keptCopies(url))) ??
    (shards === null ? null : await unfitness(store, shown, shards));
  if (fault !== null) throw new StoreUnfit(fault);
  const meta = await readMeta(store);
  if (start === undefined) {
    if (meta === undefined) await writeMark(store, 'meta', { schemaVersion: format.version });
    return;
  }
  if (meta !== undefined && meta.schemaVersion < format.version) {
    await prepareConversion({ url, documents: store, format, meta }, start);
  }
  await writeMark(store, 'meta', { schemaVersion: format.version, writtenBy: start.release });
}

/** The documents of a backend's texts: the one place where any of them is read or written. */
function withFormat(backend: Documents<string>, format: Format): Documents {
  return {
    ...readWith(backend, format),
    set: (key, document) => backend.set(key, format.write(key, document)),
    delete: backend.delete,
  };
}

function readWith(backend: Pick<Documents<string>, 'get' | 'entries'>, format: Format) {
  return {
    async get(key: string) {
      const text = await backend.get(key);
      if (text === undefined) return undefined;
      return format.read(key, text);
    },
    async *entries(except?: readonly string[]) {
      for await (const [key, text] of backend.entries(except)) {
        yield [key, format.read(key, text)] as const;
      }
    },
  };
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
      if (before instanceof StoreInUse && !isInUse) {
        log.warn({ event: 'standby.store_failed', err: error });
      }
      before = error;
    }
  }
}

/** Tells whether waiting for a store is of no use, whoever has it. */
function isForGood(error: StoreError): boolean {
  return error instanceof StoreUnfit && !(error instanceof StorePlaceUnfit);
}

/**
 * Looks at a store that another process has, for a standby: at its marks, and once at all of it
 * where it would have to be converted.
 *
 * @param isFirst whether it looks for the first time
 * @returns `reason`: why it could not work on it, null if it could; `isFinal`: it never will,
 *   because the store has moved, or cannot be read; `conversion`: what it will do first, if
 *   anything
 * @throws {StoreError} if the store cannot be reached or read
 */
export function lookForStandby(
  url: string,
  options: Pick<OpenOptions, 'shards' | 'start' | 'format'>,
  isFirst: boolean,
): Promise<{
  readonly reason: string | null;
  readonly isFinal: boolean;
  readonly conversion: string | null;
}> {
  const { shards = 'auto', start, format = FORMAT } = options;
  const shown = shownStore(url);
  const final = (reason: string) => ({ reason, isFinal: true, conversion: null });
  return closing(inspectStore(url, { isQuick: true, format }), async (inspection) => {
    const otherVersion = await versionFault(inspection, shown, format, keptCopies(url));
    if (otherVersion !== null) return final(otherVersion);
    const incomplete = await incompleteness(inspection, shown);
    if (incomplete !== null) return { reason: incomplete, isFinal: false, conversion: null };
    const moved = await unfitness(inspection, shown, shards ?? 'auto');
    if (moved !== null) return final(moved);
    const meta = await readMeta(inspection);
    const isOlder = meta !== undefined && meta.schemaVersion < format.version;
    if (!isOlder || start === undefined) return { reason: null, isFinal: false, conversion: null };
    if (isFirst && !start.skipsDamaged) {
      const older = { url, documents: inspection, format, meta };
      const unreadable = await unreadableFault(older, start);
      if (unreadable !== null) return final(unreadable);
    }
    const reason = start.copies ? roomFault(url) : null;
    const conversion = conversionText(url, meta, format, start.copies);
    return { reason, isFinal: false, conversion };
  });
}

/**
 * Opens a store for reading only, even one that is in use.
 *
 * @param options `isQuick`: it is not seen to that the whole file is sound; `isOneMoment`: all is
 *   read as it is at one moment, where the kind of store has one
 * @throws {StoreError} if it cannot be reached or read
 */
export function inspectStore(
  url: string,
  { isQuick = false, isOneMoment = false, format = FORMAT } = {},
): Promise<Inspection> {
  return explained(url, async ({ inspect }) => {
    const inspection = await inspect(url, { isQuick, isOneMoment });
    return { ...inspection, ...readWith(inspection, format) };
  });
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
  /** Time at which the last proof was asked for, by both clocks. */
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

interface Driver {
  open(url: string, lose: Lose, onWarning: (text: string) => void): Promise<Backend>;
  inspect(url: string, options: InspectOptions): Promise<BackendInspection>;
}

/**
 * Only the client that the address asks for is loaded: the others would make every start slower.
 */
const DRIVERS: Readonly<Record<StoreKind, () => Promise<Driver>>> = {
  sqlite: () => import('./sqlite.ts'),
  redis: () => import('./redis.ts'),
  postgres: () => import('./postgres.ts'),
};

/**
 * Does work with an address's driver.
 *
 * @param work rejects with what its second parameter makes of a driver error
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
