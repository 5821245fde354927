import {
  ChannelType,
  type Client,
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  type Guild,
  type GuildBasedChannel,
  PermissionFlagsBits,
  type PermissionsBitField,
  RESTJSONErrorCodes,
} from 'discord.js';
import type { ErrorWords } from '../language/en/errors.ts';
import type { Language, LocalizedText } from '../language/language.ts';
import { UserError } from '../language/user-error.ts';

/** A permission that the bot needs; the catalogues have their names. */
export type NeededPermission = keyof ErrorWords['permissions'];

/** What somebody may do in a channel. */
export type Permissions = Readonly<PermissionsBitField>;

/** The kinds of channel that alerts can go to. */
export const ALERT_CHANNELS = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
] as const;

const WRITING = {
  viewChannel: PermissionFlagsBits.ViewChannel,
  sendMessages: PermissionFlagsBits.SendMessages,
  sendMessagesInThreads: PermissionFlagsBits.SendMessagesInThreads,
};
const UNSEEN: readonly unknown[] = [RESTJSONErrorCodes.UnknownChannel, RESTJSONErrorCodes.MissingAccess];

/**
 * Makes sure that the bot can send alerts to a channel.
 *
 * @returns a remark on a permission that would help, null if none is missing
 * @throws {UserError} that names the permissions that are missing
 */
export async function checkAlertChannel(guild: Guild, channelId: string): Promise<LocalizedText | null> {
  const mention = `<#${channelId}>`;
  const channel = await guild.channels.fetch(channelId).catch((error: unknown) => {
    if (isUnseen(error)) return null;
    throw error;
  });
  if (channel === null) {
    throw new UserError(({ texts: { errors } }) => errors.channel.unseen(mention, errors.permissions.viewChannel));
  }
  if (!ALERT_CHANNELS.some((type) => type === channel.type)) {
    throw new UserError(({ texts }) => texts.errors.channel.wrongKind(mention));
  }
  const me = await guild.members.fetchMe();
  const permissions = channel.permissionsFor(me);
  const trouble = troubleIn(channel, permissions);
  if (trouble !== null) throw new UserError(trouble);
  if (permissions.has(PermissionFlagsBits.ReadMessageHistory)) return null;
  return ({ texts: { errors } }) => errors.channel.noHistory(errors.permissions.readMessageHistory);
}

/** Whether Discord itself answers that the bot has no such channel in that server; any other failure leaves it open. */
function isUnseen(error: unknown): boolean {
  if (error instanceof DiscordjsError) return error.code === DiscordjsErrorCodes.GuildChannelUnowned;
  return error instanceof DiscordAPIError && UNSEEN.includes(error.code);
}

/** A channel of a server, if it is in the gateway's cache. */
export function serverChannel(client: Client, channelId: string): GuildBasedChannel | undefined {
  const channel = client.channels.cache.get(channelId);
  return channel === undefined || channel.isDMBased() ? undefined : channel;
}

/** Whether the bot has a permission in a channel; null if the gateway's cache does not say. */
export function hasPermission(client: Client, channelId: string, permission: bigint): boolean | null {
  return ownPermissions(serverChannel(client, channelId))?.has(permission) ?? null;
}

/** Whether the bot has all permissions that alerts in a channel need; null if the gateway's cache does not say. */
export function maySendAlerts(client: Client, channelId: string): boolean | null {
  const channel = serverChannel(client, channelId);
  const permissions = ownPermissions(channel);
  return channel === undefined || permissions === null ? null : troubleIn(channel, permissions) === null;
}

/** What the bot may do in a channel; null if the gateway's cache does not say. */
function ownPermissions(channel: GuildBasedChannel | undefined): Permissions | null {
  const me = channel?.guild.members.me ?? null;
  return channel === undefined || me === null ? null : channel.permissionsFor(me);
}

/** What the bot lacks for alerts in a channel of the server; null if nothing, or if the gateway's cache does not say. */
export function permissionTrouble(guild: Guild, channelId: string): LocalizedText | null {
  const channel = guild.channels.cache.get(channelId);
  const permissions = ownPermissions(channel);
  if (channel === undefined || permissions === null) return null;
  const [first, ...others] = missingFrom(channel, permissions);
  if (first !== 'embedLinks' || others.length > 0) return troubleIn(channel, permissions);
  return ({ texts: { errors } }) => errors.channel.noEmbeds(`<#${channelId}>`, errors.permissions.embedLinks);
}

/** Why a mention of the role would reach nobody in a channel; null if it would, or if that is not known. */
export function mentionTrouble(guild: Guild, channelId: string, roleId: string): LocalizedText | null {
  const role = guild.roles.cache.get(roleId);
  if (role === undefined) return ({ texts }) => texts.errors.channel.roleGone;
  const permissions = ownPermissions(guild.channels.cache.get(channelId));
  if (role.mentionable || permissions?.has(PermissionFlagsBits.MentionEveryone) !== false) return null;
  return ({ texts: { errors } }) =>
    errors.channel.notMentionable(`<@&${roleId}>`, `<#${channelId}>`, errors.permissions.mentionEveryone);
}

/** Why alerts cannot be sent to a channel; null if they can. */
function troubleIn(channel: GuildBasedChannel, permissions: Permissions): LocalizedText | null {
  const mention = `<#${channel.id}>`;
  const missing = missingFrom(channel, permissions);
  if (missing.length > 0) return (language) => language.texts.errors.channel.closed(mention, listed(missing, language));
  // A thread that is only archived takes messages: one opens it again.
  const isLocked = channel.isThread() && channel.locked === true && !permissions.has(PermissionFlagsBits.ManageThreads);
  return isLocked ? ({ texts }) => texts.errors.channel.locked(mention) : null;
}

/** The permissions that the bot lacks to send alerts there. */
export function missingFrom(channel: GuildBasedChannel, permissions: Permissions): NeededPermission[] {
  const missing = missingToWrite(permissions, channel.isThread());
  return permissions.has(PermissionFlagsBits.EmbedLinks) ? missing : [...missing, 'embedLinks'];
}

/** The permissions that are missing to write somewhere. @param permissions null: nobody knows of any */
export function missingToWrite(permissions: Permissions | null, isThread: boolean): NeededPermission[] {
  const needed = ['viewChannel', isThread ? 'sendMessagesInThreads' : 'sendMessages'] as const;
  return needed.filter((name) => permissions?.has(WRITING[name]) !== true);
}

/** Permissions as a list in a sentence. */
export function listed(permissions: readonly NeededPermission[], { tag, texts }: Language): string {
  const names = permissions.map((permission) => texts.errors.permissions[permission]);
  return new Intl.ListFormat(tag, { type: 'conjunction' }).format(names);
}
