import type { WalletAddress } from '../venue/address.ts';
import { type Alert, eventSeconds } from './alert.ts';
import type { AlertGroup } from './group.ts';

/**
 * What one embed or one line tells. `alert`: one alert, or fills that belong together; `late`: several of a wallet that
 * come long after their time.
 */
export interface Unit {
  readonly kind: 'alert' | 'late';
  /** Of one wallet, oldest first. */
  readonly alerts: Readonly<AlertGroup>;
}

export function walletOf({ alerts: [first] }: Unit): WalletAddress {
  return first.wallet;
}

/** When an event happened, epoch milliseconds; of a time when it ended. */
export function eventTimeMs({ event }: Pick<Alert, 'event'>): number {
  return eventSeconds(event)[1] * 1000;
}
