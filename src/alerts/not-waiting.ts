import type { NewAlert } from './wallets/wallet-document.ts';

/**
 * Alerts that somebody wants and that do not wait already, in an order that no clock set back can
 * turn round.
 */
export function notWaiting(alerts: readonly NewAlert[], waiting: readonly NewAlert[]): NewAlert[] {
  const ids = new Set(waiting.map(({ id }) => id));
  const lastSeenAtMs = waiting.at(-1)?.seenAtMs ?? 0;
  return alerts
    .filter(({ id, channels }) => channels.length > 0 && !ids.has(id))
    .map((alert) => ({ ...alert, seenAtMs: Math.max(alert.seenAtMs, lastSeenAtMs) }));
}
