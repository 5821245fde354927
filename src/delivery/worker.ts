import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { createTurnLine } from '../lib/async/turns.ts';
import type { Machine } from '../lib/machine.ts';
import type { ChannelQueueStore } from './channel-queue.ts';
import { type ChannelRun, createChannelRun, type RunParts } from './channel-run.ts';
import type { MessageSource } from './message-source.ts';
import type { Reach } from './reach.ts';
import { createBlocks } from './refused/blocks.ts';
import { createClosedChannels } from './refused/closed-channels.ts';
import { createRetries } from './refused/retries.ts';
import type { RetryBudget } from './refused/retry-budget.ts';
import { createSuspicions } from './refused/suspicions.ts';
import type { SendGate } from './send-gate.ts';

/** Interval at which a blocked channel is retried without a sign that it was fixed, in ms. */
const BLOCK_RECHECK_MS = 15 * 60_000;

interface WorkerParts {
  /** Asked in this order. Messages of an earlier source go first. */
  readonly sources: readonly MessageSource[];
  readonly channelQueues: ChannelQueueStore;
  readonly gate: SendGate;
  readonly retryBudget: RetryBudget;
  /** Whether everything waiting for a channel is known; `reconsider` is called once it is. */
  readonly isKnown: (channelId: string) => boolean;
  /** State of a channel in the gateway's cache. */
  readonly reachOf: (channelId: string) => Reach;
  /** Whether a blocked channel is retried without a sign that it was fixed. */
  readonly isRechecked: (channelId: string) => boolean;
  /** Called when Discord rejects the bot altogether. */
  readonly onRefused: (reason: string) => void;
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/**
 * Sends the messages of all sources to their channels: one after another in each channel, and each
 * exactly once.
 */
export function createDeliveryWorker(machine: Machine, parts: WorkerParts) {
  const { log } = machine;
  const { sources, channelQueues, retryBudget, isKnown, reachOf, isRechecked, onRefused } = parts;
  const runs = new Map<string, ChannelRun>();
  /** Channels whose delivery may not start until their stored data has been deleted. */
  const forgetting = new Set<string>();
  const forgettingOne = createKeyedMutex();
  let isStarted = false;
  let isStopping = false;
  let recheckTimer: NodeJS.Timeout | undefined;

  const onFailure = (channelId: string, error: unknown) =>
    log.error({ event: 'delivery.channel_failed', channel: channelId, err: error });

  const drop = async (channelId: string, why: Parameters<MessageSource['drop']>[1]) => {
    let dropped = 0;
    for (const source of sources) dropped += await source.drop(channelId, why);
    return dropped;
  };

  const wake = (channelId: string) => {
    if (!isStarted || isStopping || forgetting.has(channelId) || !isKnown(channelId)) return;
    const known = runs.get(channelId);
    if (known !== undefined) return known.call();
    const run = createChannelRun(machine, runParts, channelId);
    runs.set(channelId, run);
    run.start();
  };

  const closedChannels = createClosedChannels(machine, { channelQueues, reachOf });
  const suspicions = createSuspicions(machine, reachOf);
  const blocks = createBlocks(machine, {
    channelQueues,
    retryBudget,
    closedChannels,
    reachOf,
    dropGone: (channelId) => drop(channelId, 'gone'),
    onOpened: wake,
    onFailure,
  });
  const runParts: RunParts = {
    ...parts,
    turn: createTurnLine(),
    closedChannels,
    suspicions,
    blocks,
    drop,
    onFailure,
    onEnd: (channelId) => runs.delete(channelId),
    onRefused(channelId, reason) {
      endAll();
      log.error({ event: 'delivery.token_refused', channel: channelId, reason });
      onRefused(reason);
    },
  };

  /**
   * Retries a channel that is blocked or about to be. All tries of channels that Discord has
   * rejected begin here: after changes in a server, every quarter of an hour, and after users'
   * actions. If no try is left in the budget, the channel stays blocked until there is one.
   */
  const unblock = async (channelId: string): Promise<void> => {
    const run = runs.get(channelId);
    run?.repair();
    if (blocks.queries.block(channelId) !== null) return blocks.open(channelId);
    if (run !== undefined || closedChannels.sinceMs(channelId) !== null) wake(channelId);
  };

  const retries = createRetries(machine, {
    // A channel that the gateway reports as closed is not tried; a change there opens it.
    isWanted: (channelId) =>
      blocks.queries.block(channelId) !== null && reachOf(channelId).kind !== 'closed',
    retry: (channelId) => unblock(channelId).catch((error) => onFailure(channelId, error)),
  });

  const recheck = () => {
    const isDue = (channelId: string) =>
      blocks.queries.block(channelId)?.isGone === false && isRechecked(channelId);
    retries.add(blocks.refusedChannels().filter(isDue));
  };

  const endAll = () => {
    isStopping = true;
    retries.stop();
    for (const run of runs.values()) run.cut();
    blocks.stop();
  };

  const forget = async (channelId: string): Promise<void> => {
    forgetting.add(channelId);
    try {
      const run = runs.get(channelId);
      run?.cut();
      // A message's result stored later would outlive the channel's documents.
      await run?.done();
      await drop(channelId, 'unwatched');
      await channelQueues.delete(channelId);
      closedChannels.forget(channelId);
      suspicions.forget(channelId);
      blocks.forget(channelId);
    } finally {
      forgetting.delete(channelId);
      wake(channelId);
    }
  };

  return {
    ...blocks.queries,
    /** Continues what an earlier run left, and delivers from now on. */
    start(): void {
      isStarted = true;
      for (const channelId of new Set(sources.flatMap((source) => source.channels()))) {
        wake(channelId);
      }
      recheckTimer = setInterval(recheck, BLOCK_RECHECK_MS).unref();
    },
    /**
     * Lets the sends in progress finish and starts no others.
     * @throws the store's error
     */
    async stop(): Promise<void> {
      endAll();
      clearInterval(recheckTimer);
      await Promise.all([...runs.values()].map((run) => run.done()));
      await channelQueues.storeDone();
    },
    /** Checks at once whether there is something to send to the channel. */
    reconsider: wake,
    unblock,
    /** Notes that Discord has accepted a message in the channel that was sent another way. */
    async onTaken(channelId: string): Promise<void> {
      await blocks.clear(channelId);
      wake(channelId);
    },
    /**
     * Called after a change in the server of these channels. Retries those whose own problem is
     * over.
     */
    async lookAgain(channelIds: Iterable<string>): Promise<void> {
      for (const channelId of channelIds) {
        if (closedChannels.isOver(channelId)) await unblock(channelId);
        suspicions.review(channelId);
      }
    },
    /**
     * Called when the gateway has sent everything about these channels' server, at the start or
     * after an outage. Retries in turn the channels that Discord rejected for a permission the bot
     * now has, or as nonexistent. A rejection that is pending or suspected dates from before.
     */
    onAvailable(channelIds: Iterable<string>): void {
      const isOpen = (channelId: string) => {
        const cause = blocks.queries.block(channelId)?.cause;
        const isOfServer = cause === 'permission' || cause === 'unknown';
        return isOfServer && reachOf(channelId).kind === 'open';
      };
      const all = [...channelIds];
      for (const channelId of all) runs.get(channelId)?.repair();
      retries.add(all.filter(isOpen));
    },
    /**
     * Deletes what is waiting for a channel that no longer watches anything, once the send in
     * progress has been answered.
     */
    forget: (channelId: string): Promise<void> =>
      forgettingOne.run(channelId, () => forget(channelId)),
    deadLetters: channelQueues.deadLetters,
  };
}
