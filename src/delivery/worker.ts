import type { Logger } from 'pino';
import { backOffMs } from '../lib/backoff.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
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
  /** Forgets what waits for a channel in which nothing is watched any more, once what is being sent to it has been answered. */
  forget(channelId: string): Promise<void>;
  /** Why the channel gets nothing at present; null if it does. */
  block(channelId: string): Block | null;
  blockedChannels(): readonly string[];
  /** Alerts that Discord will not take for the channel, oldest first. */
  deadLetters(channelId: string): readonly DeadLetter[];
}

interface Attempt {
  readonly source: MessageSource['name'];
  readonly step: SendStep;
  readonly failure: Undelivered | null;
  /** How many attempts in a row before it ended in a retry. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

export function createDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { sources, channelQueues, log, isRechecked = () => true } = deps;
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
        return deps.sleep(backOffMs(count, RETRY_FIRST_MS, RETRY_LIMIT_MS, deps.random), cut.signal);
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
    let rest: RestStep = { kind: 'rest', delayMs: null };
    for (const { name, next } of sources) {
      const step: SendStep | RestStep = await next(channelId);
      if (step.kind === 'send') return { source: name, step };
      if (step.delayMs !== null) rest = { kind: 'rest', delayMs: Math.min(step.delayMs, rest.delayMs ?? step.delayMs) };
    }
    return { source: null, step: rest };
  };

  const runChannel = async (channelId: string, signal: AbortSignal) => {
    for (let attempt = 0; !signal.aborted; ) {
      // Before anything is decided: what has come during a ban goes along, and the first attempt is not dated too early.
      const permit = await deps.gate.enter(signal);
      if (permit === null) return;
      try {
        called.delete(channelId);
        repaired.delete(channelId);
        const { source, step } = await nextStep(channelId);
        if (source === null) return restUntilDue(channelId, step);
        if (signal.aborted) return;
        const failure = await step.deliver();
        permit.end(failure);
        const nextAttempt = await afterAttempt(channelId, { source, step, failure, attempt, signal });
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
   * @returns how many attempts in a row ended in a retry, with this one; null if the channel's work ends here
   */
  const afterAttempt = async (
    channelId: string,
    { source, step, failure, attempt, signal }: Attempt,
  ): Promise<number | null> => {
    if (failure === null || failure.kind === 'banned') return 0;
    if (failure.kind === 'retry') {
      await pause(channelId, { event: `${source}.retry`, attempt: attempt + 1, reason: failure.reason }, signal);
      return attempt + 1;
    }
    if (failure.kind === 'rejected') {
      await step.reject(failure.reason);
      return 0;
    }
    await onPermanentFailure(channelId, failure);
    return null;
  };

  const pause = async (
    channelId: string,
    retry: { readonly event: string; readonly attempt: number; readonly reason: string },
    signal: AbortSignal,
  ) => {
    const delayMs = backOffMs(retry.attempt - 1, RETRY_FIRST_MS, RETRY_LIMIT_MS, deps.random);
    log.warn({ ...retry, channel: channelId, delayMs: Math.round(delayMs) });
    await deps.sleep(delayMs, signal);
  };

  const endAll = () => {
    isStopping = true;
    for (const { cut } of running.values()) cut.abort();
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
      endAll();
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
      endAll();
      clearInterval(recheckTimer);
      for (const channelId of alarms.keys()) endAlarm(channelId);
      await Promise.all([...running.values()].map(({ done }) => done));
    },
    reconsider: wake,
    unblock,
    forget: (channelId) =>
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
    block: (channelId) => channelQueues.get(channelId).block,
    blockedChannels,
    deadLetters: channelQueues.deadLetters,
  };
}
