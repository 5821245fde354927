import { markedDelayed, type NewAlert } from './wallets/wallet-document.ts';

/**
 * Returns the alerts that some channel wants and that are not waiting yet. Their times are adjusted
 * so that a clock set back cannot change their order. A result wanted only by delayed channels
 * keeps the time of its sale.
 * @param isLater whether a channel is delayed
 */
export function newAlerts(
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
