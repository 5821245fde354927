import * as german from './de/index.ts';
import * as english from './en/index.ts';
import * as spanish from './es/index.ts';
import { texts as latinAmericanSpanish } from './es/latin-america.ts';
import * as french from './fr/index.ts';
import * as japanese from './ja/index.ts';
import * as portuguese from './pt/index.ts';
import { textsOf } from './texts.ts';
import * as chinese from './zh/index.ts';

/**
 * The bot's languages, by Discord's locale names, one line each. Each entry returns the texts for
 * the venue's name.
 */
export const TEXTS = {
  de: textsOf(german),
  'en-US': textsOf(english),
  'es-419': latinAmericanSpanish,
  'es-ES': textsOf(spanish),
  fr: textsOf(french),
  ja: textsOf(japanese),
  'pt-BR': textsOf(portuguese),
  'zh-CN': textsOf(chinese),
} as const;
