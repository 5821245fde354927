import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { sourceFiles } from '../docs/pages.ts';
import { slowParts } from '../support/patterns.ts';

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function everyPattern(): { readonly literals: Pattern[]; readonly constructed: string[] } {
  const literals: Pattern[] = [];
  const constructed: string[] = [];
  for (const file of ['src', 'commands'].flatMap(sourceFiles)) {
    const text = readFileSync(file, 'utf8');
    if (/\bRegExp\(/.test(text)) constructed.push(file);
    if (!text.includes('/')) continue;
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('regex' in node) {
        const { pattern, flags } = node.regex as { pattern: string; flags: string };
        literals.push({ file, source: pattern, flags });
      } else for (const child of Object.values(node)) visit(child);
    };
    visit(parseAst(text, { lang: 'ts' } as never));
  }
  return { literals, constructed };
}

describe('patterns', () => {
  const { literals, constructed } = everyPattern();

  it('go through a text once, whatever it is', () => {
    expect(literals.length).toBeGreaterThan(200);
    const slow = literals.flatMap(({ file, source, flags }) =>
      slowParts({ source, flags }).map((parts) => `${file}: /${source}/${flags} at ${parts}`),
    );
    expect(slow).toEqual([]);
  });

  it('are written as literals, so that the test above sees them', () => {
    expect(constructed.toSorted()).toEqual([
      // On a developer's machine alone.
      'src/demo/alert-parser.ts',
      // Of the operator's own secrets, and tested in redact.test.ts.
      'src/lib/log/redact.ts',
    ]);
  });

  it.each([
    [
      /^(?:(\d{1,9})\s*(?:d|days?))?\s*(?:(\d{1,9})\s*(?:h|hrs?))?\s*(?:(\d{1,9})\s*(?:m|mins?))?\s*$/i,
    ],
    [/\s+$/],
    [/^["'`]+\s*(.*?)\s*["'`]+$/s],
    [/^(\w+\s?)*$/],
  ])('would be found out if they did not: %s', (pattern) =>
    expect(slowParts(pattern)).not.toEqual([]),
  );
});
