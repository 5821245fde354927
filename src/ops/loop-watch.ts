import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Machine } from '../lib/machine.ts';

/** Data for the thread beside the event loop. */
export interface LoopWatch {
  /** Shared: how often the loop has turned, and 1 while Node's inspector is on, else 0. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  readonly beatMs: number;
  /** As many beats without a turn end the process. */
  readonly missedMax: number;
  /** Standard output is one: the last line is text then. */
  readonly isOnTerminal: boolean;
}

const BEAT_MS = 1_000;
const MISSED_MAX = 60;
/** A thread takes room for much more if it is let. */
const THREAD_LIMITS = {
  maxOldGenerationSizeMb: 8,
  maxYoungGenerationSizeMb: 2,
  codeRangeSizeMb: 8,
};

/**
 * Ends this process when its event loop has stood still for a minute: a supervisor then starts it
 * again. A thread of its own counts, in seconds of its own, so that a machine that was suspended
 * stops both. A bot that stands still cannot stop in order, so that it is killed, of which nothing
 * is lost or doubled.
 *
 * @param watcher the thread's program
 */
export function watchLoop(
  { log }: Pick<Machine, 'log'>,
  watcher: URL,
  {
    beatMs = BEAT_MS,
    missedMax = MISSED_MAX,
  }: Partial<Pick<LoopWatch, 'beatMs' | 'missedMax'>> = {},
): void {
  const beats = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const beat = () => {
    Atomics.add(beats, 0, 1);
    Atomics.store(beats, 1, Number(inspector.url() !== undefined));
  };
  const workerData: LoopWatch = {
    beats,
    beatMs,
    missedMax,
    isOnTerminal: process.stdout.isTTY,
  };
  // It is given no variable, and so no secret.
  const thread = new Worker(watcher, {
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: THREAD_LIMITS,
  });
  thread.on('error', (error) => log.warn({ event: 'loop.not_watched', err: error }));
  thread.unref();
  beat();
  setInterval(beat, beatMs).unref();
}
