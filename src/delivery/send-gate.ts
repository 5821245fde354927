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

/** Permission to send one message. It is given back by `end` or `release`; only the first call counts. */
export interface SendPermit {
  /** What became of the request; null: Discord has taken it. */
  end(failure: Failure | null): void;
  /** No request was made, or nobody knows what became of it. */
  release(): void;
}

interface Ban {
  untilMs: number;
  /** Pauses in a row, the present one included. */
  pauses: number;
  isProbed: boolean;
}

type Call = { readonly kind: 'probe' } | { readonly kind: 'free'; readonly delayMs: number } | { readonly kind: 'end' };

/**
 * The one way to Discord for everything that the bot sends unasked. A ban found by one sender stops all of them.
 * Each request during one of Cloudflare's bans counts towards the next (Discord's docs, topics/rate-limits, "Invalid
 * Request Limit"): after a pause a single request probes, and only when it is answered by Discord do the others follow.
 */
export function createSendGate({ monotonicMs, sleep, random, log }: Machine) {
  /** null: the gate is open. */
  let ban: Ban | null = null;
  let alarm: AbortController | null = null;
  const waiting = new Set<(call: Call) => void>();

  const callProbe = () => {
    if (ban === null || ban.isProbed || alarm !== null || waiting.size === 0) return;
    const own = new AbortController();
    alarm = own;
    void sleep(Math.max(0, ban.untilMs - monotonicMs()), own.signal).then(() => {
      if (alarm !== own) return;
      alarm = null;
      const [first] = waiting;
      if (ban === null || first === undefined) return;
      // Another answer has made it longer, or the timer was early.
      if (monotonicMs() < ban.untilMs) return callProbe();
      ban.isProbed = true;
      waiting.delete(first);
      first({ kind: 'probe' });
    });
  };

  const endAlarm = () => {
    alarm?.abort();
    alarm = null;
  };

  const close = (isProbe: boolean, { reason, pauseMs }: Extract<Failure, { kind: 'banned' }>) => {
    const pauses = ban === null ? 1 : ban.pauses + (isProbe ? 1 : 0);
    const chosenMs = Math.min(PAUSE_LIMIT_MS, PAUSE_FIRST_MS * 2 ** (pauses - 1));
    const delayMs = pauseMs === null ? chosenMs : Math.min(STATED_LIMIT_MS, Math.max(PAUSE_FIRST_MS, pauseMs));
    if (ban === null || isProbe) log.warn({ event: 'discord.banned', delayMs, pauses, reason });
    // Several that were under way may find the same ban.
    const untilMs = Math.max(ban?.untilMs ?? 0, monotonicMs() + delayMs);
    ban = { untilMs, pauses, isProbed: isProbe ? false : (ban?.isProbed ?? false) };
    callProbe();
  };

  const open = () => {
    ban = null;
    endAlarm();
    const freed = [...waiting];
    waiting.clear();
    const spreadMs = Math.min(SPREAD_LIMIT_MS, freed.length * SPREAD_MS);
    log.info({ event: 'discord.ban_over', waiting: freed.length, spreadMs });
    for (const call of freed) call({ kind: 'free', delayMs: random() * spreadMs });
  };

  const permitOf = (isProbe: boolean): SendPermit => {
    let isDone = false;
    const release = () => {
      if (isDone) return;
      isDone = true;
      if (!isProbe || ban === null) return;
      ban.isProbed = false;
      callProbe();
    };
    return {
      release,
      end(failure) {
        const hasAnswered = failure?.kind !== 'retry' || failure.status > 0;
        if (isDone || !hasAnswered) return release();
        isDone = true;
        if (failure?.kind === 'banned') close(isProbe, failure);
        // What was sent before the ban says nothing of it.
        else if (isProbe) open();
      },
    };
  };

  const wait = (signal: AbortSignal) =>
    new Promise<Call>((resolve) => {
      const call = (what: Call) => {
        signal.removeEventListener('abort', giveUp);
        resolve(what);
      };
      const giveUp = () => {
        waiting.delete(call);
        if (waiting.size === 0) endAlarm();
        resolve({ kind: 'end' });
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(call);
      callProbe();
    });

  return {
    /** At once when there is no ban; during one when it is this sender's turn to probe, or the ban is over. @returns null when the signal aborts */
    async enter(signal: AbortSignal): Promise<SendPermit | null> {
      while (ban !== null && !signal.aborted) {
        const call = await wait(signal);
        if (call.kind === 'probe') return permitOf(true);
        if (call.kind === 'free') await sleep(call.delayMs, signal);
      }
      return signal.aborted ? null : permitOf(false);
    },
  };
}
export type SendGate = ReturnType<typeof createSendGate>;
