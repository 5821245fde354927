import { MINUTE_MS } from '../lib/time.ts';
import type { ChannelSettingsStore } from './channel-settings.ts';

/**
 * Maximum step by which the venue's clock may go back after a delay was set, in ms. Each response
 * sets that clock anew, and this machine's clock is used before the first response.
 */
const SLIP_MS = MINUTE_MS;

export type ChannelClock = ReturnType<typeof createChannelClock>;

/**
 * The clocks of channels: the venue's clock minus the channel's delay. Decisions for a channel use
 * its own clock, so an alert later than that time does not exist for it yet. A channel's clock
 * never goes back: when the delay grows, it stops until the difference has passed.
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
   * Converts a time of the venue's clock to the channel's clock.
   *
   * @param atMs epoch ms
   */
  const at = (channelId: string, atMs: number): number => {
    const delay = delayOf(channelId);
    if (delay === null) return atMs;
    const { ms, fromMs } = delay;
    // A time further ahead was set by a wrong clock.
    return Math.max(atMs - ms, fromMs > atMs + SLIP_MS ? 0 : fromMs);
  };
  const nowMs = (channelId: string) => at(channelId, venueNowMs());
  return {
    /** Whether the channel is delayed. */
    isLater: (channelId: string): boolean => delayOf(channelId) !== null,
    at,
    nowMs,
    /** Delay of the channel's clock at present, in ms. */
    lagMs: (channelId: string): number => {
      const venueMs = venueNowMs();
      return venueMs - at(channelId, venueMs);
    },
    /** Time until the channel's clock reaches `atMs`, in ms; 0 or less if it already has. */
    untilMs(channelId: string, atMs: number): number {
      const delay = delayOf(channelId);
      if (delay === null || atMs <= nowMs(channelId)) return atMs - nowMs(channelId);
      return atMs + delay.ms - venueNowMs();
    },
  };
}
