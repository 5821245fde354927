import * as z from 'zod';
import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { createLateWrites } from '../lib/async/late-writes.ts';
import type { Machine } from '../lib/machine.ts';
import { HOUR_MS } from '../lib/time.ts';
import { createSchedule, type Learned, type Schedule } from '../poll-policy/schedule.ts';
import type { Store } from '../store/store.ts';

export const LEARNING_PREFIX = 'schedule:';
export const SHARED_LEARNING_KEY = `${LEARNING_PREFIX}shared`;
/** A crash loses no more than this of it, ms, and it is a forecast, no promise. */
const WRITE_EVERY_MS = 60_000;
/** A wallet that nobody has watched so long after the start, ms, is forgotten. */
const FORGET_MS = HOUR_MS;

export const learningSchema = z.object({
  /** By endpoint; what the numbers mean is for the poll policy to know. */
  learned: z.partialRecord(z.enum(ENDPOINT_NAMES), z.array(z.number())),
});

export const sharedLearningSchema = z.record(z.string(), z.array(z.number()));

/** Tells whether a schedule of this release takes over what an earlier process learned. */
export function isSharedLearning(learned: z.infer<typeof sharedLearningSchema>): boolean {
  return createSchedule({ pollMinSeconds: 1 }).restoreShared(learned);
}

export type Learning = ReturnType<typeof createLearning>;

/**
 * Keeps what the poll policy has learned over restarts: a document a wallet, and one of what they
 * have in common.
 */
export function createLearning(
  { log }: Machine,
  {
    store,
    schedule,
  }: { readonly store: Pick<Store, 'set' | 'delete'>; readonly schedule: Schedule },
) {
  /** Learning known at the start of wallets that nobody watches yet. */
  const known = new Map<WalletAddress, Partial<Record<EndpointName, Learned>>>();
  let forgetting: NodeJS.Timeout | undefined;

  const writes = createLateWrites<WalletAddress | 'shared'>({
    everyMs: WRITE_EVERY_MS,
    async write(wallet) {
      if (wallet === 'shared') return store.set(SHARED_LEARNING_KEY, schedule.sharedLearning());
      const learned = ENDPOINT_NAMES.map(
        (name) => [name, schedule.learned({ wallet, name })] as const,
      );
      if (learned.every(([, numbers]) => numbers === undefined)) return;
      await store.set(LEARNING_PREFIX + wallet, { learned: Object.fromEntries(learned) });
    },
    onFailure(error, keys) {
      const wallets = keys.filter((key) => key !== 'shared').length;
      log.warn({ event: 'poll.learning_not_stored', wallets, err: error });
    },
  });

  const forget = async (wallet: WalletAddress): Promise<void> => {
    known.delete(wallet);
    await writes.forget(wallet);
    await store
      .delete(LEARNING_PREFIX + wallet)
      .catch((error: unknown) => log.warn({ event: 'wallet.not_forgotten', wallet, err: error }));
  };

  return {
    /** Takes a document that was read at the start. False if it cannot be read. */
    load(key: string, document: unknown): boolean {
      if (key === SHARED_LEARNING_KEY) return schedule.restoreShared(document);
      const parsed = learningSchema.safeParse(document);
      if (parsed.success) {
        known.set(key.slice(LEARNING_PREFIX.length) as WalletAddress, parsed.data.learned);
      }
      return parsed.success;
    },
    /**
     * Hands over what was known at the start of a wallet that is watched from now on, by endpoint.
     */
    take(wallet: WalletAddress): Partial<Record<EndpointName, Learned>> {
      const learned = known.get(wallet) ?? {};
      known.delete(wallet);
      return learned;
    },
    /** A poll of the wallet has brought something. */
    changed(wallet: WalletAddress): void {
      writes.changed(wallet);
      writes.changed('shared');
    },
    /** Deletes what is stored of a wallet. Never rejects. */
    forget,
    start(): void {
      writes.start();
      forgetting = setTimeout(async () => {
        for (const wallet of known.keys()) await forget(wallet);
      }, FORGET_MS).unref();
    },
    stop(): Promise<void> {
      clearTimeout(forgetting);
      return writes.stop();
    },
  };
}
