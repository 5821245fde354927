import {
  ChannelType,
  type Client,
  Constants,
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  type Guild,
  type GuildBasedChannel,
  type GuildMember,
  PermissionFlagsBits,
  PermissionsBitField,
  RESTJSONErrorCodes,
} from 'discord.js';
import type { Reach } from '../delivery/reach.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { Language, LocalizedText } from '../language/language.ts';
import type { Texts } from '../language/texts.ts';
import { UserError } from '../language/user-error.ts';
import type { AnyUse } from '../slash-commands/slash-command.ts';
import type { Registry } from '../watches/registry.ts';
import { isLeaving, type Watch } from '../watches/watch.ts';
import { type Place, placeOf } from './place.ts';

/** A permission that the bot needs; the catalogs have their names. */
type NeededPermission = keyof Texts['errors']['permissions'];

type Permissions = Readonly<PermissionsBitField>;

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
const THREADS: readonly unknown[] = Constants.ThreadChannelTypes;
const UNSEEN: readonly unknown[] = [
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.MissingAccess,
];

/**
 * Ensures that the bot can send alerts to a channel.
 *
 * @param nowMs time by this machine's clock, in epoch ms
 * @returns a note about a missing permission that would help; null if none is missing
 * @throws {UserError} that names the missing permissions
 */
export async function checkAlertChannel(
  guild: Guild,
  channelId: string,
  nowMs: number,
): Promise<LocalizedText | null> {
  const mention = `<#${channelId}>`;
  const channel = await guild.channels.fetch(channelId).catch((error: unknown) => {
    // Discord itself confirms that the bot has no such channel in that server; any other failure
    // proves nothing.
    const isForeign =
      error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.GuildChannelUnowned;
    if (isForeign || (error instanceof DiscordAPIError && UNSEEN.includes(error.code))) return null;
    throw error;
  });
  if (channel === null) {
    throw new UserError(({ texts: { errors } }) =>
      errors.channel.unseen(mention, errors.permissions.viewChannel),
    );
  }
  if (!ALERT_CHANNELS.some((type) => type === channel.type)) {
    throw new UserError(({ texts }) => texts.errors.channel.wrongKind(mention));
  }
  const me = await guild.members.fetchMe();
  const permissions = channel.permissionsFor(me);
  const trouble = troubleIn(channel, me, nowMs);
  if (trouble !== null) throw new UserError(trouble);
  if (permissions.has(PermissionFlagsBits.ReadMessageHistory)) return null;
  return ({ texts: { errors } }) => errors.channel.noHistory(errors.permissions.readMessageHistory);
}

/** Returns a channel of a server, if it is in the gateway's cache. */
export function serverChannel(client: Client, channelId: string): GuildBasedChannel | undefined {
  const channel = client.channels.cache.get(channelId);
  if (channel === undefined || channel.isDMBased()) return undefined;
  return channel;
}

/**
 * Whether messages of a channel may be edited as often as they grow: in announcement channels
 * Discord accepts three edits an hour (discord-api-docs #2258). A channel that is not in the
 * gateway's cache counts as a normal one.
 */
export function takesEdits(client: Client, channelId: string): boolean {
  return serverChannel(client, channelId)?.type !== ChannelType.GuildAnnouncement;
}

/** Whether the bot has a permission in a channel; null if the gateway's cache does not know. */
export function hasPermission(
  client: Client,
  channelId: string,
  permission: bigint,
): boolean | null {
  return ownPermissions(serverChannel(client, channelId))?.has(permission) ?? null;
}

/** Returns the bot's permissions in a channel; null if the gateway's cache does not know. */
function ownPermissions(channel: GuildBasedChannel | undefined): Permissions | null {
  const me = channel?.guild.members.me ?? null;
  if (channel === undefined || me === null) return null;
  return channel.permissionsFor(me);
}

/**
 * Returns why a channel of the server gets no alerts, or only parts of them; null if there is no
 * reason, or the gateway's cache does not know.
 *
 * @param nowMs time by this machine's clock, in epoch ms
 */
export function permissionTrouble(
  guild: Guild,
  channelId: string,
  nowMs: number,
): LocalizedText | null {
  const channel = guild.channels.cache.get(channelId);
  const { me } = guild.members;
  if (channel === undefined || me === null) return null;
  const { permissions, obstacle } = lacksIn(channel, me, nowMs);
  const [first, ...others] = permissions;
  if (obstacle !== null || first !== 'embedLinks' || others.length > 0) {
    return troubleIn(channel, me, nowMs);
  }
  return ({ texts: { errors } }) =>
    errors.channel.noEmbeds(`<#${channelId}>`, errors.permissions.embedLinks);
}

/**
 * Returns whether the bot can write to a channel, as far as the gateway's cache knows.
 *
 * @param guildId the channel's present or former server; undefined if unknown
 * @param nowMs time by this machine's clock, in epoch ms
 */
export function reachOf(
  client: Client,
  channelId: string,
  guildId: string | undefined,
  nowMs: number,
): Reach {
  const channel = serverChannel(client, channelId);
  if (channel === undefined) {
    const guild = guildId === undefined ? undefined : client.guilds.cache.get(guildId);
    return { kind: guild?.available === true ? 'missing' : 'unknown', lacks: null };
  }
  const { me } = channel.guild.members;
  if (me === null) return { kind: 'unknown', lacks: null };
  const { permissions, obstacle } = lacksIn(channel, me, nowMs);
  const isClosed = obstacle !== null || permissions.some((name) => name !== 'embedLinks');
  // While a server is unavailable, Discord may refuse what the cache still allows.
  if (!isClosed && !channel.guild.available) return { kind: 'unknown', lacks: null };
  const lacks: string[] = [...permissions];
  if (obstacle !== null) lacks.push(obstacle);
  return { kind: isClosed ? 'closed' : 'open', lacks: lacks.join(', ') };
}

/**
 * Returns the end of the bot's time-out in a server, in epoch ms; null if there is none. A time-out
 * removes all permissions except View Channel and Read Message History (topics/permissions.mdx,
 * "Permissions for Timed Out Members"), and none from administrators.
 */
export function timedOutUntilMs(me: GuildMember, nowMs: number): number | null {
  const untilMs = me.communicationDisabledUntilTimestamp;
  if (
    untilMs === null ||
    untilMs <= nowMs ||
    me.permissions.has(PermissionFlagsBits.Administrator)
  ) {
    return null;
  }
  return untilMs;
}

/**
 * Returns what the bot lacks to send alerts to a channel: missing permissions, and an obstacle that
 * makes present ones useless.
 */
function lacksIn(channel: GuildBasedChannel, me: GuildMember, nowMs: number) {
  const permissions = channel.permissionsFor(me);
  const missing = missingFrom(channel, permissions);
  if (timedOutUntilMs(me, nowMs) !== null) {
    return { permissions: missing, obstacle: 'timedOut' as const };
  }
  // A thread that is only archived accepts messages: a message unarchives it.
  const isLocked =
    channel.isThread() &&
    channel.locked === true &&
    !permissions.has(PermissionFlagsBits.ManageThreads);
  return { permissions: missing, obstacle: isLocked ? ('locked' as const) : null };
}

/**
 * Returns why a mention of the role would notify no one in a channel; null if it would work, or if
 * that is unknown.
 */
export function mentionTrouble(
  guild: Guild,
  channelId: string,
  roleId: string,
): LocalizedText | null {
  const role = guild.roles.cache.get(roleId);
  if (role === undefined) return ({ texts }) => texts.errors.channel.roleGone;
  const permissions = ownPermissions(guild.channels.cache.get(channelId));
  if (role.mentionable || permissions?.has(PermissionFlagsBits.MentionEveryone) !== false) {
    return null;
  }
  return ({ texts: { errors } }) =>
    errors.channel.notMentionable(
      `<@&${roleId}>`,
      `<#${channelId}>`,
      errors.permissions.mentionEveryone,
    );
}

/** Returns why alerts cannot be sent to a channel; null if they can. */
function troubleIn(
  channel: GuildBasedChannel,
  me: GuildMember,
  nowMs: number,
): LocalizedText | null {
  const mention = `<#${channel.id}>`;
  const untilMs = timedOutUntilMs(me, nowMs);
  if (untilMs !== null) {
    return ({ texts }) =>
      texts.errors.channel.timedOut(mention, `<t:${Math.ceil(untilMs / 1000)}:f>`);
  }
  const { permissions: missing, obstacle } = lacksIn(channel, me, nowMs);
  if (missing.length > 0) {
    return (language) => language.texts.errors.channel.closed(mention, listed(missing, language));
  }
  if (obstacle === 'locked') return ({ texts }) => texts.errors.channel.locked(mention);
  return null;
}

/** Returns the permissions that the bot lacks to send alerts to the channel. */
export function missingFrom(
  channel: GuildBasedChannel,
  permissions: Permissions,
): NeededPermission[] {
  const missing = missingToWrite(permissions, channel.isThread());
  if (permissions.has(PermissionFlagsBits.EmbedLinks)) return missing;
  return [...missing, 'embedLinks'];
}

/**
 * Returns the permissions that are missing to write to a channel.
 *
 * @param permissions null if unknown
 */
function missingToWrite(permissions: Permissions | null, isThread: boolean): NeededPermission[] {
  const needed = ['viewChannel', isThread ? 'sendMessagesInThreads' : 'sendMessages'] as const;
  return needed.filter((name) => permissions?.has(WRITING[name]) !== true);
}

function listed(permissions: readonly NeededPermission[], { tag, texts }: Language): string {
  const names = permissions.map((permission) => texts.errors.permissions[permission]);
  return new Intl.ListFormat(tag, { type: 'conjunction' }).format(names);
}

/**
 * Ensures that a person could write in a channel without the bot: using a command must not lend
 * them the bot's permissions.
 *
 * @throws {UserError} that names the permissions that the person lacks there
 */
export function requireWriting(interaction: AnyUse, channelId: string): void {
  if (placeOf(interaction).kind === 'directMessage' && channelId === interaction.channelId) return;
  const missing = missingToWrite(...rightsIn(interaction, channelId));
  if (missing.length === 0) return;
  throw new UserError((language) =>
    language.texts.errors.channel.notYours(`<#${channelId}>`, listed(missing, language)),
  );
}

/**
 * Returns a person's permissions in a channel. In a private thread there are none, unless they
 * manage threads and so see all of them: the thread's members are unknown, and Discord reports its
 * channel's permissions for a thread.
 */
export function permissionsIn(channel: GuildBasedChannel, member: GuildMember): Permissions {
  const permissions = channel.permissionsFor(member);
  const isClosed =
    channel.type === ChannelType.PrivateThread &&
    !permissions.has(PermissionFlagsBits.ManageThreads);
  return isClosed ? new PermissionsBitField() : permissions;
}

/**
 * @throws {UserError} unless everyone may mention the role, or the person may mention any role in
 *   the channel
 */
export function requireMention(interaction: AnyUse, channelId: string, roleId: string): void {
  const role = interaction.guild?.roles.cache.get(roleId);
  const [permissions] = rightsIn(interaction, channelId);
  if (
    role?.mentionable === true ||
    permissions?.has(PermissionFlagsBits.MentionEveryone) === true
  ) {
    return;
  }
  throw new UserError(({ texts: { errors } }) =>
    errors.channel.mentionNotYours(
      `<@&${roleId}>`,
      `<#${channelId}>`,
      errors.permissions.mentionEveryone,
    ),
  );
}

/**
 * Returns the registry restricted to one person: in a server, its watches in channels that the
 * person sees; outside the bot's servers, only their own. Archived threads are in no gateway cache;
 * server managers see them.
 */
export function registrySeenBy(interaction: AnyUse, registry: Registry): Registry {
  const { ownerId } = placeOf(interaction);
  const isSeen = seenBy(interaction);
  const isOwn = (watch: Watch) => watch.ownerId === ownerId && !isLeaving(watch);
  return {
    ...registry,
    ofOwner: (id) => (id === ownerId ? registry.ofOwner(id).filter(isOwn).filter(isSeen) : []),
    ofChannel: (channelId) => registry.ofChannel(channelId).filter(isOwn),
    ofWallet: (wallet) => registry.ofWallet(wallet).filter(isOwn).filter(isSeen),
  };
}

/** Returns a filter of what belongs to channels that the person sees; looks at each channel once. */
export function seenBy(interaction: AnyUse) {
  const known = new Map<string, boolean>();
  return ({ channelId }: { readonly channelId: string }): boolean => {
    const answer = known.get(channelId) ?? seesChannel(interaction, channelId);
    known.set(channelId, answer);
    return answer;
  };
}

/**
 * Whether the person sees a channel: a channel of the server, or their own. A channel that is not
 * cached counts as seen by anyone who manages the server.
 */
export function seesChannel(interaction: AnyUse, channelId: string): boolean {
  if (channelId === interaction.channelId || placeOf(interaction).kind !== 'server') return true;
  const [permissions] = rightsIn(interaction, channelId);
  if (permissions === null) {
    return interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true;
  }
  return permissions.has(PermissionFlagsBits.ViewChannel);
}

/**
 * Whether a channel's watches may be named in an answer that everyone in the interaction's channel
 * reads. This requires that everyone who sees the interaction's channel sees the other one too: it
 * is open to all, or both channels have the same view rules.
 */
export function isForAll(
  { channelId: here, guild }: Pick<AnyUse, 'channelId' | 'guild'>,
  channelId: string,
): boolean {
  if (channelId === here) return true;
  const channel = guild?.channels.cache.get(channelId);
  const other = guild?.channels.cache.get(here);
  // Not everyone who sees its channel is in a private thread.
  if (channel === undefined || channel.type === ChannelType.PrivateThread) return false;
  const rules = viewRules(channel);
  const isOpen =
    rules === '' && channel.guild.roles.everyone.permissions.has(PermissionFlagsBits.ViewChannel);
  return rules !== null && (isOpen || (other !== undefined && rules === viewRules(other)));
}

/**
 * Returns the watches of a wallet that may be named in an answer. In a server, everyone in the
 * channel reads the answer, so it names that channel's watches and those of channels visible to all
 * of its readers. Elsewhere only the person reads it, so it names their own watches.
 */
export function watchesForAll(
  interaction: Pick<AnyUse, 'channelId' | 'guild'>,
  { kind, ownerId }: Place,
  registry: Pick<Registry, 'ofWallet'>,
  wallet: WalletAddress,
): readonly Watch[] {
  return registry
    .ofWallet(wallet)
    .filter((watch) => watch.ownerId === ownerId && !isLeaving(watch))
    .filter(({ channelId }) => kind !== 'server' || isForAll(interaction, channelId));
}

/**
 * Returns whom a channel's overwrites allow or deny to view it, apart from the server-wide
 * permissions of roles; a thread is visible to the viewers of its channel. Null if unknown.
 */
function viewRules(channel: GuildBasedChannel): string | null {
  const source = channel.isThread() ? channel.parent : channel;
  if (source === null || !('permissionOverwrites' in source)) return null;
  const rules: string[] = [];
  for (const { id, allow, deny } of source.permissionOverwrites.cache.values()) {
    const lets = allow.has(PermissionFlagsBits.ViewChannel, false);
    const keeps = deny.has(PermissionFlagsBits.ViewChannel, false);
    if (lets !== keeps) rules.push(`${id} ${lets}`);
  }
  return rules.sort().join();
}

/**
 * Returns the person's permissions in a channel of the server, null if unknown; and whether it is a
 * thread.
 */
function rightsIn(interaction: AnyUse, channelId: string): readonly [Permissions | null, boolean] {
  const [guild, member] = interaction.inCachedGuild()
    ? [interaction.guild, interaction.member]
    : [null, null];
  const channel = guild?.channels.cache.get(channelId);
  if (channelId === interaction.channelId) {
    const type = channel?.type ?? interaction.channel?.type;
    return [interaction.memberPermissions, THREADS.includes(type)];
  }
  if (channel === undefined || member === null) return [null, false];
  return [permissionsIn(channel, member), channel.isThread()];
}
