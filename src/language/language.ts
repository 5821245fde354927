import { german } from './de/index.ts';
import { english, type Texts } from './en/index.ts';
import { spanish } from './es/index.ts';
import { createExactFormat, type ExactFormat } from './exact-format.ts';
import { french } from './fr/index.ts';
import { japanese } from './ja/index.ts';
import { createNumberFormat, type NumberFormat } from './number-format.ts';
import { portuguese } from './pt/index.ts';
import { chinese } from './zh/index.ts';

/** The bot's languages, by Discord's names of locales. */
export const LANGUAGE_TAGS = ['en-US', 'de', 'es-ES', 'fr', 'pt-BR', 'ja', 'zh-CN'] as const;
export type LanguageTag = (typeof LANGUAGE_TAGS)[number];

/** Texts and number format of one language. */
export interface Language {
  readonly tag: LanguageTag;
  readonly texts: Texts;
  readonly format: NumberFormat;
  readonly exact: ExactFormat;
  /** `Monday` to `Sunday`. */
  readonly weekdays: readonly string[];
}

/** A text for whoever reads it: chosen when the language is known. */
export type LocalizedText = (language: Language) => string;

const LANGUAGES: Readonly<Record<LanguageTag, Language>> = {
  'en-US': language('en-US', english),
  de: language('de', german),
  'es-ES': language('es-ES', spanish),
  fr: language('fr', french),
  'pt-BR': language('pt-BR', portuguese),
  ja: language('ja', japanese),
  'zh-CN': language('zh-CN', chinese),
};

/** The language of logs, and of texts without a reader whose language is known. */
export const ENGLISH = LANGUAGES['en-US'];

/** Other locales of Discord, with the language that their readers understand best. */
const FALLBACK_LOCALES: Readonly<Record<string, LanguageTag>> = {
  'en-GB': 'en-US',
  'es-419': 'es-ES',
  'zh-TW': 'zh-CN',
};

/** The language for one of Discord's locales; English where the bot does not speak it. */
export function languageFor(locale: string | null | undefined): Language {
  const tag = LANGUAGE_TAGS.find((candidate) => candidate === locale);
  if (tag !== undefined) return LANGUAGES[tag];
  const kindred = locale != null && Object.hasOwn(FALLBACK_LOCALES, locale) ? FALLBACK_LOCALES[locale] : undefined;
  return kindred === undefined ? ENGLISH : LANGUAGES[kindred];
}

/**
 * A text by Discord's locales, for what Discord itself shows. The default's own locale is among them: without it
 * Discord may show American readers the British text.
 */
export function byLocale(text: LocalizedText): Record<string, string> {
  return Object.fromEntries(
    [...LANGUAGE_TAGS, ...Object.keys(FALLBACK_LOCALES)].map((locale) => [locale, text(languageFor(locale))]),
  );
}

/** Formats are made when they are first used: Node takes some 60 ms for those of all languages. */
function language(tag: LanguageTag, texts: Texts): Language {
  let format: NumberFormat | undefined;
  let exact: ExactFormat | undefined;
  let weekdays: readonly string[] | undefined;
  return {
    tag,
    texts,
    get format() {
      format ??= createNumberFormat(tag, texts.format);
      return format;
    },
    get exact() {
      exact ??= createExactFormat(tag);
      return exact;
    },
    get weekdays() {
      weekdays ??= weekdayNames(tag);
      return weekdays;
    },
  };
}

function weekdayNames(tag: LanguageTag): string[] {
  const { format } = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' });
  // The first of January 2024 was a Monday.
  return [1, 2, 3, 4, 5, 6, 7].map((day) => format(Date.UTC(2024, 0, day)));
}
