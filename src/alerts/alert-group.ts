import type { Decimal } from 'decimal.js';
import type { WalletAddress } from '../domain/address.ts';
import type { AlsoHere } from '../portfolio/positions/held-markets.ts';
import type { Alert } from './alert.ts';
import { type NonEmptyAlerts, usdcOf } from './group.ts';
import { kindOf } from './kinds/kinds.ts';
import { resultsOf } from './kinds/result.ts';

/**
 * What one embed or one line shows. `alert`: one alert, or fills that belong together; `late`: several of a wallet that
 * come long after their time.
 */
export interface AlertGroup {
  readonly kind: 'alert' | 'late';
  /** Of one wallet, oldest first. */
  readonly alerts: Readonly<NonEmptyAlerts>;
  /** What earlier messages have shown of the same purchase, USDC as decimal text; left out where there are none. */
  readonly earlierUsdc?: string | undefined;
  /** What the channel's other wallets hold in its market; left out where nothing is known of any. */
  readonly alsoHere?: AlsoHere | undefined;
  /** Whether the channel was told of the wallet in the last minutes: its record is not repeated then. */
  readonly isInBurst?: boolean | undefined;
}

/** What a purchase comes to with what earlier messages have shown of it, USDC. Null if nothing has an amount, see `usdcOf`. */
export function totalUsdc({ alerts, earlierUsdc = '0' }: Pick<AlertGroup, 'alerts' | 'earlierUsdc'>): Decimal | null {
  return usdcOf(alerts)?.plus(earlierUsdc) ?? null;
}

export function walletOf({ alerts: [first] }: AlertGroup): WalletAddress {
  return first.wallet;
}

/** Whether it is about several wallets, as a consensus. */
export function isOfSeveral({ alerts: [{ event }] }: AlertGroup): boolean {
  return kindOf(event).isOfSeveral;
}

/** Whether it says what came of a position, with the redemption that has closed it or without. */
export function hasResult({ alerts }: AlertGroup): boolean {
  return resultsOf(alerts).length > 0;
}

/** When an event happened, epoch milliseconds; of a time when it ended. */
export function eventTimeMs({ event }: Pick<Alert, 'event'>): number {
  return kindOf(event).seconds(event)[1] * 1000;
}
