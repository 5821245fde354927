import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Machine } from '../lib/machine.ts';

/** Data for the watching thread. */
export interface LoopWatch {
  /** Shared memory: the number of turns of the loop, and 1 while Node's inspector is on, else 0. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  readonly beatMs: number;
  /** Number of consecutive beats without a turn that ends the process. */
  readonly missedMax: number;
  /** True if standard output is a terminal; the last line is then plain text. */
  readonly isOnTerminal: boolean;
}

const BEAT_MS = 1_000;
const MISSED_MAX = 60;
/** Memory limits, because a thread otherwise reserves much more. */
const THREAD_LIMITS = {
  maxOldGenerationSizeMb: 8,
  maxYoungGenerationSizeMb: 2,
  codeRangeSizeMb: 8,
};

/**
 * Ends this process when its event loop has been blocked for a minute, so that a supervisor
 * restarts it. A separate thread counts its own seconds, so that suspending the machine stops both.
 * A blocked bot cannot shut down in order, so it is killed; nothing is lost or sent twice.
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
  // The thread gets no environment variables, and so no secrets.
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
