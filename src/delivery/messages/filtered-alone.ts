import type { Alert } from '../../alerts/alert.ts';
import { NO_COOLDOWNS } from '../plan/cooldowns.ts';
import { type Dropped, GROUPING_WINDOW_MS, plan } from '../plan/plan.ts';
import type { createWishes } from './wishes.ts';

/**
 * Creates a function that assesses alerts of a channel as if they were alone, had been seen long
 * enough ago that none has to wait, and nothing had been sent before, so that no cooldown is
 * active. It returns the rejected alerts, with reasons.
 * @param isUnannounced whether the channel has received no alert about a trade's position, although
 *   the wallet opened it while it was watched there
 */
export function createFilteredAlone(
  { settingsIn, leftOutOf }: ReturnType<typeof createWishes>,
  isUnannounced: (alert: Alert) => boolean,
): (channelId: string, alerts: readonly Alert[]) => readonly Dropped[] {
  return (channelId, alerts) => {
    const nowMs = Math.max(0, ...alerts.map(({ seenAtMs }) => seenAtMs)) + GROUPING_WINDOW_MS;
    return plan(alerts, {
      nowMs,
      settingsOf: settingsIn(channelId),
      polledAtMs: () => nowMs,
      isUnannounced,
      cooldowns: NO_COOLDOWNS,
      announced: [],
      isQuietAt: () => false,
      growing: [],
      takesEdits: true,
      catchUpAfterMs: Number.POSITIVE_INFINITY,
      leftOut: leftOutOf(channelId),
      isCompact: false,
    }).drop;
  };
}
