import type { WalletAddress } from '../../src/domain/address.ts';

/** EIP-55's own example, as displayed. */
export const WALLET_SHOWN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const WALLET = WALLET_SHOWN.toLowerCase() as WalletAddress;
export const WALLET_A = walletOfDigit('a');
export const WALLET_B = walletOfDigit('b');

/** Returns the address that consists of one hexadecimal digit. */
export function walletOfDigit(digit: string): WalletAddress {
  return `0x${digit.repeat(40)}` as WalletAddress;
}

/** Returns the address of a wallet by its number, from 0. */
export function walletOf(index: number): WalletAddress {
  return `0x${(index + 1).toString(16).padStart(40, '0')}` as WalletAddress;
}
