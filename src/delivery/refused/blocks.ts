import type { Machine } from '../../lib/machine.ts';
import { type Block, type ChannelQueueStore, EMPTY_CHANNEL_QUEUE } from '../channel-queue.ts';
import type { Blocked } from '../failures.ts';
import type { Reach } from '../reach.ts';
import type { createClosedChannels } from './closed-channels.ts';
import type { RetryBudget, Try } from './retry-budget.ts';

interface BlocksParts {
  readonly channelQueues: ChannelQueueStore;
  readonly retryBudget: RetryBudget;
  readonly closedChannels: ReturnType<typeof createClosedChannels>;
  readonly reachOf: (channelId: string) => Reach;
  /**
   * Drops what is waiting for a channel that is gone for good.
   * @returns number of dropped alerts
   */
  readonly dropGone: (channelId: string) => Promise<number>;
  /** Called when a channel has been opened for one try. */
  readonly onOpened: (channelId: string) => void;
  /** Called when a background operation has failed. */
  readonly onFailure: (channelId: string, error: unknown) => void;
}

/**
 * Manages channels that Discord has rejected, and the tries that reopen them. If no try is left in
 * the budget, a channel stays blocked until there is one.
 */
export function createBlocks({ nowMs, log }: Machine, parts: BlocksParts) {
  const { channelQueues, retryBudget, closedChannels, reachOf, dropGone, onOpened, onFailure } =
    parts;
  /** Blocked channels waiting for a try, with the controller that ends the wait. */
  const reopening = new Map<string, AbortController>();
  /** Tries of blocked channels that are being reopened. */
  const granted = new Map<string, Try>();

  const blockOf = (channelId: string): Block | null => channelQueues.get(channelId).block;

  /** Returns the channels that Discord has rejected. */
  const refusedChannels = (): readonly string[] =>
    channelQueues.channels().filter((channelId) => blockOf(channelId) !== null);

  /** Opens a blocked channel for one try. */
  const openFor = async (channelId: string, one: Try): Promise<void> => {
    retryBudget.refused(channelId);
    granted.get(channelId)?.release();
    granted.set(channelId, one);
    await channelQueues.update(channelId, { block: null });
    onOpened(channelId);
  };

  const openInTurn = async (channelId: string): Promise<void> => {
    const waiting = new AbortController();
    reopening.set(channelId, waiting);
    const later = await retryBudget.waitForTry(channelId, waiting.signal);
    reopening.delete(channelId);
    if (later === null) return;
    if (blockOf(channelId) === null) return later.release();
    await openFor(channelId, later);
  };

  /** Retries a blocked channel, now if a try is available, otherwise when its turn comes. */
  const open = async (channelId: string): Promise<void> => {
    if (reopening.has(channelId)) return;
    const now = retryBudget.tryNow();
    if (now !== null) return openFor(channelId, now);
    void openInTurn(channelId).catch((error: unknown) => onFailure(channelId, error));
  };

  return {
    open,
    refusedChannels,
    /** Waits for a try if Discord last rejected the channel; null if no try is needed. */
    async takeTry(channelId: string, signal: AbortSignal): Promise<Try | null> {
      const known = granted.get(channelId);
      granted.delete(channelId);
      if (known !== undefined) return known;
      if (!retryBudget.isRefused(channelId) || !closedChannels.isOpen(channelId)) return null;
      return retryBudget.tryNow() ?? retryBudget.waitForTry(channelId, signal);
    },
    /**
     * Stores Discord's rejection of a channel.
     * @param isRepaired whether someone may have fixed the channel since the attempt
     * @returns false if it is not stored, because the rejection may be outdated or the cache shows
     *   the same
     */
    async block(channelId: string, refusal: Blocked, isRepaired: () => boolean): Promise<boolean> {
      const { kind } = reachOf(channelId);
      if (isRepaired() || kind === 'closed') return false;
      const { reason, cause } = refusal;
      // Only if the gateway agrees, because one wrong answer must not cost a channel its waiting
      // alerts.
      const isGone = refusal.isGone && kind === 'missing';
      // No one will ever read the channel again, so nothing is kept for it.
      const dropped = isGone ? await dropGone(channelId) : 0;
      const block = { reason, cause, isGone, sinceMs: nowMs() };
      const left = isGone ? EMPTY_CHANNEL_QUEUE : {};
      await channelQueues.update(channelId, { ...left, block });
      log.warn({
        event: 'channel.blocked',
        channel: channelId,
        reason,
        cause,
        gone: isGone,
        dropped,
      });
      // The channel was fixed while the block was being stored.
      if (!isGone && isRepaired()) await open(channelId);
      return true;
    },
    /** Notes that Discord has accepted a message in the channel that was sent another way. */
    async clear(channelId: string): Promise<void> {
      reopening.get(channelId)?.abort();
      retryBudget.forget(channelId);
      if (blockOf(channelId) !== null) await channelQueues.update(channelId, { block: null });
    },
    forget(channelId: string): void {
      reopening.get(channelId)?.abort();
      granted.get(channelId)?.release();
      granted.delete(channelId);
      retryBudget.forget(channelId);
    },
    /** Ends all waiting for tries. */
    stop(): void {
      for (const waiting of reopening.values()) waiting.abort();
    },
    /** Queries about blocked channels. */
    queries: {
      /**
       * Returns why Discord rejected the channel; null if it has not, or has accepted a message
       * since.
       */
      block: blockOf,
      /**
       * True if messages to the channel are currently blocked, by Discord's rejection or the
       * gateway's cache.
       */
      isBlocked: (channelId: string): boolean =>
        blockOf(channelId) !== null || reachOf(channelId).kind === 'closed',
      /**
       * Returns the time since which something has been waiting for a blocked channel, in epoch ms;
       * null if nothing is.
       */
      blockedSinceMs: (channelId: string): number | null =>
        blockOf(channelId)?.sinceMs ?? closedChannels.sinceMs(channelId),
      /** Returns the channels that were found to be blocked. */
      blockedChannels: (): readonly string[] => [
        ...new Set([...refusedChannels(), ...closedChannels.channels()]),
      ],
      /** Number of channels waiting for a retry. */
      triesWaiting: (): number => retryBudget.waiting,
    },
  };
}
export type Blocks = ReturnType<typeof createBlocks>;
