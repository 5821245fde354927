import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../src/language/language.ts';
import { codeSpans, firstColumn, page, section } from './pages.ts';

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
  const parts = quoted.split(/…|\(\d{3,5}\)|\d+|#\S*|The exchange|[A-Z]+(?:_[A-Z]+)+/);
  return parts.map((part) => plain(part).trim()).filter((part) => part.length > 6);
}

/** The messages that a page's table quotes in its first column. */
function quotesOf(path: string, heading: string): string[] {
  const rows = section(page(path), heading).split('\n');
  return rows
    .filter((row) => row.startsWith('| '))
    .flatMap((row) => codeSpans(row.split(' | ')[0] ?? ''))
    .filter((quote) => !quote.startsWith('/'));
}

/** The texts in the sources of the programs, which speak to operators, without comments. */
function sourceTexts(): string {
  const names = ['src', 'commands'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return names
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => readFileSync(name, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, ''))
    .join('\n');
}

const TO_PEOPLE = plain(textsOf(ENGLISH.texts).join('\n'));

describe('what the guide quotes', () => {
  const quotes = quotesOf('docs/guide.md', '## When something goes wrong');

  it.each(quotes)('is said by the bot: %s', (quote) => {
    expect(partsOf(quote).filter((part) => !TO_PEOPLE.includes(part))).toEqual([]);
  });

  it('is more than ten messages', () => expect(quotes.length).toBeGreaterThan(10));
});

/** What a sample holds besides words: figures with their sign and unit, and names. */
const GIVEN =
  /0x\w+…\w+|\d+ hours? ago|[+−]?\$?\d[\d.,/]*(?:¢|%|×)?|Whale|Shark|Minnow|Dolphin|Desk|#alerts|Will [^·]*|\b(?:Yes|No)\b/u;
/** What joins two texts. */
const JOINTS = /[·→•┃|(),:]| at | shares\b|\p{Extended_Pictographic}\uFE0F?/u;

/** The samples of messages in a page, line by line: its blocks of code without a language. */
function samplesOf(path: string): string[] {
  const { text } = page(path);
  const blocks = [...text.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split('\n')).filter((line) => /\p{L}/u.test(line));
}

/** The words of a line between what is put in for parameters. */
function wordsOf(line: string): string[] {
  const parts = line.split(new RegExp(`${GIVEN.source}|${JOINTS.source}`, 'u'));
  const words = parts.map((part) => plain(part).replace(/^[\s.]+|[\s.]+$/g, ''));
  return words.filter((part) => /\p{L}{3}/u.test(part));
}

describe('the samples in the pages for people and in the README', () => {
  const quoted = codeSpans(page('README.md').text).filter((span) => /\p{So}/u.test(span));
  const pages = ['docs/guide.md', 'docs/alerts.md', 'docs/track-records.md'];
  const lines = [...pages.flatMap(samplesOf), ...quoted];

  it.each(lines)('is made of what the bot says: %s', (line) => {
    expect(wordsOf(line).filter((words) => !TO_PEOPLE.includes(words))).toEqual([]);
  });

  it('are more than thirty lines, one of the README among them', () => {
    expect(lines.length).toBeGreaterThan(30);
    expect(quoted.length).toBeGreaterThan(0);
  });
});

describe('what the page for operators quotes', () => {
  const said = `${TO_PEOPLE}\n${plain(sourceTexts())}`;
  const events = firstColumn(page('docs/log-events.md').text);
  const quotes = quotesOf('docs/operating.md', '## Troubleshooting');

  it.each(quotes)('is said or logged by the programs: %s', (quote) => {
    if (events.includes(quote)) return;
    expect(partsOf(quote).filter((part) => !said.includes(part))).toEqual([]);
  });

  it('is more than ten messages', () => expect(quotes.length).toBeGreaterThan(10));
});
