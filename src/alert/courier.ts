import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { WalletAddress } from '../venue/address.ts';
import type { Alert } from './alert.ts';
import { classifyFailure, type Failure } from './delivery.ts';
import { type Batch, type Block, type DeadLetter, type LaneStore, nonceOf } from './lane.ts';
import type { Outbox } from './outbox.ts';
import type { OnStep } from './steps.ts';

/** Discord checks a nonce "in the past few minutes"; this much of it is relied upon before the history is read. */
const NONCE_TRUST_MS = 60_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** Cloudflare's temporary bans last minutes to an hour; each request during one counts against the bot. */
const BAN_PAUSE_MS = 10 * 60_000;
/** A blocked channel is tried again this often even if no event tells that it has been put right. */
const BLOCK_RECHECK_MS = 15 * 60_000;

/** A message for a channel; the nonce makes Discord answer a repeat with the message it has. */
export interface OutgoingMessage<Embed> {
  readonly embeds: readonly Embed[];
  readonly nonce: string;
}

export interface CourierDeps<Embed> {
  /** @returns the message's id; rejects with discord.js's error */
  readonly send: (channelId: string, message: OutgoingMessage<Embed>) => Promise<string>;
  /** Which of these references the bot's messages in the channel carry since then; null if the history may not be read. */
  readonly findReferences: (
    channelId: string,
    references: readonly string[],
    sinceMs: number,
  ) => Promise<ReadonlySet<string> | null>;
  /** The next message of what waits for the channel: at least one alert, a wallet's in their order. */
  readonly compose: (
    channelId: string,
    waiting: readonly Alert[],
  ) => { readonly embeds: readonly Embed[]; readonly alerts: readonly Alert[] };
  /** Whether the room still watches the wallet there. */
  readonly isWanted: (channelId: string, wallet: WalletAddress) => boolean;
  readonly outbox: Outbox;
  readonly lanes: LaneStore;
  readonly nowMs: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly log: Logger;
  /** Discord refuses the bot altogether. Nothing more is sent until `resume`. */
  readonly onRefused: (reason: string) => void;
  readonly onStep: OnStep;
  /** Discord has the message with these alerts. */
  readonly onArrived?: (channelId: string, alerts: readonly Alert[]) => void;
}

/** Delivers what the outbox holds: one lane a channel, oldest first, each alert once. */
export interface Courier {
  /** Takes up what an earlier run left, and delivers from now on. */
  start(): void;
  /** Lets the sends in flight end and begins no other. */
  stop(): Promise<void>;
  /** Something has changed that may let a blocked channel be written again. */
  unblock(channelId: string): Promise<void>;
  /** Forgets a channel that has been deleted. */
  forget(channelId: string): Promise<void>;
  /** Why the channel gets nothing at present; null if it does. */
  block(channelId: string): Block | null;
  blockedChannels(): readonly string[];
  /** Alerts that Discord will not take for the channel, oldest first. */
  deadLetters(channelId: string): readonly DeadLetter[];
}

type Undelivered = Exclude<Failure, { kind: 'delivered' }>;

export function createCourier<Embed>(deps: CourierDeps<Embed>): Courier {
  const { outbox, lanes, log } = deps;
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  // Each lane that waits listens to it.
  setMaxListeners(0, stopping.signal);
  let isStarted = false;
  let bannedUntilMs = 0;
  let recheckTimer: NodeJS.Timeout | undefined;

  const wake = (channelId: string) => {
    if (!isStarted || stopping.signal.aborted || running.has(channelId)) return;
    if (lanes.get(channelId).block !== null) return;
    const run = runLane(channelId)
      .catch((error: unknown) => {
        log.error({ event: 'courier.lane_failed', channel: channelId, err: error });
        return deps.sleep(RETRY_LIMIT_MS, stopping.signal);
      })
      .finally(() => {
        running.delete(channelId);
        if (outbox.pending(channelId).length > 0) wake(channelId);
      });
    running.set(channelId, run);
  };

  const runLane = async (channelId: string) => {
    for (let attempt = 0; !stopping.signal.aborted; ) {
      const batch = await currentBatch(channelId);
      if (batch === null) return;
      await deps.sleep(Math.max(0, bannedUntilMs - deps.nowMs()), stopping.signal);
      if (stopping.signal.aborted) return;
      const failure = await deliver(channelId, batch);
      if (failure === null) {
        attempt = 0;
        continue;
      }
      if (failure.kind === 'retry' || failure.kind === 'banned') {
        if (failure.kind === 'banned') bannedUntilMs = deps.nowMs() + BAN_PAUSE_MS;
        const delayMs = Math.min(RETRY_LIMIT_MS, RETRY_FIRST_MS * 2 ** attempt) * (0.5 + deps.random() / 2);
        attempt += 1;
        log.warn({
          event: 'alert.retry',
          channel: channelId,
          attempt,
          delayMs: Math.round(delayMs),
          reason: failure.reason,
        });
        await deps.sleep(delayMs, stopping.signal);
      } else if (failure.kind === 'rejected') {
        await reject(channelId, batch, failure.reason);
        attempt = 0;
      } else {
        await halt(channelId, failure);
        return;
      }
    }
  };

  /** The batch that is on its way, or the next one, stored before it is first sent; null if nothing waits. */
  const currentBatch = async (channelId: string): Promise<Batch | null> => {
    const lane = lanes.get(channelId);
    if (lane.batch !== null) {
      if (lane.batch.messageId === null && alertsOf(channelId, lane.batch).length > 0) return lane.batch;
      await settle(channelId, lane.batch);
    }
    const pending = outbox.pending(channelId);
    const unwanted = pending.filter(({ wallet }) => !deps.isWanted(channelId, wallet));
    if (unwanted.length > 0) await outbox.acknowledge(channelId, unwanted);
    const wanted = pending.filter((alert) => !unwanted.includes(alert));
    if (wanted.length === 0) return null;
    return begin(channelId, deps.compose(channelId, wanted).alerts);
  };

  const begin = async (channelId: string, alerts: readonly Alert[]): Promise<Batch> => {
    const batch: Batch = {
      nonce: nonceOf(channelId, alerts),
      alerts: alerts.map(({ wallet, id }) => ({ wallet, id })),
      startedAtMs: deps.nowMs(),
      messageId: null,
    };
    await lanes.set(channelId, { version: 1, batch, block: null });
    deps.onStep('batch.stored');
    return batch;
  };

  const alertsOf = (channelId: string, batch: Batch): readonly Alert[] =>
    outbox
      .pending(channelId)
      .filter(
        (alert) =>
          batch.alerts.some(({ wallet, id }) => wallet === alert.wallet && id === alert.id) &&
          deps.isWanted(channelId, alert.wallet),
      );

  /** @returns null if the message exists */
  const deliver = async (channelId: string, batch: Batch): Promise<Undelivered | null> => {
    const alerts = alertsOf(channelId, batch);
    try {
      if (deps.nowMs() - batch.startedAtMs > NONCE_TRUST_MS && (await isInHistory(channelId, batch, alerts))) {
        await settle(channelId, batch);
        return null;
      }
      const sentAtMs = deps.nowMs();
      const { embeds, alerts: told } = deps.compose(channelId, alerts);
      if (told.length < alerts.length) {
        // With the time that has passed in its words, what was one message may be too long for one now.
        if (await isInHistory(channelId, batch, alerts)) await settle(channelId, batch);
        else await begin(channelId, told);
        return null;
      }
      deps.onStep('post.begun');
      const messageId = await deps.send(channelId, { embeds, nonce: batch.nonce });
      deps.onStep('post.answered');
      log.info({
        event: 'alert.sent',
        channel: channelId,
        wallets: [...new Set(alerts.map(({ wallet }) => wallet))],
        items: alerts.length,
        alerts: alerts.map(({ id }) => id),
        waitedMs: Math.max(0, Math.round(sentAtMs - (alerts[0]?.seenAtMs ?? sentAtMs))),
        messageId,
      });
      deps.onArrived?.(channelId, alerts);
      await lanes.set(channelId, { version: 1, batch: { ...batch, messageId }, block: null });
      deps.onStep('sent.stored');
      await settle(channelId, batch);
      return null;
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure.kind !== 'delivered') return failure;
      await settle(channelId, batch);
      return null;
    }
  };

  const isInHistory = async (channelId: string, batch: Batch, alerts: readonly Alert[]): Promise<boolean> => {
    const references = alerts.map(({ id }) => id);
    const found = await deps.findReferences(channelId, references, batch.startedAtMs);
    if (found === null) {
      log.warn({
        event: 'alert.repeated_unchecked',
        channel: channelId,
        items: alerts.length,
        reason: 'The history of the channel may not be read: an alert that had arrived before may appear twice.',
      });
      return false;
    }
    return references.some((reference) => found.has(reference));
  };

  const settle = async (channelId: string, batch: Batch) => {
    await outbox.acknowledge(channelId, batch.alerts);
    deps.onStep('outbox.cleared');
    await lanes.set(channelId, { ...lanes.get(channelId), batch: null });
    deps.onStep('batch.cleared');
  };

  /** One bad alert must not take the others of its message along: they go one by one, and only it is buried. */
  const reject = async (channelId: string, batch: Batch, reason: string) => {
    const alerts = alertsOf(channelId, batch);
    const [first] = alerts;
    if (first === undefined) return settle(channelId, batch);
    if (alerts.length > 1) return void (await begin(channelId, [first]));
    log.error({ event: 'alert.rejected', channel: channelId, wallet: first.wallet, alert: first.id, reason });
    await lanes.bury({ alert: first, reason, atMs: deps.nowMs() });
    await settle(channelId, batch);
  };

  const halt = async (channelId: string, failure: Extract<Failure, { kind: 'blocked' | 'refused' }>) => {
    if (failure.kind === 'refused') {
      stopping.abort();
      log.error({ event: 'courier.refused', channel: channelId, reason: failure.reason });
      deps.onRefused(failure.reason);
      return;
    }
    const { reason, gone } = failure;
    const pending = gone ? outbox.pending(channelId) : [];
    // Nobody will ever read there, so that nothing is kept for it.
    if (pending.length > 0) await outbox.acknowledge(channelId, pending);
    const batch = gone ? null : lanes.get(channelId).batch;
    await lanes.set(channelId, { version: 1, batch, block: { reason, gone, sinceMs: deps.nowMs() } });
    log.warn({ event: 'channel.blocked', channel: channelId, reason, gone, dropped: pending.length });
  };

  const unblock = async (channelId: string) => {
    const lane = lanes.get(channelId);
    if (lane.block !== null) await lanes.set(channelId, { ...lane, block: null });
    wake(channelId);
  };

  const blockedChannels = () => lanes.channels().filter((channelId) => lanes.get(channelId).block !== null);

  outbox.listen((channelIds) => {
    for (const channelId of channelIds) wake(channelId);
  });

  return {
    start() {
      isStarted = true;
      for (const channelId of new Set([...outbox.channels(), ...lanes.channels()])) wake(channelId);
      recheckTimer = setInterval(() => {
        for (const channelId of blockedChannels()) {
          if (lanes.get(channelId).block?.gone !== false) continue;
          unblock(channelId).catch((error: unknown) =>
            log.error({ event: 'courier.lane_failed', channel: channelId, err: error }),
          );
        }
      }, BLOCK_RECHECK_MS);
      recheckTimer.unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(recheckTimer);
      await Promise.all(running.values());
    },
    unblock,
    async forget(channelId) {
      await outbox.acknowledge(channelId, outbox.pending(channelId));
      await lanes.delete(channelId);
    },
    block: (channelId) => lanes.get(channelId).block,
    blockedChannels,
    deadLetters: lanes.deadLetters,
  };
}
