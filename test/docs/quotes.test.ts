import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../src/language/language.ts';
import { page, section } from './pages.ts';

/** A text with `…` where a figure or a name comes; its source where it needs other values. */
function rendered(text: (...values: unknown[]) => unknown): string {
  try {
    return String(text('…', '…', '…', '…', '…', '…', '…'));
  } catch (error) {
    if (error instanceof TypeError) return String(text);
    throw error;
  }
}

/** Every text of a catalogue. */
function textsOf(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  if (typeof node === 'function') return [rendered((...values) => node(...values))];
  if (typeof node !== 'object' || node === null) return [];
  return Object.values(node).flatMap(textsOf);
}

/** For comparison: one kind of apostrophe, single spaces. */
function plain(text: string): string {
  return text.replaceAll('’', "'").replaceAll("\\'", "'").replace(/\s+/g, ' ');
}

/** The parts of a quoted message between what differs each time. */
function partsOf(quoted: string): string[] {
  const parts = quoted.split(/…|\(\d{3,5}\)|\d+|#\S*|The exchange/);
  return parts.map((part) => plain(part).trim()).filter((part) => part.length > 6);
}

const SAID = plain(textsOf(ENGLISH.texts).join('\n'));

describe('what the guide quotes', () => {
  const rows = section(page('docs/guide.md'), '## When something goes wrong').split('\n');
  const firstCells = rows
    .filter((row) => row.startsWith('| `'))
    .map((row) => row.split(' | ')[0] ?? '');
  const quotes = firstCells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote),
  );

  it.each(quotes.filter((quote) => !quote.startsWith('/')))('is said by the bot: %s', (quote) => {
    expect(partsOf(quote).filter((part) => !SAID.includes(part))).toEqual([]);
  });

  it('is more than ten messages', () => expect(quotes.length).toBeGreaterThan(10));
});
