import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Folders whose docstrings have been read for this. */
const READ = [
  ...['commands/shared', 'commands/watch', 'src/alerts', 'src/charts', 'src/delivery'],
  ...['src/details', 'src/embeds', 'src/lookups', 'src/slash-commands', 'src/watches'],
];
const BEGINS_LATE = /\/\*\*[\s*]*(?:Of|What|Whether|How|Which|Who|Where|When|The same)\b.*/g;

describe('docstrings', () => {
  it('begin with a verb or a noun, not in the middle of a thought', () => {
    const files = READ.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    );
    const found = files.flatMap((file) =>
      (readFileSync(file, 'utf8').match(BEGINS_LATE) ?? []).map((line) => `${file}: ${line}`),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });
});
