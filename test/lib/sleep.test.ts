import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { createSleep } from '../../src/lib/async/sleep.ts';

it('however many sleep by one signal, it has one listener, which wakes all of them, and none when nobody sleeps', async () => {
  const sleep = createSleep();
  const ending = new AbortController();
  const { signal } = ending;
  const listeners = () => getEventListeners(signal, 'abort').length;
  for (let round = 0; round < 3; round += 1) {
    const all = Promise.all(Array.from({ length: 50 }, () => sleep(round, signal)));
    expect(listeners()).toBe(1);
    await all;
    expect(listeners()).toBe(0);
  }
  const woken: number[] = [];
  const sleeping = Array.from({ length: 50 }, (_, index) =>
    sleep(1e9, signal).then(() => woken.push(index)),
  );
  await sleep(0, signal);
  expect(woken).toEqual([]);
  ending.abort();
  await Promise.all(sleeping);
  expect(woken).toHaveLength(50);
  await sleep(1e9, signal);
});
