import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { terminalLine } from '../lib/log/terminal.ts';
import type { LoopWatch } from './loop-watch.ts';

/**
 * The thread that watches the event loop (`watchLoop`), and ends the process when the loop is
 * blocked.
 */
const { beats, beatMs, missedMax, isOnTerminal }: LoopWatch = workerData;
/** File descriptor; in a thread `process.stdout` is a stream to the main thread. */
const STDOUT = 1;
/** pino's `fatal`. */
const LEVEL_FATAL = 60;
let seen = Atomics.load(beats, 0);
let missed = 0;

setInterval(() => {
  const turned = Atomics.load(beats, 0);
  const isDebugged = Atomics.load(beats, 1) === 1;
  missed = turned === seen && !isDebugged ? missed + 1 : 0;
  seen = turned;
  if (missed >= missedMax) end();
}, beatMs);

/**
 * Kills the process, because `process.exit` would end only this thread. The log belongs to the main
 * thread, which is blocked.
 */
function end(): void {
  const fields = {
    level: LEVEL_FATAL,
    time: Date.now(),
    event: 'loop.stands_still',
    seconds: (missed * beatMs) / 1000,
  };
  const line = JSON.stringify(fields);
  try {
    writeSync(STDOUT, isOnTerminal ? terminalLine(line) : `${line}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
