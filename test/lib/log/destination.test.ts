import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pipeDestination } from '../../../src/lib/log/destination.ts';
import { temporaryFolder } from '../../support/temp.ts';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fs.constants;

/** A pipe of which the test is the reader. */
function openPipe() {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = fs.openSync(path, O_RDONLY | O_NONBLOCK);
  const writer = fs.openSync(path, O_WRONLY | O_NONBLOCK);
  let isLeft = false;
  const leave = () => {
    if (!isLeft) fs.closeSync(reader);
    isLeft = true;
  };
  onTestFinished(() => {
    leave();
    fs.closeSync(writer);
  });
  let text = '';
  return {
    log: pipeDestination(writer),
    leave,
    /**
     * Takes all that is in the pipe now.
     *
     * @returns the whole lines until now
     */
    read(): string[] {
      const buffer = Buffer.alloc(1 << 20);
      try {
        for (let read = -1; read !== 0; ) {
          read = fs.readSync(reader, buffer);
          text += buffer.toString('utf8', 0, read);
        }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      }
      return text.split('\n').slice(0, -1);
    },
  };
}

const lineOf = (n: number) => `{"n":${n},"text":"${'x'.repeat(1_000)}"}\n`;
const numbersOf = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).map(({ n, event }) => event ?? n);

it('writes each line at once, and in order where the reader stalls for a while', async () => {
  const { log, read } = openPipe();
  log.write(lineOf(0));
  expect(numbersOf(read())).toEqual([0]);
  for (let n = 1; n < 500; n += 1) log.write(lineOf(n));
  await expect.poll(() => numbersOf(read())).toEqual(Array.from({ length: 500 }, (_, n) => n));
  log.write(lineOf(500));
  expect(numbersOf(read()).at(-1)).toBe(500);
});

it('drops what a stalled reader has no room for, counts it, and goes on with what comes after', async () => {
  const { log, read } = openPipe();
  for (let n = 0; n < 2_000; n += 1) log.write(lineOf(n));
  await expect.poll(() => numbersOf(read()).at(-1)).toBe('log.dropped');
  const lines = read().map((line) => JSON.parse(line));
  const { lines: dropped, ...said } = lines.at(-1);
  expect(said).toMatchObject({ level: 40, event: 'log.dropped', time: expect.any(Number) });
  expect(lines.length - 1 + dropped).toBe(2_000);
  expect(dropped).toBeGreaterThan(500);
  log.write(lineOf(2_000));
  expect(numbersOf(read()).at(-1)).toBe(2_000);
});

it('goes on where the reader has gone away', () => {
  const { log, leave } = openPipe();
  leave();
  for (let n = 0; n < 3; n += 1) expect(() => log.write(lineOf(n))).not.toThrow();
});
