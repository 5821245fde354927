import type { Machine } from '../lib/machine.ts';
import type { Failure } from './failures.ts';

/** A ban that does not say how long it lasts is probed for the first time after this; then the pause doubles. */
const PAUSE_FIRST_MS = 60_000;
const PAUSE_LIMIT_MS = 10 * 60_000;
/** No ban is believed to last longer: Cloudflare's are of minutes to an hour. */
const STATED_LIMIT_MS = 60 * 60_000;
/** When a ban is over, those that waited come one after the other, on average this far apart. */
const SPREAD_MS = 100;
const SPREAD_LIMIT_MS = 30_000;

/**
 * The one way to Discord for everything that the bot sends unasked. A ban found by one sender stops all of them.
 * Each request during one of Cloudflare's bans counts towards the next (Discord's docs, topics/rate-limits, "Invalid
 * Request Limit"): after a pause a single request probes, and only when it is answered by Discord do the others follow.
 */
export function createSendGate({ monotonicMs, sleep, random, log }: Machine) {
  /** `pauses`: in a row, the present one included. Null: the gate is open. */
  let ban: { untilMs: number; readonly pauses: number; isProbed: boolean } | null = null;
  let waiting = 0;
  /** Ends all waiting: how long it takes has changed. */
  let changed = new AbortController();
  /** Time over which the senders that waited for the end of the last ban are spread. */
  let spreadMs = 0;

  const callAll = () => {
    changed.abort();
    changed = new AbortController();
  };

  const close = (isProbe: boolean, { reason, pauseMs }: Extract<Failure, { kind: 'banned' }>) => {
    const pauses = ban === null ? 1 : ban.pauses + (isProbe ? 1 : 0);
    const chosenMs = Math.min(PAUSE_LIMIT_MS, PAUSE_FIRST_MS * 2 ** (pauses - 1));
    const delayMs = pauseMs === null ? chosenMs : Math.min(STATED_LIMIT_MS, Math.max(PAUSE_FIRST_MS, pauseMs));
    if (ban === null || isProbe) log.warn({ event: 'discord.banned', delayMs, pauses, reason });
    // Several that were under way may find the same ban.
    const untilMs = Math.max(ban?.untilMs ?? 0, monotonicMs() + delayMs);
    ban = { untilMs, pauses, isProbed: isProbe ? false : (ban?.isProbed ?? false) };
    callAll();
  };

  const open = () => {
    ban = null;
    spreadMs = Math.min(SPREAD_LIMIT_MS, waiting * SPREAD_MS);
    log.info({ event: 'discord.ban_over', waiting, spreadMs });
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
      /** What became of the request; null: Discord has taken it. */
      end(failure: Exclude<Failure, { kind: 'closed' }> | null) {
        if (isDone || (failure?.kind === 'retry' && failure.status === 0)) return release();
        isDone = true;
        if (failure?.kind === 'banned') close(isProbe, failure);
        // What was sent before the ban says nothing of it.
        else if (isProbe) open();
      },
    };
  };

  return {
    /**
     * At once when there is no ban; during one when it is this sender's turn to probe, or the ban is over.
     * @returns permission for one message, which is given back: only the first call counts; null when the signal aborts
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
        await sleep(ban.isProbed ? STATED_LIMIT_MS : leftMs, AbortSignal.any([signal, changed.signal]));
        waiting -= 1;
        if (ban === null) await sleep(random() * spreadMs, signal);
      }
      return signal.aborted ? null : permitOf(false);
    },
  };
}
export type SendGate = ReturnType<typeof createSendGate>;
export type SendPermit = NonNullable<Awaited<ReturnType<SendGate['enter']>>>;
