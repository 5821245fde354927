import { classifyFailure } from '../delivery/failures.ts';
import { AUDIBLE, SILENT } from '../delivery/plan/mentions.ts';
import { nonceOf } from '../delivery/post.ts';
import type { MessageBody, Sender } from '../delivery/sender.ts';
import { mayBeFiles } from '../discord/attachments.ts';
import type { DigestMessage } from './compose.ts';

/**
 * Creates the sender of digests, with their picture if the bot may attach files and Discord accepts
 * it.
 */
export function createPictureSender({
  sender,
  canAttach,
  isQuietAt,
  nowMs,
}: {
  readonly sender: Pick<Sender, 'send'>;
  /** Whether the bot may attach files in the channel; null if unknown. */
  readonly canAttach: (channelId: string) => boolean | null;
  /** Whether a time is in a channel's quiet hours, in epoch ms. */
  readonly isQuietAt: (channelId: string, atMs: number) => boolean;
  readonly nowMs: () => number;
}) {
  /** Due times of digests with a picture that Discord failed to process, by channel. */
  const failedWithPicture = new Map<string, number>();

  /** @returns the message's id */
  return async (
    channelId: string,
    dueMs: number,
    { body, withoutPicture }: DigestMessage,
  ): Promise<string> => {
    const nonce = nonceOf('digest', channelId, dueMs);
    const noise = isQuietAt(channelId, nowMs()) ? SILENT : AUDIBLE;
    const sendBody = (body: MessageBody) => sender.send(channelId, { body, noise, nonce });
    if (withoutPicture === null) return sendBody(body);
    if (canAttach(channelId) === false) return sendBody(withoutPicture(null));
    return sendBody(body).catch((error: unknown) => {
      const failure = classifyFailure(error);
      // If Discord itself fails, the picture is left out only after a second failure.
      const isTriedAgain =
        failure.kind === 'retry' &&
        failure.status >= 500 &&
        failedWithPicture.get(channelId) !== dueMs;
      if (isTriedAgain) failedWithPicture.set(channelId, dueMs);
      if (isTriedAgain || !mayBeFiles(error)) throw error;
      return sendBody(withoutPicture(error));
    });
  };
}
