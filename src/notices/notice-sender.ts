import { editHeldMs, type SendResult } from '../delivery/failures.ts';
import { nonceOf, type Post, type Sender } from '../delivery/sender.ts';
import type { Language } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';
import type { Collection } from '../store/collection.ts';
import { embedOf, referenceOf } from './notice-message.ts';
import type { Notice, Outage } from './outage.ts';

/** Sends notices and edits them, and stores what is shown. */
export function createNoticeSender(
  { monotonicMs }: Pick<Machine, 'monotonicMs'>,
  parts: {
    readonly notices: Collection<Notice>;
    readonly sender: Pick<Sender, 'send' | 'edit'>;
    readonly post: Post;
    readonly languageOf: (channelId: string) => Language;
  },
) {
  const { notices, sender, post, languageOf } = parts;
  /**
   * Times by channel until which Discord holds the edit of its notice back, by the monotonic clock.
   */
  const heldUntilMs = new Map<string, number>();

  /** Time for which the edit of the channel's notice is still held back, ms. */
  const heldMs = (channelId: string): number => {
    const leftMs = (heldUntilMs.get(channelId) ?? 0) - monotonicMs();
    if (leftMs <= 0) heldUntilMs.delete(channelId);
    return Math.max(0, leftMs);
  };

  const edit = async (
    channelId: string,
    ...change: readonly [string, Parameters<Sender['edit']>[2]]
  ): Promise<void> => {
    try {
      await sender.edit(channelId, ...change);
    } catch (error) {
      const waitMs = editHeldMs(error);
      if (waitMs !== null) heldUntilMs.set(channelId, monotonicMs() + waitMs);
      throw error;
    }
  };

  return {
    heldMs,
    /** Brings the channel's notice to how the outage stands. */
    async show(channelId: string, notice: Notice, outage: Outage): Promise<SendResult> {
      // Silent: nothing of it is shown on a lock screen.
      const noise = { roleIds: [], isSilent: true };
      const message = { body: { embeds: [embedOf(outage, languageOf(channelId))] }, noise };
      const shownMs = outage.changedAtMs;
      if (notice.messageId !== null) {
        await edit(channelId, notice.messageId, message);
        await notices.set(channelId, { ...notice, shownMs });
        return 'taken';
      }
      const isOver = outage.untilMs !== null;
      const references = [referenceOf(outage)];
      const earlier = await post.look(channelId, references, notice.startedAtMs, isOver);
      if (earlier !== null) {
        await notices.set(channelId, { ...notice, messageId: earlier });
        return 'answered';
      }
      // It is not there, and there is nothing to say any more.
      if (isOver) {
        await notices.delete(channelId);
        return 'unasked';
      }
      const messageId = await sender.send(channelId, {
        ...message,
        nonce: nonceOf(channelId, ...references),
      });
      await notices.set(channelId, { ...notice, messageId, shownMs });
      return 'taken';
    },
  };
}
