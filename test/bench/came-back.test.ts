import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AnswerName } from './record/answers.ts';
import { type CameBackOptions, checkCameBack, type Promised } from './record/came-back.ts';
import { ENDING_STYLES } from './record/ending-styles.ts';

const promisesBroken = (options: Partial<CameBackOptions>): Set<Promised> => {
  const defaults: CameBackOptions = {
    runs: 1,
    seed: 1,
    as: 'right',
    style: '',
    edges: [0],
    others: [0],
  };
  return new Set([...checkCameBack({ ...defaults, ...options })].flatMap(({ broken }) => broken));
};

describe('the bench of what came back', () => {
  it.each(ENDING_STYLES.map(({ name }) => name))(
    'finds all as promised, of a wallet of the style: %s',
    (style) => {
      expect(promisesBroken({ style, others: [0, 0.3, 0.9] })).toEqual(new Set());
    },
  );

  it.each<[AnswerName, Promised, string, Partial<CameBackOptions>]>([
    ['ended', 'fair', 'redeems monthly', { runs: 12 }],
    ['ended', 'true', 'holds to the end', {}],
    ['not-held', 'shown', 'moves to long markets', {}],
    ['not-held', 'date', 'markets of two months among short ones', {}],
    ['pairs-at-cost', 'true', 'merges', {}],
    ['all-lost', 'true', 'holds to the end', {}],
    ['all-lost', 'sign', 'holds to the end', { edges: [0.1] }],
    ['no-end-is-lost', 'sign', '30 % never redeemed', { edges: [0.1] }],
    ['nothing', 'shown', 'holds to the end', {}],
    ['gate', 'shown', 'holds to the end', {}],
  ])('is red for the rule %s: %s', (as, promise, style, options) => {
    expect(promisesBroken({ style, ...options })).toEqual(new Set());
    expect(promisesBroken({ as, style, ...options })).toContain(promise);
  });

  it('ends with 1, and names what is broken', async () => {
    const args = [
      'record',
      '--came-back',
      '--runs',
      '1',
      '--style',
      'only long',
      '--as',
      'nothing',
    ];
    const bench = promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      'test/bench/main.ts',
      ...args,
    ]);
    const error = await bench.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\n\{"broken":"shown",.*\n$/),
    });
  });
});
