import type { InteractionEditReplyOptions } from 'discord.js';

export type Message = Pick<InteractionEditReplyOptions, 'content' | 'embeds' | 'components'>;

/** An answer, which mentions no one: a text or a message; null if it has already been sent. */
export type Answer = string | Message | null;

/** A change that waits to be confirmed by the person who typed it. */
export interface ToConfirm {
  readonly personId: string;
  readonly channelId: string;
  readonly carryOut: () => Promise<Answer>;
}

/** Returns the answer as a message. */
export function messageOf(answer: NonNullable<Answer>): Message {
  return typeof answer === 'string' ? { content: answer } : answer;
}
