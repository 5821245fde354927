import type { APIEmbed } from 'discord.js';
import { alertReference, EMBED_COLOURS, SEPARATOR } from '../embeds/embed-parts.ts';
import type { Language } from '../language/language.ts';
import type { Outage } from './outage.ts';

/** Makes the embed that tells of an outage, or that it is over. */
export function embedOf(outage: Outage, { texts }: Language): APIEmbed {
  const { notices } = texts;
  const what = wordsFor(outage.endpoints, texts);
  const time = (atMs: number) => `<t:${Math.floor(atMs / 1000)}:f>`;
  const { sinceMs, untilMs } = outage;
  const isOver = untilMs !== null;
  return {
    description: isOver
      ? notices.back(what, time(sinceMs), time(untilMs))
      : notices.away(what, time(sinceMs)),
    color: isOver ? EMBED_COLOURS.good : EMBED_COLOURS.warning,
    footer: { text: `${notices.footer}${SEPARATOR}${alertReference(referenceOf(outage))}` },
  };
}

/** Names what the endpoints show. Two that are often away together have a text of their own. */
function wordsFor(endpoints: Outage['endpoints'], { notices, watch }: Language['texts']): string {
  const isBoth = endpoints.join() === 'activity,deposits-withdrawals';
  if (isBoth) return notices.what.both;
  return endpoints.map((name) => notices.what[name]).join(watch.comma);
}

/** Names an outage in its messages, by which they are found again. */
export function referenceOf({ sinceMs }: Outage): string {
  return `away-${sinceMs.toString(36)}`;
}
