import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../docs/pages.ts';

const BEGINS_LATE = /\/\*\*[\s*]*(?:Of|What|How|Which|Who|Where|When|The same)\b.*/g;

const DOCSTRING = /\/\*\*[\s\S]*?\*\//g;
/** A tag behind other words of its line, but for code between backticks. */
const GLUED_TAG = /[^\s*/`{(][^\S\n]+@(?:param|returns|throws)\b/;

describe('docstrings', () => {
  it('have each tag on a line of its own', () => {
    const files = ['src', 'commands', 'packages', 'test'].flatMap(sourceFiles);
    const found = files.flatMap((file) =>
      (readFileSync(file, 'utf8').match(DOCSTRING) ?? [])
        .filter((text) => GLUED_TAG.test(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(files.length).toBeGreaterThan(900);
    expect(found).toEqual([]);
  });

  it('begin with a verb or a noun, not in the middle of a thought', () => {
    const files = ['src', 'commands'].flatMap(sourceFiles);
    const found = files.flatMap((file) =>
      (readFileSync(file, 'utf8').match(BEGINS_LATE) ?? []).map((line) => `${file}: ${line}`),
    );
    expect(files.length).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });
});
