import type { Channel, User } from '../model.ts';
import { CHANNEL_TYPES, isThread } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import { refusals } from '../refusal.ts';
import type { RestContext } from './context.ts';

/**
 * Returns a channel that the bot can see.
 *
 * @throws Refusal 10003 if it does not exist, 50001 if the bot lacks VIEW_CHANNEL or is not in the
 *   server
 */
export function reachChannel(
  { world }: RestContext,
  channelId: string,
): { readonly channel: Channel; readonly permissions: bigint } {
  const channel = world.channel(channelId);
  if (!channel) throw refusals.unknownChannel();
  const permissions = world.permissionsIn(world.bot.id, channel);
  if (!has(permissions, PERMISSIONS.VIEW_CHANNEL)) throw refusals.missingAccess();
  return { channel, permissions };
}

/**
 * Returns a channel that the bot may write to now.
 *
 * @throws Refusal like reachChannel; 50008 for a channel type without messages; 50013; 160005 for a
 *   locked thread; 50278 for a person who shares no server with the bot (and has not installed it,
 *   with `installsOpenDms`); 50007 for a person who accepts no direct messages
 */
export function writableChannel(
  context: RestContext,
  channelId: string,
): { readonly channel: Channel; readonly permissions: bigint } {
  const { channel, permissions } = reachChannel(context, channelId);
  if (channel.type === CHANNEL_TYPES.CATEGORY || channel.type === CHANNEL_TYPES.FORUM) {
    throw refusals.notATextChannel();
  }
  const needed = isThread(channel)
    ? PERMISSIONS.SEND_MESSAGES_IN_THREADS
    : PERMISSIONS.SEND_MESSAGES;
  if (!has(permissions, needed)) throw refusals.missingPermissions();
  if (channel.locked && !has(permissions, PERMISSIONS.MANAGE_THREADS)) {
    throw refusals.threadLocked();
  }
  for (const person of context.world.recipients(channel)) checkPerson(context, person);
  return { channel, permissions };
}

function checkPerson({ world, installsOpenDms }: RestContext, person: User): void {
  const isReached = world.isInBotGuild(person.id) || (installsOpenDms && person.hasInstalled);
  if (!isReached) throw refusals.noMutualGuild();
  if (!person.takesDms) throw refusals.cannotMessageUser();
}
