import { expect, it } from 'vitest';
import { STEPS } from '../../src/lib/failpoints.ts';
import { crashRun } from '../support/crash-run.ts';
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
  expect(report, JSON.stringify(report)).toMatchObject({
    lost: 0,
    duplicated: 0,
    gaps: 0,
    outOfOrder: 0,
  });
  expect(report.delivered).toBeGreaterThan(20);
  expect(report.edits).toBeGreaterThan(5);
}, 150_000);
