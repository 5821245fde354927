import type { APIEmbed } from 'discord.js';
import { alertReference, EMBED_COLOURS, SEPARATOR } from '../embeds/embed-parts.ts';
import type { Language } from '../language/language.ts';
import type { Outage } from './outage.ts';

/** Returns the embed that announces an outage, or its end. */
export function embedOf(outage: Outage, { texts }: Language): APIEmbed {
  const { notices } = texts;
  const what = wordsFor(outage.endpoints, texts);
  const time = (atMs: number) => `<t:${Math.floor(atMs / 1000)}:f>`;
  const { cause, sinceMs, untilMs } = outage;
  const isOver = untilMs !== null;
  const since = time(sinceMs);
  const begun = {
    unreachable: () => notices.away(what, since),
    key: () => notices.keyRefused(since),
    endpoint: () => notices.endpointRefused(what, since),
    late: () => notices.late(what, since),
  };
  const over = {
    unreachable: notices.back,
    key: notices.accepted,
    endpoint: notices.accepted,
    late: notices.onTime,
  };
  return {
    description: isOver ? over[cause](what, since, time(untilMs)) : begun[cause](),
    color: isOver ? EMBED_COLOURS.good : EMBED_COLOURS.warning,
    footer: { text: `${notices.footer}${SEPARATOR}${alertReference(referenceOf(outage))}` },
  };
}

/** Names what the endpoints show. Two that are often away together have a combined text. */
function wordsFor(endpoints: Outage['endpoints'], { notices, watch }: Language['texts']): string {
  const isBoth = endpoints.join() === 'activity,deposits-withdrawals';
  if (isBoth) return notices.what.both;
  return endpoints.map((name) => notices.what[name]).join(watch.comma);
}

/** Returns the reference of an outage in its messages, by which they are found again. */
export function referenceOf({ cause, sinceMs }: Outage): string {
  // Outages of several kinds may begin at the same time.
  const kind = { unreachable: 'away', key: 'away', endpoint: 'refused', late: 'late' }[cause];
  return `${kind}-${sinceMs.toString(36)}`;
}
