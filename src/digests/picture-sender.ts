import { classifyFailure } from '../delivery/failures.ts';
import { HEARD, SILENT } from '../delivery/plan/mentions.ts';
import { nonceOf } from '../delivery/post.ts';
import type { MessageBody, Sender } from '../delivery/sender.ts';
import { mayBeFiles } from '../discord/attachments.ts';
import type { DigestMessage } from './compose.ts';

/** Sends digests, with their picture where the bot may attach files and Discord takes it. */
export function createPictureSender({
  sender,
  canAttach,
  isQuietAt,
  nowMs,
}: {
  readonly sender: Pick<Sender, 'send'>;
  /** Tells whether the bot may attach files in the channel; null if that is not known. */
  readonly canAttach: (channelId: string) => boolean | null;
  /** Tells whether a time is in a channel's quiet hours, epoch milliseconds. */
  readonly isQuietAt: (channelId: string, atMs: number) => boolean;
  readonly nowMs: () => number;
}) {
  /** Times by channel at which the digest was due that Discord failed at, with its picture. */
  const failedWithPicture = new Map<string, number>();

  /** @returns the message's id */
  return async (
    channelId: string,
    dueMs: number,
    { body, withoutPicture }: DigestMessage,
  ): Promise<string> => {
    const nonce = nonceOf('digest', channelId, dueMs);
    const noise = isQuietAt(channelId, nowMs()) ? SILENT : HEARD;
    const sendBody = (body: MessageBody) => sender.send(channelId, { body, noise, nonce });
    if (withoutPicture === null) return sendBody(body);
    if (canAttach(channelId) === false) return sendBody(withoutPicture(null));
    return sendBody(body).catch((error: unknown) => {
      const failure = classifyFailure(error);
      // If Discord itself fails, the picture is left out only when it does so again.
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
