import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const BEGINS_LATE = /\/\*\*[\s*]*(?:Of|What|How|Which|Who|Where|When|The same)\b.*/g;

describe('docstrings', () => {
  it('begin with a verb or a noun, not in the middle of a thought', () => {
    const files = ['src', 'commands'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    );
    const found = files.flatMap((file) =>
      (readFileSync(file, 'utf8').match(BEGINS_LATE) ?? []).map((line) => `${file}: ${line}`),
    );
    expect(files.length).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });
});
