import type { Logger } from 'pino';
import type { ChannelQueueStore } from '../channel-queue.ts';
import type { Reach } from '../reach.ts';

/**
 * Knows which channels cannot be written: by the gateway's cache, which is asked at each look and
 * of which nothing is stored, and by Discord's own refusals, which are stored with the channel.
 * Recognises when the trouble of one is over.
 */
export function createClosedChannels(
  { log, nowMs }: { readonly log: Logger; readonly nowMs: () => number },
  parts: {
    readonly channelQueues: ChannelQueueStore;
    readonly reachOf: (channelId: string) => Reach;
  },
) {
  const { channelQueues, reachOf } = parts;
  /**
   * Channels with something to send that the cache called closed when they last looked; since when,
   * epoch ms.
   */
  const closedSinceMs = new Map<string, number>();
  /**
   * Names (`lacks` of the reach) of what channels under way, closed or blocked lacked when somebody
   * last looked; null: it was not known.
   */
  const noted = new Map<string, string | null>();

  const isStored = (channelId: string) => channelQueues.get(channelId).block !== null;

  return {
    /** Looks whether a channel can be written, before anything is sent there. */
    isOpen(channelId: string): boolean {
      const { kind, lacks } = reachOf(channelId);
      noted.set(channelId, lacks);
      if (kind !== 'closed') closedSinceMs.delete(channelId);
      if (isStored(channelId)) return false;
      if (kind !== 'closed') return true;
      if (!closedSinceMs.has(channelId)) {
        closedSinceMs.set(channelId, nowMs());
        // The event of a channel that Discord has refused: for whoever reads the log they are the
        // same.
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
     * True if something has changed since the last look by which the channel can be written now, as
     * the cache says.
     */
    isOver(channelId: string): boolean {
      const isConcerned = noted.has(channelId) || isStored(channelId);
      if (!isConcerned) return false;
      const before = noted.get(channelId) ?? null;
      const { kind, lacks } = reachOf(channelId);
      noted.set(channelId, lacks);
      return kind === 'open' && before !== null && before !== lacks;
    },
    /** A channel's work ends: unless it waits to be opened nothing needs to be known of it. */
    leave(channelId: string): void {
      if (!closedSinceMs.has(channelId) && !isStored(channelId)) noted.delete(channelId);
    },
    forget(channelId: string): void {
      closedSinceMs.delete(channelId);
      noted.delete(channelId);
    },
    /**
     * Time since which a channel with something to send is closed by the cache's word, epoch ms;
     * null if it is not.
     */
    sinceMs: (channelId: string): number | null => closedSinceMs.get(channelId) ?? null,
    channels: (): Iterable<string> => closedSinceMs.keys(),
  };
}
