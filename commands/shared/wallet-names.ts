import { checksummed, shortAddress, type WalletAddress } from '../../src/domain/address.ts';
import type { Watch } from '../../src/watches/watch.ts';

/**
 * Characters around a name that is pasted: each end is looked at by itself, from where it begins.
 */
const WRAPPING = /^[<@`*"'“”„«»「」\s]+|(?<![>`*"'“”„«»「」\s])[>`*"'“”„«»「」\s]+$/g;

/** Label and short address, as they stand: escape before it goes where markdown is read. */
export function labelAndAddress({ label, wallet }: Pick<Watch, 'label' | 'wallet'>): string {
  if (label === null) return checksummed(wallet);
  return `${label} (${shortAddress(wallet)})`;
}

/** The wallets that watches call so; as it is typed, else without what stands around it. */
export function walletsNamed(text: string, watches: readonly Watch[]): readonly WalletAddress[] {
  for (const wanted of spellings(text)) {
    if (wanted === '') continue;
    const called = watches.filter((watch) => namesOf(watch).includes(wanted));
    if (called.length > 0) return [...new Set(called.map(({ wallet }) => wallet))];
  }
  return [];
}

/**
 * Finds a wallet's label: the channel's, else the one that was typed, else any other channel's;
 * null without a label.
 */
export function labelIn(
  watches: readonly Watch[],
  channelId: string,
  typed: string,
): string | null {
  const named = watches.filter(({ label }) => label !== null);
  const wanted = spellings(typed);
  const isTyped = (watch: Watch) => namesOf(watch).some((name) => wanted.includes(name));
  const ofChannel = named.find((watch) => watch.channelId === channelId);
  const chosen = ofChannel ?? named.find(isTyped) ?? named[0];
  return chosen?.label ?? null;
}

/**
 * A text as names are compared; without quotes, brackets or an @ around it; with three dots for an
 * ellipsis.
 */
export function spellings(text: string): readonly string[] {
  const whole = spelled(text);
  const inner = whole.replace(WRAPPING, '');
  return [...new Set([whole, inner, inner.replaceAll('...', '…')])];
}

export function spelled(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function namesOf(watch: Watch): readonly string[] {
  return [watch.label ?? '', labelAndAddress(watch), shortAddress(watch.wallet)].map(spelled);
}
