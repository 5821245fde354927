import type { Place } from '../../../src/discord/place.ts';
import type { Language } from '../../../src/language/language.ts';

/** What a sentence calls a channel: Discord draws a server's by its name; a direct message has none. */
export function channelName(channelId: string, { kind }: Pick<Place, 'kind'>, { texts }: Language): string {
  return kind === 'directMessage' ? texts.personal.here : `<#${channelId}>`;
}
