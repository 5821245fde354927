import {
  ChannelType,
  type Client,
  type Guild,
  type GuildBasedChannel,
  type GuildMember,
  PermissionFlagsBits,
} from 'discord.js';
import { UserError } from './errors.ts';

/** The kinds of channel that alerts can go to. */
export const ALERT_CHANNELS = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
] as const;

/**
 * Makes sure that the bot can ring in a channel, and tells what it could do better there.
 *
 * @returns advice for the room, null if there is none
 * @throws {UserError} that names the permissions that are missing
 */
export async function checkAlertChannel(guild: Guild, channelId: string): Promise<string | null> {
  const channel = await guild.channels.fetch(channelId).catch(() => null);
  if (channel === null) {
    throw new UserError(`I cannot see <#${channelId}>. Give me View Channel there, then try again.`);
  }
  if (!ALERT_CHANNELS.some((type) => type === channel.type)) {
    throw new UserError(`<#${channelId}> does not take messages. Choose a text channel or a thread.`);
  }
  const missing = await missingPermissions(guild, channel);
  if (missing.length > 0) {
    throw new UserError(`I cannot ring in <#${channelId}>. Give me ${listed(missing)} there, then try again.`);
  }
  const me = await guild.members.fetchMe();
  const canReadHistory = channel.permissionsFor(me).has(PermissionFlagsBits.ReadMessageHistory);
  return canReadHistory
    ? null
    : 'Give me Read Message History there too: without it I cannot check after an outage whether an alert had arrived, and may repeat it.';
}

/** Whether the bot has what it needs to ring in a channel, as far as the gateway has told; null if it has not. */
export function mayRing(client: Client, channelId: string): boolean | null {
  const channel = client.channels.cache.get(channelId);
  if (channel === undefined || channel.isDMBased() || channel.guild.members.me === null) return null;
  return missingNames(channel, channel.guild.members.me).length === 0;
}

/** Why a mention of the role would reach nobody in a channel; null if it would, or if that is not known. */
export function mentionTrouble(guild: Guild, channelId: string, roleId: string): string | null {
  const role = guild.roles.cache.get(roleId);
  if (role === undefined) return 'The role to mention is gone: name another one in `/watch edit`.';
  const channel = guild.channels.cache.get(channelId);
  const { me } = guild.members;
  if (role.mentionable || channel === undefined || me === null) return null;
  if (channel.permissionsFor(me).has(PermissionFlagsBits.MentionEveryone)) return null;
  return `I may not mention <@&${roleId}> in <#${channelId}>. Make the role mentionable, or give me Mention Everyone there.`;
}

async function missingPermissions(guild: Guild, channel: GuildBasedChannel): Promise<string[]> {
  return missingNames(channel, await guild.members.fetchMe());
}

/** The names of the permissions that the bot lacks to ring there. */
export function missingNames(channel: GuildBasedChannel, me: GuildMember): string[] {
  const permissions = channel.permissionsFor(me);
  const needed: [bigint, string][] = [
    [PermissionFlagsBits.ViewChannel, 'View Channel'],
    channel.isThread()
      ? [PermissionFlagsBits.SendMessagesInThreads, 'Send Messages in Threads']
      : [PermissionFlagsBits.SendMessages, 'Send Messages'],
    [PermissionFlagsBits.EmbedLinks, 'Embed Links'],
  ];
  return needed.filter(([bit]) => !permissions.has(bit)).map(([, name]) => name);
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}
