import fs from 'node:fs';
import { type DestinationStream, pino } from 'pino';
import { errorCode } from '../error.ts';

/** Maximum bytes that wait for a stalled reader; further lines are dropped. */
const WAITING_MOST_BYTES = 1 << 20;
const RETRY_DELAY_MS = 100;
const LAST_TRY_MS = 1_000;

/**
 * Opens standard output for lines of the log. Each is written at once. If a pipe is full because
 * its reader stalls, up to a megabyte of lines waits; further ones are dropped and counted in a
 * line `log.dropped`, and the process continues. For a terminal, a file or a socket the process
 * waits instead.
 */
export function openStdout(): DestinationStream {
  const fd = openPipe(1);
  return fd === null ? pino.destination({ dest: 1, sync: true }) : pipeDestination(fd);
}

/**
 * Opens the pipe behind a file descriptor again in non-blocking mode, without affecting other users
 * of the descriptor. Only possible on Linux.
 *
 * @returns null if it is not a pipe, or opening fails, as it does for another user's pipe
 */
function openPipe(fd: number): number | null {
  try {
    if (process.platform !== 'linux' || !fs.fstatSync(fd).isFIFO()) return null;
    return fs.openSync(`/proc/self/fd/${fd}`, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** @param fd of a pipe that was opened in non-blocking mode */
export function pipeDestination(fd: number): DestinationStream {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let retry: NodeJS.Timeout | undefined;

  /**
   * @returns the bytes that did not fit; null if all were written or there is no reader any more
   */
  const attempt = (bytes: Buffer): Buffer | null => {
    try {
      const written = fs.writeSync(fd, bytes);
      return written === bytes.length ? null : bytes.subarray(written);
    } catch (error) {
      // A reader that has gone does not return, and must not end the process.
      return errorCode(error) === 'EAGAIN' ? bytes : null;
    }
  };

  const drain = (): void => {
    retry = undefined;
    while (waiting.length > 0 || dropped > 0) {
      if (waiting.length === 0) {
        waiting.push(droppedLine(dropped));
        waitingBytes += waiting[0]?.length ?? 0;
        dropped = 0;
      }
      const [bytes] = waiting;
      if (bytes === undefined) return;
      const rest = attempt(bytes);
      if (rest !== null) {
        waitingBytes -= bytes.length - rest.length;
        waiting[0] = rest;
        retry = setTimeout(drain, RETRY_DELAY_MS).unref();
        return;
      }
      waitingBytes -= bytes.length;
      waiting.shift();
    }
  };

  process.on('exit', () => {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waitedMs = 0; waitedMs < LAST_TRY_MS; waitedMs += 10) {
      clearTimeout(retry);
      drain();
      if (waiting.length === 0) return;
      Atomics.wait(pause, 0, 0, 10);
    }
  });

  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (waiting.length === 0 && dropped === 0) {
        const rest = attempt(bytes);
        if (rest === null) return;
        waiting.push(rest);
        waitingBytes += rest.length;
        retry = setTimeout(drain, RETRY_DELAY_MS).unref();
        return;
      }
      // Once lines are missing, later ones wait behind the line that counts them.
      if (dropped > 0 || waitingBytes + bytes.length > WAITING_MOST_BYTES) {
        dropped += 1;
        return;
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
    },
  };
}

function droppedLine(lines: number): Buffer {
  const line = { level: pino.levels.values['warn'], time: Date.now(), event: 'log.dropped', lines };
  return Buffer.from(`${JSON.stringify(line)}\n`);
}
