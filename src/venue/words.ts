import { envelopeSchema } from '../domain/records.ts';
import { createRedactor } from '../lib/log/redact.ts';
import type { HttpAnswer } from './http-transport.ts';

const VENUE_MESSAGE_MAX = 200;
/** Characters of a long body that are read for its message, before the message is cut further. */
const VENUE_WORDS_READ = 10_000;

/**
 * The parts of an envelope that matter: `code` and `message` only explain, so an odd one does not
 * invalidate the page.
 */
export const tolerantEnvelopeSchema = envelopeSchema
  .omit({ code: true })
  .extend({ message: envelopeSchema.shape.message.catch('') });

export type VenueWords = ReturnType<typeof createVenueWords>;

/** Creates functions that shorten and redact the venue's messages. */
export function createVenueWords(apiKey: string) {
  const redact = createRedactor([apiKey], '[key]');
  return {
    redact,
    /**
     * Returns the envelope's message, or the start of a body without an envelope; null if there is
     * none.
     */
    messageOf(answer: HttpAnswer, json: unknown): string | null {
      const envelope = tolerantEnvelopeSchema.safeParse(json);
      const body = answer.status === 200 ? '' : answer.text();
      const text = redact(envelope.success ? envelope.data.message : body)
        .slice(0, VENUE_WORDS_READ)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim();
      if (text === '') return null;
      if (text.length <= VENUE_MESSAGE_MAX) return text;
      return `${text.slice(0, VENUE_MESSAGE_MAX)}…`;
    },
  };
}
