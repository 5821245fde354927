import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SLASH_COMMANDS } from '../../commands/slash-commands.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';

interface Part {
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly description_localizations?: Readonly<Record<string, string>>;
  readonly value?: string | number;
  readonly options?: readonly Part[];
  readonly choices?: readonly Part[];
}

const LANGUAGES = new URL('../../src/language/', import.meta.url);
const LOCALES = [...LANGUAGE_TAGS, 'en-GB'];
/** interactions/application-commands.mdx, "Application Command Naming". */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const commands = SLASH_COMMANDS.map(({ definition }) => read(definition));

/** What Discord is sent. */
function read(definition: { toJSON(): unknown }): Part {
  return JSON.parse(JSON.stringify(definition.toJSON()));
}

function partsOf(part: Part): Part[] {
  return [part, ...(part.options ?? []).flatMap(partsOf)];
}

const length = (text: string) => [...text].length;
const nameIn = (part: Part, locale: string) => part.name_localizations?.[locale] ?? '';
const aboutIn = (part: Part, locale: string) => part.description_localizations?.[locale] ?? '';

function expectLengths(texts: readonly string[]): void {
  for (const text of texts) {
    expect(length(text), text).toBeGreaterThan(0);
    expect(length(text), text).toBeLessThanOrEqual(100);
  }
}

/** Names, descriptions and values, as Discord counts them: of each text the longest language. */
function characters(part: Part): number {
  const longest = (own: string, others: Readonly<Record<string, string>> = {}) =>
    Math.max(length(own), ...Object.values(others).map(length));
  return (
    longest(part.name, part.name_localizations) +
    longest(part.description ?? '', part.description_localizations) +
    length(String(part.value ?? '')) +
    [...(part.options ?? []), ...(part.choices ?? [])].reduce(
      (sum, inner) => sum + characters(inner),
      0,
    )
  );
}

describe.each(commands.map((command) => [command.name, command] as const))(
  '/%s',
  (_name, command) => {
    const parts = partsOf(command);

    it('stays within Discord’s 8,000 characters with the longest language, and room to grow', () => {
      expect(characters(command)).toBeLessThan(6_300);
      for (const { options = [] } of parts) expect(options.length).toBeLessThanOrEqual(25);
    });

    it('has names and descriptions that Discord takes, in every language', () => {
      for (const part of parts) {
        expect(Object.keys(part.name_localizations ?? {}).sort(), part.name).toEqual(
          LOCALES.toSorted(),
        );
        expect(Object.keys(part.description_localizations ?? {}).sort(), part.name).toEqual(
          LOCALES.toSorted(),
        );
        for (const name of [part.name, ...Object.values(part.name_localizations ?? {})]) {
          expect(name).toMatch(NAME);
          expect(name).toBe(name.toLowerCase());
        }
        expectLengths([
          part.description ?? '',
          ...Object.values(part.description_localizations ?? {}),
        ]);
      }
    });

    it('has choices that Discord takes, in every language', () => {
      for (const { name, choices = [] } of parts) {
        expect(choices.length).toBeLessThanOrEqual(25);
        for (const choice of choices) {
          expect(Object.keys(choice.name_localizations ?? {}).sort(), name).toEqual(
            LOCALES.toSorted(),
          );
          expectLengths([choice.name, ...Object.values(choice.name_localizations ?? {})]);
        }
      }
    });

    it.each(LOCALES)('calls no two options, subcommands or choices the same in %s', (locale) => {
      for (const { name, options = [], choices = [] } of parts) {
        for (const names of [options, choices].map((all) => all.map((one) => nameIn(one, locale))))
          expect(new Set(names).size, `${name}: ${names.join(', ')}`).toBe(names.length);
      }
    });

    it.each(LANGUAGE_TAGS)('is described in %s, and for American readers as by default', (tag) => {
      for (const part of parts) {
        if (tag === ENGLISH.tag) {
          expect([nameIn(part, tag), aboutIn(part, tag)]).toEqual([part.name, part.description]);
        } else {
          expect(aboutIn(part, tag), part.name).not.toBe(part.description);
        }
      }
    });
  },
);

describe('the commands that texts speak of', () => {
  it.each(LANGUAGE_TAGS)('are there in %s, by the names that people see', (tag) => {
    const there = commands.flatMap((command) => [
      `/${nameIn(command, tag)}`,
      ...(command.options ?? []).map((option) => `/${nameIn(command, tag)} ${nameIn(option, tag)}`),
    ]);
    const { texts } = languageFor(tag);
    for (const text of Object.values(texts.slash))
      expect(there).toContain(text.replaceAll('`', ''));
    expect(texts.commands.pause.for).toContain(texts.slash.resume.replaceAll('`', ''));
    expect(texts.commands.import.description).toContain(texts.slash.export.replaceAll('`', ''));
  });

  it('are never written out in a catalogue: a name that changes, changes everywhere', () => {
    const typed = LANGUAGE_TAGS.flatMap((tag) =>
      Object.values(languageFor(tag).texts.names.commands),
    );
    const written = new RegExp(
      `(?<![\\p{L}\\p{N}/<.])/(${typed.join('|')})(?![\\p{L}\\p{N}-])`,
      'u',
    );
    const files = readdirSync(LANGUAGES, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\/\w+\.ts$/.test(file),
    );
    expect(files.length).toBeGreaterThan(50);
    for (const file of files) {
      const code = readFileSync(new URL(file, LANGUAGES), 'utf8').replace(
        /\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm,
        '',
      );
      expect(written.exec(code)?.[0], file).toBeUndefined();
    }
  });
});
