import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { createProgress } from '../../src/lib/progress.ts';
import { writeStore } from '../cli/store/stores.ts';
import { hasScript, runProgram, runTerminal } from '../support/program.ts';
import { FULL_WORLD, worldDocuments } from '../support/stored-world.ts';
import { temporaryFolder } from '../support/temp.ts';

const ERASE = '\r\u001b[K';

/** A progress on a terminal, or a pipe, with what was written and a clock. */
function openProgress(isTTY: boolean, columns = 40) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const stream = { isTTY, columns, write: (text: string) => written.push(text) };
  return { written, clock, progress: createProgress(stream, () => clock.ms) };
}

async function* numbers(count: number) {
  for (let number = 0; number < count; number += 1) yield number;
}

describe('progress', () => {
  it.each([
    [600, 2_400, 'Past: 600 of 2,400 hours'],
    [0, 2_400, 'Past: 0 of 2,400 hours'],
    [2_400.5, 2_400, 'Past: 2,400 of 2,400 hours'],
    [1_234_567, null, 'Past: 1,234,567 hours'],
  ])('is put in words: %s of %s', (done, total, text) => {
    const { written, progress } = openProgress(true);
    progress.count('Past', done, total, 'hours');
    expect(written).toEqual([ERASE + text]);
  });

  it.each([24, 25, 12, 2, 1])(
    'fits into a line of %i columns and leaves the last one free',
    (columns) => {
      const { written, progress } = openProgress(true, columns);
      progress.count('Past', 600, 2_400, 'hours');
      const text = written[0]?.slice(ERASE.length) ?? '';
      expect(text.length).toBeLessThanOrEqual(Math.max(1, columns - 1));
      expect(text === 'Past: 600 of 2,400 hours').toBe(columns === 25);
    },
  );

  it('writes over its own line, ten times a second at the most, and erases it', () => {
    const { written, clock, progress } = openProgress(true);
    for (; clock.ms < 1_000; clock.ms += 1) progress.count('Reading', clock.ms, null, 'rows');
    expect(written).toHaveLength(10);
    expect(written.at(-1)).toBe(`${ERASE}Reading: 900 rows`);
    progress.clear();
    progress.clear();
    expect(written.slice(10)).toEqual([ERASE]);
    progress.count('Reading', 1_000, null, 'rows');
    expect(written.at(-1)).toBe(`${ERASE}Reading: 1,000 rows`);
  });

  it('hands on what it counts', async () => {
    const { written, progress } = openProgress(true);
    const seen: number[] = [];
    for await (const number of progress.counted(numbers(3), 'Reading', 3)) seen.push(number);
    expect(seen).toEqual([0, 1, 2]);
    expect(written).toEqual([`${ERASE}Reading: 1 of 3 documents`]);
  });

  it('writes nothing but on a terminal', async () => {
    const { written, progress } = openProgress(false);
    progress.say('Asking');
    progress.count('Reading', 1, null, 'rows');
    for await (const _ of progress.counted(numbers(3), 'Reading'));
    progress.clear();
    expect(written).toEqual([]);
  });
});

describe.skipIf(!hasScript)('progress of a program', () => {
  it('is on a terminal and gone at the end, and nowhere in a pipe', async () => {
    const directory = temporaryFolder();
    const url = `sqlite://${join(directory, 'store.sqlite')}`;
    await writeStore(url, worldDocuments(FULL_WORLD));
    const program = inject('storeMain');
    const environment = { STORE_URL: url };
    const shown = await runTerminal([program, 'dump', 'on-terminal.jsonl'], directory, environment);
    const [before, ...lines] = shown.split(ERASE);
    expect(before).toBe('');
    expect(lines[0]).toMatch(/^Dumping: \d+ documents$/);
    expect(lines.at(-1)).toMatch(/^Dumped \S+ to on-terminal\.jsonl: \d+ documents\.\s*$/);
    const piped = await runProgram([program, 'dump', 'in-pipe.jsonl'], directory, environment);
    expect(piped).toMatchObject({ exitCode: 0, errors: '' });
    expect(piped.output).toMatch(/^Dumped \S+ to in-pipe\.jsonl: \d+ documents\.\n$/);
  });
});
