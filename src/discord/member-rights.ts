import {
  ChannelType,
  Constants,
  type Guild,
  type GuildBasedChannel,
  type GuildMember,
  PermissionFlagsBits,
  PermissionsBitField,
} from 'discord.js';
import type { WalletAddress } from '../domain/address.ts';
import type { LocalizedText } from '../language/language.ts';
import { UserError } from '../language/user-error.ts';
import type { AnyUse } from '../slash-commands/slash-command.ts';
import type { Registry } from '../watches/registry.ts';
import { isLeaving, type Watch } from '../watches/watch.ts';
import { listed, missingToWrite, type Permissions } from './permissions.ts';
import { ownerOf, type Place, placeOf } from './place.ts';

const THREADS: readonly unknown[] = Constants.ThreadChannelTypes;

/**
 * Makes sure that a person could write in a channel without the bot: whoever may use a command does not borrow its rights.
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
 * What a person may do in a channel. In a private thread nothing, unless they manage threads and so see all of them: who is in it is not
 * known, and Discord's permissions of a thread are those of its channel.
 */
export function permissionsIn(channel: GuildBasedChannel, member: GuildMember): Permissions {
  const permissions = channel.permissionsFor(member);
  const isClosed = channel.type === ChannelType.PrivateThread && !permissions.has(PermissionFlagsBits.ManageThreads);
  return isClosed ? new PermissionsBitField() : permissions;
}

/**
 * Why a person may not have a role mentioned in a channel; null if they may: the role is mentionable by everybody, or they
 * may mention any.
 */
export function memberMentionTrouble(interaction: AnyUse, channelId: string, roleId: string): LocalizedText | null {
  const role = interaction.guild?.roles.cache.get(roleId);
  const [permissions] = rightsIn(interaction, channelId);
  if (role?.mentionable === true || permissions?.has(PermissionFlagsBits.MentionEveryone) === true) return null;
  return ({ texts: { errors } }) =>
    errors.channel.mentionNotYours(`<@&${roleId}>`, `<#${channelId}>`, errors.permissions.mentionEveryone);
}

/**
 * The registry as one person may know it: of the lists of watches only those of the person's server whose channels the
 * person sees; outside of servers that the bot is in only the person's own. An archived thread is not in the gateway's cache: those who manage the server see it.
 */
export function registrySeenBy(interaction: AnyUse, registry: Registry): Registry {
  const ownerId = ownerOf(interaction);
  const known = new Map<string, boolean>();
  const isSeen = ({ channelId }: Watch): boolean => {
    const answer = known.get(channelId) ?? seesChannel(interaction, channelId);
    known.set(channelId, answer);
    return answer;
  };
  const stays = (watch: Watch) => !isLeaving(watch);
  return {
    ...registry,
    ofOwner: (id) => (id === ownerId ? registry.ofOwner(id).filter(stays).filter(isSeen) : []),
    ofChannel: (channelId) => registry.ofChannel(channelId).filter(stays),
    ofWallet: (wallet) =>
      registry
        .ofWallet(wallet)
        .filter(stays)
        .filter((watch) => watch.ownerId === ownerId && isSeen(watch)),
  };
}

/**
 * Whether the person who acts sees a channel of the server, or one of their own. Of one that is not in the gateway's cache: who
 * manages the server.
 */
export function seesChannel(interaction: AnyUse, channelId: string): boolean {
  if (channelId === interaction.channelId || placeOf(interaction).kind !== 'server') return true;
  const [permissions] = rightsIn(interaction, channelId);
  if (permissions === null) return interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) === true;
  return permissions.has(PermissionFlagsBits.ViewChannel);
}

/** Whether a channel's watches may be named in an answer that everybody in the channel of the interaction reads. */
export function isForAll({ channelId: here, guild }: Pick<AnyUse, 'channelId' | 'guild'>, channelId: string): boolean {
  return channelId === here || (guild !== null && isSeenWherever(guild, channelId, here));
}

/**
 * The watches of a wallet that may be named in an answer. Everybody in a server's channel reads it: this channel's, and those of
 * channels that everybody sees who sees this one. Elsewhere the person reads it alone: their own.
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

/** Whether everybody sees one channel who sees another: nobody is kept out of it, or both let in and keep out the same. */
function isSeenWherever(guild: Guild, channelId: string, where: string): boolean {
  const channel = guild.channels.cache.get(channelId);
  const other = guild.channels.cache.get(where);
  // Not everybody who sees its channel is in a private thread.
  if (channel === undefined || channel.type === ChannelType.PrivateThread) return false;
  const rules = viewRules(channel);
  const isOpen = rules === '' && guild.roles.everyone.permissions.has(PermissionFlagsBits.ViewChannel);
  return rules !== null && (isOpen || (other !== undefined && rules === viewRules(other)));
}

/** Whom a channel lets in and keeps out, apart from what roles may see in the whole server; a thread is seen with its channel. */
function viewRules(channel: GuildBasedChannel): string | null {
  const source = channel.isThread() ? channel.parent : channel;
  if (source === null || !('permissionOverwrites' in source)) return null;
  return source.permissionOverwrites.cache
    .map(({ id, allow, deny }) => {
      const [lets, keeps] = [allow, deny].map((bits) => bits.has(PermissionFlagsBits.ViewChannel, false));
      return lets === keeps ? '' : `${id} ${lets}`;
    })
    .filter((rule) => rule !== '')
    .toSorted()
    .join();
}

/** What the person who acts may do in a channel of the server, null if that is not known; and whether it is a thread. */
function rightsIn(interaction: AnyUse, channelId: string): readonly [Permissions | null, boolean] {
  const [guild, member] = interaction.inCachedGuild() ? [interaction.guild, interaction.member] : [null, null];
  const channel = guild?.channels.cache.get(channelId);
  if (channelId === interaction.channelId) {
    const type = channel?.type ?? interaction.channel?.type;
    return [interaction.memberPermissions, THREADS.includes(type)];
  }
  if (channel === undefined || member === null) return [null, false];
  return [permissionsIn(channel, member), channel.isThread()];
}
