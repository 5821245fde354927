import { keccak_256 } from '@noble/hashes/sha3.js';

/** A wallet address in lower case. */
export type WalletAddress = string & { readonly __brand: 'WalletAddress' };

/** The sender of a deposit that arrived over a cross-chain bridge. */
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Number of characters of an invalid address shown in the error. */
const SHOWN_LENGTH = 60;

export type ReadAddress =
  | { readonly ok: true; readonly address: WalletAddress }
  | { readonly ok: false; readonly reason: string };

/**
 * Parses a wallet address: 0x and 40 hex digits, in one case or in mixed case with the checksum of
 * EIP-55 (https://eips.ethereum.org/EIPS/eip-55).
 */
export function readAddress(text: string): ReadAddress {
  const trimmed = text.trim();
  const digits = /^0[xX]([0-9a-fA-F]{40})$/.exec(trimmed)?.[1];
  if (digits === undefined) {
    const shown = trimmed.length > SHOWN_LENGTH ? `${trimmed.slice(0, SHOWN_LENGTH)}…` : trimmed;
    return {
      ok: false,
      reason: `“${shown}” isn’t a wallet address. Use 0x followed by 40 hex digits (0–9, a–f).`,
    };
  }
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!isOneCase && withChecksum(digits) !== digits) {
    const reason = `The checksum of ${trimmed} is wrong (EIP-55), so there’s probably a typo. Copy the address again.`;
    return { ok: false, reason };
  }
  return { ok: true, address: `0x${digits.toLowerCase()}` as WalletAddress };
}

/** Returns the digits in EIP-55's mixed case. */
function withChecksum(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(lower))).toString('hex');
  return lower.replace(/[a-f]/g, (digit, at: number) =>
    hash.charAt(at) >= '8' ? digit.toUpperCase() : digit,
  );
}
