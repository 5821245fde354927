import { describe, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';
import { DEFAULTS } from './defaults.ts';
import { withDefaults } from './usage.ts';

describe('the usage of a bench', () => {
  it('has each default behind its option, where that is named first', () => {
    const usage = '[--runs N] [--stores LIST] [--kind KIND] [--bare]\n[--runs N]';
    const defaults = { runs: 5, stores: 'sqlite,redis', kind: '', bare: false };
    expect(withDefaults(usage, defaults)).toBe(
      '[--runs N (5)] [--stores LIST (sqlite,redis)] [--kind KIND] [--bare]\n[--runs N]',
    );
  });

  it('names every number that has a default, and every bench in the list', async () => {
    const main = ['--import', 'tsx', 'test/bench/main.ts', '--help'];
    const { exitCode, output, errors } = await runProgram(main, process.cwd());
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    for (const [bench, defaults] of Object.entries(DEFAULTS)) {
      const line = output.split('\n').find((each) => each.trimStart().startsWith(`${bench} `));
      for (const [option, value] of Object.entries(defaults)) {
        if (typeof value !== 'number') continue;
        expect(line, bench).toMatch(new RegExp(`--${option} [A-Z]+ \\(${value}\\)`));
      }
    }
  });
});
