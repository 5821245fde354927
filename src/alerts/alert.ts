import { createHash } from 'node:crypto';
import type { AlertOf } from './kinds/kind.ts';
import type { WalletEvent } from './kinds/kinds.ts';

export type { WalletEvent };
export type Alert = AlertOf<WalletEvent>;

/** Eight characters of base 32: short enough to read out, and the same for the same record whenever it is found. */
export function alertId(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Array.from(digest.subarray(0, 8), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte & 31)).join('');
}
