import type { WalletAddress } from '../domain/address.ts';

/** Alerts wait so long at the most for what the venue is asked about them, from when their page was taken. */
const HOLD_MS = 1_500;

/** An alert that may be held back, and the channels that want it. */
export interface HeldAlert {
  readonly id: string;
  readonly channels: readonly string[];
}

/**
 * Alerts that wait a moment before they are sent, because what they mean for the wallet's position is being asked. Other alerts
 * of their channels go first.
 *
 * @param monotonicMs a clock that never jumps, ms
 */
export function createHolds(monotonicMs: () => number) {
  const held = new Map<WalletAddress, { readonly untilMs: number; readonly alerts: readonly HeldAlert[] }[]>();
  const byId = new Map<string, number>();
  let onRelease: (channelIds: readonly string[]) => void = () => {};

  return {
    hold(wallet: WalletAddress, alerts: readonly HeldAlert[]): void {
      const wanted = alerts.filter(({ channels }) => channels.length > 0);
      if (wanted.length === 0) return;
      const untilMs = monotonicMs() + HOLD_MS;
      for (const { id } of wanted) byId.set(id, untilMs);
      held.set(wallet, [...(held.get(wallet) ?? []), { untilMs, alerts: wanted }]);
    },
    /** Nothing of the wallet waits any more. */
    release(wallet: WalletAddress): void {
      const alerts = (held.get(wallet) ?? []).flatMap((page) => page.alerts);
      held.delete(wallet);
      for (const { id } of alerts) byId.delete(id);
      const channelIds = new Set(alerts.flatMap(({ channels }) => channels));
      if (channelIds.size > 0) onRelease([...channelIds]);
    },
    /** How long the alert still waits, ms: 0 if it does not. */
    remainingMs: (alertId: string): number => Math.max(0, (byId.get(alertId) ?? 0) - monotonicMs()),
    /** Called with the channels of alerts that need not wait any more. */
    listen(listener: (channelIds: readonly string[]) => void): void {
      onRelease = listener;
    },
  };
}
export type Holds = ReturnType<typeof createHolds>;
