import { markedDelayed, type NewAlert } from './wallets/wallet-document.ts';

/**
 * Alerts that somebody wants and that do not wait already, in an order that no clock set back can
 * turn round. A result that only channels wait for that hear later has the time of its sale, and
 * stays as it is.
 *
 * @param isLater whether a channel hears later
 */
export function notWaiting(
  alerts: readonly NewAlert[],
  waiting: readonly NewAlert[],
  isLater: (channelId: string) => boolean,
): NewAlert[] {
  const ids = new Set(waiting.map(({ id }) => id));
  const lastSeenAtMs = waiting.at(-1)?.seenAtMs ?? 0;
  return alerts
    .filter(({ id, channels }) => channels.length > 0 && !ids.has(id))
    .map((given) => {
      const alert = markedDelayed(given, isLater);
      if (alert.event.kind === 'result' && alert.channels.every(isLater)) return alert;
      return { ...alert, seenAtMs: Math.max(alert.seenAtMs, lastSeenAtMs) };
    });
}
