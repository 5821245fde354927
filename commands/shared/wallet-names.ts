import { checksummed, shortAddress, type WalletAddress } from '../../src/domain/address.ts';
import type { Watch } from '../../src/watches/watch.ts';

/** Characters around a pasted name. Each end is matched separately, from where it begins. */
const WRAPPING = /^[<@`*"'“”„«»「」\s]+|(?<![>`*"'“”„«»「」\s])[>`*"'“”„«»「」\s]+$/g;

/** Returns label and short address, unescaped. Escape them before using them in markdown. */
export function labelAndAddress({ label, wallet }: Pick<Watch, 'label' | 'wallet'>): string {
  if (label === null) return checksummed(wallet);
  return `${label} (${shortAddress(wallet)})`;
}

/**
 * Returns the wallets that watches call by this name: as typed, or without the characters around
 * it.
 */
export function walletsNamed(text: string, watches: readonly Watch[]): readonly WalletAddress[] {
  for (const wanted of spellings(text)) {
    if (wanted === '') continue;
    const called = watches.filter((watch) => namesOf(watch).includes(wanted));
    if (called.length > 0) return [...new Set(called.map(({ wallet }) => wallet))];
  }
  return [];
}

/**
 * Returns a wallet's label: the channel's, or the one that was typed, or any other channel's; null
 * without a label.
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
 * Returns the forms of a text in which names are compared: as it is, without quotes, brackets or an
 * @ around it, and with three dots replaced by an ellipsis.
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
