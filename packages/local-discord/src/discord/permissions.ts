import type { Channel, Guild, Member } from './model.ts';
import { isThread } from './model.ts';

/** The permission bits used here (topics/permissions.mdx). */
export const PERMISSIONS = {
  CREATE_INSTANT_INVITE: 1n << 0n,
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  SEND_TTS_MESSAGES: 1n << 12n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_EXTERNAL_EMOJIS: 1n << 18n,
  CONNECT: 1n << 20n,
  MANAGE_ROLES: 1n << 28n,
  MANAGE_WEBHOOKS: 1n << 29n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
  MANAGE_THREADS: 1n << 34n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
  MODERATE_MEMBERS: 1n << 40n,
  USE_EXTERNAL_APPS: 1n << 50n,
} as const;

export const ALL_PERMISSIONS = (1n << 53n) - 1n;

const P = PERMISSIONS;

/** Permissions of an ordinary member in most servers. */
export const EVERYDAY_PERMISSIONS =
  P.CREATE_INSTANT_INVITE |
  P.ADD_REACTIONS |
  P.VIEW_CHANNEL |
  P.SEND_MESSAGES |
  P.EMBED_LINKS |
  P.ATTACH_FILES |
  P.READ_MESSAGE_HISTORY |
  P.USE_EXTERNAL_EMOJIS |
  P.CONNECT |
  P.USE_APPLICATION_COMMANDS |
  P.USE_EXTERNAL_APPS |
  P.SEND_MESSAGES_IN_THREADS;

/**
 * Permissions of an application in a channel where it is only installed by the user
 * (receiving-and-responding.mdx, `app_permissions`).
 */
export const GUEST_APP_PERMISSIONS = P.ATTACH_FILES | P.EMBED_LINKS | P.MENTION_EVERYONE;

/** Permissions with which an alert bot is usually invited, including message history. */
export const USUAL_BOT_PERMISSIONS =
  P.VIEW_CHANNEL |
  P.SEND_MESSAGES |
  P.EMBED_LINKS |
  P.ATTACH_FILES |
  P.READ_MESSAGE_HISTORY |
  P.SEND_MESSAGES_IN_THREADS;

const ONLY_IF_SENDING = P.MENTION_EVERYONE | P.SEND_TTS_MESSAGES | P.ATTACH_FILES | P.EMBED_LINKS;

/** Whether all bits are set. */
export function has(permissions: bigint, bits: bigint): boolean {
  return (permissions & bits) === bits;
}

/**
 * Returns a member's permissions in the whole server, without channel overwrites
 * (topics/permissions.mdx, "compute_base_permissions").
 */
export function guildPermissions(guild: Guild, member: Member): bigint {
  if (guild.ownerId === member.userId) return ALL_PERMISSIONS;
  let bits = guild.roles.get(guild.id)?.permissions ?? 0n;
  for (const roleId of member.roleIds) bits |= guild.roles.get(roleId)?.permissions ?? 0n;
  return has(bits, P.ADMINISTRATOR) ? ALL_PERMISSIONS : bits;
}

/**
 * Returns a member's permissions in a channel (topics/permissions.mdx, "compute_overwrites"). It
 * also applies the permissions that a missing VIEW_CHANNEL or SEND_MESSAGES removes, and the effect
 * of a timeout. A thread has its parent's overwrites.
 */
export function channelPermissions(
  guild: Guild,
  channel: Channel,
  member: Member,
  nowMs: number,
): bigint {
  let bits = guildPermissions(guild, member);
  if (has(bits, P.ADMINISTRATOR)) return bits;
  const source =
    isThread(channel) && channel.parentId !== null ? guild.channels.get(channel.parentId) : channel;
  const overwrites = source?.overwrites ?? channel.overwrites;
  const everyone = overwrites.get(guild.id);
  if (everyone) bits = (bits & ~everyone.deny) | everyone.allow;
  let allow = 0n;
  let deny = 0n;
  for (const roleId of member.roleIds) {
    const overwrite = overwrites.get(roleId);
    allow |= overwrite?.allow ?? 0n;
    deny |= overwrite?.deny ?? 0n;
  }
  bits = (bits & ~deny) | allow;
  const own = overwrites.get(member.userId);
  if (own) bits = (bits & ~own.deny) | own.allow;

  if (!has(bits, P.VIEW_CHANNEL)) return 0n;
  const sending = isThread(channel) ? P.SEND_MESSAGES_IN_THREADS : P.SEND_MESSAGES;
  if (!has(bits, sending)) bits &= ~ONLY_IF_SENDING;
  if (member.timedOutUntilMs !== null && member.timedOutUntilMs > nowMs) {
    bits &= P.VIEW_CHANNEL | P.READ_MESSAGE_HISTORY;
  }
  return bits;
}
