import type { InteractionEditReplyOptions } from 'discord.js';

export type Message = Pick<InteractionEditReplyOptions, 'content' | 'embeds' | 'components'>;

/** An answer, which mentions nobody: a text or more; null where it has been sent already. */
export type Answer = string | Message | null;

/** A change that waits for whoever typed it to confirm it. */
export interface ToConfirm {
  readonly personId: string;
  readonly channelId: string;
  readonly carryOut: () => Promise<Answer>;
}

/** The answer as a message. */
export function messageOf(answer: NonNullable<Answer>): Message {
  return typeof answer === 'string' ? { content: answer } : answer;
}
