import { parse } from 'discord-markdown-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeText,
  inlineCode,
  maskedLink,
  plainText,
  shortTxHash,
  textLength,
  wordAmongFigures,
} from '../../../src/embeds/text/escape.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../../src/language/language.ts';
import { randomRuns } from '../../support/thorough.ts';
import { type MarkdownNode, parseMarkdown, readMarkdown } from '../discord-markdown.ts';
import { hostileText } from '../hostile-text.ts';

const runs = randomRuns(2000);
const maxLength = fc.integer({ min: 1, max: 300 });
const url = 'https://venue.example/m';
const invisible = /(?!\u200b|\u200e|\u200d|\ufe0e|\ufe0f| )[\p{C}\p{DI}\s\u2800]/u;

const kinds = (nodes: readonly MarkdownNode[]) => nodes.map((node) => node.kind).join(' ');

function escaped(text: string, max = 4000): string {
  return escapeText(text, max, 'fallback');
}

describe('escapeText', () => {
  it.each([
    ['**bold** _it_', String.raw`\*\*bold\*\* \_it\_`],
    ['[claim](https://evil.example)', '\\[claim\\]\\(https:\u200b//evil.\u200bexample)'],
    ['@everyone <@1>', '@\u200beveryone \\<@\u200b1\\>'],
    ['# Big', String.raw`\# Big`],
    ['-# small', String.raw`\-# small`],
    ['1. one', String.raw`1\. one`],
    ['a\n> b', String.raw`a \> b`],
    [':skull: at 12:30 UTC', String.raw`\:skull: at 12:30 UTC`],
    ['a :0', String.raw`a \:0`],
    ['join discord.gg/x', 'join discord.\u200bgg/x'],
    ['U.S. 63.5 BTC-100K (2026)?', 'U.S. 63.5 BTC-100K (2026)?'],
    ['a\ufeffb\u0085c\u2028d', 'ab c d'],
    ['back\\', 'back\\\\'],
    ['שלום', 'שלום\u200e'],
    ['👩‍👩‍👧 1️⃣ 🇩🇪 👍🏽', '👩‍👩‍👧 1️⃣ 🇩🇪 👍🏽'],
    ['a\u202eb\u0000c\ud800d', 'abcd'],
  ])('turns %j into %j', (text, expected) => expect(escaped(text)).toBe(expected));

  it.each(['', ' \n\t', '\u200b\u2060', '\u3164', '\u2800', '\u0301', '\ud800', '\ufe0f'])(
    'says what the caller says where nothing is to be seen: %j',
    (text) => expect(escaped(text)).toBe('fallback'),
  );

  it.each([
    ['abcdef', 4, 'abc…'],
    ['****', 5, String.raw`\*\*…`],
    ['****', 4, String.raw`\*…`],
    ['👩‍👩‍👧👩‍👩‍👧', 9, '👩‍👩‍👧…'],
    ['ab cd', 4, 'ab…'],
    ['the whole word', 12, '…whole word'],
    ['the whole word', 10, 'the whole…'],
    ['a thousandfold', 10, '…thousand…'],
    ['before \\*then', 10, 'before…'],
    ['*', 1, '…'],
  ])('cuts %j at %d to %j', (text, max, expected) => expect(escaped(text, max)).toBe(expected));

  it('reads no more than the beginning of megabytes, and says so where it cuts', () => {
    expect(escaped(`${'\u200b'.repeat(4_000_000)}a`, 100)).toBe('fallback');
    expect(escaped(`a${'\u200b'.repeat(4_000_000)}`, 100)).toBe('a…');
    expect(textLength(escaped('*'.repeat(4_000_000), 100))).toBeLessThanOrEqual(100);
  });

  it('refuses a limit that leaves room for nothing', () => {
    expect(() => escaped('a', 0)).toThrow('maxCodePoints is 0');
  });

  it('reads in Discord exactly as it was written, and does nothing else, wherever it stands', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const shown = escaped(text, 100_000);
        const nodes = parseMarkdown(shown);
        expect(kinds(nodes)).toBe('text');
        expect(readMarkdown(nodes)).toBe(
          plainText(text, 100_000, 'fallback').replaceAll('\u200e', ''),
        );
        expect(kinds(parseMarkdown(`**${shown}** · ${shown}`))).toBe('strong text');
      }),
      runs,
    );
  });

  it('does not reach a link of ours beside it or above it', () => {
    fc.assert(
      fc.property(hostileText(), maxLength, (text, max) => {
        const shown = escapeText(text, max, 'x');
        const nodes = parseMarkdown(
          `[ours](${url}) · ${shown}\n${shown} · [ours](${url})\n${shown}: x`,
        );
        expect(nodes.filter((node) => node.kind !== 'text')).toMatchObject([
          { kind: 'link', url },
          { kind: 'link', url },
        ]);
      }),
      runs,
    );
  });

  it('stays inert and within its limit when it is cut', () => {
    fc.assert(
      fc.property(hostileText(), maxLength, (text, max) => {
        const shown = escapeText(text, max, '-');
        expect(Array.from(shown).length).toBeLessThanOrEqual(max);
        expect(textLength(shown)).toBeGreaterThan(0);
        expect(shown).not.toMatch(invisible);
        expect(shown.isWellFormed?.() ?? true).toBe(true);
        expect(kinds(parseMarkdown(shown))).toBe('text');
        expect(kinds(parseMarkdown(`**${shown}** x`))).toBe('strong text');
      }),
      runs,
    );
  });
});

describe('maskedLink', () => {
  it('is the escaped text alone without a url', () => {
    expect(maskedLink('a*b', undefined, 50, 'x')).toBe(String.raw`a\*b`);
  });

  it('uses lookalikes, since Discord shows a backslash inside a mask', () => {
    expect(maskedLink(String.raw`*[a_b]*\ 2 < 3`, url, 50, 'x')).toBe(
      '[∗(aˍb)∗∖ 2 <\u200b 3](https://venue.example/m)',
    );
  });

  it.each([
    '# big',
    '### big',
    '-# small',
    '> said',
    '>>> said',
    '- one',
    '+ one',
    '1. one',
    '12. one',
  ])('shows %j as it stands, for whoever takes the mask for a line of its own', (text) => {
    const shown = maskedLink(text, url, 50, 'x');
    expect(shown.replaceAll('\u200b', '')).toBe(`[${text}](${url})`);
    const [link] = parse(shown, 'extended');
    expect(link).toMatchObject({ type: 'link', target: url });
    const kindsInside = [link?.['content']].flat().map(({ type }: { type: string }) => type);
    expect(new Set(kindsInside)).toEqual(new Set(['text']));
  });

  it.each(['<:skull:/j>', '<a:/j> b', 'tel:/1'])(
    'stays a link where its text looks like an address: %j',
    (text) => {
      expect(parseMarkdown(maskedLink(text, url, 50, 'x')).map(({ kind }) => kind)).toEqual([
        'link',
      ]);
    },
  );

  it('is one link to the given address, whose text does nothing, whatever the text', () => {
    fc.assert(
      fc.property(hostileText(), maxLength, (text, max) => {
        const shown = maskedLink(text, url, max, '-');
        for (const source of [shown, `**${shown}**`, `x ${shown} y`]) {
          const nodes = parseMarkdown(source).flatMap((node) =>
            node.kind === 'strong' ? node.children : [node],
          );
          const links = nodes.filter((node) => node.kind === 'link');
          const found = links.map((link) => [link.url, link.text !== '', kinds(link.children)]);
          expect([found, nodes.filter(({ kind }) => kind !== 'link' && kind !== 'text')]).toEqual([
            [[url, true, 'text']],
            [],
          ]);
        }
        expect(Array.from(shown).length).toBeLessThanOrEqual(max + url.length + 4);
      }),
      runs,
    );
  });
});

describe('inlineCode', () => {
  it.each([
    ['-3h', '`-3h`'],
    ['a_b* [c]', '`a_b* [c]`'],
    ['a`b``', '`aˋbˋˋ`'],
    ['@everyone', '`@\u200beveryone`'],
    ['a  long text', '`…long text`'],
    ['\u200b', '`""`'],
  ])('shows %j as %j', (text, shown) => expect(inlineCode(text, 10)).toBe(shown));

  it('is one piece of code, whatever the text', () => {
    fc.assert(
      fc.property(hostileText(), maxLength, (text, max) => {
        const shown = inlineCode(text, max);
        expect(kinds(parseMarkdown(`x ${shown} y`))).toBe('text code text');
        expect(Array.from(shown).length).toBeLessThanOrEqual(Math.max(max, 2) + 2);
        expect(shown).not.toMatch(/@everyone|@here|<@[!&]?\d|\n/);
      }),
      runs,
    );
  });
});

describe('plainText', () => {
  it('is one visible line within its limit', () => {
    fc.assert(
      fc.property(hostileText(), maxLength, (text, max) => {
        const shown = plainText(text, max, '-');
        expect(Array.from(shown).length).toBeLessThanOrEqual(max);
        expect(textLength(shown)).toBeGreaterThan(0);
        expect(shown).not.toMatch(invisible);
      }),
      runs,
    );
  });
});

describe('shortTxHash', () => {
  it.each([
    [`0x${'ab12'.repeat(16)}`, '0xab12…ab12'],
    ['0x1234', '0x1234'],
    ['*_*', String.raw`\*\_\*`],
    ['\u200b', 'unknown'],
  ])('shows %s as %s', (hash, shown) => expect(shortTxHash(hash, 'unknown')).toBe(shown));
});

describe('a word among figures', () => {
  it.each([
    ['Yes', 'Yes'],
    ['Los Angeles Lakers', 'Los Angeles Lakers'],
    ['Über’s', 'Über’s'],
    ['Yes $9,500,000 at 1¢', '“Yes $9,500,000 at 1¢”'],
    ['Yes” $9 “at', '“Yes’ $9 ’at”'],
    ['Over 2.5', '“Over 2.5”'],
    ['*', String.raw`“\*”`],
    ['', 'fallback'],
    ['\u200b', 'fallback'],
    ['1'.repeat(99), `“${'1'.repeat(21)}…”`],
  ])('is shown as it is only if it is nothing but words: %j', (text, shown) =>
    expect(wordAmongFigures(text, 24, 'fallback', ENGLISH)).toBe(shown),
  );

  it('keeps its figures and its quotes to itself, and to its length', () => {
    fc.assert(
      fc.property(
        hostileText(),
        fc.integer({ min: 5, max: 60 }),
        fc.constantFrom(...LANGUAGE_TAGS),
        (text, max, tag) => {
          const language = languageFor(tag);
          const [before, after] = language.texts.format.quotes;
          const shown = wordAmongFigures(text, max, 'fallback', language);
          expect(textLength(shown)).toBeLessThanOrEqual(Math.max(max, 'fallback'.length));
          const isQuoted = shown.startsWith(before) && shown.endsWith(after);
          const inner = isQuoted ? shown.slice(before.length, -after.length) : shown;
          expect(inner).toMatch(isQuoted ? /^[^"“”„«»「」]*$/u : /^[^\d$¢€%"“”„«»「」]*$/u);
        },
      ),
      runs,
    );
  });
});
