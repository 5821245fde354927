import { keccak_256 } from '@noble/hashes/sha3.js';
import * as z from 'zod';

/** A wallet address: 0x and 40 hex digits, in lower case. Created only by `parseAddress`. */
export type WalletAddress = string & { readonly __brand: 'WalletAddress' };

/** An address created by `parseAddress` that was stored or sent since then. */
export const walletSchema = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .transform((text) => text as WalletAddress);

/** Counterparty that the venue reports for a deposit through a cross-chain bridge. */
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** `typed`: the input, cut to a sane length. */
interface Refused<Fault> {
  readonly ok: false;
  readonly fault: Fault;
  readonly typed: string;
}
export type ParsedAddress =
  | { readonly ok: true; readonly address: WalletAddress }
  | Refused<'shape' | 'checksum'>;

/**
 * Reads a wallet address as a person types it. Hex in all lower or all upper case is accepted as it
 * is; mixed case must have a valid EIP-55 checksum, because an invalid one is probably a typing
 * error (https://eips.ethereum.org/EIPS/eip-55).
 */
export function parseAddress(text: string): ParsedAddress {
  const trimmed = text.trim();
  const [, digits] = /^0[xX]([0-9a-fA-F]{40})$/.exec(trimmed) ?? [];
  if (digits === undefined) return { ok: false, fault: 'shape', typed: shortened(trimmed) };
  const address = `0x${digits.toLowerCase()}` as WalletAddress;
  const isMixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  const isWrong = isMixedCase && checksummed(address) !== `0x${digits}`;
  if (isWrong) return { ok: false, fault: 'checksum', typed: trimmed };
  return { ok: true, address };
}

/**
 * Address found in a text, or why there is none. `transaction`: the text has a transaction hash,
 * and no address.
 */
export type FoundAddress =
  | ParsedAddress
  | Refused<'transaction'>
  | {
      readonly ok: false;
      readonly fault: 'several';
      readonly addresses: readonly WalletAddress[];
      /** The first address, or number that looks like one, with an error. */
      readonly mistyped?: Refused<'shape' | 'checksum'>;
    };

/**
 * 0x and hex digits, not followed by a letter or digit; a percent-encoded character of a link may
 * precede them.
 */
const HEX_NUMBER = /(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2}))0[xX][0-9A-Fa-f]+(?![0-9A-Za-z])/g;
const ADDRESS_LENGTH = 42;
const HASH_LENGTH = 66;

/**
 * Finds the only address in a text: an address as accepted by `parseAddress`, a link to a profile
 * or an explorer, or one within brackets or other words. The same address may occur several times.
 */
export function findAddress(text: string): FoundAddress {
  const numbers = text.match(HEX_NUMBER) ?? [];
  const candidates = numbers.filter(({ length }) => length === ADDRESS_LENGTH);
  const addresses = [
    ...new Set(candidates.map((candidate) => candidate.toLowerCase() as WalletAddress)),
  ];
  const [address] = addresses;
  if (addresses.length > 1) {
    const parsed = numbers.filter(({ length }) => length !== HASH_LENGTH).map(parseAddress);
    const mistyped = parsed.find((one) => !one.ok);
    return {
      ok: false,
      fault: 'several',
      addresses,
      ...(mistyped === undefined ? {} : { mistyped }),
    };
  }
  if (address === undefined) {
    const hash = numbers.find(({ length }) => length === HASH_LENGTH);
    if (hash !== undefined) return { ok: false, fault: 'transaction', typed: hash };
    return { ok: false, fault: 'shape', typed: shortened(text.trim()) };
  }
  const mistyped = candidates.find((candidate) => !parseAddress(candidate).ok);
  if (mistyped !== undefined) return { ok: false, fault: 'checksum', typed: mistyped };
  return { ok: true, address };
}

/** Returns all valid addresses in a text, each once, in order of appearance. */
export function addressesIn(text: string): readonly WalletAddress[] {
  const parsed = (text.match(HEX_NUMBER) ?? [])
    .filter(({ length }) => length === ADDRESS_LENGTH)
    .map(parseAddress);
  return [...new Set(parsed.flatMap((one) => (one.ok ? [one.address] : [])))];
}

/** Returns the address in EIP-55 mixed case, as wallets and explorers show it. */
export function checksummed(address: WalletAddress): string {
  const digits = address.slice(2);
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(digits))).toString('hex');
  const mixed = digits.replace(/[a-f]/g, (digit, at: number) => {
    return hash.charAt(at) >= '8' ? digit.toUpperCase() : digit;
  });
  return `0x${mixed}`;
}

/**
 * Returns the abbreviated checksummed address: first six and last four characters, `0x12aB…90eF`.
 */
export function shortAddress(address: WalletAddress): string {
  const shown = checksummed(address);
  return `${shown.slice(0, 6)}…${shown.slice(-4)}`;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
