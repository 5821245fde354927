import type { Guild } from 'discord.js';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { timedOutUntilMs } from '../permissions.ts';

/** Discord's clock and this machine's may differ. */
const TIME_OUT_MARGIN_MS = 500;
/**
 * A time-out is at most four weeks, longer than a timer takes; and the clock may be set meanwhile.
 */
const TIME_OUT_LOOK_MS = HOUR_MS;

/** Time-outs of the bot in guilds, of whose end Discord sends no event. */
export function createTimeOuts(
  { nowMs, sleep }: Pick<Machine, 'nowMs' | 'sleep'>,
  lookAgain: (guild: Guild) => Promise<void>,
) {
  /** Ends, by guild, the waiting for the end of a time-out. */
  const waitings = new Map<string, AbortController>();
  return {
    /** Looks now, and again when the bot's time-out in the guild ends. */
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
