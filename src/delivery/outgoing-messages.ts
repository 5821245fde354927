import type { Logger } from 'pino';
import type { Alert } from '../alerts/alert.ts';
import { type Unit, walletOf } from '../alerts/alert-group.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { OnStep } from '../lib/failpoints.ts';
import type { WalletAddress } from '../venue/address.ts';
import { type Batch, findUnits, type LaneStore, nonceOf, type StoredUnit, storedUnits } from './channel-queue.ts';
import { type Memory, remember, type Traces } from './cooldowns.ts';
import { classifyFailure, type Failure } from './failures.ts';
import type { Attention } from './mentions.ts';
import type { Plan } from './plan.ts';

/** Discord checks a nonce "in the past few minutes"; this much of it is relied upon before the history is read. */
const NONCE_TRUST_MS = 60_000;
/** A message that is sent this soon after it was decided need not be stored again with the time of its first attempt. */
const FIRST_ATTEMPT_MS = 1_000;
/** What has piled up in an outage may be one message. */
const REFERENCES_LOGGED = 20;

/** A message for a channel; the nonce makes Discord answer a repeat with the message it has. */
export interface OutgoingMessage<Body> {
  readonly body: Body;
  readonly attention: Attention;
  readonly nonce: string;
}

/** What is decided, and how it looks: the courier knows only when and how often. */
export interface Composer<Body> {
  /** What of all that waits is told now, and what waits on or is dropped. */
  plan(channelId: string, waiting: readonly Alert[], memory: Memory): Plan;
  /** The first of the units as one message: as many as it holds, at least one. Decides nothing else. */
  render(channelId: string, units: readonly Unit[]): { readonly body: Body; readonly told: number };
  /** How much noise a message makes, and what is to be remembered of it once it has been sent. */
  attend(
    channelId: string,
    told: readonly Unit[],
    ready: readonly Unit[],
    memory: Memory,
  ): { readonly attention: Attention; readonly traces: Traces };
  /** Whether the room wants to hear of the wallet at this moment. */
  isWanted(channelId: string, wallet: WalletAddress): boolean;
}

export interface BatchesDeps<Body> extends Composer<Body> {
  /** @returns the message's id; rejects with discord.js's error */
  readonly send: (channelId: string, message: OutgoingMessage<Body>) => Promise<string>;
  /** Which of these references a message of the bot in the channel carries since then, empty if none; null if that cannot be known. */
  readonly findReferences: (
    channelId: string,
    references: readonly string[],
    sinceMs: number,
  ) => Promise<ReadonlySet<string> | null>;
  readonly outbox: Outbox;
  readonly lanes: LaneStore;
  readonly nowMs: () => number;
  /** The venue's clock, epoch milliseconds. */
  readonly venueNowMs: () => number;
  readonly log: Logger;
  readonly onStep: OnStep;
  /** Discord has the message with these alerts. */
  readonly onArrived?: (channelId: string, alerts: readonly Alert[]) => void;
}

export type Undelivered = Exclude<Failure, { kind: 'delivered' }>;
/** What a channel does next: the message to send, or nothing before a time by the venue's clock; null: before something new comes. */
export type Next =
  | { readonly kind: 'send'; readonly batch: Batch }
  | { readonly kind: 'rest'; readonly untilMs: number | null };

/** Turns what waits for a channel into messages, one after the other, each stored before it is first sent. */
export interface Batches {
  next(channelId: string): Promise<Next>;
  /** @returns null if the message exists, or another one must be tried */
  deliver(channelId: string, batch: Batch): Promise<Undelivered | null>;
  /** One bad alert must not take the others of its message along: halves of it are tried, and only it is buried. */
  reject(channelId: string, batch: Batch, reason: string): Promise<void>;
}

export function createBatches<Body>(deps: BatchesDeps<Body>): Batches {
  const { outbox, lanes, log } = deps;
  /** Channels whose message has been decided by this process, and never been sent. */
  const untried = new Set<string>();

  const unitsOf = (channelId: string, stored: readonly StoredUnit[]): Unit[] => {
    const wanted = outbox.pending(channelId).filter(({ wallet }) => deps.isWanted(channelId, wallet));
    return findUnits(stored, wanted);
  };

  /** @param owed what goes next; null: what finds no room in the message is planned anew */
  const begin = async (channelId: string, units: readonly Unit[], owed: readonly StoredUnit[] | null) => {
    const lane = lanes.get(channelId);
    const { told } = deps.render(channelId, units);
    const taken = units.slice(0, told);
    const { attention, traces } = deps.attend(channelId, taken, units, lane.memory);
    const batch: Batch = {
      nonce: nonceOf(
        channelId,
        taken.flatMap(({ alerts }) => alerts),
      ),
      units: storedUnits(taken),
      startedAtMs: deps.nowMs(),
      messageId: null,
      attention: { roleIds: [...attention.roleIds], isSilent: attention.isSilent },
      traces,
    };
    await lanes.set(channelId, {
      ...lane,
      batch,
      block: null,
      owed: owed === null ? [] : [...storedUnits(units.slice(told)), ...owed],
    });
    untried.add(channelId);
    deps.onStep('batch.stored');
    return batch;
  };

  /** @param sentAtMs by the venue's clock, not too early; null if it was not sent, or that is stored already */
  const settle = async (channelId: string, batch: Batch, sentAtMs: number | null) => {
    const alerts = batch.units.flatMap(({ wallet, ids }) => ids.map((id) => ({ wallet, id })));
    const { messageId } = batch;
    const hasRung = messageId !== null || sentAtMs !== null;
    await outbox.acknowledge(channelId, alerts, hasRung ? { messageId } : null);
    deps.onStep('outbox.cleared');
    const lane = lanes.get(channelId);
    const memory = sentAtMs === null ? lane.memory : remember(lane.memory, batch.traces, sentAtMs);
    await lanes.set(channelId, { ...lane, batch: null, memory });
    untried.delete(channelId);
    deps.onStep('batch.cleared');
  };

  /** Whatever of the message has been acknowledged meanwhile: one of its references is proof of all of it. */
  const isInHistory = async (channelId: string, batch: Batch): Promise<boolean> => {
    const references = batch.units.flatMap(({ ids }) => ids);
    const found = await deps.findReferences(channelId, references, batch.startedAtMs).catch((error: unknown) => {
      const { kind } = classifyFailure(error);
      // That is about the look, not about the message.
      if (kind === 'delivered' || kind === 'rejected') return null;
      throw error;
    });
    if (found === null) {
      log.warn({
        event: 'alert.repeated_unchecked',
        channel: channelId,
        items: references.length,
        reason: 'The history of the channel could not be read to its end: an alert that had arrived may appear twice.',
      });
      return false;
    }
    return references.some((reference) => found.has(reference));
  };

  /** The message with the time of its first attempt, which may come long after it was decided. */
  const dated = async (channelId: string, batch: Batch): Promise<Batch> => {
    if (Math.abs(deps.nowMs() - batch.startedAtMs) <= FIRST_ATTEMPT_MS) return batch;
    const again = { ...batch, startedAtMs: deps.nowMs() };
    await lanes.set(channelId, { ...lanes.get(channelId), batch: again });
    return again;
  };

  const trySending = async (channelId: string, stored: Batch): Promise<void> => {
    const isFirst = untried.has(channelId);
    const batch = isFirst ? await dated(channelId, stored) : stored;
    const units = unitsOf(channelId, batch.units);
    if (units.length === 0) return settle(channelId, batch, null);
    const sinceFirstMs = deps.nowMs() - batch.startedAtMs;
    // A clock that has been set back tells nothing of the time that has passed.
    const isNonceTrusted = isFirst || (sinceFirstMs >= 0 && sinceFirstMs <= NONCE_TRUST_MS);
    if (!isNonceTrusted && (await isInHistory(channelId, batch))) {
      return settle(channelId, batch, deps.venueNowMs());
    }
    const sentAtMs = deps.nowMs();
    const { body, told } = deps.render(channelId, units);
    if (told < units.length) {
      // With the time that has passed in its words, what was one message may be too long for one now.
      if (!isFirst && (await isInHistory(channelId, batch))) return settle(channelId, batch, deps.venueNowMs());
      return void (await begin(channelId, units, lanes.get(channelId).owed));
    }
    untried.delete(channelId);
    deps.onStep('post.begun');
    const { attention, nonce } = batch;
    const messageId = await deps.send(channelId, { body, attention, nonce });
    deps.onStep('post.answered');
    const alerts = units.flatMap((unit) => unit.alerts);
    log.info({
      event: 'alert.sent',
      channel: channelId,
      wallets: [...new Set(units.map(walletOf))],
      items: alerts.length,
      alerts: alerts.slice(0, REFERENCES_LOGGED).map(({ id }) => id),
      waitedMs: Math.max(0, Math.round(sentAtMs - (alerts[0]?.seenAtMs ?? sentAtMs))),
      messageId,
    });
    deps.onArrived?.(channelId, alerts);
    const lane = lanes.get(channelId);
    const memory = remember(lane.memory, batch.traces, deps.venueNowMs());
    await lanes.set(channelId, { ...lane, batch: { ...batch, messageId }, block: null, memory });
    deps.onStep('sent.stored');
    await settle(channelId, { ...batch, messageId }, null);
  };

  return {
    async next(channelId) {
      const { batch } = lanes.get(channelId);
      if (batch !== null) {
        if (batch.messageId === null && unitsOf(channelId, batch.units).length > 0) return { kind: 'send', batch };
        await settle(channelId, batch, null);
      }
      const owed = unitsOf(channelId, lanes.get(channelId).owed);
      if (owed.length > 0) return { kind: 'send', batch: await begin(channelId, owed, []) };
      const plan = deps.plan(channelId, outbox.pending(channelId), lanes.get(channelId).memory);
      if (plan.drop.length > 0) await outbox.acknowledge(channelId, plan.drop, null);
      if (plan.units.length === 0) return { kind: 'rest', untilMs: plan.nextDueMs };
      return { kind: 'send', batch: await begin(channelId, plan.units, null) };
    },
    async deliver(channelId, batch) {
      try {
        await trySending(channelId, batch);
        return null;
      } catch (error) {
        const failure = classifyFailure(error);
        if (failure.kind !== 'delivered') return failure;
        await settle(channelId, batch, deps.venueNowMs());
        return null;
      }
    },
    async reject(channelId, batch, reason) {
      const units = unitsOf(channelId, batch.units);
      const [unit] = units;
      if (unit === undefined) return settle(channelId, batch, null);
      const [alert, ...others] = unit.alerts;
      if (units.length > 1 || others.length > 0) {
        const [first, second] = halves(units);
        return void (await begin(channelId, first, [...storedUnits(second), ...lanes.get(channelId).owed]));
      }
      log.error({ event: 'alert.rejected', channel: channelId, wallet: alert.wallet, alert: alert.id, reason });
      await lanes.bury({ alert, reason, atMs: deps.nowMs() });
      await settle(channelId, batch, null);
    },
  };
}

/** Halves of several units, or of the alerts of one. */
function halves(units: readonly Unit[]): readonly [Unit[], Unit[]] {
  const [unit] = units;
  if (units.length !== 1 || unit === undefined) {
    const middle = Math.ceil(units.length / 2);
    return [units.slice(0, middle), units.slice(middle)];
  }
  const middle = Math.ceil(unit.alerts.length / 2);
  const part = (from: number, to?: number): Unit[] => {
    const [first, ...rest] = unit.alerts.slice(from, to);
    return first === undefined ? [] : [{ kind: unit.kind, alerts: [first, ...rest] }];
  };
  return [part(0, middle), part(middle)];
}
