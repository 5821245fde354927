import type { Channel, Guild, Member, User } from '../model.ts';
import { isBotDm } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import type { MemberRef, World } from '../world/world.ts';
import { CannotDo } from './commandline.ts';

/** The person who acts, and the place. */
export interface Scene {
  readonly user: User;
  readonly channel: Channel;
  readonly guild: Guild | null;
  readonly member: Member | null;
}

/** @throws CannotDo if there is no such person or channel, or the person cannot see the channel */
export function enterScene(world: World, { userId, guildId }: MemberRef, channelId: string): Scene {
  const user = world.user(userId);
  const channel = world.channel(channelId);
  if (!user) throw new CannotDo(`There is no person ${userId}.`);
  if (!channel) throw new CannotDo(`There is no channel ${channelId}.`);
  if (channel.guildId === null) {
    if (!channel.recipientIds.includes(userId)) {
      throw new CannotDo('That direct message belongs to somebody else.');
    }
    return { user, channel, guild: null, member: null };
  }
  const guild =
    channel.guildId === (guildId ?? channel.guildId) ? world.guild(channel.guildId) : undefined;
  const member = guild?.members.get(userId);
  if (!guild || !member) {
    throw new CannotDo(`${user.name} is not in the server of channel ${channelId}.`);
  }
  if (!has(world.permissionsIn(userId, channel), PERMISSIONS.VIEW_CHANNEL)) {
    throw new CannotDo(`${user.name} cannot see channel ${channel.name}.`);
  }
  return { user, channel, guild, member };
}

/**
 * Returns the interaction context (application-commands.mdx): 0 a server, 1 the person's direct
 * message with the bot, 2 another private channel.
 */
export function contextOf({ channel, guild }: Scene): 0 | 1 | 2 {
  if (guild !== null) return 0;
  return isBotDm(channel) ? 1 : 2;
}

/**
 * The installer of the application by integration type: `authorizing_integration_owners`
 * (receiving-and-responding.mdx).
 */
export type Owners = Readonly<Partial<Record<0 | 1, string>>>;

/**
 * Returns the installations that allow the use of an application's command or posts in a scene;
 * none means that they cannot be used.
 *
 * @param types the command's integration types
 */
export function ownersIn(world: World, scene: Scene, types: readonly number[]): Owners {
  const { user, guild } = scene;
  const isShared =
    guild === null
      ? contextOf(scene) === 1 && world.isInBotGuild(user.id)
      : guild.members.has(world.bot.id);
  return {
    ...(types.includes(0) && isShared ? { 0: guild?.id ?? '0' } : {}),
    ...(types.includes(1) && user.hasInstalled ? { 1: user.id } : {}),
  };
}
