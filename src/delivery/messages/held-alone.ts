import type { Alert } from '../../alerts/alert.ts';
import { NO_COOLDOWNS } from '../plan/cooldowns.ts';
import { type Dropped, GROUPING_WINDOW_MS, plan } from '../plan/plan.ts';
import type { createWishes } from './wishes.ts';

/**
 * Makes what decides about alerts of a channel as if they alone had been seen long enough ago that
 * none waits any more, and nothing had been sent before: no cooldown runs. It returns those that
 * are held, and why.
 *
 * @param isUnannounced whether the channel has been told nothing of the position of a trade, which
 *   the wallet opened while it was watched there
 */
export function createHeldAlone(
  { settingsIn, leftOutOf }: Pick<ReturnType<typeof createWishes>, 'settingsIn' | 'leftOutOf'>,
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
