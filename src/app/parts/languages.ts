import { serverChannel } from '../../discord/permissions.ts';
import { escapeText } from '../../embeds/text/escape.ts';
import { languagesNaming } from '../../language/language.ts';
import type { Config } from '../config.ts';
import { VENUE_NAME_MAX } from '../variables.ts';
import type { DiscordParts } from './discord.ts';
import type { DocumentParts } from './documents.ts';

/** Maximum code points of the venue's name when escaped: each character may need an escape. */
const ESCAPED_NAME_MAX = 2 * VENUE_NAME_MAX + 2;

/** Creates the languages of alerts, digests and answers. */
export function createLanguages(
  { VENUE_NAME: venueName }: Config,
  { personDocuments, channelSettings, client }: DocumentParts & DiscordParts,
) {
  const languageFor = languagesNaming(
    venueName === null ? null : escapeText(venueName, ESCAPED_NAME_MAX, ''),
  );
  const preferred = (channelId: string) =>
    personDocuments.ofChannel(channelId)?.language ??
    serverChannel(client, channelId)?.guild.preferredLocale;
  return {
    languageFor,
    /**
     * Returns the language of a channel's alerts and digests: its own, otherwise its guild's or its
     * person's.
     */
    languageOf: (channelId: string) =>
      languageFor(channelSettings.get(channelId)?.language ?? preferred(channelId)),
  };
}
