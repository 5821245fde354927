import type { InteractionEditReplyOptions } from 'discord.js';

/** An answer, which mentions nobody: a text or more; null where it has been sent already. */
export type Answer =
  | string
  | Pick<InteractionEditReplyOptions, 'content' | 'embeds' | 'components'>
  | null;

/** The answer as a message. */
export function messageOf(answer: NonNullable<Answer>): Exclude<NonNullable<Answer>, string> {
  return typeof answer === 'string' ? { content: answer } : answer;
}
