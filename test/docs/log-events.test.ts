import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { firstColumn, page, section, sorted, sourceFiles } from './pages.ts';

/** Programs that are not the bot. */
const ELSEWHERE = /^src\/(sandbox|venue-server)\//;

function eventsInCode(): string[] {
  const files = [...sourceFiles('src'), ...sourceFiles('commands')].filter((name) => !ELSEWHERE.test(name));
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    // A name, or a choice between two.
    const found = text.matchAll(/\bevent: (?:[^,\n{}?]+ \? )?'([a-z_.]+)'(?: : '([a-z_.]+)')?/g);
    return [...found].flatMap(([, name = '', other]) => (other === undefined ? [name] : [name, other]));
  });
}

it('is explained for operators: every log event once, and none that there is not', () => {
  const inCode = sorted(eventsInCode());
  expect(inCode.length).toBeGreaterThan(40);
  const explained = firstColumn(section(page('docs/operating.md'), '## Log events'));
  expect(explained.toSorted()).toEqual(inCode);
});
