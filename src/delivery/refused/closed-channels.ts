import type { Machine } from '../../lib/machine.ts';
import type { ChannelQueueStore } from '../channel-queue.ts';
import type { Reach } from '../reach.ts';

/**
 * Tracks which channels cannot be posted to: by the gateway's cache, which is checked at each step
 * and not stored, and by Discord's rejections, which are stored with the channel. Detects when a
 * channel's problem is over.
 */
export function createClosedChannels(
  { log, nowMs }: Machine,
  parts: {
    readonly channelQueues: ChannelQueueStore;
    readonly reachOf: (channelId: string) => Reach;
  },
) {
  const { channelQueues, reachOf } = parts;
  /**
   * Channels with something to send that the cache showed as closed at their last step, with the
   * time since when, in epoch ms.
   */
  const closedSinceMs = new Map<string, number>();
  /**
   * Permissions (`lacks` of the reach) that active, closed or blocked channels lacked at the last
   * check; null if unknown.
   */
  const noted = new Map<string, string | null>();

  const isStored = (channelId: string) => channelQueues.get(channelId).block !== null;

  return {
    /** Checks whether a channel can be posted to, before anything is sent there. */
    isOpen(channelId: string): boolean {
      const { kind, lacks } = reachOf(channelId);
      noted.set(channelId, lacks);
      if (kind !== 'closed') closedSinceMs.delete(channelId);
      if (isStored(channelId)) return false;
      if (kind !== 'closed') return true;
      if (!closedSinceMs.has(channelId)) {
        closedSinceMs.set(channelId, nowMs());
        // The same event as for a channel that Discord has rejected, because for a reader of the
        // log they are the same.
        log.warn({
          event: 'channel.blocked',
          channel: channelId,
          reason: lacks,
          cause: 'cache',
          gone: false,
        });
      }
      return false;
    },
    /**
     * True if, by the cache, the channel can be posted to because of a change since the last check.
     */
    isOver(channelId: string): boolean {
      const isConcerned = noted.has(channelId) || isStored(channelId);
      if (!isConcerned) return false;
      const before = noted.get(channelId) ?? null;
      const { kind, lacks } = reachOf(channelId);
      noted.set(channelId, lacks);
      return kind === 'open' && before !== null && before !== lacks;
    },
    /**
     * Called when a channel's run ends. Unless the channel waits to be reopened, its data is
     * removed.
     */
    leave(channelId: string): void {
      if (!closedSinceMs.has(channelId) && !isStored(channelId)) noted.delete(channelId);
    },
    forget(channelId: string): void {
      closedSinceMs.delete(channelId);
      noted.delete(channelId);
    },
    /**
     * Returns the time since which a channel with something to send is closed by the cache, in
     * epoch ms; null if it is not.
     */
    sinceMs: (channelId: string): number | null => closedSinceMs.get(channelId) ?? null,
    channels: (): Iterable<string> => closedSinceMs.keys(),
  };
}
