import { editThrottledMs, type SendResult } from '../delivery/failures.ts';
import { nonceOf, type Post } from '../delivery/post.ts';
import type { Sender } from '../delivery/sender.ts';
import type { Language } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';
import type { Collection } from '../store/collection.ts';
import { embedOf, referenceOf } from './notice-message.ts';
import type { Notice, Outage } from './outage.ts';

/** Creates the sender that posts and edits notices, and stores what is shown. */
export function createNoticeSender(
  { monotonicMs }: Machine,
  parts: {
    readonly notices: Collection<Notice>;
    readonly sender: Sender;
    readonly post: Post;
    readonly languageOf: (channelId: string) => Language;
  },
) {
  const { notices, sender, post, languageOf } = parts;
  /**
   * Times until which Discord delays the edit of a channel's notice, by channel, on the monotonic
   * clock.
   */
  const throttledUntilMs = new Map<string, number>();

  /** Returns the time for which the edit of the channel's notice is still delayed, in ms. */
  const throttledMs = (channelId: string): number => {
    const leftMs = (throttledUntilMs.get(channelId) ?? 0) - monotonicMs();
    if (leftMs <= 0) throttledUntilMs.delete(channelId);
    return Math.max(0, leftMs);
  };

  const edit = async (
    channelId: string,
    ...change: readonly [string, Parameters<Sender['edit']>[2]]
  ): Promise<void> => {
    try {
      await sender.edit(channelId, ...change);
    } catch (error) {
      const waitMs = editThrottledMs(error);
      if (waitMs !== null) throttledUntilMs.set(channelId, monotonicMs() + waitMs);
      throw error;
    }
  };

  return {
    throttledMs,
    /** Updates the channel's notice to the state of the outage. */
    async show(channelId: string, notice: Notice, outage: Outage): Promise<SendResult> {
      // Silent: it does not appear on a lock screen.
      const noise = { roleIds: [], isSilent: true };
      const message = { body: { embeds: [embedOf(outage, languageOf(channelId))] }, noise };
      const shownMs = outage.changedAtMs;
      if (notice.messageId !== null) {
        await edit(channelId, notice.messageId, message);
        await notices.set(channelId, { ...notice, shownMs });
        return 'taken';
      }
      const references = [referenceOf(outage)];
      const nonce = nonceOf(channelId, ...references);
      const isOver = outage.untilMs !== null;
      return post.attempt(channelId, {
        references,
        startedAtMs: notice.startedAtMs,
        // If the message does not exist, there is nothing left to post.
        insteadOfSending: isOver ? () => notices.delete(channelId) : null,
        send: () => sender.send(channelId, { ...message, nonce }),
        onFound: (messageId) => notices.set(channelId, { ...notice, messageId }),
        onSent: (messageId) => notices.set(channelId, { ...notice, messageId, shownMs }),
      });
    },
  };
}
