/**
 * For the environment of a bot (`NODE_OPTIONS`): it measures how long its event loop is held without a turn, in CPU time of
 * its main thread (Linux, /proc/self/schedstat), so that a busy machine makes no difference. On SIGUSR2 it logs the longest
 * hold since the last time as `test.longest_hold` with `cpuMs`, and begins anew.
 */
export const MEASURE_HOLDS = `--import=data:text/javascript,${encodeURIComponent(`
  import { openSync, readSync } from 'node:fs';
  const file = openSync('/proc/self/schedstat', 'r');
  const buffer = Buffer.alloc(64);
  const cpuMs = () => Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 64, 0)).split(' ')[0]) / 1e6;
  let before = cpuMs();
  let longest = 0;
  setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 2).unref();
  process.on('SIGUSR2', () => {
    process.stderr.write(JSON.stringify({ event: 'test.longest_hold', cpuMs: longest }) + '\\n');
    longest = 0;
  });
`)}`;
