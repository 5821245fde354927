import type { Machine } from '../../lib/machine.ts';
import { type Block, type ChannelQueueStore, EMPTY_CHANNEL_QUEUE } from '../channel-queue.ts';
import type { Failure } from '../failures.ts';
import type { Reach } from '../reach.ts';
import type { createClosedChannels } from './closed-channels.ts';
import type { RetryBudget, Try } from './retry-budget.ts';

interface BlocksParts {
  readonly channelQueues: ChannelQueueStore;
  readonly retryBudget: RetryBudget;
  readonly closedChannels: Pick<
    ReturnType<typeof createClosedChannels>,
    'isOpen' | 'sinceMs' | 'channels'
  >;
  readonly reachOf: (channelId: string) => Reach;
  /**
   * Drops what waits for a channel that is gone for good.
   *
   * @returns how many alerts
   */
  readonly dropGone: (channelId: string) => Promise<number>;
  /** A channel has been opened for one try. */
  readonly onOpened: (channelId: string) => void;
  /** Called when something that nobody waits for has failed. */
  readonly onFailure: (channelId: string, error: unknown) => void;
}

/**
 * Channels that Discord has refused, and the tries by which they are opened again. Where there is
 * no try left, a channel stays blocked until there is one.
 */
export function createBlocks({ nowMs, log }: Machine, parts: BlocksParts) {
  const { channelQueues, retryBudget, closedChannels, reachOf, dropGone, onOpened, onFailure } =
    parts;
  /** Blocked channels that wait for a try, and what ends that. */
  const reopening = new Map<string, AbortController>();
  /** Tries of blocked channels that are being opened again. */
  const granted = new Map<string, Try>();

  const blockOf = (channelId: string): Block | null => channelQueues.get(channelId).block;

  /** Channels that Discord has refused. */
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

  /** Has a blocked channel tried again: now if there is a try, else in its turn. */
  const open = async (channelId: string): Promise<void> => {
    if (reopening.has(channelId)) return;
    const now = retryBudget.tryNow();
    if (now !== null) return openFor(channelId, now);
    void openInTurn(channelId).catch((error: unknown) => onFailure(channelId, error));
  };

  return {
    open,
    refusedChannels,
    /** Waits for a try where Discord last refused the channel; null: it needs none. */
    async takeTry(channelId: string, signal: AbortSignal): Promise<Try | null> {
      const known = granted.get(channelId);
      granted.delete(channelId);
      if (known !== undefined) return known;
      if (!retryBudget.isRefused(channelId) || !closedChannels.isOpen(channelId)) return null;
      return retryBudget.tryNow() ?? retryBudget.waitForTry(channelId, signal);
    },
    /**
     * Stores what Discord has said of a channel.
     *
     * @param isRepaired whether somebody may have put it right since it was asked
     * @returns false if it is not stored: Discord's word may be out of date, or the cache says it
     */
    async block(
      channelId: string,
      refusal: Extract<Failure, { kind: 'blocked' }>,
      isRepaired: () => boolean,
    ): Promise<boolean> {
      const { kind } = reachOf(channelId);
      if (isRepaired() || kind === 'closed') return false;
      const { reason, cause } = refusal;
      // Only where the gateway says so too: one wrong answer must not cost a channel what waits for
      // it.
      const isGone = refusal.isGone && kind === 'missing';
      // Nobody will ever read there, so that nothing is kept for it.
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
      // It was put right while the block was being stored.
      if (!isGone && isRepaired()) await open(channelId);
      return true;
    },
    /** Discord has taken a message in the channel that came by another way. */
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
    /** Blocked channels, and why. */
    queries: {
      /** Why Discord has refused the channel; null if it has not, or has taken a message since. */
      block: blockOf,
      /** True if the channel gets nothing at present, by Discord's word or the gateway's. */
      isBlocked: (channelId: string): boolean =>
        blockOf(channelId) !== null || reachOf(channelId).kind === 'closed',
      /**
       * Time since which something waits for a channel that gets nothing at present, epoch ms; null
       * if nothing does.
       */
      blockedSinceMs: (channelId: string): number | null =>
        blockOf(channelId)?.sinceMs ?? closedChannels.sinceMs(channelId),
      /** Channels that have been found to get nothing at present. */
      blockedChannels: (): readonly string[] => [
        ...new Set([...refusedChannels(), ...closedChannels.channels()]),
      ],
      /** Number of channels that wait to be tried again. */
      triesWaiting: (): number => retryBudget.waiting,
    },
  };
}
export type Blocks = ReturnType<typeof createBlocks>;
