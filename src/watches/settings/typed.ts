import { LANGUAGE_TAGS, type Language, languageFor } from '../../language/language.ts';
import { CHOICE_LENGTH, type Choice } from '../../slash-commands/slash-command.ts';

const SEPARATORS = /[\s,;+&、，；]+/;
/** Words for "and" of languages that write them without spaces. */
const JOINERS = LANGUAGE_TAGS.map((tag) => languageFor(tag).texts.watch.and).filter(
  (and) => and !== '',
);

/**
 * Splits a text at the separators that people type. A leading or trailing separator yields an empty
 * name there.
 */
function pieces(text: string): string[] {
  return JOINERS.reduce((shown, and) => shown.replaceAll(and, ','), text).split(SEPARATORS);
}

export function typedList(text: string): string[] {
  return pieces(text).filter((name) => name !== '');
}

/** Simplified characters of the words that people type, by traditional character. */
const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    買: '买',
    賣: '卖',
    贖: '赎',
    開: '开',
    倉: '仓',
    減: '减',
    現: '现',
    無: '无',
    僅: '仅',
    標: '标',
    籤: '签',
    類: '类',
    併: '并',
    場: '场',
    篩: '筛',
    選: '选',
    詞: '词',
    語: '语',
    價: '价',
    動: '动',
    間: '间',
    靜: '静',
    於: '于',
    時: '时',
    轉: '转',
    賬: '账',
    帳: '账',
  }),
);

/**
 * Normalizes a name for comparison: ignores case, accents, character width, and the difference
 * between traditional and simplified characters.
 */
export function typedName(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
  return plain.replace(/\p{Script=Han}/gu, (character) => SIMPLIFIED.get(character) ?? character);
}

/**
 * Maps names to meanings in every language, because people of one server may type several languages
 * or copy examples from another one.
 *
 * @param namesIn names of a language with their meanings; languages must not give one name
 *   different meanings
 * @returns meanings by the names that `typedName` returns
 */
export function typedNames<Meaning>(
  namesIn: (language: Language) => readonly (readonly [name: string, meaning: Meaning])[],
): ReadonlyMap<string, Meaning> {
  const named = LANGUAGE_TAGS.flatMap((tag) => namesIn(languageFor(tag)));
  return new Map(named.map(([name, meaning]) => [typedName(name), meaning]));
}

const MEANINGS = typedNames<'everything' | 'nothing'>(({ texts: { names } }) => [
  [names.typed.all, 'everything'],
  [names.typed.any, 'everything'],
  [names.typed.none, 'nothing'],
]);

/** Returns the meaning of `all`, `any` and `none` in any language; undefined for any other text. */
export function meaningOf(text: string) {
  return MEANINGS.get(typedName(text.trim()));
}

/** True if a text asks to clear a setting: one of the above, `off`, or `no`. */
export function isNothing(text: string): boolean {
  return meaningOf(text) !== undefined || /^(off|no)$/i.test(text.trim());
}

/** Suggests lists that continue the typed names with one more. */
export function listsGoingOn(typed: string, parts: readonly Choice[], comma: string): Choice[] {
  const texts = pieces(typed).map(typedName);
  const last = texts.pop() ?? '';
  const namesOf = ({ name, value }: Choice) => [typedName(name), value];
  const called = (word: string) => (part: Choice) => namesOf(part).includes(word);
  const begun = texts.flatMap((word) => parts.find(called(word)) ?? []);
  const left = parts.filter((part) => !begun.includes(part));
  const endings = left
    .filter((part) => namesOf(part).some((name) => name.startsWith(last)))
    .map((part) => [part]);
  const whole = left.find(called(last));
  if (whole !== undefined) {
    for (const part of left) if (part !== whole) endings.push([whole, part]);
  }
  return fitting(endings.map((ending) => listOf([...begun, ...ending], comma)));
}

export function listOf(parts: readonly Choice[], comma: string): Choice {
  return {
    name: parts.map(({ name }) => name).join(comma),
    value: parts.map(({ value }) => value).join(', '),
  };
}

/** Returns the choices that fit Discord's length limit. */
export function fitting(choices: readonly Choice[]): Choice[] {
  return choices.filter(({ name, value }) => Math.max(name.length, value.length) <= CHOICE_LENGTH);
}
