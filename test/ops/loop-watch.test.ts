import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { startProgram } from '../support/program.ts';

const LOOP_WATCH = new URL('../../src/ops/loop-watch.ts', import.meta.url).href;

/**
 * A process that ends after 2 s without a turn of its loop, and holds the loop for HOLD_MS at
 * SIGUSR2.
 */
const WATCHED = `
  const { watchLoop } = await import(${JSON.stringify(LOOP_WATCH)});
  watchLoop({ log: console }, new URL(process.env.WATCHER), { beatMs: 100, missedMax: 20 });
  process.on('SIGUSR2', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.HOLD_MS));
    console.log('held');
  });
  setInterval(() => console.log('turned'), 100);
`;

/**
 * For NODE_OPTIONS: the thread's beats are so far apart, of which sixty are a minute, and SIGUSR2
 * stops the loop for good.
 */
const hurried = (beatMs: number) =>
  `--import=data:text/javascript,${encodeURIComponent(`
  import threads from 'node:worker_threads';
  import { syncBuiltinESMExports } from 'node:module';
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, { ...options, workerData: { ...options.workerData, beatMs: ${beatMs} } });
    }
  };
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
`)}`;

const ENDED = /^\{"level":60,"time":\d+,"event":"loop\.stands_still","seconds":(\d+)\}$/m;

function watched(environment: Record<string, string>, ...flags: string[]) {
  const tsx = ['--import', import.meta.resolve('tsx')];
  const args = [...flags, ...tsx, '--input-type=module', '-e', WATCHED];
  const WATCHER = pathToFileURL(join(dirname(inject('botMain')), 'loop-watcher.js')).href;
  return startProgram('--no-warnings', args, { WATCHER, TSX_DISABLE_CACHE: '1', ...environment });
}

describe('a process whose loop stands still', () => {
  it('is ended with a line of the log; but neither one that was suspended with its machine, nor one in a debugger', async () => {
    const suspended = async () => {
      const { child, said, ended } = watched({ HOLD_MS: 'Infinity' });
      await said(/turned/);
      child.kill('SIGSTOP');
      // Longer than a loop may stand still.
      await delay(2_500);
      child.kill('SIGCONT');
      await said(/(?:turned\n){6}/);
      child.kill('SIGUSR2');
      expect((await said(ENDED))[1]).toBe('2');
      await ended;
      expect(child.signalCode).toBe('SIGKILL');
    };
    const inspected = async () => {
      const { child, said } = watched({ HOLD_MS: '3000' }, '--inspect=127.0.0.1:0');
      await said(/turned/);
      child.kill('SIGUSR2');
      await said(/held\nturned/);
    };
    await Promise.all([suspended(), inspected()]);
  });

  it('is the bot after a minute', async () => {
    const { child, said, ended } = startProgram(inject('botMain'), [], {
      DISCORD_TOKEN: 'a-token',
      DISCORD_API_URL: 'http://127.0.0.1:9/api',
      VENUE_BASE_URL: 'http://127.0.0.1:9',
      VENUE_API_KEY: 'a-key',
      // A start holds the loop for seconds on a busy machine.
      NODE_OPTIONS: hurried(250),
    });
    await said(/"event":"store\.loaded"/);
    child.kill('SIGUSR2');
    await said(ENDED);
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
  });
});
