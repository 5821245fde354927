import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { firstColumn, page, sorted, sourceFiles } from './pages.ts';

/** Programs that are not the bot. */
const ELSEWHERE = /^src\/demo\//;

/** Of a source of messages of the delivery worker: its names stand in the type. */
function eventsOfSources(): string[] {
  const [, type = ''] =
    /readonly name: ([^;]+);/.exec(readFileSync('src/delivery/message-source.ts', 'utf8')) ?? [];
  const names = [...type.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
  const suffixes = [
    ...readFileSync('src/delivery/channel-run.ts', 'utf8').matchAll(/`\$\{source\}\.(\w+)`/g),
  ];
  expect([names.length, suffixes.length]).toEqual([3, 1]);
  return suffixes.flatMap(([, suffix = '']) => names.map((name) => `${name}.${suffix}`));
}

function eventsInCode(): string[] {
  const files = [...sourceFiles('src'), ...sourceFiles('commands')].filter(
    (name) => !ELSEWHERE.test(name),
  );
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    // A name, or a choice between two.
    const found = text.matchAll(/\bevent: (?:[^,\n{}?]+ \? )?'([a-z_.]+)'(?: : '([a-z_.]+)')?/g);
    return [...found].flatMap(([, name = '', other]) =>
      other === undefined ? [name] : [name, other],
    );
  });
}

it('is explained for operators: every log event once, and none that there is not', () => {
  const inCode = sorted([...eventsInCode(), ...eventsOfSources()]);
  expect(inCode.length).toBeGreaterThan(40);
  const { text } = page('docs/log-events.md');
  expect(firstColumn(text).toSorted()).toEqual(inCode);
  expect(text.match(/^\| `/gm), 'one event a row').toHaveLength(inCode.length);
});
