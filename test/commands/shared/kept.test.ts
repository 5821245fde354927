import { expect, it } from 'vitest';
import { createKept } from '../../../commands/shared/kept.ts';
import { testMachine } from '../../support/machine.ts';

it('keeps a thousand things for fifteen minutes by the machine’s clock, each under a key of its own', () => {
  let nowMs = 1;
  const kept = createKept<{ readonly at: number }>(testMachine({ monotonicMs: () => nowMs }));
  const keys = Array.from({ length: 1_001 }, (_, at) => kept.keep({ at }));
  expect(new Set(keys).size).toBe(1_001);
  expect(keys.map((key) => kept.find(key)?.at)).toEqual([
    undefined,
    ...Array.from({ length: 1_000 }, (_, at) => at + 1),
  ]);
  nowMs += 900_000;
  expect(kept.find(keys[5] ?? '')).toEqual({ at: 5 });
  nowMs += 1;
  expect(kept.find(keys[5] ?? ''), 'however often it was looked at').toBeUndefined();
  const key = kept.keep({ at: 7 });
  expect(kept.drop(key)).toBe(true);
  expect(kept.find(key)).toBeUndefined();
  for (const forged of ['', 'constructor', '__proto__']) expect(kept.find(forged)).toBeUndefined();
});
