import type { Channel, Guild, Member, Role, User, Wire } from './model.ts';
import { isThread } from './model.ts';

export function userWire(user: User): Wire {
  return {
    id: user.id,
    username: user.name,
    discriminator: user.bot ? '0001' : '0',
    global_name: user.bot ? null : user.name,
    avatar: null,
    bot: user.bot,
    system: false,
    public_flags: 0,
    banner: null,
    accent_color: null,
    avatar_decoration_data: null,
    primary_guild: null,
    collectibles: null,
  };
}

export function roleWire(role: Role): Wire {
  return {
    id: role.id,
    name: role.name,
    color: role.color,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: role.permissions.toString(),
    managed: role.botId !== null,
    mentionable: role.mentionable,
    flags: 0,
    ...(role.botId === null ? {} : { tags: { bot_id: role.botId } }),
  };
}

export function memberWire(member: Member, user: User | null): Wire {
  return {
    ...(user === null ? {} : { user: userWire(user) }),
    nick: member.nick,
    avatar: null,
    banner: null,
    roles: [...member.roleIds],
    joined_at: new Date(member.joinedAtMs).toISOString(),
    premium_since: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: 0,
    communication_disabled_until:
      member.timedOutUntilMs === null ? null : new Date(member.timedOutUntilMs).toISOString(),
  };
}

export function channelWire(channel: Channel, recipients: readonly User[]): Wire {
  const common: Wire = {
    id: channel.id,
    type: channel.type,
    flags: 0,
    last_message_id: channel.lastMessageId,
  };
  if (channel.guildId === null) return { ...common, recipients: recipients.map(userWire) };
  const inGuild: Wire = {
    ...common,
    guild_id: channel.guildId,
    name: channel.name,
    parent_id: channel.parentId,
    rate_limit_per_user: 0,
  };
  if (isThread(channel)) {
    return {
      ...inGuild,
      owner_id: null,
      message_count: 0,
      member_count: 1,
      thread_metadata: {
        archived: channel.archived,
        locked: channel.locked,
        auto_archive_duration: 1440,
        archive_timestamp: new Date(0).toISOString(),
        create_timestamp: null,
      },
    };
  }
  return {
    ...inGuild,
    position: channel.position,
    topic: null,
    nsfw: false,
    permission_overwrites: [...channel.overwrites.values()].map((overwrite) => ({
      id: overwrite.id,
      type: overwrite.type,
      allow: overwrite.allow.toString(),
      deny: overwrite.deny.toString(),
    })),
  };
}

export function guildWire(guild: Guild): Wire {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    icon_hash: null,
    splash: null,
    discovery_splash: null,
    owner_id: guild.ownerId,
    region: null,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: [...guild.roles.values()].map(roleWire),
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: guild.systemChannelId,
    system_channel_flags: 0,
    rules_channel_id: guild.rulesChannelId,
    max_members: 500_000,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: guild.locale,
    public_updates_channel_id: null,
    nsfw_level: 0,
    nsfw: false,
    premium_progress_bar_enabled: false,
    safety_alerts_channel_id: null,
    incidents_data: null,
  };
}

/** Returns all that Discord reveals about an unavailable server. */
export function unavailableWire({ id }: Guild): Wire {
  return { id, unavailable: true };
}

/**
 * Returns the GUILD_CREATE payload for a bot without the GUILD_MEMBERS intent: the bot is the only
 * member in it.
 */
export function guildCreateWire(guild: Guild, bot: User): Wire {
  const channels = [...guild.channels.values()];
  const member = guild.members.get(bot.id);
  return {
    ...guildWire(guild),
    joined_at: new Date(member?.joinedAtMs ?? 0).toISOString(),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [],
    members: member === undefined ? [] : [memberWire(member, bot)],
    channels: channels
      .filter((channel) => !isThread(channel))
      .map((channel) => channelWire(channel, [])),
    threads: channels
      .filter((channel) => isThread(channel) && !channel.archived)
      .map((channel) => channelWire(channel, [])),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}
