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
/** Delay after the start before data about unwatched wallets is deleted, in ms. */
const FORGET_MS = HOUR_MS;

export const learningSchema = z.object({
  /** By endpoint. Only the poll policy interprets the numbers. */
  learned: z.partialRecord(z.enum(ENDPOINT_NAMES), z.array(z.number())),
});

export const sharedLearningSchema = z.record(z.string(), z.array(z.number()));

/** Whether a schedule of this release accepts what an earlier process learned. */
export function isSharedLearning(learned: z.infer<typeof sharedLearningSchema>): boolean {
  return createSchedule({ pollMinSeconds: 1 }).restoreShared(learned);
}

export type Learning = ReturnType<typeof createLearning>;

/**
 * Stores across restarts what the poll policy has learned: one document per wallet, and one for all
 * of them together.
 */
export function createLearning(
  { log }: Machine,
  {
    store,
    schedule,
  }: { readonly store: Pick<Store, 'set' | 'delete'>; readonly schedule: Schedule },
) {
  /** Stored data of wallets that are not watched yet. */
  const known = new Map<WalletAddress, Partial<Record<EndpointName, Learned>>>();
  let forgetting: NodeJS.Timeout | undefined;

  const writes = createLateWrites<WalletAddress | 'shared'>({
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
    /** Loads a document at startup. Returns false if it cannot be read. */
    load(key: string, document: unknown): boolean {
      if (key === SHARED_LEARNING_KEY) return schedule.restoreShared(document);
      const parsed = learningSchema.safeParse(document);
      if (parsed.success) {
        known.set(key.slice(LEARNING_PREFIX.length) as WalletAddress, parsed.data.learned);
      }
      return parsed.success;
    },
    /** Returns the stored data of a wallet that is being watched from now on, by endpoint. */
    take(wallet: WalletAddress): Partial<Record<EndpointName, Learned>> {
      const learned = known.get(wallet) ?? {};
      known.delete(wallet);
      return learned;
    },
    /** Called after a poll of the wallet that returned records. */
    changed(wallet: WalletAddress): void {
      writes.changed(wallet);
      writes.changed('shared');
    },
    /** Deletes the stored data of a wallet. Never rejects. */
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
