import type { Fixture } from '../e2e/fixture.ts';

/**
 * Value of `NODE_OPTIONS` for a bot that measures how long its event loop is blocked, in CPU time
 * of its main thread (Linux, /proc/self/schedstat), so that a busy machine makes no difference. On
 * SIGUSR2 it logs the longest block since the last time as `test.longest_hold`, with `cpuMs`, and
 * starts over. `parses` has the same as a multiple of the time that JSON.parse of 1 MiB takes at
 * that moment, so that a slow machine makes no difference either.
 */
export const MEASURE_HOLDS = `--import=data:text/javascript,${encodeURIComponent(`
  import { openSync, readSync } from 'node:fs';
  const file = openSync('/proc/self/schedstat', 'r');
  const buffer = Buffer.alloc(64);
  const cpuMs = () => Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 64, 0)).split(' ')[0]) / 1e6;
  const row = JSON.stringify({ wallet: '0x' + 'a'.repeat(40), label: 'Wallet of the desk', minUsdc: 12.5, kinds: ['buy', 'sell'] });
  const document = '[' + Array(Math.floor(2 ** 20 / (row.length + 1))).fill(row) + ']';
  // The kernel counts a running thread's time in steps of some milliseconds.
  const parseMs = () => {
    const began = cpuMs();
    for (let n = 0; n < 5; n += 1) JSON.parse(document);
    return (cpuMs() - began) / 5;
  };
  let before = cpuMs();
  let longest = 0;
  setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 2).unref();
  process.on('SIGUSR2', () => {
    const parses = longest / parseMs();
    process.stderr.write(JSON.stringify({ event: 'test.longest_hold', cpuMs: longest, parses }) + '\\n');
    longest = 0;
    before = cpuMs();
  });
`)}`;

/**
 * Longest time for which a command may block the loop, as a multiple of the time for JSON.parse of
 * 1 MiB.
 */
export const LIMIT_PARSES = 15;

/** The longest block of each use, as a multiple of the same time. */
export type Holds = Readonly<Record<string, number>>;

/**
 * Returns the names of the uses that block the loop too long in this run and in another. Code that
 * blocks the loop does so each time; a garbage collection may fall into any use.
 */
export async function tooLongTwice(
  holds: Holds,
  runAgain: () => Promise<Holds>,
): Promise<string[]> {
  const tooLong = Object.keys(holds).filter((name) => (holds[name] ?? 0) > LIMIT_PARSES);
  if (tooLong.length === 0) return [];
  const again = await runAgain();
  return tooLong.filter((name) => (again[name] ?? Infinity) > LIMIT_PARSES);
}

/**
 * Returns the longest block of a bot with {@link MEASURE_HOLDS} since the last call, in the same
 * unit.
 */
export async function longestHold(fixture: Fixture): Promise<number> {
  fixture.logLines.length = 0;
  fixture.bot.process.kill('SIGUSR2');
  return Number((await fixture.logged('test.longest_hold'))['parses']);
}
