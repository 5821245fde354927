import { ENGLISH, type Language, type Say } from '../language/language.ts';
import { BudgetExhausted, RateLimited, VenueError } from '../venue/errors.ts';

/** A mistake that the person in the room can put right; the message is shown as it is. */
export class UserError extends Error {
  readonly say: Say;

  /** @param text what the person is told; its message is the English text */
  constructor(text: string | Say, options?: ErrorOptions) {
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
  if (error instanceof BudgetExhausted) return `Too many look-ups at the moment. Try again ${when(error.resetAtMs)}.`;
  if (error instanceof RateLimited) {
    return `The venue asks for a pause: its rate limit is used up. Try again ${when(error.retryAtMs)}.`;
  }
  switch (error.kind) {
    case 'unauthorized':
      return 'The venue refuses the bot’s API key (401). Whoever runs the bot has to check it; alerts are paused until then.';
    case 'notInPlan':
      return 'The plan of the bot’s API key does not include this list (403). Whoever runs the bot would need another plan.';
    case 'unreachable':
      return 'The venue does not answer at the moment. Nothing is lost: alerts follow when it does. Try again in a minute.';
    default:
      return 'The venue sent an answer that cannot be read. Try again in a minute; if it stays so, tell whoever runs the bot.';
  }
}

function when(epochMs: number | null): string {
  return epochMs === null ? 'in a minute' : `<t:${Math.ceil(epochMs / 1000)}:R>`;
}
