import { getEventListeners } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { sleep } from '../../src/lib/async/sleep.ts';

it('however many sleep by one signal, it wakes all of them, nothing listens to it when nobody sleeps, and Node warns of no leak', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const ending = new AbortController();
  const { signal } = ending;
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 50 }, () => sleep(round, signal)));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
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
  expect(warnings).toEqual([]);
});
