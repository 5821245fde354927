import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

/** What runs on a developer's machine alone, and sees nobody else's text. */
const DEVELOPMENT = ['sandbox', 'venue-server'];
/** Of a text, UTF-16 units: as many as the longest that people or the venue send here. */
const LENGTHS = [16, 20, 24, 60, 200, 1_000, 8_000];
/** A pattern that goes through a text once needs a hundredth of this for the longest. */
const LONG_MS = 40;
/** Patterns that may be slow, for they see nothing but what the operator has set. */
const OPERATORS = new Set(['src/venue/http-transport.ts: /\\/+$/']);
/** One character for each class that patterns are made of. */
const CLASSES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\\s/, [' ', '\n']],
  [/\\d/, ['1']],
  [/\\w|\\p\{|\./, ['a']],
  [/\[\^|\\S|\./, ['!']],
];

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function everyPattern(): { readonly literals: Pattern[]; readonly constructed: string[] } {
  const literals: Pattern[] = [];
  const constructed: string[] = [];
  const files = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !DEVELOPMENT.some((folder) => path.startsWith(join('src', folder))));
  for (const file of files) {
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

/** What a pattern may be made to look at again and again: the characters that it names, and those of its classes. */
function alphabetOf(source: string): string[] {
  const named = source
    .replace(/\\u\{?[0-9a-f]+\}?|\\p\{[^}]*\}|\\[a-z]|\{\d+,?\d*\}|\(\?<?[:=!]/gi, '')
    .match(/[\p{L}\p{N}\p{P}\p{S} ]/gu);
  const classed = CLASSES.filter(([has]) => has.test(source)).flatMap(([, characters]) => characters);
  return [...new Set([...classed, ...(named ?? [])])].slice(0, 10);
}

/** Texts that begin in some way, go on with the same, and do not end as the pattern would have it. */
function* attacks(source: string, length: number): Generator<string> {
  const alphabet = alphabetOf(source);
  const pairs = alphabet.slice(0, 5).flatMap((one) => alphabet.slice(0, 3).map((other) => one + other));
  const begins = ['', ...alphabet.slice(0, 5)];
  for (const unit of [...alphabet, ...pairs]) {
    const body = unit.repeat(Math.ceil(length / unit.length));
    for (const begin of begins) yield `${begin}${body}\u0001`;
  }
}

function tookMs({ source, flags }: Pattern, text: string): number {
  const pattern = new RegExp(source, flags);
  const began = process.cpuUsage();
  // All matches, as where the pattern is used to replace.
  if (pattern.global) text.replace(pattern, '');
  else pattern.test(text);
  const { user } = process.cpuUsage(began);
  return user / 1_000;
}

/** The first text on which a pattern loses itself; null if there is none. */
function worst(pattern: Pattern): string | null {
  for (const length of LENGTHS) {
    for (const text of attacks(pattern.source, length)) {
      // A pause of the machine is no fault of the pattern: the least of some counts.
      let leastMs = tookMs(pattern, text);
      for (let again = 0; again < 3 && leastMs > LONG_MS && leastMs < 10 * LONG_MS; again += 1) {
        leastMs = Math.min(leastMs, tookMs(pattern, text));
      }
      if (leastMs > LONG_MS) return `${JSON.stringify(text.slice(0, 12))}… of ${length}`;
    }
  }
  return null;
}

describe('patterns that see outside text', () => {
  const { literals, constructed } = everyPattern();

  it('go through it once, whatever it is', () => {
    expect(literals.length).toBeGreaterThan(100);
    const unique = [...new Map(literals.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
    const seen = unique.filter(({ file, source }) => !OPERATORS.has(`${file}: /${source}/`));
    const lost = seen.flatMap((pattern) => {
      const text = worst(pattern);
      return text === null ? [] : [`${pattern.file}: /${pattern.source}/${pattern.flags} on ${text}`];
    });
    expect(lost).toEqual([]);
  }, 60_000);

  it('are written as literals, so that the test above sees them', () => {
    // Made of literals and of the operator's own secrets, character by character; its time is tested in redact.test.ts.
    expect(constructed).toEqual(['src/lib/redact.ts']);
  });

  it('would be found out if they did not', () => {
    const units = ['d|days?', 'h|hrs?', 'm|mins?', 's|secs?'];
    const source = `^${units.map((names) => `(?:(\\d{1,9})\\s*(?:${names}))?`).join('\\s*')}$`;
    for (const found of [source, '\\s+$']) {
      expect(worst({ file: '', source: found, flags: 'i' })).not.toBeNull();
    }
  });
});
