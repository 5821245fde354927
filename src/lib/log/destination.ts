import fs from 'node:fs';
import { type DestinationStream, pino } from 'pino';
import { errorCode } from '../error.ts';

/** Bytes that wait for a reader that stalls; further lines are dropped. */
const WAITING_MOST_BYTES = 1 << 20;
const RETRY_DELAY_MS = 100;
const LAST_TRY_MS = 1_000;

/**
 * Opens standard output for lines of the log. Each is written at once. Where a pipe has no room,
 * because its reader stalls, lines wait, up to a megabyte; further ones are dropped and counted in a
 * line `log.dropped`, and the process goes on. A terminal, a file or a socket is written as it is:
 * there the process waits.
 */
export function openStdout(): DestinationStream {
  const fd = openPipe(1);
  return fd === null ? pino.destination({ dest: 1, sync: true }) : pipeDestination(fd);
}

/**
 * Opens the pipe behind a file descriptor once more, so that writing never waits and whoever shares
 * the descriptor notices nothing. Linux alone can do that.
 *
 * @returns null where it is no pipe, or that is refused, as it is for a pipe of another user
 */
function openPipe(fd: number): number | null {
  try {
    if (process.platform !== 'linux' || !fs.fstatSync(fd).isFIFO()) return null;
    return fs.openSync(`/proc/self/fd/${fd}`, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** @param fd of a pipe that is opened so that writing does not wait */
export function pipeDestination(fd: number): DestinationStream {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let retry: NodeJS.Timeout | undefined;

  /** @returns what had no room; null if all of it was written, or nobody reads any more */
  const attempt = (bytes: Buffer): Buffer | null => {
    try {
      const written = fs.writeSync(fd, bytes);
      return written === bytes.length ? null : bytes.subarray(written);
    } catch (error) {
      // A reader that has gone away comes back no more, and must not end the process.
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
      // Once lines are missing, what comes after them waits behind the line that counts them.
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
