import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { sourceFiles } from '../docs/pages.ts';

/**
 * Marks of a style that makes readers stop. Each is a place to look, not a verdict: some of those
 * that are left read well.
 */
const MARKS: ReadonlyMap<string, RegExp> = new Map([
  [
    'what is, was or has, as a noun',
    /\bwhat (?:is|was|has|had|came|comes|waits|holds|may|they|it)\b/,
  ],
  [
    'Tells whether, is said, is told',
    /\b(?:Tells whether|(?:is|are) (?:said|told|asked for|looked at|judged|spoken))\b/,
  ],
  ['a sentence that begins with Of', /(?:^|[.:;] )[Oo]f (?!course)\w+/],
  ['of which, of whom', /\bof wh(?:ich|om)\b/],
  ['so long, so many, this often', /\b(?:so (?:long|many|much)|this (?:long|often|many))\b/],
  ['nobody, somebody', /\b(?:nobody|somebody)\b/i],
  ['stands', /\bstands?\b/],
  ['goes on', /\bgo(?:es)? on\b/],
  ['takes for accepts', /\b(?:takes?|taken|took)\b/],
  ['beside', /\bbeside\b/i],
  ['hears', /\bhears?\b/],
  ['room for channel', /\brooms?\b/],
  [
    'a bare unit after a comma',
    /, (?:ms|seconds|Unix seconds|epoch ms|epoch milliseconds|bytes)\b/,
  ],
]);

const COMMENT = /\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/[^\n]*\n)+/gm;
const FRAME = /^[ \t]*(?:\/\*\*|\*\/|\*|\/\/) ?|\*\/$/gm;
const FOLDERS = [
  'src',
  'commands',
  'packages/local-discord/src',
  'packages/venue-server/src',
  'test/support',
];

const limits = new Map(
  Object.entries(
    z.record(z.string(), z.int()).parse(JSON.parse(readFileSync('test/lib/marks.json', 'utf8'))),
  ),
);
const comments = FOLDERS.flatMap(sourceFiles)
  .filter((file) => !/language\/(?:de|es|fr|ja|pt|zh)\//.test(file))
  .flatMap((file) =>
    (readFileSync(file, 'utf8').match(COMMENT) ?? []).map((comment) => ({
      file,
      text: comment.replaceAll(FRAME, '').replaceAll(/\s+/g, ' ').trim(),
    })),
  );

it('comments are found', () => {
  expect(comments.length).toBeGreaterThan(5000);
  expect([...limits.keys()]).toEqual([...MARKS.keys()]);
});

it.each([...MARKS])('comments hold no more of “%s” than before', (name, mark) => {
  const found = comments.filter(({ text }) => mark.test(text));
  const places = found.map(({ file, text }) => `${file}: ${text}`).join('\n');
  expect(found.length, places).toBeLessThanOrEqual(limits.get(name) ?? 0);
});
