import { PermissionFlagsBits, SlashCommandChannelOption } from 'discord.js';
import {
  ALERT_CHANNELS,
  checkAlertChannel,
  memberMentionTrouble,
  mentionTrouble,
  requireWriting,
} from '../../../src/discord/permissions.ts';
import { placeOf } from '../../../src/discord/place.ts';
import { parseAddress, type WalletAddress } from '../../../src/domain/address.ts';
import type { Language, LocalizedText } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { type CommandOption, type CommandText, optionOf, textOption } from '../../../src/slash-commands/options.ts';
import type { AnyUse, ButtonUse, CommandUse } from '../../../src/slash-commands/slash-command.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import type { CommandContext } from '../../shared/context.ts';
import { readWallet, suggestWallets, WALLET_LENGTH } from '../../shared/wallet-option.ts';
import { channelName } from './words.ts';

export const WATCH_COLOUR = 0x5865f2;

/** The option `channel` of the subcommands of `/watch`; the text says what happens in it. */
export function channelOption(text: CommandText): CommandOption {
  return optionOf(new SlashCommandChannelOption().addChannelTypes(...ALERT_CHANNELS), 'channel', text);
}

/** The option `channel` of what is about a watch that there is. */
export const WATCHED_IN = channelOption((texts) => texts.watchedIn);

/** The option `wallet` of a command that means all watches of a channel without it. */
export const WALLET_OR_ALL = textOption('wallet', (texts) => texts.walletOrAll, WALLET_LENGTH, suggestWallets);

/** The channel that a command names, or the one in which it was typed. @throws {UserError} for a name in a direct message */
export function namedChannel(interaction: CommandUse): string {
  const named = interaction.options.getChannel('channel');
  if (named !== null) requireServer(interaction, 'channel');
  return named?.id ?? interaction.channelId;
}

/**
 * The channel that a command is about: the one named, or the one in which it was typed.
 *
 * @throws {UserError} if whoever types it may not write there, or if it is named in a direct message
 */
export function targetChannel(interaction: CommandUse): string {
  const channelId = namedChannel(interaction);
  requireWriting(interaction, channelId);
  return channelId;
}

/** @throws {UserError} in a direct message, which has neither channels nor roles */
function requireServer(interaction: CommandUse, option: 'channel' | 'mention'): void {
  if (placeOf(interaction).kind === 'server') return;
  throw new UserError(({ texts }) => texts.personal.serversOnly(texts.names.options[option]));
}

/** The watch that a command is about. @throws {UserError} if the wallet cannot be read, or is not watched there */
export function readWatch(interaction: CommandUse, context: CommandContext): Watch {
  const { place, registry } = context;
  const channelId = targetChannel(interaction);
  const wallet = readWallet(interaction.options.getString('wallet', true), place.ownerId, registry);
  return watchedIn(channelId, wallet, context);
}

/**
 * The watch that a button under an alert is about.
 *
 * @throws {UserError} for people who may not use `/watch`: in a server without Manage Server
 */
export function readMuted(interaction: ButtonUse, text: string, context: CommandContext): Watch {
  requireManaging(interaction, context, ({ texts }) => texts.watch.mute.managersOnly);
  return readPressed(interaction.channelId, text, context);
}

/** @throws {UserError} for people who may not use `/watch`: in a server without Manage Server */
export function requireManaging(
  { memberPermissions }: AnyUse,
  { place }: CommandContext,
  say: LocalizedText = ({ texts }) => texts.watch.managersOnly,
): void {
  if (place.kind === 'directMessage' || memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true) return;
  throw new UserError(say);
}

/** The watch of a channel and of the wallet that a button names. @throws {UserError} if there is none of the person's owner */
export function readPressed(channelId: string, text: string, context: CommandContext): Watch {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new UserError(({ texts }) => texts.watch.mute.unknownButton);
  return watchedIn(channelId, parsed.address, context);
}

/** @throws {UserError} if there is none of the person's owner */
function watchedIn(channelId: string, wallet: WalletAddress, context: CommandContext): Watch {
  const watch = context.registry.get(channelId, wallet);
  if (watch?.ownerId !== context.place.ownerId) throw notWatched(channelId, wallet, context);
  return watch;
}

/** The watch of the option `wallet`, or without it all of the channel. @throws {UserError} if there is none */
export function readWatches(interaction: CommandUse, context: CommandContext): readonly [Watch, ...Watch[]] {
  if (interaction.options.getString('wallet') !== null) return [readWatch(interaction, context)];
  return watchesIn(targetChannel(interaction), context);
}

/**
 * What the person's owner watches in a channel. Nothing is set for a channel without: it would be kept for ever.
 *
 * @throws {UserError} if there is nothing
 */
export function watchesIn(channelId: string, { place, registry }: CommandContext): readonly [Watch, ...Watch[]] {
  const [first, ...others] = registry.ofChannel(channelId).filter(({ ownerId }) => ownerId === place.ownerId);
  if (first === undefined) throw nothingWatched(channelId, { place });
  return [first, ...others];
}

export function nothingWatched(channelId: string, { place }: Pick<CommandContext, 'place'>): UserError {
  return new UserError((language) => language.texts.watch.nothingWatched(channelName(channelId, place, language)));
}

/**
 * Changes a watch as it stands at this moment.
 *
 * @throws {UserError} if it is gone, or somebody else changed it while it was being stored
 */
export async function changeWatch(
  context: CommandContext,
  { channelId, wallet }: Pick<Watch, 'channelId' | 'wallet'>,
  change: (watch: Watch) => Watch,
): Promise<Watch> {
  const changed = change(watchedIn(channelId, wallet, context));
  if (await context.registry.update(changed)) return changed;
  throw new UserError(({ texts }) => texts.watch.changedMeanwhile);
}

/** Says that a wallet is not watched in a channel, and where in the server it is. */
function notWatched(channelId: string, wallet: WalletAddress, { place, registry }: CommandContext): UserError {
  if (place.kind !== 'server') return new UserError(({ texts }) => texts.personal.notWatched);
  const elsewhere = registry
    .ofWallet(wallet)
    .filter(({ ownerId }) => ownerId === place.ownerId)
    .map((other) => `<#${other.channelId}>`);
  return new UserError(({ texts: { watch } }) => {
    const hint = elsewhere.length === 0 ? watch.notElsewhere : watch.elsewhere(elsewhere.slice(0, 5).join(watch.comma));
    return watch.notHere(`<#${channelId}>`) + watch.gap + hint;
  });
}

/** @throws {UserError} if a role is named that whoever types the command may not mention in the channel */
export function requireMention(interaction: CommandUse, channelId: string): void {
  const role = interaction.options.getRole('mention');
  if (role !== null) requireServer(interaction, 'mention');
  const trouble = role === null ? null : memberMentionTrouble(interaction, channelId, role.id);
  if (trouble !== null) throw new UserError(trouble);
}

/** Warns of a role that the bot cannot mention. */
export function mentionWarnings(interaction: AnyUse, { channelId, settings }: Watch, language: Language): string[] {
  if (settings.mention === null || !interaction.inCachedGuild()) return [];
  const trouble = mentionTrouble(interaction.guild, channelId, settings.mention.roleId);
  return trouble === null ? [] : [`⚠️ ${trouble(language)}`];
}

/**
 * Makes sure that the bot can write where a command is about. A person gets a first message.
 *
 * @returns a remark on what would help, null if there is none
 * @throws {UserError} that says what to do if it cannot
 */
export async function checkReach(
  interaction: CommandUse | ButtonUse,
  channelId: string,
  { place, persons, language }: CommandContext,
): Promise<LocalizedText | null> {
  if (place.kind === 'directMessage') {
    await persons.greet({ personId: interaction.user.id, channelId, attempt: interaction.id, language });
    return null;
  }
  if (!interaction.inCachedGuild()) throw new UserError(({ texts }) => texts.errors.notMember);
  return checkAlertChannel(interaction.guild, channelId);
}
