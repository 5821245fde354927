import { describe, expect, it } from 'vitest';
import { createLearning, LEARNING_PREFIX } from '../../src/feed/learning.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog } from '../support/log.ts';

const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;
const OTHER = `0x${'b'.repeat(40)}` as WalletAddress;

/** What a policy has learned: a number an endpoint. */
const schedule = { learned: ({ name }: { readonly name: string }) => (name === 'activity' ? [1, 2] : [3]) };

describe('what the poll policy has learned', () => {
  it('is there again after a restart, of the wallets whose polls brought something', async () => {
    const store = documentStore();
    const { log } = collectingLog();
    const before = createLearning({ store, schedule, log });
    before.changed(WALLET);
    await before.stop();
    expect([...store.documents.keys()]).toEqual([LEARNING_PREFIX + WALLET]);
    const after = createLearning({ store, schedule, log });
    for (const [key, document] of store.documents) expect(after.load(key, document)).toBe(true);
    expect(after.of(WALLET, 'activity')).toEqual([1, 2]);
    expect(after.of(WALLET, 'deposits-withdrawals')).toEqual([3]);
    expect(after.of(OTHER, 'activity')).toBeUndefined();
    await after.forget(WALLET);
    expect(store.documents.size).toBe(0);
    expect(after.of(WALLET, 'activity')).toBeUndefined();
  });

  it('is written later where the store is away, and says so', async () => {
    const store = documentStore();
    const { log, lines } = collectingLog();
    let isAway = true;
    const learning = createLearning({
      store: {
        ...store,
        set: (key, document) => (isAway ? Promise.reject(new Error('away')) : store.set(key, document)),
      },
      schedule,
      log,
    });
    learning.changed(WALLET);
    await learning.stop();
    expect(lines).toEqual([expect.objectContaining({ event: 'poll.learning_not_stored', wallets: 1 })]);
    isAway = false;
    await learning.stop();
    expect(store.documents.size).toBe(1);
  });

  it('begins anew where a document is not one of its own', () => {
    const learning = createLearning({ store: documentStore(), schedule, log: collectingLog().log });
    for (const document of [null, {}, { version: 1, learned: { activity: ['x'] } }, { version: 2, learned: {} }])
      expect(learning.load(LEARNING_PREFIX + WALLET, document)).toBe(false);
  });
});
