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
  type StartRule,
  spaceFault,
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
  /** A UUID that identifies this store and never changes; a copy into another store has its own. */
  readonly id: string;
}

/** A store opened for reading only, by a process that need not own it. */
export interface Inspection
  extends Pick<Documents, 'get' | 'entries'>,
    Omit<BackendInspection, 'get' | 'entries'> {}

/** Interval between attempts of a standby, in ms. */
const RETRY_MS = 500;
/**
 * Maximum age of a proof of ownership, in ms; an older one is renewed. Redis gives the store to
 * another process after six seconds.
 */
const PROOF_LIMIT_MS = 3_000;

export interface OpenOptions {
  /**
   * The shards that the process serves: a store from which they have moved, or with an unfinished
   * copy, is rejected. `auto`, the default: all. Null: no check.
   */
  readonly shards?: Shards | 'auto' | null;
  /** Called for each setting of the store's server that may cost data. */
  readonly onWarning?: (text: string) => void;
  /**
   * Called once, when the store no longer belongs to this process. All operations are rejected from
   * then on.
   */
  readonly onLost?: (error: StoreError) => void;
  /**
   * Set by a bot or a feed. Only these convert a store of an older format: they raise its mark
   * before anything else is written. Omitted by tools, which convert what they read but mark
   * nothing.
   */
  readonly start?: StartRule;
  /** Replaces the program's own format. */
  readonly format?: Format;
}

/**
 * Opens the store and ensures that it can be written to. Its file, folder or table is created if
 * needed. Only one process may have it open: with two bots on one store, alerts could be posted
 * twice.
 *
 * @param url sqlite://PATH, relative to the working directory unless PATH begins with a slash;
 *   redis:// or rediss://; postgres:// or postgresql://
 * @returns the store, whose methods also reject with a StoreError
 * @throws {StoreError} if it cannot be reached, is damaged, in use, read-only or cannot be created;
 *   {@link StoreUnfit} if it has moved to another one, a copy into it is not finished, a later
 *   version wrote it, or documents of an earlier version cannot be converted. Nothing was written
 *   then
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
      // Created if there is none; an unreadable id is replaced.
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
        entries: (except) => explainedEach(store.entries(except), explain),
        keys: (prefix) => explainedEach(backend.keys(prefix), explain),
        close: backend.close,
      };
    });
  });
}

/** Iterates over documents or keys; an error is thrown in its explained form. */
async function* explainedEach<One>(each: AsyncIterable<One>, explain: (error: unknown) => never) {
  try {
    yield* each;
  } catch (error) {
    explain(error);
  }
}

/**
 * Checks whether the store may be used, converts its marks if a bot or feed starts, and marks a new
 * store.
 *
 * @throws {StoreUnfit} with the reason why it may not be used. Nothing was written then
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

/** Converts a backend's texts to documents: the only place where they are read or written. */
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
 * @param log logs that the store is being awaited, once each time that it can no longer be reached,
 *   and when it is open
 * @param onWaiting called once before the wait for another process's store; an error that it throws
 *   ends the wait
 * @throws {StoreError} as {@link openStore}, if the store cannot be used at the first attempt,
 *   whoever owns it; {@link StoreUnfit} also later, except for a place that cannot be written to
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

/** Whether waiting for a store is pointless, whoever has it. */
function isForGood(error: StoreError): boolean {
  return error instanceof StoreUnfit && !(error instanceof StorePlaceUnfit);
}

/**
 * Inspects a store that another process has, for a standby: its marks, and once all of its
 * documents if it would have to be converted.
 *
 * @param isFirst whether this is the first inspection
 * @returns `reason`: why this process could not work on it, null if it could; `isFinal`: it never
 *   will, because the store has moved or cannot be read; `conversion`: conversion that it will do
 *   first, if any
 * @throws {StoreError} if the store cannot be reached or read
 */
export function lookForStandby(
  url: string,
  options: OpenOptions,
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
    const reason = start.copies ? spaceFault(url) : null;
    const conversion = conversionText(url, meta, format, start.copies);
    return { reason, isFinal: false, conversion };
  });
}

/**
 * Opens a store for reading only, even if it is in use.
 *
 * @param options `isQuick`: skips the check that the whole file is sound; `isOneMoment`: reads
 *   everything as of one moment, if the kind of store supports that
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
 * Creates a fence that keeps a process that was paused or cut off from sending messages that
 * another one, which has taken over, sends as well.
 *
 * @returns a function that resolves while a proof of ownership is fresh, and rejects if the store
 *   belongs to another process or does not respond
 */
export function createFence(
  { nowMs, monotonicMs }: Machine,
  prove: Store['prove'],
): () => Promise<void> {
  // The wall clock continues while the machine is suspended; the monotonic clock is never set back.
  const moment = () => ({ wallMs: nowMs(), monotonicMs: monotonicMs() });
  /** Time at which the last proof was requested, by both clocks. */
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
    // A response may itself come after a pause.
    while (!isFresh()) {
      proving ??= renew().finally(() => {
        proving = null;
      });
      await proving;
    }
  };
}

/** Runs work on a store that is closed afterwards, however the work ends. */
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

/** Loads only the client that the address needs, because the others would slow down every start. */
const DRIVERS: Readonly<Record<StoreKind, () => Promise<Driver>>> = {
  sqlite: () => import('./sqlite.ts'),
  redis: () => import('./redis.ts'),
  postgres: () => import('./postgres.ts'),
};

/**
 * Runs work with an address's driver.
 *
 * @param work rejects with the explained form of a driver error, which its second parameter throws
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
