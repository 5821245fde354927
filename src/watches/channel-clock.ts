import { MINUTE_MS } from '../lib/time.ts';
import type { ChannelSettingsStore } from './channel-settings.ts';

/**
 * The venue's clock may go back by so much after a delay was set, ms: each answer sets it anew, and
 * before the first answer this machine's clock counts.
 */
const SLIP_MS = MINUTE_MS;

export type ChannelClock = ReturnType<typeof createChannelClock>;

/**
 * The clocks of channels: the venue's, less a channel's delay. What is decided for a channel goes
 * by its own, and an alert that was seen later does not exist for it yet. A clock never goes back:
 * one with a longer delay stands still until that has passed.
 */
export function createChannelClock({
  channelSettings,
  venueNowMs,
}: {
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  readonly venueNowMs: () => number;
}) {
  const delayOf = (channelId: string) => channelSettings.get(channelId)?.delay ?? null;
  /**
   * The channel's time when the venue's clock shows another.
   *
   * @param atMs epoch ms
   */
  const at = (channelId: string, atMs: number): number => {
    const delay = delayOf(channelId);
    if (delay === null) return atMs;
    const { ms, fromMs } = delay;
    // A time further ahead was set by a clock that was wrong.
    return Math.max(atMs - ms, fromMs > atMs + SLIP_MS ? 0 : fromMs);
  };
  const nowMs = (channelId: string) => at(channelId, venueNowMs());
  return {
    /** True of a channel that hears later. */
    isLater: (channelId: string): boolean => delayOf(channelId) !== null,
    at,
    nowMs,
    /** Time by which the channel's clock is behind at present, ms. */
    lagMs: (channelId: string): number => {
      const venueMs = venueNowMs();
      return venueMs - at(channelId, venueMs);
    },
    /** Time until the channel's clock shows this, ms; not above 0 if it has. */
    untilMs(channelId: string, atMs: number): number {
      const delay = delayOf(channelId);
      if (delay === null || atMs <= nowMs(channelId)) return atMs - nowMs(channelId);
      return atMs + delay.ms - venueNowMs();
    },
  };
}
