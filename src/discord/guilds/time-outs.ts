import type { Guild } from 'discord.js';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { timedOutUntilMs } from '../permissions.ts';

/** Margin for a difference between Discord's clock and this machine's, in ms. */
const TIME_OUT_MARGIN_MS = 500;
/**
 * Longest wait before checking a time-out again, in ms. A time-out lasts up to four weeks, longer
 * than a timer's maximum, and the clock may be changed in that time.
 */
const TIME_OUT_LOOK_MS = HOUR_MS;

/** Creates the tracker of the bot's time-outs in guilds; Discord sends no event when one ends. */
export function createTimeOuts(
  { nowMs, sleep }: Machine,
  lookAgain: (guild: Guild) => Promise<void>,
) {
  /** Controllers that cancel the wait for the end of a time-out, by guild. */
  const waitings = new Map<string, AbortController>();
  return {
    /** Checks now, and again when the bot's time-out in the guild ends. */
    async follow(guild: Guild): Promise<void> {
      waitings.get(guild.id)?.abort();
      const waiting = new AbortController();
      waitings.set(guild.id, waiting);
      const untilMs = () =>
        guild.members.me === null ? null : timedOutUntilMs(guild.members.me, nowMs());
      await lookAgain(guild);
      for (let endMs = untilMs(); endMs !== null; endMs = untilMs()) {
        await sleep(
          Math.min(endMs - nowMs() + TIME_OUT_MARGIN_MS, TIME_OUT_LOOK_MS),
          waiting.signal,
        );
        if (waiting.signal.aborted) return;
        await lookAgain(guild);
      }
      waitings.delete(guild.id);
    },
    stop(): void {
      for (const waiting of waitings.values()) waiting.abort();
    },
  };
}
