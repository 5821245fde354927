import type { Channel, Guild, Member, User } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import type { MemberRef, World } from '../world/world.ts';
import { CannotDo } from './commandline.ts';

/** Who does something, and where. */
export interface Scene {
  readonly user: User;
  readonly channel: Channel;
  readonly guild: Guild | null;
  readonly member: Member | null;
}

/** @throws CannotDo when there is no such person or channel, or the person does not see the channel */
export function enterScene(world: World, { userId, guildId }: MemberRef, channelId: string): Scene {
  const user = world.user(userId);
  const channel = world.channel(channelId);
  if (!user) throw new CannotDo(`There is no person ${userId}.`);
  if (!channel) throw new CannotDo(`There is no channel ${channelId}.`);
  if (channel.guildId === null) {
    if (channel.recipientId !== userId) throw new CannotDo('That direct message belongs to somebody else.');
    return { user, channel, guild: null, member: null };
  }
  const guild = channel.guildId === (guildId ?? channel.guildId) ? world.guild(channel.guildId) : undefined;
  const member = guild?.members.get(userId);
  if (!guild || !member) throw new CannotDo(`${user.name} is not in the server of channel ${channelId}.`);
  if (!has(world.permissionsIn(userId, channel), PERMISSIONS.VIEW_CHANNEL)) {
    throw new CannotDo(`${user.name} cannot see channel ${channel.name}.`);
  }
  return { user, channel, guild, member };
}
