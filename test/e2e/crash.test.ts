import { expect, it } from 'vitest';
import { STEPS, type Step } from '../../src/lib/failpoints.ts';
import { faultsIn } from '../support/crash/destination.ts';
import { crashRun } from '../support/crash/run.ts';
import { temporaryFolder } from '../support/temp.ts';
import { BOT_FLAGS, IS_THOROUGH, variants, within } from '../support/thorough.ts';

/** Between two of the parties that must agree: at the others the step before is repeated alone. */
const BETWEEN: readonly Step[] = [
  'poll.stored',
  'post.answered',
  'sent.stored',
  'edit.answered',
  'room.posted',
];

it(
  'loses nothing and doubles nothing when it is killed at each step of an alert’s way and at random',
  async () => {
    const steps = variants(STEPS, (step) => BETWEEN.includes(step));
    const report = await crashRun({
      steps,
      kills: IS_THOROUGH ? 3 : 0,
      killsPerStep: 1,
      seed: 3,
      flags: BOT_FLAGS,
      directory: temporaryFolder(),
    });
    expect(Object.keys(report.killsByStep).toSorted()).toEqual(steps.toSorted());
    const { channels, receiver } = report;
    for (const destination of [channels, receiver])
      expect(faultsIn(destination), JSON.stringify(report)).toEqual({});
    expect(channels['delivered']).toBeGreaterThan(20);
    expect(channels['edits']).toBeGreaterThan(IS_THOROUGH ? 5 : 1);
    expect(receiver['taken']).toBe(report.items);
  },
  within(150_000),
);
