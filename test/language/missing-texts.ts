import * as german from '../../src/language/de/index.ts';
import * as spanish from '../../src/language/es/index.ts';
import * as french from '../../src/language/fr/index.ts';
import * as japanese from '../../src/language/ja/index.ts';
import type { LanguageTag } from '../../src/language/language.ts';
import * as portuguese from '../../src/language/pt/index.ts';
import { missingTexts } from '../../src/language/texts.ts';
import * as chinese from '../../src/language/zh/index.ts';

/** Paths of the texts that each language's folder lacks, by the folder's name. */
export const MISSING_TEXTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['de', missingTexts(german)],
  ['es', missingTexts(spanish)],
  ['fr', missingTexts(french)],
  ['ja', missingTexts(japanese)],
  ['pt', missingTexts(portuguese)],
  ['zh', missingTexts(chinese)],
]);

/**
 * Whether English stands in for a text.
 *
 * @param path such as `watch.add.latest`
 */
export const isMissing = (tag: LanguageTag, path: string): boolean =>
  MISSING_TEXTS.get(tag.slice(0, 2))?.includes(path) ?? false;
