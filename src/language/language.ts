import { TEXTS } from './all.ts';
import { createExactFormat, type ExactFormat } from './exact-format.ts';
import { createNumberFormat, type NumberFormat } from './number-format.ts';
import type { Texts } from './texts.ts';

/** The bot's languages, by Discord's locale names. */
export type LanguageTag = keyof typeof TEXTS;
export const LANGUAGE_TAGS = Object.keys(TEXTS) as LanguageTag[];

/** Texts and number format of one language. */
export interface Language {
  readonly tag: LanguageTag;
  readonly texts: Texts;
  readonly format: NumberFormat;
  readonly exact: ExactFormat;
  /** `Monday` to `Sunday`. */
  readonly weekdays: readonly string[];
  /** This language with sentences about options that are about the fields of forms. */
  readonly inForms: Language;
}

/** A text that is chosen once the reader's language is known. */
export type LocalizedText = (language: Language) => string;

/** The language of logs, and of texts for a reader whose language is unknown. */
export const ENGLISH = language('en-US', null);

const BY_LOCALE = byLocales(null);

/** Returns the language for one of Discord's locales; English if the bot has no texts for it. */
export type LanguageFor = (locale: string | null | undefined) => Language;

export const languageFor: LanguageFor = (locale) => BY_LOCALE.get(locale ?? '') ?? ENGLISH;

/**
 * Returns the languages with texts that contain the venue's name.
 *
 * @param venueName escaped; null if it has none
 */
export function languagesNaming(venueName: string | null): LanguageFor {
  if (venueName === null) return languageFor;
  const languages = byLocales(venueName);
  const fallback = languages.get(ENGLISH.tag) ?? ENGLISH;
  return (locale) => languages.get(locale ?? '') ?? fallback;
}

function byLocales(venueName: string | null): ReadonlyMap<string, Language> {
  const languages = LANGUAGE_TAGS.map((tag) =>
    venueName === null && tag === ENGLISH.tag ? ENGLISH : language(tag, venueName),
  );
  const byTag = new Map<string, Language>(languages.map((made) => [made.tag, made]));
  return byTag.set('en-GB', byTag.get(ENGLISH.tag) ?? ENGLISH);
}

/**
 * Returns a text by Discord's locales, for texts that Discord itself shows. The default's own
 * locale is included, because otherwise Discord may show American readers the British text.
 */
export function byLocale(text: LocalizedText): Record<string, string> {
  return Object.fromEntries([...BY_LOCALE].map(([locale, language]) => [locale, text(language)]));
}

/**
 * Creates a language. Its formats are created on first use, because those of all languages take
 * Node about 60 ms.
 */
function language(
  tag: LanguageTag,
  venueName: string | null,
  texts: Texts = TEXTS[tag](venueName),
): Language {
  let format: NumberFormat | undefined;
  let exact: ExactFormat | undefined;
  let weekdays: readonly string[] | undefined;
  let inForms: Language | undefined;
  return {
    tag,
    texts,
    get format() {
      format ??= createNumberFormat(tag, texts.format);
      return format;
    },
    get exact() {
      exact ??= createExactFormat(tag, texts.format);
      return exact;
    },
    get weekdays() {
      weekdays ??= weekdayNames(tag);
      return weekdays;
    },
    get inForms() {
      inForms ??= language(tag, venueName, textsInForms(tag, venueName, texts.watch.panel));
      return inForms;
    },
  };
}

/** Texts that call an option by the label of its field, and say what is typed there. */
function textsInForms(
  tag: LanguageTag,
  venueName: string | null,
  { fields, accepted: typed }: Texts['watch']['panel'],
): Texts {
  const { watch, ...others } = TEXTS[tag](venueName, fields);
  const accepted = { ...watch.settings.accepted, ...typed };
  return { ...others, watch: { ...watch, settings: { ...watch.settings, accepted } } };
}

function weekdayNames(tag: LanguageTag): string[] {
  const { format } = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' });
  // January 1, 2024 was a Monday.
  return [1, 2, 3, 4, 5, 6, 7].map((day) => format(Date.UTC(2024, 0, day)));
}
