import { setMaxListeners } from 'node:events';
import { type Block, type DeadLetter, EMPTY_CHANNEL_QUEUE } from './channel-queue.ts';
import type { Failure } from './failures.ts';
import { createOutgoingMessages, type OutgoingMessagesDeps } from './outgoing-messages.ts';
import type { SendGate } from './send-gate.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** A blocked channel is tried again this often even if no event tells that it has been put right. */
const BLOCK_RECHECK_MS = 15 * 60_000;
/** A timer may be early by a moment: not again at once. */
const REST_LEAST_MS = 50;

export interface DeliveryWorkerDeps<Body> extends OutgoingMessagesDeps<Body> {
  /** The same for everything that the bot sends unasked. */
  readonly gate: SendGate;
  /** Resolves also when the signal aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Discord refuses the bot altogether. Nothing more is sent until `resume`. */
  readonly onRefused: (reason: string) => void;
}

/** Delivers what the outbox holds: one lane a channel, oldest first, each alert once. */
export interface DeliveryWorker {
  /** Takes up what an earlier run left, and delivers from now on. */
  start(): void;
  /** Lets the sends in flight end and begins no other. */
  stop(): Promise<void>;
  /** What the room wants has changed: looks at once at what waits for the channel. */
  reconsider(channelId: string): void;
  /** Something has changed that may let a channel be written again that is blocked, or is about to be found so. */
  unblock(channelId: string): Promise<void>;
  /** Forgets a channel that has been deleted. */
  forget(channelId: string): Promise<void>;
  /** Why the channel gets nothing at present; null if it does. */
  block(channelId: string): Block | null;
  blockedChannels(): readonly string[];
  /** Alerts that Discord will not take for the channel, oldest first. */
  deadLetters(channelId: string): readonly DeadLetter[];
}

export function createDeliveryWorker<Body>(deps: DeliveryWorkerDeps<Body>): DeliveryWorker {
  const { outbox, channelQueues, log } = deps;
  const messages = createOutgoingMessages(deps);
  const running = new Map<string, Promise<void>>();
  /** Running lanes that something has come for since they last looked. */
  const called = new Set<string>();
  /** Running lanes that somebody may have put right since their last attempt began. */
  const repaired = new Set<string>();
  /** Lanes that rest until something is due. */
  const alarms = new Map<string, AbortController>();
  /** How often in a row a lane has failed by itself, most likely because the store was away. */
  const failures = new Map<string, number>();
  const stopping = new AbortController();
  // Each lane that waits listens to it.
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
        return deps.sleep(Math.min(RETRY_LIMIT_MS, RETRY_FIRST_MS * 2 ** count), stopping.signal);
      })
      .finally(() => {
        running.delete(channelId);
        repaired.delete(channelId);
        if (called.delete(channelId)) wake(channelId);
      });
    running.set(channelId, run);
  };

  const runChannel = async (channelId: string) => {
    for (let attempt = 0; !stopping.signal.aborted; ) {
      // Before anything is decided: what has come during a ban goes along, and the first attempt is not dated too early.
      const permit = await deps.gate.enter(stopping.signal);
      if (permit === null) return;
      try {
        called.delete(channelId);
        repaired.delete(channelId);
        const next = await messages.next(channelId);
        if (next.kind === 'rest') {
          if (next.untilMs !== null) setAlarm(channelId, next.untilMs);
          return;
        }
        if (stopping.signal.aborted) return;
        const failure = await messages.deliver(channelId, next.message);
        permit.end(failure);
        if (failure === null || failure.kind === 'banned') {
          attempt = 0;
        } else if (failure.kind === 'retry') {
          attempt += 1;
          await pause(channelId, attempt, failure.reason);
        } else if (failure.kind === 'rejected') {
          await messages.reject(channelId, next.message, failure.reason);
          attempt = 0;
        } else {
          await onPermanentFailure(channelId, failure);
          return;
        }
      } finally {
        permit.release();
      }
    }
  };

  const pause = async (channelId: string, attempt: number, reason: string) => {
    const delayMs = Math.min(RETRY_LIMIT_MS, RETRY_FIRST_MS * 2 ** (attempt - 1)) * (0.5 + deps.random() / 2);
    log.warn({ event: 'alert.retry', channel: channelId, attempt, delayMs: Math.round(delayMs), reason });
    await deps.sleep(delayMs, stopping.signal);
  };

  const setAlarm = (channelId: string, untilMs: number) => {
    const alarm = new AbortController();
    alarms.set(channelId, alarm);
    const delayMs = Math.max(REST_LEAST_MS, untilMs - deps.venueNowMs());
    void deps.sleep(delayMs, alarm.signal).then(() => {
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
    const pending = gone ? outbox.pending(channelId) : [];
    // Nobody will ever read there, so that nothing is kept for it.
    if (pending.length > 0) await outbox.acknowledge(channelId, pending, null);
    const block = { reason, gone, sinceMs: deps.nowMs() };
    await channelQueues.set(channelId, { ...(gone ? EMPTY_CHANNEL_QUEUE : channelQueues.get(channelId)), block });
    log.warn({ event: 'channel.blocked', channel: channelId, reason, gone, dropped: pending.length });
    // It was put right while the block was being stored.
    if (!gone && repaired.has(channelId)) await unblock(channelId);
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

  outbox.listen((channelIds) => {
    for (const channelId of channelIds) wake(channelId);
  });

  return {
    start() {
      isStarted = true;
      for (const channelId of new Set([...outbox.channels(), ...channelQueues.channels()])) wake(channelId);
      recheckTimer = setInterval(() => {
        for (const channelId of blockedChannels()) {
          if (channelQueues.get(channelId).block?.gone !== false) continue;
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
      await outbox.acknowledge(channelId, outbox.pending(channelId), null);
      await channelQueues.delete(channelId);
    },
    block: (channelId) => channelQueues.get(channelId).block,
    blockedChannels,
    deadLetters: channelQueues.deadLetters,
  };
}
