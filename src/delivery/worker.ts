import { backOffMs } from '../lib/async/backoff.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import { type Block, type ChannelQueueStore, EMPTY_CHANNEL_QUEUE } from './channel-queue.ts';
import type { MessageSource, Undelivered } from './message-source.ts';
import type { SendGate, SendPermit } from './send-gate.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** A blocked channel is tried again this often even if no event says that it has been put right. */
const BLOCK_RECHECK_MS = 15 * 60_000;
/** A timer may be early by a moment: not again at once. */
const REST_LEAST_MS = 50;

/** Sends the messages of all sources to their channels: in each channel one after the other, each once. */
export function createDeliveryWorker(
  { nowMs, sleep, random, log }: Machine,
  {
    sources,
    channelQueues,
    gate,
    isRechecked = () => true,
    onRefused,
  }: {
    /** Asked in this order: what the first has goes before what the second has. */
    readonly sources: readonly MessageSource[];
    readonly channelQueues: ChannelQueueStore;
    readonly gate: SendGate;
    /** Whether a channel that is blocked is tried again by and by, without a sign that it has been put right; all are if left out. */
    readonly isRechecked?: (channelId: string) => boolean;
    /** Discord refuses the bot altogether. */
    readonly onRefused: (reason: string) => void;
  },
) {
  /** Channels at work. `cut` ends it after the attempt under way, and any waiting at once. */
  const running = new Map<string, { readonly done: Promise<void>; readonly cut: AbortController }>();
  /** Channels whose work may not begin before what is stored of them has been deleted. */
  const forgetting = new Set<string>();
  const forgettingOne = createKeyedMutex();
  /** Channels at work that something has come for since they last looked. */
  const called = new Set<string>();
  /** Channels at work that somebody may have put right since their last attempt began. */
  const repaired = new Set<string>();
  /** Channels that rest until something is due. */
  const alarms = new Map<string, AbortController>();
  /** How often in a row a channel's work has failed by itself, most likely because the store was away. */
  const failures = new Map<string, number>();
  let isStarted = false;
  let isStopping = false;
  let recheckTimer: NodeJS.Timeout | undefined;

  const wake = (channelId: string) => {
    if (!isStarted || isStopping) return;
    if (running.has(channelId) || forgetting.has(channelId)) {
      called.add(channelId);
      return;
    }
    endAlarm(channelId);
    const cut = new AbortController();
    const work = channelQueues.get(channelId).block === null ? runChannel : dropUnwanted;
    const done = work(channelId, cut.signal)
      .then(() => void failures.delete(channelId))
      .catch((error: unknown) => {
        const count = failures.get(channelId) ?? 0;
        failures.set(channelId, count + 1);
        log.error({ event: 'delivery.channel_failed', channel: channelId, err: error });
        called.add(channelId);
        return sleep(backOffMs(count, RETRY_FIRST_MS, RETRY_LIMIT_MS, random), cut.signal);
      })
      .finally(() => {
        running.delete(channelId);
        repaired.delete(channelId);
        if (called.delete(channelId)) wake(channelId);
      });
    running.set(channelId, { done, cut });
  };

  const dropUnwanted = async (channelId: string) => {
    for (const source of sources) await source.dropUnwanted?.(channelId);
  };

  /** What the first source that has something sends next, or the shortest rest of all. */
  const nextStep = async (channelId: string) => {
    const delays: number[] = [];
    for (const { name, next } of sources) {
      const step = await next(channelId);
      if (step.kind === 'send') return { ...step, source: name };
      if (step.delayMs !== null) delays.push(step.delayMs);
    }
    return { kind: 'rest' as const, delayMs: delays.length > 0 ? Math.min(...delays) : null };
  };

  const runChannel = async (channelId: string, signal: AbortSignal) => {
    for (let retries: number | null = 0; retries !== null && !signal.aborted; ) {
      // Before anything is decided: what has come during a ban goes along, and the first attempt is not dated too early.
      const permit = await gate.enter(signal);
      if (permit === null) return;
      try {
        retries = await takeStep(channelId, permit, retries, signal);
      } finally {
        permit.release();
      }
    }
  };

  /**
   * @param retries attempts in a row that have ended in a retry
   * @returns how many they are with this one; null if the channel's work ends here
   */
  const takeStep = async (channelId: string, permit: SendPermit, retries: number, signal: AbortSignal) => {
    called.delete(channelId);
    repaired.delete(channelId);
    const step = await nextStep(channelId);
    if (step.kind === 'rest') {
      if (step.delayMs !== null) setAlarm(channelId, step.delayMs);
      return null;
    }
    if (signal.aborted) return null;
    const failure = await step.deliver();
    permit.end(failure);
    if (failure?.kind === 'retry') {
      const delayMs = backOffMs(retries, RETRY_FIRST_MS, RETRY_LIMIT_MS, random);
      const { source } = step;
      const what = { event: `${source}.retry`, attempt: retries + 1, reason: failure.reason };
      log.warn({ ...what, channel: channelId, delayMs: Math.round(delayMs) });
      await sleep(delayMs, signal);
      return retries + 1;
    }
    if (failure?.kind === 'rejected') await step.reject(failure.reason);
    if (failure?.kind === 'blocked') await block(channelId, failure);
    if (failure?.kind === 'refused') {
      endAll();
      log.error({ event: 'delivery.token_refused', channel: channelId, reason: failure.reason });
      onRefused(failure.reason);
    }
    return failure?.kind === 'blocked' || failure?.kind === 'refused' ? null : 0;
  };

  const endAll = () => {
    isStopping = true;
    for (const { cut } of running.values()) cut.abort();
  };

  const setAlarm = (channelId: string, delayMs: number) => {
    const alarm = new AbortController();
    alarms.set(channelId, alarm);
    void sleep(Math.max(REST_LEAST_MS, delayMs), alarm.signal).then(() => {
      if (alarms.get(channelId) !== alarm) return;
      alarms.delete(channelId);
      wake(channelId);
    });
  };

  const endAlarm = (channelId: string) => {
    const alarm = alarms.get(channelId);
    alarms.delete(channelId);
    alarm?.abort();
  };

  const block = async (channelId: string, { reason, gone }: Extract<Undelivered, { kind: 'blocked' }>) => {
    // What Discord said may be out of date: it is asked once more.
    if (!gone && repaired.has(channelId)) return void called.add(channelId);
    // Nobody will ever read there, so that nothing is kept for it.
    const dropped = gone ? await drop(channelId, 'gone') : 0;
    const channelQueue = gone ? EMPTY_CHANNEL_QUEUE : channelQueues.get(channelId);
    await channelQueues.set(channelId, { ...channelQueue, block: { reason, gone, sinceMs: nowMs() } });
    log.warn({ event: 'channel.blocked', channel: channelId, reason, gone, dropped });
    // It was put right while the block was being stored.
    if (!gone && repaired.has(channelId)) await unblock(channelId);
  };

  const drop = async (channelId: string, why: 'gone' | 'unwatched') => {
    let dropped = 0;
    for (const source of sources) dropped += await source.drop(channelId, why);
    return dropped;
  };

  /** Something has changed that may let a channel be written again that is blocked, or is about to be found so. */
  const unblock = async (channelId: string): Promise<void> => {
    const channelQueue = channelQueues.get(channelId);
    if (running.has(channelId)) repaired.add(channelId);
    else if (channelQueue.block === null) return;
    if (channelQueue.block !== null) await channelQueues.set(channelId, { ...channelQueue, block: null });
    wake(channelId);
  };

  const blockedChannels = (): readonly string[] =>
    channelQueues.channels().filter((channelId) => channelQueues.get(channelId).block !== null);

  return {
    /** Takes up what an earlier run left, and delivers from now on. */
    start(): void {
      isStarted = true;
      for (const channelId of new Set(sources.flatMap((source) => source.channels()))) wake(channelId);
      recheckTimer = setInterval(() => {
        for (const channelId of blockedChannels()) {
          if (channelQueues.get(channelId).block?.gone !== false || !isRechecked(channelId)) continue;
          unblock(channelId).catch((error: unknown) =>
            log.error({ event: 'delivery.channel_failed', channel: channelId, err: error }),
          );
        }
      }, BLOCK_RECHECK_MS);
      recheckTimer.unref();
    },
    /** Lets the sends in flight end and begins no other. */
    async stop(): Promise<void> {
      endAll();
      clearInterval(recheckTimer);
      for (const channelId of alarms.keys()) endAlarm(channelId);
      await Promise.all([...running.values()].map(({ done }) => done));
    },
    /** There may be something to send to the channel: looks at once. */
    reconsider: wake,
    unblock,
    /** Forgets what waits for a channel in which nothing is watched any more, once what is being sent to it has been answered. */
    forget: (channelId: string): Promise<void> =>
      forgettingOne.run(channelId, async () => {
        forgetting.add(channelId);
        try {
          const run = running.get(channelId);
          run?.cut.abort();
          // What it still has to store of a message would outlive the channel's documents.
          await run?.done;
          endAlarm(channelId);
          await drop(channelId, 'unwatched');
          await channelQueues.delete(channelId);
        } finally {
          forgetting.delete(channelId);
          wake(channelId);
        }
      }),
    /** Why the channel gets nothing at present; null if it does. */
    block: (channelId: string): Block | null => channelQueues.get(channelId).block,
    blockedChannels,
    deadLetters: channelQueues.deadLetters,
  };
}
export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;
