import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { createTurnLine } from '../lib/async/turns.ts';
import type { Machine } from '../lib/machine.ts';
import type { ChannelQueueStore } from './channel-queue.ts';
import { type ChannelRun, createChannelRun, type RunParts } from './channel-run.ts';
import type { MessageSource } from './message-source.ts';
import type { Reach } from './reach.ts';
import { createBlocks } from './refused/blocks.ts';
import { createClosedChannels } from './refused/closed-channels.ts';
import { createDoubts } from './refused/doubts.ts';
import { createRetries } from './refused/retries.ts';
import type { RetryBudget } from './refused/retry-budget.ts';
import type { SendGate } from './send-gate.ts';

/** A blocked channel is tried again this often even if no event says that it has been put right. */
const BLOCK_RECHECK_MS = 15 * 60_000;

interface WorkerParts {
  /** Asked in this order: what the first has goes before what the second has. */
  readonly sources: readonly MessageSource[];
  readonly channelQueues: ChannelQueueStore;
  readonly gate: SendGate;
  readonly retryBudget: RetryBudget;
  /**
   * Whether all that waits for a channel is known, and `reconsider` is called once it is; left out:
   * of all.
   */
  readonly isKnown?: (channelId: string) => boolean;
  /** State of a channel by the gateway's cache; left out: unknown for all. */
  readonly reachOf?: (channelId: string) => Reach;
  /**
   * Tells whether a blocked channel is retried without a sign that it has been put right; left out:
   * all are.
   */
  readonly isRechecked?: (channelId: string) => boolean;
  /** Discord refuses the bot altogether. */
  readonly onRefused: (reason: string) => void;
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/**
 * Sends the messages of all sources to their channels: in each channel one after the other, each
 * once.
 */
export function createDeliveryWorker(machine: Machine, parts: WorkerParts) {
  const { log } = machine;
  const { sources, channelQueues, retryBudget, isRechecked = () => true, onRefused } = parts;
  const { reachOf = (): Reach => ({ kind: 'unknown', lacks: null }) } = parts;
  const { isKnown = () => true } = parts;
  const runs = new Map<string, ChannelRun>();
  /** Channels whose work may not begin before what is stored of them has been deleted. */
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
  const doubts = createDoubts(machine, reachOf);
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
    doubts,
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
   * Has a channel tried again that is blocked, or is about to be found so. All tries of channels
   * that Discord has refused begin here: the changes of servers, those of every quarter of an hour,
   * and what people do. Where there is no try left, the channel stays blocked until there is one.
   */
  const unblock = async (channelId: string): Promise<void> => {
    const run = runs.get(channelId);
    run?.repair();
    if (blocks.queries.block(channelId) !== null) return blocks.open(channelId);
    if (run !== undefined || closedChannels.sinceMs(channelId) !== null) wake(channelId);
  };

  const retries = createRetries(machine, {
    // A channel that the gateway calls closed is not tried, and opens with a change.
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
      // Anything that it still has to store of a message would outlive the channel's documents.
      await run?.done();
      await drop(channelId, 'unwatched');
      await channelQueues.delete(channelId);
      closedChannels.forget(channelId);
      doubts.forget(channelId);
      blocks.forget(channelId);
    } finally {
      forgetting.delete(channelId);
      wake(channelId);
    }
  };

  return {
    ...blocks.queries,
    /** Takes up what an earlier run left, and delivers from now on. */
    start(): void {
      isStarted = true;
      for (const channelId of new Set(sources.flatMap((source) => source.channels()))) {
        wake(channelId);
      }
      recheckTimer = setInterval(recheck, BLOCK_RECHECK_MS).unref();
    },
    /**
     * Lets the sends in flight end and begins no other.
     *
     * @throws what the store does
     */
    async stop(): Promise<void> {
      endAll();
      clearInterval(recheckTimer);
      await Promise.all([...runs.values()].map((run) => run.done()));
      await channelQueues.storeDone();
    },
    /** Looks at once whether there is something to send to the channel. */
    reconsider: wake,
    unblock,
    /** Discord has taken a message in the channel that came by another way. */
    async onTaken(channelId: string): Promise<void> {
      await blocks.clear(channelId);
      wake(channelId);
    },
    /**
     * Something has changed in the server of these channels: tries those again whose own trouble is
     * over by that.
     */
    async lookAgain(channelIds: Iterable<string>): Promise<void> {
      for (const channelId of channelIds) {
        if (closedChannels.isOver(channelId)) await unblock(channelId);
        doubts.review(channelId);
      }
    },
    /**
     * The gateway has said all about the server of these channels, at the start or after an outage:
     * tries those again, in turn, that Discord has refused for a permission which the bot now has,
     * or as if there were no such channel. A refusal whose answer has not come, or is in doubt, is
     * from before.
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
     * Forgets what waits for a channel that watches nothing any more, once the send in flight has
     * been answered.
     */
    forget: (channelId: string): Promise<void> =>
      forgettingOne.run(channelId, () => forget(channelId)),
    deadLetters: channelQueues.deadLetters,
  };
}
