import type { Machine } from '../lib/machine.ts';
import type { Failure } from './failures.ts';

/**
 * A ban that does not say how long it lasts is probed for the first time after this; then the pause
 * doubles.
 */
const PAUSE_FIRST_MS = 60_000;
const PAUSE_LIMIT_MS = 10 * 60_000;
/** While Discord refuses everything one request in so long finds out whether it still does. */
const OUTAGE_PAUSE_MS = 30_000;
/** No ban is believed to last longer: Cloudflare's are of minutes to an hour. */
const STATED_LIMIT_MS = 60 * 60_000;
/** Mean distance between those that waited for the end of a ban: they come one after the other. */
const SPREAD_MS = 100;
const SPREAD_LIMIT_MS = 30_000;

/** Outcome of a request. `doubted`: it was refused, which need not say anything of its channel. */
type Outcome =
  | Exclude<Failure, { kind: 'closed' }>
  | { readonly kind: 'doubted'; readonly reason: string; readonly isOutage: boolean };

/**
 * The one way to Discord for everything that the bot sends unasked. A ban found by one sender stops
 * all of them, and so does an outage in which Discord refuses everything. Each request during one
 * of Cloudflare's bans counts towards the next (Discord's docs, topics/rate-limits, "Invalid
 * Request Limit"): after a pause a single request probes, and only when it is answered by Discord
 * do the others follow.
 */
export function createSendGate({ monotonicMs, sleep, random, log }: Machine) {
  /**
   * `pauses`: in a row, the present one included; `isOutage`: of Discord's, no ban. Null: the gate
   * is open.
   */
  let ban: {
    untilMs: number;
    readonly pauses: number;
    isProbed: boolean;
    readonly isOutage: boolean;
  } | null = null;
  let waiting = 0;
  /** Ends all waiting: how long it takes has changed. */
  let changed = new AbortController();
  /** Time over which the senders that waited for the end of the last ban are spread. */
  let spreadMs = 0;

  const callAll = () => {
    changed.abort();
    changed = new AbortController();
  };

  /** @param pauses in a row, the next one included */
  const pauseAfter = (
    failure: Extract<Outcome, { kind: 'banned' | 'doubted' }>,
    pauses: number,
  ): number => {
    if (failure.kind === 'doubted') return OUTAGE_PAUSE_MS;
    if (failure.pauseMs !== null) {
      return Math.min(STATED_LIMIT_MS, Math.max(PAUSE_FIRST_MS, failure.pauseMs));
    }
    return Math.min(PAUSE_LIMIT_MS, PAUSE_FIRST_MS * 2 ** (pauses - 1));
  };

  const close = (isProbe: boolean, failure: Extract<Outcome, { kind: 'banned' | 'doubted' }>) => {
    const pauses = ban === null ? 1 : ban.pauses + (isProbe ? 1 : 0);
    const delayMs = pauseAfter(failure, pauses);
    const isOutage = failure.kind === 'doubted' && (isProbe || ban === null || ban.isOutage);
    const found = isOutage ? { event: 'discord.refuses_all' } : { event: 'discord.banned' };
    if (ban === null || isProbe) log.warn({ ...found, delayMs, pauses, reason: failure.reason });
    // Several that were under way may find the same ban.
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
      /** No request was made, or nobody knows what became of it. */
      release,
      /** Takes the outcome of the request; null: Discord has taken it. */
      end(failure: Outcome | null) {
        if (isDone || (failure?.kind === 'retry' && failure.status === 0)) return release();
        isDone = true;
        if (failure?.kind === 'banned') close(isProbe, failure);
        // In an outage a refusal that is doubted says that it goes on; of a ban, that it is over.
        else if (
          failure?.kind === 'doubted' &&
          (failure.isOutage || (isProbe && ban?.isOutage === true))
        ) {
          close(isProbe, failure);
        }
        // A message sent before the ban says nothing of it.
        else if (isProbe) open();
      },
    };
  };

  return {
    /**
     * Lets a sender through at once when there is no ban; during one when it is this sender's turn
     * to probe, or the ban is over.
     * @returns permission for one message, which is given back: only the first call counts; null
     *   when the signal aborts
     */
    async enter(signal: AbortSignal) {
      while (ban !== null && !signal.aborted) {
        const leftMs = ban.untilMs - monotonicMs();
        if (leftMs <= 0 && !ban.isProbed) {
          ban.isProbed = true;
          return permitOf(true);
        }
        // The end of the probe wakes them all.
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
