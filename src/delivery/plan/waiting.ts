import type { Outbox } from '../../alerts/outbox.ts';

/**
 * How many alerts wait for channels, and for how long the oldest has, seconds by the venue's clock; 0 if none waits.
 *
 * @param venueNowMs epoch ms
 */
export function waitingFor(outbox: Pick<Outbox, 'pending'>, channelIds: readonly string[], venueNowMs: number) {
  const pending = channelIds.map((channelId) => outbox.pending(channelId));
  const oldestMs = Math.min(...pending.map(([oldest]) => oldest?.seenAtMs ?? Number.POSITIVE_INFINITY));
  return {
    alerts: pending.reduce((sum, { length }) => sum + length, 0),
    oldestSeconds: Number.isFinite(oldestMs) ? Math.max(0, (venueNowMs - oldestMs) / 1000) : 0,
  };
}
