import { type Dispatcher, request } from 'undici';
import { backOffMs } from '../lib/async/backoff.ts';
import { reasonOf } from '../lib/error.ts';
import { retryAfterMs } from '../lib/http-headers.ts';
import type { Machine } from '../lib/machine.ts';
import { RELEASE } from '../lib/release.ts';
import { bodyOf } from './body.ts';
import { createFailures } from './failures.ts';
import { messageId } from './message-id.ts';
import type { Entry, QueuedAlert, ReceiverQueue } from './receiver-queue.ts';
import type { AlertsOut } from './settings.ts';
import { signed } from './signature.ts';

const TIME_OUT_MS = 15_000;
/** Bytes of a response that are read, so that the connection can be reused. */
const ANSWER_BYTES = 1_024;
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 3_600_000;
/** Time for which an alert is retried, in ms. */
const GIVE_UP_MS = 86_400_000;
/**
 * Maximum number of owners whose new alerts are posted at the same time, and of those whose failed
 * ones are.
 */
const OWNERS_AT_ONCE = 8;
/** Delay before retrying after the store has failed, in ms. */
const STORE_RETRY_MS = 5_000;

/** Status codes by which a receiver rejects a message permanently. */
const REFUSALS: readonly number[] = [400, 413, 422];
const GONE = 410;

/** Outcomes of an attempt. `expired`: it failed, and the alert has then failed for a day. */
export const OUTCOMES = ['taken', 'failed', 'refused', 'expired', 'gone'] as const;
type Outcome = (typeof OUTCOMES)[number];

interface Answer {
  readonly outcome: Exclude<Outcome, 'expired'>;
  readonly reason: string;
  readonly retryAfterMs: number;
}

interface PosterParts {
  readonly settings: AlertsOut;
  readonly queue: ReceiverQueue;
  /** Whether an alert may return to the queue after it was posted. */
  readonly isUnsure: (entry: Entry) => boolean;
  /** Rejects if the store belongs to another process by now. */
  readonly fence: () => Promise<void>;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly signal: AbortSignal;
}

/** Returns the next alert of an owner; undefined if none may be posted now. */
type Next = (ownerId: string) => Entry | undefined;

/** Owners that are served in parallel, one alert of each at a time. */
interface Lane {
  readonly running: Map<string, Promise<void>>;
  /** Owners in the order of their turns; one that has had its turn goes last. */
  readonly turns: Set<string>;
  /** True while others wait; an owner then posts one alert and yields its place. */
  isFull: boolean;
}

function newLane(): Lane {
  return { running: new Map(), turns: new Set(), isFull: false };
}

export type Poster = ReturnType<typeof createPoster>;

/**
 * Posts waiting alerts to the receiver: new ones one after the other in order and, in parallel,
 * failed ones individually, for up to a day. Timestamp and signature are created anew for each
 * attempt.
 */
export function createPoster(machine: Machine, parts: PosterParts) {
  const { log, nowMs, sleep } = machine;
  const { queue, isUnsure, signal } = parts;
  const failures = createFailures(queue);
  const { attempt, isUnderWay, isGone } = createAttempts(machine, { ...parts, failures });
  const lanes = { first: newLane(), again: newLane() };
  let timer: NodeJS.Timeout | undefined;
  let hasStarted = false;

  const isFree = (entry: Entry) => !isUnderWay(entry) && !isUnsure(entry);

  /**
   * Returns the next alert of an owner that has not been tried in this run; alerts behind it wait.
   */
  const untried = (ownerId: string): Entry | undefined => {
    const next = failures.untried(ownerId);
    return next !== undefined && isFree(next) ? next : undefined;
  };
  const due = (ownerId: string): Entry | undefined => failures.due(ownerId, nowMs()).find(isFree);

  /** Posts an alert of an owner, and those behind it unless other owners wait for their turn. */
  const work = async (lane: Lane, ownerId: string, first: Entry, next: Next): Promise<void> => {
    let entry: Entry | undefined = first;
    while (entry !== undefined) {
      try {
        await attempt(ownerId, entry);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ event: 'alerts_out.not_stored', guild: ownerId, err: error });
        await sleep(STORE_RETRY_MS, signal);
      }
      const goesOn = !lane.isFull && !isGone() && !signal.aborted;
      entry = goesOn ? next(ownerId) : undefined;
    }
  };

  const fill = (lane: Lane, next: Next): void => {
    const { running, turns } = lane;
    const owners = new Set(queue.owners());
    for (const ownerId of owners) turns.add(ownerId);
    lane.isFull = false;
    for (const ownerId of [...turns]) {
      if (!owners.has(ownerId)) turns.delete(ownerId);
      const first = running.has(ownerId) ? undefined : next(ownerId);
      if (first === undefined) continue;
      lane.isFull = running.size >= OWNERS_AT_ONCE;
      if (lane.isFull) return;
      turns.delete(ownerId);
      turns.add(ownerId);
      const done = work(lane, ownerId, first, next).finally(() => {
        running.delete(ownerId);
        look();
      });
      running.set(ownerId, done);
    }
  };

  const look = (): void => {
    if (!hasStarted || isGone() || signal.aborted) return;
    fill(lanes.first, untried);
    fill(lanes.again, due);
    clearTimeout(timer);
    const waitMs = failures.nextMs() - nowMs();
    if (waitMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(look, Math.max(100, Math.min(LAST_RETRY_MS, waitMs))).unref();
  };

  return {
    /** Begins to post. */
    start(): void {
      hasStarted = true;
      look();
    },
    /** Checks for alerts that may be posted. */
    look,
    /** True once the receiver has reported that it is gone. */
    isGone,
    /** Resolves once nothing is posted any more, after the signal. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      await Promise.all([...lanes.first.running.values(), ...lanes.again.running.values()]);
    },
  };
}

/** Makes attempts, and records which have failed and when each is retried. */
function createAttempts(
  machine: Machine,
  parts: PosterParts & { readonly failures: ReturnType<typeof createFailures> },
) {
  const { log, nowMs, random, onFailpoint } = machine;
  const { settings, queue, failures, fence, onOutcome, signal } = parts;
  /** Keys of alerts with a request in progress. */
  const underWay = new Set<string>();
  let isGone = false;
  let isFailing = false;

  const take = async (ownerId: string, entry: Entry, outcome: Outcome): Promise<void> => {
    await queue.remove(ownerId, entry);
    failures.delete(ownerId, entry);
    onOutcome(outcome);
  };

  const fail = async (ownerId: string, entry: Entry, answer: Answer): Promise<void> => {
    const before = failures.of(ownerId, entry);
    const now = nowMs();
    const sinceMs = Math.min(before?.sinceMs ?? entry.failedAtMs ?? now, now);
    if (now - sinceMs >= GIVE_UP_MS) {
      log.warn({ event: 'alerts_out.expired', guild: ownerId, reason: answer.reason });
      return take(ownerId, entry, 'expired');
    }
    const attempts = (before?.attempts ?? 0) + 1;
    const waitMs = backOffMs(attempts - 1, FIRST_RETRY_MS, LAST_RETRY_MS, random);
    const nextMs = now + Math.max(waitMs, Math.min(answer.retryAfterMs, GIVE_UP_MS));
    failures.set(ownerId, entry, { attempts, sinceMs, nextMs });
    onOutcome('failed');
    const advice = 'Check ALERTS_URL and its receiver; what fails is tried again for a day.';
    if (!isFailing) log.warn({ event: 'alerts_out.failing', reason: answer.reason, advice });
    isFailing = true;
    if (entry.failedAtMs === undefined) await queue.noteFailed(ownerId, entry, sinceMs);
  };

  /** Logs and empties the queue only once, because other requests in progress report the same. */
  const end = async (): Promise<void> => {
    onOutcome('gone');
    if (isGone) return;
    isGone = true;
    const advice = 'Nothing more is posted until the next start.';
    log.error({ event: 'alerts_out.gone', reason: 'The receiver answered 410.', advice });
    for (const ownerId of queue.owners()) await queue.forget({ ownerId });
  };

  const settle = async (ownerId: string, entry: Entry, answer: Answer): Promise<void> => {
    const { outcome, reason } = answer;
    if (outcome === 'failed') return fail(ownerId, entry, answer);
    if (outcome === 'gone') return end();
    if (isFailing) log.info({ event: 'alerts_out.taken_again' });
    isFailing = false;
    if (outcome === 'refused') {
      log.warn({ event: 'alerts_out.refused', guild: ownerId, wallet: entry.wallet, reason });
    }
    if (outcome === 'taken') onFailpoint('room.posted');
    await take(ownerId, entry, outcome);
  };

  const attempt = async (ownerId: string, entry: Entry): Promise<void> => {
    underWay.add(entry.key);
    try {
      const alert = await queue.get(ownerId, entry);
      if (alert === undefined) {
        // It was deleted or cannot be read.
        await queue.remove(ownerId, entry);
        return;
      }
      await fence();
      const answer = await post(machine, settings, alert, signal);
      // A process that is stopping learns nothing about the receiver.
      if (!signal.aborted) await settle(ownerId, entry, answer);
    } finally {
      underWay.delete(entry.key);
    }
  };

  return {
    attempt,
    isUnderWay: ({ key }: Entry) => underWay.has(key),
    isGone: () => isGone,
  };
}

/** Posts an alert once. Never rejects. */
async function post(
  machine: Machine,
  { url, keys }: AlertsOut,
  alert: QueuedAlert,
  signal: AbortSignal,
): Promise<Answer> {
  const body = JSON.stringify(bodyOf(alert));
  const nowMs = machine.nowMs();
  const late = new AbortController();
  const ended = new AbortController();
  void machine.sleep(TIME_OUT_MS, ended.signal).then(() => {
    // Undici discards the connection of an aborted request even if it has ended.
    if (ended.signal.aborted) return;
    late.abort(new Error(`It has not answered within ${TIME_OUT_MS / 1000} s.`));
  });
  try {
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `walletbell/${RELEASE.version}`,
        ...signed(messageId(alert), body, keys, nowMs),
      },
      body,
      signal: AbortSignal.any([signal, late.signal]),
    });
    await readLittle(answer);
    const reason = `It answered ${statusCode}.`;
    return {
      outcome: outcomeOf(statusCode),
      reason,
      retryAfterMs: retryAfterMs(headers['retry-after'], nowMs) ?? 0,
    };
  } catch (error) {
    // Without the fields that undici adds, because they may contain the address.
    return { outcome: 'failed', reason: reasonOf(error), retryAfterMs: 0 };
  } finally {
    ended.abort();
  }
}

function outcomeOf(status: number): Answer['outcome'] {
  if (status >= 200 && status < 300) return 'taken';
  if (status === GONE) return 'gone';
  return REFUSALS.includes(status) ? 'refused' : 'failed';
}

/** Reads the beginning of a response, and aborts a longer one. */
async function readLittle(answer: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += (chunk as Buffer).length;
      if (bytes > ANSWER_BYTES) break;
    }
  } catch {
    // The status is sufficient.
  }
}
