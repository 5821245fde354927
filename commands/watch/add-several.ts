import { checkAlertChannel } from '../../src/discord/permissions.ts';
import { type FoundAddress, findAddress, type WalletAddress } from '../../src/domain/address.ts';
import { UserError } from '../../src/language/user-error.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';
import { notAccepted } from '../../src/watches/settings/setting.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import type { CommandContext } from '../shared/context.ts';
import { addressError } from '../shared/wallet-option.ts';
import { proposeOrders } from './import.ts';

/** What `/watch add` is asked of several wallets. */
export interface SeveralWallets {
  readonly channelId: string;
  readonly wallets: readonly WalletAddress[];
  /** Of those that are new to the channel. */
  readonly settings: WatchSettings;
}

type Several = Extract<FoundAddress, { fault: 'several' }>;

/** The addresses in the option `wallet`, if they are several; null else. */
export function severalIn({ options }: Pick<CommandUse, 'options'>): Several | null {
  const found = findAddress(options.getString('wallet') ?? '');
  return found.ok || found.fault !== 'several' ? null : found;
}

/** @throws {UserError} for an address with a typing error, a label, or more wallets than the owner may watch */
export function readSeveral(
  interaction: CommandUse,
  { place, registry, quotas }: CommandContext,
  { addresses: wallets, mistyped }: Several,
  channelId: string,
): readonly WalletAddress[] {
  if (mistyped !== undefined) throw addressError(mistyped);
  const label = interaction.options.getString('label');
  if (label !== null) throw notAccepted('label', label, ({ texts }) => texts.watch.settings.accepted.labelOfOne);
  const added = wallets.filter((wallet) => registry.get(channelId, wallet) === undefined).length;
  const tooMany = added === 0 ? null : quotas.watchesTooMany(place.ownerId, added);
  if (tooMany !== null) throw new UserError(tooMany);
  quotas.useImport(place.ownerId);
  return wallets;
}

/** Shows what would be added, with Apply, as an import does. Wallets that the channel watches already stay as they are. */
export async function proposeSeveral(
  interaction: CommandUse,
  context: CommandContext,
  { channelId, wallets, settings }: SeveralWallets,
) {
  if (interaction.inCachedGuild()) await checkAlertChannel(interaction.guild, channelId);
  const orders = wallets.map((wallet) => {
    const isKnown = context.registry.get(channelId, wallet) !== undefined;
    return { channelId, wallet, settings: isKnown ? {} : settings };
  });
  const { askTyped: ask, nothingToAdd: nothingToDo } = context.language.texts.files.import;
  return context.imports.alone(context.place.ownerId, () =>
    proposeOrders(interaction, context, { orders, faults: [], isLeftOut: false, say: { ask, nothingToDo } }),
  );
}
