import { PermissionFlagsBits, SlashCommandChannelOption } from 'discord.js';
import {
  ALERT_CHANNELS,
  checkAlertChannel,
  mentionTrouble,
  requireMention,
  requireWriting,
} from '../../../src/discord/permissions.ts';
import { type Place, placeOf } from '../../../src/discord/place.ts';
import { parseAddress, type WalletAddress } from '../../../src/domain/address.ts';
import type { Names } from '../../../src/language/en/names.ts';
import type { LocalizedText } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import {
  type CommandOption,
  type CommandText,
  optionOf,
  textOption,
} from '../../../src/slash-commands/options.ts';
import type {
  ButtonUse,
  CommandUse,
  SlashCommand,
} from '../../../src/slash-commands/slash-command.ts';
import { changeOf, type Made } from '../../../src/watches/changes.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import type { Answer } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { readWallet, suggestWallets, WALLET_LENGTH } from '../../shared/wallet-option.ts';
import { channelName } from './words.ts';

/** Maximum number of channels that an error lists if the wallet is watched in them. */
const CHANNELS_NAMED = 5;

const MANAGERS_ONLY: LocalizedText = ({ texts }) => texts.watch.managersOnly;

/** One subcommand of a slash command. `Asked`: what it reads from its options. */
export interface Subcommand<Asked = unknown>
  extends Pick<SlashCommand<CommandContext, Asked>, 'check'> {
  readonly name: keyof Names['subcommands'];
  readonly about: CommandText;
  /** In the order in which they are offered. */
  readonly options?: readonly CommandOption<CommandContext>[];
  /** True if it works in direct messages even if the operator has turned private alerts off. */
  readonly worksWhereOff?: true;
  /** True if it is answered before the start has read the wallets. */
  readonly worksUnread?: true;
  readonly isPrivate: boolean | ((interaction: CommandUse) => boolean);
  /**
   * Called after the interaction has been acknowledged.
   * @param asked what `check` returned
   */
  execute(interaction: CommandUse, context: CommandContext, asked: Asked): Promise<Answer>;
  /**
   * Handles a button with the custom id `COMMAND:SUBCOMMAND:ARGUMENTS…`. Called after it has been
   * acknowledged. The answer replaces the message.
   */
  readonly press?: (
    interaction: ButtonUse,
    args: readonly string[],
    context: CommandContext,
  ) => Promise<Answer>;
}

/**
 * Returns the option `channel` of the subcommands of `/watch`. The text says what happens in the
 * channel.
 */
export function channelOption(text: CommandText): CommandOption {
  return optionOf(
    new SlashCommandChannelOption().addChannelTypes(...ALERT_CHANNELS),
    'channel',
    text,
  );
}

/** The option `channel` of subcommands about an existing watch. */
export const WATCHED_IN = channelOption((texts) => texts.watchedIn);

/** The option `wallet` of commands that apply to all watches of a channel without it. */
export const WALLET_OR_ALL = textOption(
  'wallet',
  (texts) => texts.walletOrAll,
  WALLET_LENGTH,
  suggestWallets(),
);

/** True if a command has options other than these, which only identify its subject. */
export function isChange({ options }: CommandUse, subjects: readonly string[]): boolean {
  const given = options.data.flatMap((subcommand) => subcommand.options ?? []);
  return given.some(({ name }) => !subjects.includes(name));
}

/**
 * Returns the channel that a command names, or in which it was typed.
 * @throws {UserError} if a channel is named in direct messages
 */
export function namedChannel(interaction: CommandUse): string {
  const named = interaction.options.getChannel('channel');
  if (named !== null) requireServer(interaction, 'channel');
  return named?.id ?? interaction.channelId;
}

/**
 * Returns the channel of a command.
 * @throws {UserError} unless its user may write there, and mention the role that it names
 */
export function targetChannel(interaction: CommandUse): string {
  const channelId = namedChannel(interaction);
  requireWriting(interaction, channelId);
  const role = interaction.options.getRole('mention');
  if (role !== null) requireServer(interaction, 'mention');
  // @everyone is rejected with the setting, whoever tries.
  if (role !== null && role.id !== interaction.guildId) {
    requireMention(interaction, channelId, role.id);
  }
  return channelId;
}

/** @throws {UserError} in direct messages, which have neither channels nor roles */
function requireServer(interaction: CommandUse, option: 'channel' | 'mention'): void {
  if (placeOf(interaction).kind === 'server') return;
  throw new UserError(({ texts }) => texts.personal.serversOnly(texts.names.options[option]));
}

/**
 * Returns the watch that a command is about.
 * @throws {UserError} if the wallet cannot be read, or is not watched there
 */
export function readWatch(interaction: CommandUse, context: CommandContext): Watch {
  const { place, registry } = context;
  const channelId = targetChannel(interaction);
  const wallet = readWallet(interaction.options.getString('wallet', true), place.ownerId, registry);
  return watchedIn(channelId, wallet, context);
}

/**
 * Returns the watch of a button under an alert.
 * @throws {UserError} in a server for people without Manage Server
 */
export function readMuted(interaction: ButtonUse, text: string, context: CommandContext): Watch {
  requireManaging(context, ({ texts }) => texts.watch.mute.managersOnly);
  return readPressed(interaction.channelId, text, context);
}

/**
 * @throws {UserError} for people who may not use `/watch`, that is, in a server without Manage
 *   Server
 */
export function requireManaging(context: CommandContext, say = MANAGERS_ONLY): void {
  if (!mayManage(context)) throw new UserError(say);
}

/** True for people who may use `/watch`. */
export function mayManage(context: CommandContext): boolean {
  return context.place.kind === 'directMessage' || isManager(context);
}

/** True for people with Manage Server. */
export function isManager({ interaction }: CommandContext): boolean {
  return interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true;
}

/**
 * Returns the watch of the channel and wallet that a button names.
 * @throws {UserError} if the person's owner has no such watch
 */
export function readPressed(channelId: string, text: string, context: CommandContext): Watch {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw unknownButton();
  return watchedIn(channelId, parsed.address, context);
}

/** Returns the error for a button or form that this version does not know. */
export const unknownButton = () => new UserError(({ texts }) => texts.watch.mute.unknownButton);

/**
 * @throws {UserError} if the person's owner has no such watch. It says where in the server the
 *   wallet is watched
 */
export function watchedIn(
  channelId: string,
  wallet: WalletAddress,
  context: CommandContext,
): Watch {
  const { place, registry } = context;
  const present = registry.get(channelId, wallet);
  if (present?.ownerId === place.ownerId) return present;
  if (place.kind !== 'server') throw new UserError(({ texts }) => texts.personal.notWatched);
  const elsewhere = registry.ofWallet(wallet).map((other) => `<#${other.channelId}>`);
  throw new UserError(({ texts: { watch } }) => {
    const shown = elsewhere.slice(0, CHANNELS_NAMED).join(watch.comma);
    const hint = elsewhere.length === 0 ? watch.notElsewhere : watch.elsewhere(shown);
    return watch.notHere(`<#${channelId}>`) + watch.gap + hint;
  });
}

/** Watches of one channel. */
export type SomeWatches = readonly [Watch, ...Watch[]];

/**
 * Returns the watch of the option `wallet`, or all of the channel if it is empty.
 * @throws {UserError} if there is none
 */
export function namedWatches(interaction: CommandUse, context: CommandContext): SomeWatches {
  if (interaction.options.getString('wallet') !== null) return [readWatch(interaction, context)];
  return watchesIn(targetChannel(interaction), context);
}

/**
 * Returns a channel's watches. Settings are not stored for a channel without watches, because they
 * would be kept forever.
 * @throws {UserError} if there are none
 */
export function watchesIn(channelId: string, { place, registry }: CommandContext): SomeWatches {
  const [first, ...others] = registry.ofChannel(channelId);
  if (first === undefined) throw nothingWatched(channelId, place);
  return [first, ...others];
}

export function nothingWatched(channelId: string, place: Place): UserError {
  return new UserError((language) =>
    language.texts.watch.nothingWatched(channelName(channelId, { place, language })),
  );
}

/**
 * Changes a watch as it is after other changes of it have been stored. A watch that `change` returns
 * as it was is not stored again.
 * @throws {UserError} if it is gone
 */
export async function changeWatch(
  context: CommandContext,
  { channelId, wallet }: Pick<Watch, 'channelId' | 'wallet'>,
  change: (watch: Watch) => Watch,
): Promise<Watch> {
  const present = watchedIn(channelId, wallet, context);
  const changed = change(present);
  if (changed === present) return present;
  const isStored = await context.registry.update(changed, context.personId, present);
  if (!isStored) return changeWatch(context, present, change);
  const made = changeOf(present, changed);
  if (made !== undefined) await context.noteChanges(present.ownerId, [made]);
  return changed;
}

/**
 * Changes all watches of a channel, one after another, including removed ones, because their
 * removal can still be undone.
 */
export async function changeChannel(
  { place, registry, noteChanges, personId }: CommandContext,
  channelId: string,
  change: (watch: Watch) => Watch,
): Promise<void> {
  const made: Made[] = [];
  const watches = [...registry.ofChannel(channelId), ...registry.leavingChannel(channelId)];
  for (const { wallet } of watches.filter(({ ownerId }) => ownerId === place.ownerId)) {
    let isDone = false;
    while (!isDone) {
      const present = registry.kept(channelId, wallet);
      const changed = present && change(present);
      if (present === undefined || changed === undefined || changed === present) break;
      isDone = await registry.update(changed, personId, present);
      const one = isDone ? changeOf(present, changed) : undefined;
      if (one !== undefined) made.push(one);
    }
  }
  await noteChanges(place.ownerId, made);
}

export function mentionWarnings(
  { channelId, settings }: Watch,
  { interaction, language }: CommandContext,
): string[] {
  if (settings.mention === null || !interaction.inCachedGuild()) return [];
  const trouble = mentionTrouble(interaction.guild, channelId, settings.mention.roleId);
  if (trouble === null) return [];
  return [`⚠️ ${trouble(language)}`];
}

/**
 * Checks that the bot can write there, and greets a person.
 * @returns a remark, or null
 * @throws {UserError} if it cannot
 */
export async function checkReach(channelId: string, context: CommandContext) {
  const { interaction, place, personId, persons, language } = context;
  if (place.kind === 'directMessage') {
    await persons.greet({
      personId,
      channelId,
      attempt: interaction.id,
      language,
    });
    return null;
  }
  if (!interaction.inCachedGuild()) throw new UserError(({ texts }) => texts.errors.notMember);
  return checkAlertChannel(interaction.guild, channelId, context.nowMs());
}
