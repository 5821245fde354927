import { envelopeSchema } from '../domain/records.ts';
import { createRedactor } from '../lib/log/redact.ts';
import type { HttpAnswer } from './http-transport.ts';

const VENUE_MESSAGE_MAX = 200;
/** Characters of a long body that are searched for words, before they are cut further. */
const VENUE_WORDS_READ = 10_000;

/**
 * The figures of an envelope that count: `code` and `message` only explain, so an odd one costs no
 * page.
 */
export const tolerantEnvelopeSchema = envelopeSchema
  .omit({ code: true })
  .extend({ message: envelopeSchema.shape.message.catch('') });

export type VenueWords = ReturnType<typeof createVenueWords>;

/** Cuts and redacts what the venue says in words. */
export function createVenueWords(apiKey: string) {
  const redact = createRedactor([apiKey], '[key]');
  return {
    redact,
    /** Says the envelope's message, or the start of a body that has no envelope; null: nothing. */
    messageOf(answer: HttpAnswer, json: unknown): string | null {
      const envelope = tolerantEnvelopeSchema.safeParse(json);
      const body = answer.status === 200 ? '' : answer.text();
      const said = redact(envelope.success ? envelope.data.message : body)
        .slice(0, VENUE_WORDS_READ)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim();
      if (said === '') return null;
      if (said.length <= VENUE_MESSAGE_MAX) return said;
      return `${said.slice(0, VENUE_MESSAGE_MAX)}…`;
    },
  };
}

/** Returns what a text has as JSON; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body; the caller says what was expected instead.
    return undefined;
  }
}
