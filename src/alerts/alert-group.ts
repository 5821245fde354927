import type { WalletAddress } from '../feed/interface.ts';
import { type Alert, eventSeconds } from './alert.ts';
import type { NonEmptyAlerts } from './group.ts';

/**
 * What one embed or one line shows. `alert`: one alert, or fills that belong together; `late`: several of a wallet that
 * come long after their time.
 */
export interface AlertGroup {
  readonly kind: 'alert' | 'late';
  /** Of one wallet, oldest first. */
  readonly alerts: Readonly<NonEmptyAlerts>;
}

export function walletOf({ alerts: [first] }: AlertGroup): WalletAddress {
  return first.wallet;
}

/** When an event happened, epoch milliseconds; of a time when it ended. */
export function eventTimeMs({ event }: Pick<Alert, 'event'>): number {
  return eventSeconds(event)[1] * 1000;
}
