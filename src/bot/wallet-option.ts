import type { SlashCommandStringOption } from 'discord.js';
import { escapeText, plainText } from '../alert/text.ts';
import { checksummed, parseAddress, shortAddress, type WalletAddress } from '../venue/address.ts';
import type { Registry } from '../watch/registry.ts';
import type { Watch } from '../watch/watch.ts';
import type { Choice } from './command.ts';
import { UserError } from './errors.ts';

const CHOICE_NAME_LIMIT = 100;

/** The option `wallet`: an address, or the label of a wallet that the room watches. */
export function walletOption(option: SlashCommandStringOption): SlashCommandStringOption {
  return option
    .setName('wallet')
    .setDescription('An address (0x…), or the label of a wallet that this server watches')
    .setRequired(true)
    .setMaxLength(100)
    .setAutocomplete(true);
}

/**
 * The wallet that a person means: an address, or a label of the server's watches.
 *
 * @throws {UserError} that says what is wrong with it
 */
export function readWallet(text: string, guildId: string, registry: Registry): WalletAddress {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.address;
  const wanted = text.trim().toLowerCase();
  const matches = registry.ofGuild(guildId).filter(({ label }) => label?.toLowerCase() === wanted);
  const wallets = [...new Set(matches.map(({ wallet }) => wallet))];
  const [only] = wallets;
  if (wallets.length === 1 && only !== undefined) return only;
  if (wallets.length > 1) {
    const shown = wallets.slice(0, 5).map((wallet) => `\`${checksummed(wallet)}\``);
    throw new UserError(`More than one watched wallet is called that: ${shown.join(', ')}. Give the address.`);
  }
  if (/^0x/i.test(wanted)) throw new UserError(parsed.reason);
  throw new UserError(
    `${escapeText(text, 60, 'That')} is neither a wallet address (0x and 40 hex digits) nor the label of a wallet that this server watches.`,
  );
}

/** Choices for the option `wallet`: the watches whose label or address holds what has been typed. */
export function walletChoices(typed: string, watches: readonly Watch[]): Choice[] {
  const wanted = typed.trim().toLowerCase();
  const byWallet = new Map<WalletAddress, Watch>();
  for (const watch of watches) {
    const isMatch = watch.wallet.includes(wanted) || (watch.label?.toLowerCase().includes(wanted) ?? false);
    if (isMatch && !byWallet.has(watch.wallet)) byWallet.set(watch.wallet, watch);
  }
  return [...byWallet.values()]
    .map((watch) => ({ name: plainText(walletName(watch), CHOICE_NAME_LIMIT, watch.wallet), value: watch.wallet }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .slice(0, 25);
}

/** Label and short address, as they stand: escape before it goes where markdown is read. */
export function walletName({ label, wallet }: Pick<Watch, 'label' | 'wallet'>): string {
  return label === null ? checksummed(wallet) : `${label} (${shortAddress(wallet)})`;
}
