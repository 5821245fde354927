import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { run } from '../bench/schedule.ts';
import { squareRootBound } from '../bench/schedule-simulation.ts';
import { readTrace } from '../bench/schedule-trace.ts';
import { isUsageError, readOptions } from '../bench/usage.ts';
import { temporaryFolder } from '../support/temp.ts';

async function traceOf(...lines: string[]): Promise<string> {
  const file = join(temporaryFolder(), 'trace.csv');
  await writeFile(file, lines.join('\n'));
  return file;
}

describe('a trace', () => {
  it('is read in any order, and every bad line is named', async () => {
    const file = await traceOf(
      'wallet,time_seconds',
      'b,1000.5',
      'a,990',
      'a',
      'a,soon',
      '',
      ',5',
      'b,1000',
      'a,1010',
    );
    const { tape, faults, faultCount } = await readTrace(file);
    expect(tape.items.map((times) => [...times])).toEqual([
      [10, 10.5],
      [0, 20],
    ]);
    expect(tape.seconds).toBe(21);
    expect(faults.map((fault) => fault.slice(0, 7))).toEqual(['line 4:', 'line 5:', 'line 7:']);
    expect(faultCount).toBe(3);
  });

  it('is refused with another header, or without a single item', async () => {
    await expect(readTrace(await traceOf('time,wallet', '1,a'))).rejects.toThrow(
      /expected the header "wallet,time_sec/,
    );
    await expect(readTrace(await traceOf('wallet,time_seconds', 'a,b'))).rejects.toThrow(
      /no line could be read\nline 2/,
    );
  });
});

describe('the bench', () => {
  it('refuses options that it does not understand', async () => {
    await expect(run(['--scenario', 'calm'])).rejects.toThrow(
      /--scenario to be poisson, hawkes, sessions or nasty, got "calm"/,
    );
    await expect(run(['--budget', 'many'])).rejects.toThrow(/--budget to be a number/);
  });

  it('says what is accepted to a person who mistypes, and shows no stack', async () => {
    const bench = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', 'test/bench/main.ts', ...args]);
    const [help, list, unread, mistyped] = await Promise.all([
      bench('schedule', '--help'),
      bench('--help'),
      bench('crash', '--kills', 'abc').catch((error: unknown) => error),
      bench('schedule', '--sedd', '3').catch((error: unknown) => error),
    ]);
    expect(help.stdout).toMatch(/^npm run bench -- schedule/);
    expect(list.stdout).toMatch(
      /^Use: npm run bench -- NAME.*\nIn brackets.*\n(?: {2}[\w-]+(?: \[.*\])?\n)+$/,
    );
    expect(unread).toMatchObject({
      code: 64,
      stdout: '',
      stderr: expect.stringMatching(
        /^Expected --kills to be a number of at least 0, got "abc"\nnpm run bench/,
      ),
    });
    expect(mistyped).toMatchObject({
      code: 64,
      stdout: '',
      stderr: expect.stringMatching(/^Unknown option '--sedd'.*\nnpm run bench -- schedule/),
    });
    expect(mistyped).toMatchObject({ stderr: expect.not.stringMatching(/^ {4}at /m) });
    await expect(run(['stray'])).rejects.toSatisfy(isUsageError);
    await expect(run(['--seed', 'three'])).rejects.toSatisfy(isUsageError);
    await expect(run(['--trace', join(temporaryFolder(), 'none.csv')])).rejects.toSatisfy(
      isUsageError,
    );
  });

  it.each(['--kills abc', '--kills -1', '--kills ', '--kills 1 --kills=x', '--kills=Infinity'])(
    'refuses %s, because it is no number of at least 0',
    (typed) => {
      const read = (text: string) => readOptions(text.split(' '), { kills: 1, pictures: '' });
      expect(read('--kills 0.5 --pictures x')).toEqual({ kills: 0.5, pictures: 'x' });
      expect(() => read(typed)).toThrow(expect.toSatisfy(isUsageError));
    },
  );

  it('takes another policy beside, from a file', async () => {
    const file = await traceOf(
      'wallet,time_seconds',
      ...Array.from({ length: 40 }, (_, n) => `${'ab'[n % 2]},${n}`),
    );
    const beside = join(temporaryFolder(), 'last.mjs');
    await writeFile(
      beside,
      'let n = 0; export const last = () => ({ add: () => n++, pick: () => n - 1, polled() {} });',
    );
    const print = vi.spyOn(console, 'log').mockImplementation(() => {});
    await run(['--trace', file, '--budget', '1', '--one-budget', '--beside', beside]);
    const rows = print.mock.calls.map(
      ([line]) => JSON.parse(String(line)) as Record<string, unknown>,
    );
    print.mockRestore();
    expect(rows.map(({ policy }) => policy)).toEqual([
      'round-robin',
      'square-root-oracle',
      'walletbell',
      'beside',
    ]);
    expect(rows[3]).toMatchObject({ polls: 39, mean: 0 });
    await expect(run(['--beside', join(temporaryFolder(), 'none.mjs')])).rejects.toSatisfy(
      isUsageError,
    );
  });

  it('knows the least mean delay: half a round for equal rates, less for unequal ones', () => {
    expect(squareRootBound(Float64Array.of(2, 2, 2, 2), 0.5)).toBeCloseTo(4, 9);
    expect(squareRootBound(Float64Array.of(1, 9), 1)).toBeCloseTo(16 / 20, 9);
  });
});
