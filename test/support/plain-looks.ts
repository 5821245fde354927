import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';

/**
 * Parts of a composer in English, for channels that show embeds, support edits and are never quiet.
 */
export const PLAIN_LOOKS = {
  links: createLinks({}),
  languageOf: () => ENGLISH,
  showsEmbeds: () => null,
  takesEdits: () => true,
  isQuietAt: () => false,
  catchUpAfterMs: 900_000,
  keepDetails: () => async () => {},
  shownIn: async (_channelId: string, _wallet: string, records: readonly unknown[]) =>
    records.map(() => false),
};
