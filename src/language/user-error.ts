import { ENGLISH, type LocalizedText } from './language.ts';

/**
 * A mistake that the person can correct; the text is shown unchanged. `message` is the English
 * text, for the log.
 */
export class UserError extends Error {
  readonly say: LocalizedText;

  /** @param text shown to the person, in the person's language */
  constructor(text: string | LocalizedText, options?: ErrorOptions) {
    const say = typeof text === 'string' ? () => text : text;
    super(say(ENGLISH), options);
    this.name = 'UserError';
    this.say = say;
  }
}
