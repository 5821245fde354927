import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { classifyFailure, type Failure } from '../delivery/failures.ts';
import type { SendGate, SendPermit } from '../delivery/send-gate.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import type { Registry } from '../watches/registry.ts';
import type { DigestMessage } from './compose.ts';
import type { Digest, DigestDocuments, UnderWay } from './documents.ts';
import { countDue, lastDue } from './schedule.ts';
import { createZone, type Zone } from './zone.ts';

const MINUTE_MS = 60_000;
/** Wallets are looked at once more after a digest is due, but not waited for longer than this. */
const READ_WAIT_MS = 3 * MINUTE_MS;
const READ_LOOK_MS = 1_000;
/** Discord checks a nonce "in the past few minutes"; this much of it is relied upon before the history is read. */
const NONCE_TRUST_MS = MINUTE_MS;
const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = MINUTE_MS;
const BLOCK_RECHECK_MS = 15 * MINUTE_MS;
/** A clock that was this far ahead was plainly wrong. */
const CLOCK_LIMIT_MS = 3 * 3_600_000;
/** Digests that are made at the same time: pictures and Discord's answers take their while. */
const AT_ONCE = 4;

export interface OutgoingDigest {
  readonly message: DigestMessage;
  readonly nonce: string;
}

export interface DigestRunnerDeps {
  readonly documents: DigestDocuments;
  readonly registry: Pick<Registry, 'ofChannel'>;
  /** What the digest of a channel says that is under way. */
  readonly compose: (digest: Digest, underWay: UnderWay, zone: Zone, reference: string) => Promise<DigestMessage>;
  /** Whether all wallets of the channel have been read since, by the venue's clock, epoch milliseconds. */
  readonly isRead: (channelId: string, sinceMs: number) => boolean;
  /** @returns the message's id; rejects with discord.js's error */
  readonly send: (channelId: string, digest: OutgoingDigest) => Promise<string>;
  /** As the courier's: null if it cannot be known. */
  readonly findReferences: (
    channelId: string,
    references: readonly string[],
    sinceMs: number,
  ) => Promise<ReadonlySet<string> | null>;
  /** The courier's. */
  readonly gate: SendGate;
  readonly nowMs: () => number;
  /** Resolves also when the signal aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly log: Logger;
  /** Discord refuses the bot altogether. */
  readonly onRefused: (reason: string) => void;
  readonly onFailpoint: OnFailpoint;
}

/** Sends each room its digest: once for each time that it is due, the latest alone after several were missed. */
export interface DigestRunner {
  start(): void;
  /** Lets what is under way end and begins no other. */
  stop(): Promise<void>;
  readonly documents: DigestDocuments;
  /** Something has changed that matters for the channel's digest: looks at once. */
  reconsider(channelId: string): void;
  /** Something has changed that may let a channel be written again that could not be, or is about to be found so. */
  unblock(channelId: string): void;
  /** Why the channel's digest cannot be sent at present; null if it can, as far as is known. */
  trouble(channelId: string): string | null;
}

/** What stands in the way of a digest that may be sent later. */
type Undelivered = Exclude<Failure, { kind: 'delivered' | 'rejected' }>;

/** The channel's history may be read, but not at present. */
class HistoryUnread extends Error {
  readonly failure: Undelivered;
  constructor(failure: Undelivered) {
    super(failure.reason);
    this.name = 'HistoryUnread';
    this.failure = failure;
  }
}

interface Delay {
  readonly attempt: number;
  readonly untilMs: number;
  /** Why the channel cannot be written; null if it is something else. */
  readonly blocked: string | null;
}

/** A digest that is being sent. */
interface Sending {
  /** Whether somebody may have put its channel right since. */
  isRepaired: boolean;
}

export function createDigestRunner(deps: DigestRunnerDeps): DigestRunner {
  const { documents, registry, nowMs, log } = deps;
  const stopping = new AbortController();
  const delays = new Map<string, Delay>();
  const zones = new Map<string, Zone>();
  /** Channels whose wallets are still being looked at. */
  const waiting = new Set<string>();
  /** By channel. */
  const sending = new Map<string, Sending>();
  let alarm = new AbortController();
  let startedAtMs = 0;
  let running: Promise<void> | undefined;

  const zoneOf = (timeZone: string): Zone => {
    const zone = zones.get(timeZone) ?? createZone(timeZone);
    zones.set(timeZone, zone);
    return zone;
  };

  /** Nothing is left to do about what was due. @param toldMs where the next one goes on: here, or where this one began */
  const markDone = (channelId: string, dueMs: number, toldMs = dueMs) =>
    documents.change(channelId, (before) => {
      if (before === undefined) return undefined;
      const coveredMs = Math.max(before.coveredMs ?? toldMs, toldMs);
      return { ...before, doneUntilMs: Math.max(before.doneUntilMs, dueMs), coveredMs, underWay: null };
    });

  /** Whether a digest that may have been sent is in the channel. */
  const hasArrived = async (channelId: string, { dueMs, startedAtMs: sinceMs }: UnderWay): Promise<boolean> => {
    const reference = digestReference(channelId, dueMs);
    const found = await deps.findReferences(channelId, [reference], sinceMs).catch((error: unknown) => {
      const failure = classifyFailure(error);
      if (failure.kind === 'delivered' || failure.kind === 'rejected') return null;
      throw new HistoryUnread(failure);
    });
    if (found?.has(reference) === true) log.info({ event: 'digest.found', channel: channelId });
    if (found !== null) return found.has(reference);
    log.warn({ event: 'message.repeated_unchecked', channel: channelId });
    return false;
  };

  /** What is to be sent now, stored as under way; null if nothing is. */
  const prepare = async (channelId: string): Promise<UnderWay | null> => {
    const digest = documents.get(channelId);
    if (digest === undefined || digest.offSinceMs !== null) return null;
    const now = nowMs();
    if (digest.doneUntilMs > now + CLOCK_LIMIT_MS) {
      await documents.change(
        channelId,
        (before) =>
          before && {
            ...before,
            doneUntilMs: now,
            coveredMs: before.coveredMs === null ? null : Math.min(before.coveredMs, now),
            underWay: null,
          },
      );
      return null;
    }
    const zone = zoneOf(digest.schedule.timeZone);
    const dueMs = lastDue(digest.schedule, zone, now);
    if (dueMs <= digest.doneUntilMs) return null;
    if (registry.ofChannel(channelId).length === 0) {
      await markDone(channelId, dueMs);
      return null;
    }
    const { underWay } = digest;
    if (underWay !== null && underWay.dueMs !== dueMs) {
      // The next one is due meanwhile. Whether this one counts as missed depends on what became of it.
      const isThere = await hasArrived(channelId, underWay);
      if (isThere) await markDone(channelId, underWay.dueMs);
      else await documents.change(channelId, (before) => before && { ...before, underWay: null });
      return prepare(channelId);
    }
    const readUntilMs = Math.max(dueMs, startedAtMs) + READ_WAIT_MS;
    if (now < readUntilMs && !deps.isRead(channelId, dueMs)) {
      waiting.add(channelId);
      return null;
    }
    if (underWay !== null) {
      const sinceFirstMs = now - underWay.startedAtMs;
      const isNonceTrusted = sinceFirstMs >= 0 && sinceFirstMs <= NONCE_TRUST_MS;
      if (!isNonceTrusted && (await hasArrived(channelId, underWay))) {
        await markDone(channelId, dueMs);
        return null;
      }
      return underWay;
    }
    const begun: UnderWay = {
      dueMs,
      fromMs: beginningMs(digest, zone, dueMs),
      startedAtMs: now,
      missed: countDue(digest.schedule, zone, digest.doneUntilMs, dueMs),
      wasAway: dueMs < startedAtMs,
    };
    await documents.change(channelId, (before) => before && { ...before, underWay: begun });
    deps.onFailpoint('digest.stored');
    return begun;
  };

  const process = async (channelId: string): Promise<void> => {
    waiting.delete(channelId);
    if ((delays.get(channelId)?.untilMs ?? 0) > nowMs()) return;
    // Before anything is decided: the first attempt is not dated too early.
    const permit = await deps.gate.enter(stopping.signal);
    if (permit === null) return;
    const state = { isRepaired: false };
    sending.set(channelId, state);
    try {
      await sendDue(channelId, permit, state);
    } catch (error) {
      if (!(error instanceof HistoryUnread)) throw error;
      permit.end(error.failure);
      await scheduleRetry(channelId, error.failure, state);
    } finally {
      permit.release();
      sending.delete(channelId);
    }
  };

  const sendDue = async (channelId: string, permit: SendPermit, state: Sending): Promise<void> => {
    const underWay = await prepare(channelId);
    const digest = documents.get(channelId);
    if (underWay === null || digest === undefined) return void delays.delete(channelId);
    if (stopping.signal.aborted) return;
    const { dueMs } = underWay;
    const reference = digestReference(channelId, dueMs);
    const message = await deps.compose(digest, underWay, zoneOf(digest.schedule.timeZone), reference);
    const failure = await attempt(channelId, { message, nonce: digestNonce(channelId, dueMs) });
    permit.end(failure);
    if (failure === null) {
      delays.delete(channelId);
      await markDone(channelId, dueMs);
    } else if (failure.kind === 'rejected') {
      delays.delete(channelId);
      log.error({ event: 'digest.rejected', channel: channelId, reason: failure.reason });
      await markDone(channelId, dueMs, underWay.fromMs);
    } else await scheduleRetry(channelId, failure, state);
  };

  const attempt = async (
    channelId: string,
    digest: OutgoingDigest,
  ): Promise<Exclude<Failure, { kind: 'delivered' }> | null> => {
    try {
      const messageId = await deps.send(channelId, digest);
      deps.onFailpoint('digest.answered');
      log.info({ event: 'digest.sent', channel: channelId, messageId });
      return null;
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure.kind === 'delivered') return null;
      const { plain } = digest.message;
      if (digest.message.picture === null || !mayBePicture(failure)) return failure;
      return attempt(channelId, { ...digest, message: { embed: plain, plain, picture: null } });
    }
  };

  const scheduleRetry = async (channelId: string, failure: Undelivered, { isRepaired }: Sending) => {
    const { attempt: attempts = 0, blocked = null } = delays.get(channelId) ?? {};
    const { reason } = failure;
    const wait = (delayMs: number, why: string | null) =>
      delays.set(channelId, { attempt: attempts + 1, untilMs: nowMs() + delayMs, blocked: why });
    switch (failure.kind) {
      case 'banned':
        // The gate knows when it goes on.
        return void delays.set(channelId, { attempt: 0, untilMs: nowMs(), blocked: null });
      case 'retry': {
        const delayMs = Math.min(RETRY_LIMIT_MS, RETRY_FIRST_MS * 2 ** attempts) * (0.5 + deps.random() / 2);
        wait(delayMs, null);
        log.warn({
          event: 'digest.retry',
          channel: channelId,
          attempt: attempts + 1,
          delayMs: Math.round(delayMs),
          reason,
        });
        return;
      }
      case 'refused':
        stopping.abort();
        return deps.onRefused(reason);
      case 'blocked':
        if (blocked !== reason) log.warn({ event: 'digest.blocked', channel: channelId, reason, gone: failure.gone });
        // What Discord said may be out of date when it has been put right since: it is asked once more.
        if (!failure.gone) return void wait(isRepaired ? 0 : BLOCK_RECHECK_MS, reason);
        delays.delete(channelId);
        return documents.change(channelId, () => undefined);
    }
  };

  const round = async () => {
    const channelIds = documents.all().map(({ channelId }) => channelId);
    for (const channelId of [...delays.keys(), ...waiting]) {
      if (documents.get(channelId) !== undefined) continue;
      delays.delete(channelId);
      waiting.delete(channelId);
    }
    for (let index = 0; index < channelIds.length && !stopping.signal.aborted; index += AT_ONCE) {
      const together = channelIds.slice(index, index + AT_ONCE).map((channelId) =>
        process(channelId).catch((error: unknown) => {
          log.error({ event: 'digest.failed', channel: channelId, err: error });
          const { attempt: attempts = 0 } = delays.get(channelId) ?? {};
          const delayMs = Math.min(RETRY_LIMIT_MS, RETRY_FIRST_MS * 2 ** attempts);
          delays.set(channelId, { attempt: attempts + 1, untilMs: nowMs() + delayMs, blocked: null });
        }),
      );
      await Promise.all(together);
    }
  };

  /** At the next full minute, or sooner if something is to be tried again. The clock may be set in between. */
  const msToNextLook = () => {
    const now = nowMs();
    const untilMs = Math.min(
      now - (now % MINUTE_MS) + MINUTE_MS,
      ...[...delays.values()].map((delay) => Math.max(delay.untilMs, now + READ_LOOK_MS)),
      ...(waiting.size > 0 ? [now + READ_LOOK_MS] : []),
    );
    return untilMs - now;
  };

  const reconsider = (channelId: string) => {
    delays.delete(channelId);
    alarm.abort();
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      alarm = new AbortController();
      const { signal } = alarm;
      await round();
      if (!stopping.signal.aborted) await deps.sleep(msToNextLook(), signal);
    }
  };

  return {
    documents,
    start() {
      startedAtMs = nowMs();
      running = run();
    },
    async stop() {
      stopping.abort();
      alarm.abort();
      await running;
    },
    reconsider,
    unblock(channelId) {
      const state = sending.get(channelId);
      if (state !== undefined) state.isRepaired = true;
      else if ((delays.get(channelId)?.blocked ?? null) !== null) reconsider(channelId);
    },
    trouble: (channelId) => delays.get(channelId)?.blocked ?? null,
  };
}

/**
 * Where the time of a digest begins, epoch milliseconds: where that of the last one ended that came, however the schedule
 * has changed since, and however many never came. Of the first one, a day or a week before it was due.
 */
function beginningMs({ schedule, coveredMs, doneUntilMs }: Digest, zone: Zone, dueMs: number): number {
  const toldMs = coveredMs ?? lastDue(schedule, zone, doneUntilMs);
  return toldMs < dueMs ? toldMs : lastDue(schedule, zone, dueMs - 1);
}

/**
 * Whether a message with a picture may be taken without it: the permission is missing, or what stands in between does not
 * let files through.
 */
function mayBePicture(failure: Failure): boolean {
  if (failure.kind === 'retry')
    return failure.status >= 400 && failure.status < 500 && ![408, 429].includes(failure.status);
  return failure.kind === 'rejected' || (failure.kind === 'blocked' && !failure.gone);
}

/** The same for the same digest whenever it is made: eight characters, as the references of alerts. */
function digestReference(channelId: string, dueMs: number): string {
  const bytes = digestHash(channelId, dueMs).subarray(0, 8);
  return Array.from(bytes, (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte & 31)).join('');
}

/** At most 25 characters, Discord's limit. */
function digestNonce(channelId: string, dueMs: number): string {
  return digestHash(channelId, dueMs).toString('base64url').slice(0, 24);
}

function digestHash(channelId: string, dueMs: number): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(['digest', channelId, dueMs]))
    .digest();
}
