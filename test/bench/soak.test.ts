import { expect, it } from 'vitest';
import { runSoak, type SoakDay } from '../support/soak/run.ts';
import { temporaryFolder } from '../support/temp.ts';
import { within } from '../support/thorough.ts';

it(
  'a busy morning leaves nothing behind: no document without need, nothing lost, nothing doubled',
  async () => {
    const record: SoakDay[] = [];
    const onDay = (day: SoakDay) => void record.push(day);
    const verdict = await runSoak({
      days: 0.15,
      seed: 3,
      churn: 8,
      directory: temporaryFolder(),
      onDay,
    });
    expect(verdict.faults).toEqual([]);
    expect(verdict.tooManyRequests).toBe(0);
    expect(verdict.figures.shown).toBeGreaterThan(30);
    expect(record).toHaveLength(1);
  },
  within(120_000),
);
