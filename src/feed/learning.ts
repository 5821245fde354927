import type { Logger } from 'pino';
import * as z from 'zod';
import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { Learned, Schedule } from '../poll-policy/schedule.ts';
import type { Store } from '../store/store.ts';

export const LEARNING_PREFIX = 'schedule:';
/** What the endpoints have in common. */
export const SHARED_LEARNING_KEY = `${LEARNING_PREFIX}shared`;
/** What has been learned since is written this often, ms: a crash loses no more of it, and it is a forecast, no promise. */
const WRITE_EVERY_MS = 60_000;

/** What has been learned of a wallet, as it is stored. */
export const learningSchema = z.object({
  version: z.literal(1),
  /** By endpoint; what the numbers mean is for the poll policy to know. */
  learned: z.partialRecord(z.enum(ENDPOINT_NAMES), z.array(z.number())),
});

/** What has been learned of all endpoints together, as it is stored. */
export const sharedLearningSchema = z.record(z.string(), z.array(z.number()));

export interface LearningDeps {
  readonly store: Pick<Store, 'set' | 'delete'>;
  readonly schedule: Pick<Schedule, 'learned' | 'sharedLearning' | 'restoreShared'>;
  readonly log: Logger;
}

/** Keeps what the poll policy has learned over restarts: a document a wallet, and one of what they have in common. */
export interface Learning {
  /** Takes a document that was read at the start. False if it cannot be read. */
  load(key: string, document: unknown): boolean;
  /** What was known of the endpoint at the start; undefined if nothing was. */
  of(wallet: WalletAddress, endpoint: EndpointName): Learned | undefined;
  /** A poll of the wallet has brought something. */
  changed(wallet: WalletAddress): void;
  forget(wallet: WalletAddress): Promise<void>;
  start(): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

export function createLearning({ store, schedule, log }: LearningDeps): Learning {
  const known = new Map<string, Partial<Record<EndpointName, Learned>>>();
  const unwritten = new Set<WalletAddress>();
  let isSharedWritten = true;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (wallet: WalletAddress) => {
    unwritten.delete(wallet);
    const learned = ENDPOINT_NAMES.flatMap((name) => {
      const numbers = schedule.learned({ wallet, name });
      return numbers === undefined ? [] : [[name, numbers]];
    });
    if (learned.length === 0) return;
    await store.set(LEARNING_PREFIX + wallet, { version: 1, learned: Object.fromEntries(learned) });
  };

  const writeAll = async () => {
    for (const wallet of [...unwritten]) {
      await write(wallet).catch((error: unknown) => {
        unwritten.add(wallet);
        throw error;
      });
    }
    if (isSharedWritten) return;
    // Before the write: a poll may bring something while it is under way.
    isSharedWritten = true;
    await store.set(SHARED_LEARNING_KEY, schedule.sharedLearning()).catch((error: unknown) => {
      isSharedWritten = false;
      throw error;
    });
  };

  const writeInTurn = () => {
    writing = writing
      .then(writeAll)
      .catch((error: unknown) => log.warn({ event: 'poll.learning_not_stored', wallets: unwritten.size, err: error }));
    return writing;
  };

  return {
    load(key, document) {
      if (key === SHARED_LEARNING_KEY) return schedule.restoreShared(document);
      const parsed = learningSchema.safeParse(document);
      if (!parsed.success) return false;
      known.set(key.slice(LEARNING_PREFIX.length), parsed.data.learned);
      return true;
    },
    of: (wallet, endpoint) => known.get(wallet)?.[endpoint],
    changed(wallet) {
      unwritten.add(wallet);
      isSharedWritten = false;
    },
    async forget(wallet) {
      unwritten.delete(wallet);
      known.delete(wallet);
      await writing;
      await store.delete(LEARNING_PREFIX + wallet);
    },
    start() {
      timer = setInterval(writeInTurn, WRITE_EVERY_MS);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
      return writeInTurn();
    },
  };
}
