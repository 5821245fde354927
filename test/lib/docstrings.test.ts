import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const BEGINS_LATE = /\/\*\*[\s*]*(?:Of|What|How|Which|Who|Where|When|The same)\b.*/g;

const DOCSTRING = /\/\*\*[\s\S]*?\*\//g;
/** A tag behind other words of its line, but for code between backticks. */
const GLUED_TAG = /[^\s*/`{(][^\S\n]+@(?:param|returns|throws)\b/;

/** All TypeScript files of some folders. */
function filesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
}

describe('docstrings', () => {
  it('have each tag on a line of its own', () => {
    const files = filesIn(['src', 'commands', 'packages', 'test']);
    const found = files.flatMap((file) =>
      (readFileSync(file, 'utf8').match(DOCSTRING) ?? [])
        .filter((text) => GLUED_TAG.test(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(files.length).toBeGreaterThan(900);
    expect(found).toEqual([]);
  });

  it('begin with a verb or a noun, not in the middle of a thought', () => {
    const files = filesIn(['src', 'commands']);
    const found = files.flatMap((file) =>
      (readFileSync(file, 'utf8').match(BEGINS_LATE) ?? []).map((line) => `${file}: ${line}`),
    );
    expect(files.length).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });
});
