import type { WalletAddress } from '../../src/domain/address.ts';

/** The address of a wallet by its number, from 0. */
export function walletOf(index: number): WalletAddress {
  return `0x${(index + 1).toString(16).padStart(40, '0')}` as WalletAddress;
}
