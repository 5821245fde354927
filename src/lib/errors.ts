import { ENGLISH, type Language, type LocalizedText } from '../language/language.ts';
import { VenueError } from '../venue/errors.ts';

/** A mistake that the person in the room can put right; the message is shown as it is. */
export class UserError extends Error {
  readonly say: LocalizedText;

  /** @param text what the person is told; its message is the English text */
  constructor(text: string | LocalizedText, options?: ErrorOptions) {
    const say = typeof text === 'string' ? () => text : text;
    super(say(ENGLISH), options);
    this.name = 'UserError';
    this.say = say;
  }
}

/**
 * What to tell a person about an error, without anything that concerns operators only; null if it is a bug of ours.
 */
export function explainToPerson(error: unknown, language: Language): string | null {
  if (error instanceof UserError) return error.say(language);
  if (!(error instanceof VenueError)) return null;
  const { venue, inAMinute } = language.texts.errors;
  const when = (epochMs: number | null) => (epochMs === null ? inAMinute : inTime(epochMs));
  switch (error.kind) {
    case 'budgetExhausted':
      return venue.busy(when(error.retryAtMs));
    case 'rateLimited':
      return venue.rateLimited(when(error.retryAtMs));
    case 'unauthorized':
      return venue.unauthorized;
    case 'notInPlan':
      return venue.notInPlan;
    case 'unreachable':
      return venue.unreachable;
    default:
      return venue.unreadable;
  }
}

/** A moment as Discord writes it in the reader's language, such as "in 5 minutes"; rounded up. */
export function inTime(epochMs: number): string {
  return `<t:${Math.ceil(epochMs / 1000)}:R>`;
}
