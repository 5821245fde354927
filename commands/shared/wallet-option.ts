import { checksummed, findAddress, type WalletAddress } from '../../src/domain/address.ts';
import { inlineCode, plainText } from '../../src/embeds/text/escape.ts';
import { UserError } from '../../src/language/user-error.ts';
import { textOption } from '../../src/slash-commands/options.ts';
import {
  CHOICE_LENGTH,
  CHOICES_MOST,
  type Choice,
  type CommandUse,
  type Completion,
} from '../../src/slash-commands/slash-command.ts';
import { personOf } from '../../src/watches/owner.ts';
import type { Registry } from '../../src/watches/registry.ts';
import { addressTrouble } from '../../src/watches/transfer/fields.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { CommandContext } from './context.ts';
import { labelAndAddress, spelled, spellings, walletsNamed } from './wallet-names.ts';

const TYPED_LIMIT = 60;
/** Maximum length, enough for a link with all its parameters. */
export const WALLET_LENGTH = 500;

/**
 * The option `wallet`: any text that contains an address, or the label of one of the server's
 * watches.
 */
export const WALLET = textOption(
  'wallet',
  (texts) => texts.wallet,
  WALLET_LENGTH,
  suggestWallets(),
  true,
);

/**
 * Returns the wallet that a person means: the only address in the text (a link may contain it), or
 * a watch of the owner by its label, by its short address, or by both as suggestions show them.
 * @throws {UserError} that says what is wrong with the text
 */
export function readWallet(text: string, ownerId: string, registry: Registry): WalletAddress {
  const found = findAddress(text);
  if (found.ok) return found.address;
  const wallets = walletsNamed(text, registry.ofOwner(ownerId));
  const [only] = wallets;
  if (wallets.length === 1 && only !== undefined) return only;
  if (wallets.length > 1) {
    const shown = wallets.slice(0, 5).map((wallet) => `\`${checksummed(wallet)}\``);
    throw new UserError(({ texts }) => texts.errors.wallet.ambiguous(shown.join(', ')));
  }
  if (found.fault !== 'shape' || /0x/i.test(text)) throw new UserError(addressTrouble(found));
  const typed = inlineCode(text, TYPED_LIMIT);
  const pasted = pastedAs(text.trim());
  if (pasted !== undefined) {
    throw new UserError(({ texts }) => texts.errors.wallet.pasted[pasted](typed));
  }
  if (personOf(ownerId) !== null) {
    throw new UserError(({ texts }) => texts.personal.unknownWallet(typed));
  }
  throw new UserError(({ texts }) => texts.errors.wallet.unknown(typed));
}

/** Returns the kind of a text pasted instead of an address; undefined for any other text. */
function pastedAs(text: string): 'bare' | 'ens' | 'profile' | undefined {
  if (/^[0-9a-f]{40}$/i.test(text)) return 'bare';
  if (/^[^\s/]+\.eth$/i.test(text)) return 'ens';
  return /^(https?:\/\/|@)\S+$/i.test(text) ? 'profile' : undefined;
}

/**
 * Returns choices for the option `wallet`: the watches whose label or address contains the typed
 * text. The best match comes first (the whole label, its start, the start of one of its words,
 * anywhere in it, the address). Equal matches are ordered by: watched in this channel, asked about
 * recently, newer watch.
 * @param recencyOf how recently a wallet was asked about; a higher figure is more recent, 0 is
 *   never
 */
export function walletChoices(
  typed: string,
  watches: readonly Watch[],
  recencyOf: (wallet: WalletAddress) => number,
  channelId: string,
): Choice[] {
  const address = findAddress(typed);
  const wantedTexts = address.ok ? [address.address] : spellings(typed);
  for (const wanted of wantedTexts) {
    const found = watches.flatMap((watch) => {
      const rank = matchRank(watch, wanted);
      const isElsewhere = Number(watch.channelId !== channelId);
      return rank === null ? [] : [{ watch, rank, isElsewhere }];
    });
    if (found.length === 0) continue;
    found.sort(
      (a, b) =>
        a.rank - b.rank ||
        a.isElsewhere - b.isElsewhere ||
        recencyOf(b.watch.wallet) - recencyOf(a.watch.wallet) ||
        b.watch.sinceSeconds - a.watch.sinceSeconds,
    );
    const shown = new Set<WalletAddress>();
    return found
      .filter(({ watch: { wallet } }) => !shown.has(wallet) && shown.add(wallet))
      .slice(0, CHOICES_MOST)
      .map(({ watch }) => ({
        name: plainText(labelAndAddress(watch), CHOICE_LENGTH, watch.wallet),
        value: watch.wallet,
      }));
  }
  return [];
}

/** Returns how well a watch matches: 0 is best, null is no match. */
function matchRank({ label, wallet }: Watch, wanted: string): number | null {
  const name = spelled(label ?? '');
  if (wanted === '' || name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  const wordStarts = name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu);
  if ([...wordStarts].some(({ index }) => name.startsWith(wanted, index))) return 2;
  if (name.includes(wanted)) return 3;
  if (wallet.startsWith(wanted)) return 4;
  if (wallet.includes(wanted)) return 5;
  return null;
}

/**
 * Suggests choices of `wallet` among the watches of the person's owner: the channel's first, or
 * only wallets that the channel does not watch.
 */
export function suggestWallets(isNew = false) {
  return (
    typed: string,
    { place, registry, askedForMs }: CommandContext,
    interaction: Completion,
  ) => {
    const channelId = channelOf(interaction);
    const isOffered = ({ wallet }: Watch) =>
      !isNew || registry.get(channelId, wallet) === undefined;
    const watches = registry.ofOwner(place.ownerId).filter(isOffered);
    return walletChoices(
      typed,
      watches,
      (wallet) => askedForMs.peek(place.ownerId + wallet) ?? 0,
      channelId,
    );
  };
}

/** Returns the channel that a command applies to while it is being typed. */
export function channelOf({ options, channelId }: Completion): string {
  return String(options.get('channel')?.value ?? channelId);
}

/** Returns the wallet in the option `wallet`; null if the option is empty or cannot be read. */
export function namedWallet(
  { options }: CommandUse | Completion,
  { place, registry }: CommandContext,
) {
  const text = options.getString('wallet');
  if (text === null) return null;
  try {
    return readWallet(text, place.ownerId, registry);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/**
 * Notes that the wallet in the option `wallet` was asked about. From now on it is suggested before
 * others.
 */
export function noteWallet(interaction: CommandUse, context: CommandContext): void {
  const wallet = namedWallet(interaction, context);
  if (wallet !== null) context.askedForMs.set(context.place.ownerId + wallet, context.nowMs());
}
