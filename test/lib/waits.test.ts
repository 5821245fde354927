import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { sourceFiles } from '../docs/pages.ts';

interface Call {
  readonly callee: string;
  readonly at: string;
  readonly parts: readonly string[];
}

/** Every call of a test's own words in the tests: what is called, where, and its arguments as written. */
function everyCall(): Call[] {
  const calls: Call[] = [];
  const files = ['test', 'packages'].flatMap(sourceFiles);
  for (const file of files.filter((path) => /(?:^|\/)test\//.test(path))) {
    const text = readFileSync(file, 'utf8');
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('type' in node && node.type === 'CallExpression') {
        const call = node as unknown as {
          readonly callee: { readonly start: number; readonly end: number };
          readonly arguments: readonly { readonly start: number; readonly end: number }[];
        };
        const callee = text.slice(call.callee.start, call.callee.end);
        if (/^(?:it|test|describe|vi)\b/.test(callee))
          calls.push({
            callee,
            at: `${file}:${text.slice(0, call.callee.start).split('\n').length}`,
            parts: call.arguments.map(({ start, end }) => text.slice(start, end)),
          });
      }
      for (const child of Object.values(node)) visit(child);
    };
    visit(parseAst(text, { lang: 'ts' } as never));
  }
  return calls;
}

const calls = everyCall();

it('every test may take as long as a busy machine needs: a limit of its own goes through within()', () => {
  const tests = calls.filter(({ callee }) => !callee.startsWith('vi'));
  expect(tests.length).toBeGreaterThan(2_000);
  const fixed = tests.filter(
    ({ parts }) =>
      /^[\d_]{4,}$/.test(parts[2] ?? '') ||
      parts.slice(1).some((part) => /^\{[^}]*\btimeout: [\d_]+/.test(part)),
  );
  expect(fixed.map(({ at }) => at)).toEqual([]);
});

it('nothing waits for the one second that vi.waitFor gives where no limit is named', () => {
  const waits = calls.filter(({ callee }) => /^vi\.wait(?:For|Until)$/.test(callee));
  expect(waits.length).toBeGreaterThan(5);
  expect(waits.filter(({ parts }) => parts.length < 2).map(({ at }) => at)).toEqual([]);
});
