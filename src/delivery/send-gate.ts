import type { Machine } from '../lib/machine.ts';
import type { Failure } from './failures.ts';

/**
 * Delay before the first probe of a ban of unknown length, in ms. It doubles with each further
 * pause.
 */
const PAUSE_FIRST_MS = 60_000;
const PAUSE_LIMIT_MS = 10 * 60_000;
/** Interval at which a single request checks whether Discord still rejects everything, in ms. */
const OUTAGE_PAUSE_MS = 30_000;
/** Longest ban that is respected, in ms. Cloudflare's last from minutes to an hour. */
const STATED_LIMIT_MS = 60 * 60_000;
/**
 * Mean interval between senders that waited for the end of a ban, in ms, so that they start one
 * after another.
 */
const SPREAD_MS = 100;
const SPREAD_LIMIT_MS = 30_000;

/** Outcome of a request. `suspected`: it was rejected, but possibly not because of its channel. */
type Outcome =
  | Exclude<Failure, { kind: 'closed' }>
  | { readonly kind: 'suspected'; readonly reason: string; readonly isOutage: boolean };

type Closing = Extract<Outcome, { kind: 'banned' | 'suspected' }>;

/**
 * Creates the gate through which the bot sends everything that is not an answer to a command. A ban
 * found by one sender stops all of them, and so does an outage in which Discord rejects everything.
 * Each request during one of Cloudflare's bans counts towards the next (Discord's docs,
 * topics/rate-limits, "Invalid Request Limit"). After a pause, a single request probes, and only
 * when Discord answers it do the others continue.
 */
export function createSendGate({ monotonicMs, sleep, random, log }: Machine) {
  /**
   * `pauses`: number in a row, including the current one; `isOutage`: an outage of Discord, not a
   * ban. Null if the gate is open.
   */
  let ban: {
    untilMs: number;
    readonly pauses: number;
    isProbed: boolean;
    readonly isOutage: boolean;
  } | null = null;
  let waiting = 0;
  /** Ends all waiting, because its duration has changed. */
  let changed = new AbortController();
  /** Time over which the senders that waited for the end of the last ban are spread, in ms. */
  let spreadMs = 0;

  const callAll = () => {
    changed.abort();
    changed = new AbortController();
  };

  /** @param pauses number in a row, including the next one */
  const pauseAfter = (failure: Closing, pauses: number): number => {
    if (failure.kind === 'suspected') return OUTAGE_PAUSE_MS;
    if (failure.pauseMs !== null) {
      return Math.min(STATED_LIMIT_MS, Math.max(PAUSE_FIRST_MS, failure.pauseMs));
    }
    return Math.min(PAUSE_LIMIT_MS, PAUSE_FIRST_MS * 2 ** (pauses - 1));
  };

  const close = (isProbe: boolean, failure: Closing) => {
    const pauses = ban === null ? 1 : ban.pauses + (isProbe ? 1 : 0);
    const delayMs = pauseAfter(failure, pauses);
    const isOutage = failure.kind === 'suspected' && (isProbe || ban === null || ban.isOutage);
    const found = isOutage ? { event: 'discord.refuses_all' } : { event: 'discord.banned' };
    if (ban === null || isProbe) log.warn({ ...found, delayMs, pauses, reason: failure.reason });
    // Several requests in progress may find the same ban.
    const untilMs = Math.max(ban?.untilMs ?? 0, monotonicMs() + delayMs);
    ban = {
      untilMs,
      pauses,
      isProbed: isProbe ? false : (ban?.isProbed ?? false),
      isOutage,
    };
    callAll();
  };

  const open = () => {
    const found =
      ban?.isOutage === true ? { event: 'discord.takes_again' } : { event: 'discord.ban_over' };
    ban = null;
    spreadMs = Math.min(SPREAD_LIMIT_MS, waiting * SPREAD_MS);
    log.info({ ...found, waiting, spreadMs });
    callAll();
  };

  const permitOf = (isProbe: boolean) => {
    let isDone = false;
    const release = () => {
      if (!isDone && isProbe && ban !== null) {
        ban.isProbed = false;
        callAll();
      }
      isDone = true;
    };
    return {
      /** No request was made, or its outcome is unknown. */
      release,
      /** Records the outcome of the request; null if Discord accepted it. */
      end(failure: Outcome | null) {
        if (isDone || (failure?.kind === 'retry' && failure.status === 0)) return release();
        isDone = true;
        if (failure?.kind === 'banned') close(isProbe, failure);
        // During an outage, a suspected rejection means that it continues; during a ban, that the
        // ban is over.
        else if (
          failure?.kind === 'suspected' &&
          (failure.isOutage || (isProbe && ban?.isOutage === true))
        ) {
          close(isProbe, failure);
        }
        // A message sent before the ban says nothing about it.
        else if (isProbe) open();
      },
    };
  };

  return {
    /**
     * Lets a sender through at once if there is no ban. During one, waits until it is this sender's
     * turn to probe or the ban is over.
     * @returns permission for one message, which must be given back (only the first call counts);
     *   null if the signal is aborted
     */
    async enter(signal: AbortSignal) {
      while (ban !== null && !signal.aborted) {
        const leftMs = ban.untilMs - monotonicMs();
        if (leftMs <= 0 && !ban.isProbed) {
          ban.isProbed = true;
          return permitOf(true);
        }
        // The end of the probe wakes all senders.
        waiting += 1;
        await sleep(
          ban.isProbed ? STATED_LIMIT_MS : leftMs,
          AbortSignal.any([signal, changed.signal]),
        );
        waiting -= 1;
        if (ban === null) await sleep(random() * spreadMs, signal);
      }
      return signal.aborted ? null : permitOf(false);
    },
  };
}
export type SendGate = ReturnType<typeof createSendGate>;
export type SendPermit = NonNullable<Awaited<ReturnType<SendGate['enter']>>>;
