import { expect, it } from 'vitest';
import { STEPS } from '../../src/lib/failpoints.ts';
import { faultsIn } from '../support/crash/destination.ts';
import { crashRun } from '../support/crash/run.ts';
import { temporaryFolder } from '../support/temp.ts';
import { IS_THOROUGH } from '../support/thorough.ts';

it('loses nothing and doubles nothing when it is killed at each step of an alert’s way and at random', async () => {
  const report = await crashRun({
    kills: IS_THOROUGH ? 3 : 0,
    killsPerStep: 1,
    seed: 3,
    directory: temporaryFolder(),
  });
  expect(Object.keys(report.killsByStep).toSorted()).toEqual(STEPS.toSorted());
  const { channels, receiver } = report;
  for (const destination of [channels, receiver])
    expect(faultsIn(destination), JSON.stringify(report)).toEqual({});
  expect(channels['delivered']).toBeGreaterThan(20);
  expect(channels['edits']).toBeGreaterThan(5);
  expect(receiver['taken']).toBe(report.items);
}, 150_000);
