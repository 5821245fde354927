import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLearning, LEARNING_PREFIX, SHARED_LEARNING_KEY } from '../../src/feed/learning.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { WALLET_B as OTHER, WALLET_A } from '../support/wallets.ts';

/** What a policy has learned: a number an endpoint. */
const learned = ({ name }: { readonly name: string }) => (name === 'activity' ? [1, 2] : [3]);
const shared = createSchedule().sharedLearning();
const schedule = {
  ...createSchedule(),
  learned,
  sharedLearning: () => shared,
  restoreShared: (document: unknown) => isDeepStrictEqual(document, shared),
};

describe('what the poll policy has learned', () => {
  it('is there again after a restart, of the wallets whose polls brought something', async () => {
    const store = documentStore();
    const before = createLearning(testMachine(), { store, schedule });
    before.changed(WALLET_A);
    await before.stop();
    expect([...store.documents.keys()]).toEqual([LEARNING_PREFIX + WALLET_A, SHARED_LEARNING_KEY]);
    const after = createLearning(testMachine(), { store, schedule });
    for (const [key, document] of store.documents) expect(after.load(key, document)).toBe(true);
    expect(after.take(WALLET_A)).toEqual({ activity: [1, 2], 'deposits-withdrawals': [3] });
    expect(after.take(OTHER)).toEqual({});
    await after.forget(WALLET_A);
    expect([...store.documents.keys()]).toEqual([SHARED_LEARNING_KEY]);
    expect(after.take(WALLET_A)).toEqual({});
  });

  it('is forgotten an hour after the start of wallets that nobody watches any more', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const store = documentStore();
    const learning = createLearning(testMachine(), { store, schedule });
    for (const wallet of [WALLET_A, OTHER]) {
      await store.set(LEARNING_PREFIX + wallet, { learned: { activity: [1] } });
      learning.load(LEARNING_PREFIX + wallet, store.documents.get(LEARNING_PREFIX + wallet));
    }
    learning.start();
    learning.take(WALLET_A);
    await vi.advanceTimersByTimeAsync(3_599_000);
    expect(store.documents.size).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([...store.documents.keys()]).toEqual([LEARNING_PREFIX + WALLET_A]);
    await learning.stop();
  });

  it.each([
    ['all', '', 1],
    ['what the endpoints have in common', SHARED_LEARNING_KEY, 0],
  ])(
    'is written later where the store is away for %s, and says so',
    async (_, awayFor, wallets) => {
      const store = documentStore();
      const { log, lines } = collectingLog();
      let isAway = true;
      const learning = createLearning(testMachine({ log }), {
        store: {
          ...store,
          async set(key, document) {
            if (isAway && key.startsWith(awayFor)) throw new Error('away');
            await store.set(key, document);
          },
        },
        schedule,
      });
      learning.changed(WALLET_A);
      await learning.stop();
      expect(lines).toMatchObject([{ event: 'poll.learning_not_stored', wallets }]);
      isAway = false;
      await learning.stop();
      expect(store.documents.size).toBe(2);
    },
  );

  it('is written again where a poll brings something while it is being written', async () => {
    const store = documentStore();
    let isHeld = true;
    let release = () => {};
    const learning = createLearning(testMachine(), {
      store: {
        ...store,
        async set(key, document) {
          if (key === SHARED_LEARNING_KEY && isHeld) {
            isHeld = false;
            await new Promise<void>((resolve) => {
              release = resolve;
            });
          }
          await store.set(key, document);
        },
      },
      schedule,
    });
    learning.changed(WALLET_A);
    const first = learning.stop();
    await expect.poll(() => isHeld).toBe(false);
    learning.changed(WALLET_A);
    release();
    await first;
    store.documents.clear();
    await learning.stop();
    expect([...store.documents.keys()]).toEqual([LEARNING_PREFIX + WALLET_A, SHARED_LEARNING_KEY]);
  });

  it('begins anew where a document is not one of its own', () => {
    const learning = createLearning(testMachine(), { store: documentStore(), schedule });
    for (const document of [null, {}, { learned: { activity: ['x'] } }])
      for (const key of [LEARNING_PREFIX + WALLET_A, SHARED_LEARNING_KEY])
        expect(learning.load(key, document)).toBe(false);
  });
});
