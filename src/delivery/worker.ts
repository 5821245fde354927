import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { backOffMs } from '../lib/backoff.ts';
import { type Block, type ChannelQueueStore, type DeadLetter, EMPTY_CHANNEL_QUEUE } from './channel-queue.ts';
import type { Failure } from './failures.ts';
import type { MessageSource, RestStep, SendStep, Undelivered } from './message-source.ts';
import type { SendGate } from './send-gate.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** A blocked channel is tried again this often even if no event says that it has been put right. */
const BLOCK_RECHECK_MS = 15 * 60_000;
/** A timer may be early by a moment: not again at once. */
const REST_LEAST_MS = 50;

export interface DeliveryWorkerDeps {
  /** Asked in this order: what the first has goes before what the second has. */
  readonly sources: readonly MessageSource[];
  readonly channelQueues: ChannelQueueStore;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly gate: SendGate;
  /** Resolves also when the signal aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Whether a channel that is blocked is tried again by and by, without a sign that it has been put right; all are if left out. */
  readonly isRechecked?: (channelId: string) => boolean;
  /** Discord refuses the bot altogether. Nothing more is sent until `resume`. */
  readonly onRefused: (reason: string) => void;
}

/** Sends the messages of all sources to their channels: in each channel one after the other, each once. */
export interface DeliveryWorker {
  /** Takes up what an earlier run left, and delivers from now on. */
  start(): void;
  /** Lets the sends in flight end and begins no other. */
  stop(): Promise<void>;
  /** There may be something to send to the channel: looks at once. */
  reconsider(channelId: string): void;
  /** Something has changed that may let a channel be written again that is blocked, or is about to be found so. */
  unblock(channelId: string): Promise<void>;
  /** Forgets what waits for a channel in which nothing is watched any more. */
  forget(channelId: string): Promise<void>;
  /** Why the channel gets nothing at present; null if it does. */
  block(channelId: string): Block | null;
  blockedChannels(): readonly string[];
  /** Alerts that Discord will not take for the channel, oldest first. */
  deadLetters(channelId: string): readonly DeadLetter[];
}

export function createDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { sources, channelQueues, log, isRechecked = () => true } = deps;
  const running = new Map<string, Promise<void>>();
  /** Channels at work that something has come for since they last looked. */
  const called = new Set<string>();
  /** Channels at work that somebody may have put right since their last attempt began. */
  const repaired = new Set<string>();
  /** Channels that rest until something is due. */
  const alarms = new Map<string, AbortController>();
  /** How often in a row a channel's work has failed by itself, most likely because the store was away. */
  const failures = new Map<string, number>();
  const stopping = new AbortController();
  // Each channel that waits listens to it.
  setMaxListeners(0, stopping.signal);
  let isStarted = false;
  let recheckTimer: NodeJS.Timeout | undefined;

  const wake = (channelId: string) => {
    if (!isStarted || stopping.signal.aborted) return;
    if (running.has(channelId)) {
      called.add(channelId);
      return;
    }
    if (channelQueues.get(channelId).block !== null) return;
    endAlarm(channelId);
    const run = runChannel(channelId)
      .then(() => void failures.delete(channelId))
      .catch((error: unknown) => {
        const count = failures.get(channelId) ?? 0;
        failures.set(channelId, count + 1);
        log.error({ event: 'delivery.channel_failed', channel: channelId, err: error });
        called.add(channelId);
        return deps.sleep(backOffMs(count, RETRY_FIRST_MS, RETRY_LIMIT_MS, deps.random), stopping.signal);
      })
      .finally(() => {
        running.delete(channelId);
        repaired.delete(channelId);
        if (called.delete(channelId)) wake(channelId);
      });
    running.set(channelId, run);
  };

  /** What the first source that has something sends next, or the shortest rest of all. */
  const nextStep = async (channelId: string) => {
    let rest: RestStep = { kind: 'rest', delayMs: null };
    for (const { name, next } of sources) {
      const step: SendStep | RestStep = await next(channelId);
      if (step.kind === 'send') return { source: name, step };
      if (step.delayMs !== null) rest = { kind: 'rest', delayMs: Math.min(step.delayMs, rest.delayMs ?? step.delayMs) };
    }
    return { source: null, step: rest };
  };

  const runChannel = async (channelId: string) => {
    for (let attempt = 0; !stopping.signal.aborted; ) {
      // Before anything is decided: what has come during a ban goes along, and the first attempt is not dated too early.
      const permit = await deps.gate.enter(stopping.signal);
      if (permit === null) return;
      try {
        called.delete(channelId);
        repaired.delete(channelId);
        const { source, step } = await nextStep(channelId);
        if (source === null) return restUntilDue(channelId, step);
        if (stopping.signal.aborted) return;
        const failure = await step.deliver();
        permit.end(failure);
        const nextAttempt = await afterAttempt(channelId, source, step, failure, attempt);
        if (nextAttempt === null) return;
        attempt = nextAttempt;
      } finally {
        permit.release();
      }
    }
  };

  const restUntilDue = (channelId: string, { delayMs }: RestStep) => {
    if (delayMs !== null) setAlarm(channelId, delayMs);
  };

  /**
   * Does what the outcome of an attempt asks for.
   *
   * @param attempt how many attempts in a row before this one ended in a retry
   * @returns the same with this one; null if the channel's work ends here
   */
  const afterAttempt = async (
    channelId: string,
    source: MessageSource['name'],
    step: SendStep,
    failure: Undelivered | null,
    attempt: number,
  ): Promise<number | null> => {
    if (failure === null || failure.kind === 'banned') return 0;
    if (failure.kind === 'retry') {
      await pause(`${source}.retry`, channelId, attempt + 1, failure.reason);
      return attempt + 1;
    }
    if (failure.kind === 'rejected') {
      await step.reject(failure.reason);
      return 0;
    }
    await onPermanentFailure(channelId, failure);
    return null;
  };

  const pause = async (event: string, channelId: string, attempt: number, reason: string) => {
    const delayMs = backOffMs(attempt - 1, RETRY_FIRST_MS, RETRY_LIMIT_MS, deps.random);
    log.warn({ event, channel: channelId, attempt, delayMs: Math.round(delayMs), reason });
    await deps.sleep(delayMs, stopping.signal);
  };

  const setAlarm = (channelId: string, delayMs: number) => {
    const alarm = new AbortController();
    alarms.set(channelId, alarm);
    void deps.sleep(Math.max(REST_LEAST_MS, delayMs), alarm.signal).then(() => {
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

  const onPermanentFailure = async (channelId: string, failure: Extract<Failure, { kind: 'blocked' | 'refused' }>) => {
    if (failure.kind === 'refused') {
      stopping.abort();
      log.error({ event: 'delivery.token_refused', channel: channelId, reason: failure.reason });
      deps.onRefused(failure.reason);
      return;
    }
    const { reason, gone } = failure;
    // What Discord said may be out of date: it is asked once more.
    if (!gone && repaired.has(channelId)) return void called.add(channelId);
    // Nobody will ever read there, so that nothing is kept for it.
    const dropped = gone ? await drop(channelId, 'gone') : 0;
    const block = { reason, gone, sinceMs: deps.nowMs() };
    await channelQueues.set(channelId, { ...(gone ? EMPTY_CHANNEL_QUEUE : channelQueues.get(channelId)), block });
    log.warn({ event: 'channel.blocked', channel: channelId, reason, gone, dropped });
    // It was put right while the block was being stored.
    if (!gone && repaired.has(channelId)) await unblock(channelId);
  };

  const drop = async (channelId: string, why: 'gone' | 'unwatched') => {
    let dropped = 0;
    for (const source of sources) dropped += await source.drop(channelId, why);
    return dropped;
  };

  const unblock = async (channelId: string) => {
    const channelQueue = channelQueues.get(channelId);
    if (running.has(channelId)) repaired.add(channelId);
    else if (channelQueue.block === null) return;
    if (channelQueue.block !== null) await channelQueues.set(channelId, { ...channelQueue, block: null });
    wake(channelId);
  };

  const blockedChannels = () =>
    channelQueues.channels().filter((channelId) => channelQueues.get(channelId).block !== null);

  return {
    start() {
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
    async stop() {
      stopping.abort();
      clearInterval(recheckTimer);
      for (const channelId of alarms.keys()) endAlarm(channelId);
      await Promise.all(running.values());
    },
    reconsider: wake,
    unblock,
    async forget(channelId) {
      endAlarm(channelId);
      await drop(channelId, 'unwatched');
      await channelQueues.delete(channelId);
      wake(channelId);
    },
    block: (channelId) => channelQueues.get(channelId).block,
    blockedChannels,
    deadLetters: channelQueues.deadLetters,
  };
}
