import type { SlashCommandChannelOption } from 'discord.js';
import { escapeText } from '../alert/text.ts';
import { LABEL_LIMIT, type Watch } from '../watch/watch.ts';
import { ALERT_CHANNELS } from './channel-check.ts';
import type { CommandContext, GuildCommand } from './command.ts';
import { UserError } from './errors.ts';
import { readWallet } from './wallet-option.ts';

export const WATCH_COLOUR = 0x5865f2;

/** The option `channel` of the subcommands of `/watch`; `describe` says what happens in it. */
export function channelOption(describe: string): (option: SlashCommandChannelOption) => SlashCommandChannelOption {
  return (option) =>
    option
      .setName('channel')
      .setDescription(`${describe}; this channel if left out`)
      .addChannelTypes(...ALERT_CHANNELS);
}

/** The channel that a command is about: the one named, or the one in which it was typed. */
export function targetChannel(interaction: GuildCommand): string {
  return interaction.options.getChannel('channel')?.id ?? interaction.channelId;
}

/**
 * The watch that a command is about.
 *
 * @throws {UserError} if the wallet cannot be read, or does not ring in the channel
 */
export function readWatch(interaction: GuildCommand, { registry }: Pick<CommandContext, 'registry'>): Watch {
  const { guildId } = interaction;
  const channelId = targetChannel(interaction);
  const wallet = readWallet(interaction.options.getString('wallet', true), guildId, registry);
  const watch = registry.get(channelId, wallet);
  if (watch?.guildId !== guildId) throw notWatched(channelId, registry.ofWallet(wallet), guildId);
  return watch;
}

/** Says that a wallet does not ring in a channel, and where in the server it does. */
export function notWatched(channelId: string, watches: readonly Watch[], guildId: string): UserError {
  const elsewhere = watches.filter((other) => other.guildId === guildId).map((other) => `<#${other.channelId}>`);
  const hint =
    elsewhere.length === 0
      ? 'Nor anywhere else in this server: `/watch list` shows what does.'
      : `It rings in ${elsewhere.slice(0, 5).join(', ')}: name that channel in the option \`channel\`.`;
  return new UserError(`This wallet does not ring in <#${channelId}>. ${hint}`);
}

/** A watch's label as it can stand where markdown is read. */
export function shownLabel(label: string | null, fallback: string): string {
  return escapeText(label ?? '', LABEL_LIMIT, fallback);
}
