import type { Events } from '../events.ts';
import type { Channel, Guild, Overwrite, Role, User, Wire } from '../model.ts';
import { isThread } from '../model.ts';
import {
  ALL_PERMISSIONS,
  guildPermissions,
  has,
  PERMISSIONS,
  USUAL_BOT_PERMISSIONS,
} from '../permissions.ts';
import {
  channelWire,
  guildCreateWire,
  guildWire,
  memberWire,
  roleWire,
  unavailableWire,
} from '../wire.ts';
import { type Dispatch, INTENTS } from './intents.ts';

/** Changes to existing servers; each sends the bot the events that Discord would send. */
export interface WorldChanges {
  setOverwrite(channelId: string, overwrite: Overwrite | { id: string; remove: true }): void;
  /**
   * Sets the bot's permissions. In a channel this is an overwrite with exactly these; in a server,
   * the permissions of the bot's own role. Null removes the overwrite, or restores the role's usual
   * permissions.
   */
  setBotPermissions(channelOrGuildId: string, bits: bigint | null): void;
  setRole(
    guildId: string,
    roleId: string,
    change: { permissions?: bigint; mentionable?: boolean; name?: string },
  ): void;
  /** Deletes a role and removes it from its members. */
  deleteRole(guildId: string, roleId: string): void;
  /** Times the bot out until this time, in epoch milliseconds; null ends the timeout. */
  timeoutBot(guildId: string, untilMs: number | null): void;
  /** Sets whether this person accepts direct messages from bots (50007 if not). */
  setTakesDms(userId: string, takesDms: boolean): void;
  /** Sets whether this person has installed the application for themselves. */
  setInstalled(userId: string, hasInstalled: boolean): void;
  /** Changes the language of this person's client, which later interactions contain. */
  setLocale(userId: string, locale: string): void;
  setThread(channelId: string, state: { archived?: boolean; locked?: boolean }): void;
  /** Sets the server's channels for Discord's own messages and for its rules. */
  setServerChannels(
    guildId: string,
    channels: { systemChannelId?: string | null; rulesChannelId?: string | null },
  ): void;
  deleteChannel(channelId: string): void;
  kickBot(guildId: string): void;
  deleteGuild(guildId: string): void;
  setGuildUnavailable(guildId: string, unavailable: boolean): void;
}

export interface WorldChangesDeps {
  readonly dispatch: Dispatch;
  readonly events: Events;
  readonly bot: User;
  readonly guilds: Map<string, Guild>;
  readonly users: Map<string, User>;
  readonly findChannel: (channelId: string) => Channel | undefined;
  /** Sends an event of a server if the bot is in it. */
  readonly emit: (guild: Guild, event: string, data: Wire) => void;
}

export function createWorldChanges(deps: WorldChangesDeps): WorldChanges {
  const { bot, guilds, users, findChannel, emit, dispatch, events } = deps;

  function needGuild(guildId: string): Guild {
    const guild = guilds.get(guildId);
    if (!guild) throw new Error(`The Discord double has no server ${guildId}.`);
    return guild;
  }

  function needUser(userId: string): User {
    const user = users.get(userId);
    if (!user) throw new Error(`The Discord double has no person ${userId}.`);
    return user;
  }

  function needGuildChannel(channelId: string): { guild: Guild; channel: Channel } {
    const channel = findChannel(channelId);
    const guild = channel?.guildId ? guilds.get(channel.guildId) : undefined;
    if (!channel || !guild) {
      throw new Error(`The Discord double has no server channel ${channelId}.`);
    }
    return { guild, channel };
  }

  function updateChannel(guild: Guild, channel: Channel): void {
    emit(guild, isThread(channel) ? 'THREAD_UPDATE' : 'CHANNEL_UPDATE', channelWire(channel, []));
  }

  function removeBot(guild: Guild): void {
    for (const role of [...guild.roles.values()]) {
      if (role.botId === bot.id) guild.roles.delete(role.id);
    }
    const wasThere = guild.members.delete(bot.id);
    if (wasThere) dispatch('GUILD_DELETE', { id: guild.id }, INTENTS.GUILDS);
    events.emit('world', { guildId: guild.id });
  }

  function changeRole(
    guild: Guild,
    role: Role,
    change: Partial<Pick<Role, 'permissions' | 'mentionable' | 'name'>>,
  ): void {
    Object.assign(role, change);
    emit(guild, 'GUILD_ROLE_UPDATE', { guild_id: guild.id, role: roleWire(role) });
  }

  return {
    setOverwrite(channelId, overwrite) {
      const { guild, channel } = needGuildChannel(channelId);
      if ('remove' in overwrite) channel.overwrites.delete(overwrite.id);
      else channel.overwrites.set(overwrite.id, overwrite);
      updateChannel(guild, channel);
    },

    setBotPermissions(channelOrGuildId, bits) {
      const guild = guilds.get(channelOrGuildId);
      if (!guild) {
        const found = needGuildChannel(channelOrGuildId);
        if (bits === null) {
          found.channel.overwrites.delete(bot.id);
        } else {
          found.channel.overwrites.set(bot.id, {
            id: bot.id,
            type: 1,
            allow: bits,
            deny: ALL_PERMISSIONS & ~bits,
          });
        }
        updateChannel(found.guild, found.channel);
        return;
      }
      const role = [...guild.roles.values()].find((candidate) => candidate.botId === bot.id);
      if (!role) throw new Error(`The bot is not in the server ${guild.name}.`);
      changeRole(guild, role, { permissions: bits ?? USUAL_BOT_PERMISSIONS });
    },

    setRole(guildId, roleId, change) {
      const guild = needGuild(guildId);
      const role = guild.roles.get(roleId);
      if (!role) throw new Error(`The server ${guild.name} has no role ${roleId}.`);
      changeRole(guild, role, change);
    },

    deleteRole(guildId, roleId) {
      const guild = needGuild(guildId);
      if (!guild.roles.delete(roleId)) {
        throw new Error(`The server ${guild.name} has no role ${roleId}.`);
      }
      for (const member of guild.members.values()) member.roleIds.delete(roleId);
      emit(guild, 'GUILD_ROLE_DELETE', { guild_id: guildId, role_id: roleId });
    },

    setServerChannels(guildId, channels) {
      const guild = needGuild(guildId);
      Object.assign(guild, channels);
      emit(guild, 'GUILD_UPDATE', guildWire(guild));
    },

    setTakesDms(userId, takesDms) {
      needUser(userId).takesDms = takesDms;
      events.emit('world', { guildId: null });
    },

    setInstalled(userId, hasInstalled) {
      needUser(userId).hasInstalled = hasInstalled;
      events.emit('world', { guildId: null });
    },

    setLocale(userId, locale) {
      needUser(userId).locale = locale;
      for (const guild of guilds.values()) {
        if (guild.members.has(userId)) events.emit('world', { guildId: guild.id });
      }
    },

    timeoutBot(guildId, untilMs) {
      const guild = needGuild(guildId);
      const member = guild.members.get(bot.id);
      if (!member) throw new Error(`The bot is not in the server ${guild.name}.`);
      if (has(guildPermissions(guild, member), PERMISSIONS.ADMINISTRATOR)) {
        throw new Error('Discord times out no administrator.');
      }
      member.timedOutUntilMs = untilMs;
      emit(guild, 'GUILD_MEMBER_UPDATE', { ...memberWire(member, bot), guild_id: guildId });
    },

    setThread(channelId, state) {
      const { guild, channel } = needGuildChannel(channelId);
      if (!isThread(channel)) throw new Error(`Channel ${channelId} is no thread.`);
      channel.archived = state.archived ?? channel.archived;
      channel.locked = state.locked ?? channel.locked;
      updateChannel(guild, channel);
    },

    deleteChannel(channelId) {
      const { guild, channel } = needGuildChannel(channelId);
      const threads = [...guild.channels.values()].filter(
        (one) => isThread(one) && one.parentId === channelId,
      );
      for (const gone of [...threads, channel]) {
        guild.channels.delete(gone.id);
        emit(guild, isThread(gone) ? 'THREAD_DELETE' : 'CHANNEL_DELETE', channelWire(gone, []));
      }
    },

    kickBot: (guildId) => removeBot(needGuild(guildId)),

    deleteGuild(guildId) {
      const guild = needGuild(guildId);
      guilds.delete(guildId);
      removeBot(guild);
    },

    setGuildUnavailable(guildId, unavailable) {
      const guild = needGuild(guildId);
      if (guild.unavailable === unavailable) return;
      guild.unavailable = unavailable;
      if (guild.members.has(bot.id)) {
        if (unavailable) {
          dispatch('GUILD_DELETE', unavailableWire(guild), INTENTS.GUILDS);
        } else {
          dispatch('GUILD_CREATE', guildCreateWire(guild, bot), INTENTS.GUILDS);
        }
      }
      events.emit('world', { guildId });
    },
  };
}
