import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Parts that are not the bot. */
const ELSEWHERE = /^src\/(sandbox|venue-server)\//;

function eventsInCode(): Set<string> {
  const files = ['src', 'commands'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const found = new Set<string>();
  for (const file of files.filter((name) => name.endsWith('.ts') && !ELSEWHERE.test(name))) {
    const text = readFileSync(file, 'utf8');
    // A name, or a choice between two.
    for (const [, name = '', other] of text.matchAll(/\bevent: (?:[^,\n{}?]+ \? )?'([a-z_.]+)'(?: : '([a-z_.]+)')?/g)) {
      found.add(name);
      if (other !== undefined) found.add(other);
    }
  }
  return found;
}

function eventsInReadme(): Set<string> {
  const [, after = ''] = readFileSync('README.md', 'utf8').split('### Log events');
  const table = after.split(/\n#/)[0] ?? '';
  const cells = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)));
}

it('is written about in the README: every event, and none that there is not', () => {
  const inCode = eventsInCode();
  expect(inCode.size).toBeGreaterThan(40);
  expect([...inCode].filter((name) => !eventsInReadme().has(name))).toEqual([]);
  expect([...eventsInReadme()].filter((name) => !inCode.has(name))).toEqual([]);
});
