import type { WalletAddress } from '../domain/address.ts';
import type { NewAlert } from './wallet-document.ts';

/** Alerts wait so long at the most for what the venue is asked about them, from when their page was taken. */
const HOLD_MS = 1_500;

/** An alert that may be held back, and the channels that want it. */
export type HeldAlert = Pick<NewAlert, 'id' | 'channels'>;

/**
 * Alerts that wait a moment before they are sent, because what they mean for the wallet's position is being asked. Other alerts
 * of their channels go first.
 *
 * @param monotonicMs a clock that never jumps, ms
 */
export function createHolds(monotonicMs: () => number) {
  const held = new Map<
    string,
    { readonly wallet: WalletAddress; readonly untilMs: number; readonly alert: HeldAlert }
  >();
  let onRelease: (channelIds: readonly string[]) => void = () => {};

  return {
    hold(wallet: WalletAddress, alerts: readonly HeldAlert[]): void {
      const untilMs = monotonicMs() + HOLD_MS;
      for (const alert of alerts) if (alert.channels.length > 0) held.set(alert.id, { wallet, untilMs, alert });
    },
    /** Nothing of the wallet waits any more. */
    release(wallet: WalletAddress): void {
      const alerts = [...held.values()].flatMap((each) => (each.wallet === wallet ? [each.alert] : []));
      for (const { id } of alerts) held.delete(id);
      const channelIds = new Set(alerts.flatMap(({ channels }) => channels));
      if (channelIds.size > 0) onRelease([...channelIds]);
    },
    /** How long the alert still waits, ms: 0 if it does not. */
    remainingMs: (alertId: string): number => Math.max(0, (held.get(alertId)?.untilMs ?? 0) - monotonicMs()),
    /** Called with the channels of alerts that need not wait any more. */
    listen(listener: (channelIds: readonly string[]) => void): void {
      onRelease = listener;
    },
  };
}
export type Holds = ReturnType<typeof createHolds>;
