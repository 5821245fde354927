import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { terminalLine } from '../lib/log/terminal.ts';
import type { LoopWatch } from './loop-watch.ts';

/**
 * The thread beside the event loop (`watchLoop`): sees whether the loop turns, and ends the process
 * when it does not.
 */
const { beats, beatMs, missedMax, isOnTerminal }: LoopWatch = workerData;
/** In a thread `process.stdout` is a stream to the main thread. */
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
 * Kills the process: `process.exit` would end this thread alone. Its log is the main thread's,
 * which stands still.
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
