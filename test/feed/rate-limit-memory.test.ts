import { describe, expect, it } from 'vitest';
import {
  createRateLimitMemory,
  RATE_LIMIT_KEY,
  storedRateLimit,
} from '../../src/feed/rate-limit-memory.ts';
import { createBudget } from '../../src/venue/rate-limit/budget.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';

const START = Date.UTC(2026, 0, 5, 10, 0, 50);
const MINUTE_MS = 60_000;

/** A process on a store, with a clock of its own that begins ten seconds before a minute's end. */
async function openProcess(store = documentStore()) {
  let nowMs = START;
  const machine = testMachine({ nowMs: () => nowMs, monotonicMs: () => nowMs });
  const budget = createBudget(machine, { share: 1 });
  const memory = createRateLimitMemory(machine, { store, budget });
  const stored = store.documents.get(RATE_LIMIT_KEY);
  const isRead = stored === undefined ? null : memory.load(stored);
  return {
    store,
    memory,
    budget,
    isRead,
    /** A request at this time that is answered at once, in windows of a minute. */
    async answer(atMs: number, limit = 600) {
      nowMs = atMs;
      const permit = await budget.acquire('poller');
      const resetMs = MINUTE_MS * (Math.floor(nowMs / MINUTE_MS) + 1);
      permit.complete({
        status: 200,
        headers: {
          date: new Date(nowMs).toUTCString(),
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': String(limit - 1),
          'x-ratelimit-reset': String(resetMs / 1000),
        },
      });
      memory.answered();
    },
  };
}

/** A store in which a process has left what it learned of a key of 600 a minute. */
async function storeWithLength() {
  const { store, memory, answer } = await openProcess();
  await answer(START);
  expect(store.documents.size).toBe(0);
  await answer(START + 10_000);
  await memory.stop();
  return store;
}

describe('the length of the key’s window', () => {
  it('is stored once it is known, and known to the next process and the doctor', async () => {
    const store = await storeWithLength();
    const learned = { limit: 600, windowMs: MINUTE_MS, faster: null };
    expect(await storedRateLimit(store)).toEqual(learned);
    const { budget, answer } = await openProcess(store);
    await answer(START);
    expect(budget.learnedLimits()).toEqual(learned);
    expect(budget.snapshot().windowMs).toBe(MINUTE_MS);
  });

  it('is kept with both limits of a key while no response has come', async () => {
    const store = documentStore();
    const learned = { limit: 300, windowMs: MINUTE_MS, faster: { limit: 10, windowMs: 1_000 } };
    await store.set(RATE_LIMIT_KEY, learned);
    const { memory, budget, answer } = await openProcess(store);
    memory.answered();
    await memory.stop();
    expect(await storedRateLimit(store)).toEqual(learned);
    await answer(START, 300);
    expect(budget.learnedLimits()).toEqual(learned);
  });

  it('is deleted when a response contradicts it', async () => {
    const store = await storeWithLength();
    const { memory, answer } = await openProcess(store);
    await answer(START, 300);
    await memory.stop();
    expect(await storedRateLimit(store)).toBeNull();
    expect(store.documents.size).toBe(0);
  });

  it('is not believed where it cannot be meant', async () => {
    const store = documentStore();
    await store.set(RATE_LIMIT_KEY, { limit: 600, windowMs: -1, faster: null });
    expect(await storedRateLimit(store)).toBeNull();
    const { isRead, budget, answer } = await openProcess(store);
    expect(isRead).toBe(false);
    await answer(START);
    expect(budget.learnedLimits()).toBeNull();
  });
});
