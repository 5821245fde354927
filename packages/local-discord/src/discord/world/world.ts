import type { Events } from '../events.ts';
import type { Channel, Guild, Member, Role, User, Wire } from '../model.ts';
import { CHANNEL_TYPES, isBotDm, isThread } from '../model.ts';
import {
  ALL_PERMISSIONS,
  channelPermissions,
  EVERYDAY_PERMISSIONS,
  PERMISSIONS,
  USUAL_BOT_PERMISSIONS,
} from '../permissions.ts';
import { channelWire, guildCreateWire, memberWire, roleWire, unavailableWire } from '../wire.ts';
import { createWorldChanges, type WorldChanges } from './changes.ts';
import { createDirectMessages, type DirectMessages } from './direct-messages.ts';
import { type Dispatch, INTENTS } from './intents.ts';

const BOT_NAME = 'walletbell';

/** A person in a server. */
export interface MemberRef {
  readonly userId: string;
  /** Null if the person acts in a direct message. */
  readonly guildId: string | null;
}

export interface GuildOptions {
  readonly name: string;
  /** An unused id; a new one by default. It determines the shard. */
  readonly id?: string;
  readonly locale?: string;
  /**
   * Permissions of @everyone. Default: none, because members get the everyday permissions from a
   * role of their own.
   */
  readonly everyone?: bigint;
  /** False creates a server that the bot has not joined. */
  readonly withBot?: boolean;
  /** When the bot was invited, in epoch milliseconds; now by default. */
  readonly botJoinedAtMs?: number;
}

export interface ChannelOptions {
  readonly name: string;
  readonly type?: number;
  readonly parentId?: string;
}

export interface RoleOptions {
  readonly name: string;
  readonly permissions?: bigint;
  readonly mentionable?: boolean;
  readonly color?: number;
}

export interface MemberOptions {
  readonly name: string;
  readonly admin?: boolean;
  readonly permissions?: bigint;
  readonly locale?: string;
  /** An existing person, e.g. a member of another server; `name` and `locale` are then ignored. */
  readonly userId?: string;
}

export interface World extends WorldChanges, Omit<DirectMessages, 'find'> {
  readonly bot: User;
  readonly applicationId: string;
  guilds(): Guild[];
  guild(guildId: string): Guild | undefined;
  channel(channelId: string): Channel | undefined;
  user(userId: string): User | undefined;
  /** Returns the servers that the bot is in. */
  botGuilds(): Guild[];
  /** Whether the person shares a server with the bot. */
  isInBotGuild(userId: string): boolean;
  /** Returns the people who have installed the application for themselves. */
  installers(): User[];
  /**
   * Returns the person's permissions in a channel: all in a direct message, none for a non-member.
   */
  permissionsIn(userId: string, channel: Channel): bigint;
  createGuild(options: GuildOptions): Guild;
  createChannel(guildId: string, options: ChannelOptions): Channel;
  createRole(guildId: string, options: RoleOptions): Role;
  createUser(options: { name: string; locale?: string }): User;
  createMember(guildId: string, options: MemberOptions): MemberRef;
  inviteBot(guildId: string): void;
}

export interface WorldDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly dispatch: Dispatch;
  readonly events: Events;
}

/** Creates servers, channels, roles and people; changes of these cause gateway events. */
export function createWorld(deps: WorldDeps): World {
  const { now, newId, dispatch, events } = deps;
  const bot: User = {
    id: newId(),
    name: BOT_NAME,
    bot: true,
    locale: 'en-US',
    takesDms: false,
    hasInstalled: false,
  };
  const guilds = new Map<string, Guild>();
  const users = new Map<string, User>([[bot.id, bot]]);
  const { find: findDirectMessage, ...directMessages } = createDirectMessages(newId, users);

  function needGuild(guildId: string): Guild {
    const guild = guilds.get(guildId);
    if (!guild) throw new Error(`The Discord double has no server ${guildId}.`);
    return guild;
  }

  function findChannel(channelId: string): Channel | undefined {
    for (const guild of guilds.values()) {
      const channel = guild.channels.get(channelId);
      if (channel) return channel;
    }
    return findDirectMessage(channelId);
  }

  function emit(guild: Guild, event: string, data: Wire): void {
    if (guild.members.has(bot.id) && !guild.unavailable) dispatch(event, data, INTENTS.GUILDS);
    events.emit('world', { guildId: guild.id });
  }

  function addRole(guild: Guild, options: RoleOptions, botId: string | null): Role {
    const role: Role = {
      id: newId(),
      name: options.name,
      permissions: options.permissions ?? 0n,
      position: guild.roles.size,
      mentionable: options.mentionable ?? false,
      color: options.color ?? 0,
      botId,
    };
    guild.roles.set(role.id, role);
    emit(guild, 'GUILD_ROLE_CREATE', { guild_id: guild.id, role: roleWire(role) });
    return role;
  }

  function addMember(
    guild: Guild,
    userId: string,
    roleIds: readonly string[],
    joinedAtMs = now(),
  ): Member {
    const member: Member = {
      userId,
      guildId: guild.id,
      nick: null,
      roleIds: new Set(roleIds),
      joinedAtMs,
      timedOutUntilMs: null,
    };
    guild.members.set(userId, member);
    return member;
  }

  function createUser(options: { name: string; locale?: string }): User {
    const user: User = {
      id: newId(),
      name: options.name,
      bot: false,
      locale: options.locale ?? 'en-US',
      takesDms: true,
      hasInstalled: false,
    };
    users.set(user.id, user);
    return user;
  }

  function inviteBot(guildId: string, joinedAtMs?: number): void {
    const guild = needGuild(guildId);
    if (guild.members.has(bot.id)) return;
    const role = addRole(guild, { name: BOT_NAME, permissions: USUAL_BOT_PERMISSIONS }, bot.id);
    addMember(guild, bot.id, [role.id], joinedAtMs);
    const wire = guild.unavailable ? unavailableWire(guild) : guildCreateWire(guild, bot);
    dispatch('GUILD_CREATE', wire, INTENTS.GUILDS);
    events.emit('world', { guildId });
  }

  function roleFor(guild: Guild, name: string, permissions: bigint): Role {
    const present = [...guild.roles.values()].find(
      (role) => role.name === name && role.permissions === permissions,
    );
    return present ?? addRole(guild, { name, permissions }, null);
  }

  const changes = createWorldChanges({ ...deps, bot, guilds, users, findChannel, emit });

  return {
    ...changes,
    ...directMessages,
    bot,
    applicationId: bot.id,
    guilds: () => [...guilds.values()],
    guild: (guildId) => guilds.get(guildId),
    channel: findChannel,
    user: (userId) => users.get(userId),
    botGuilds: () => [...guilds.values()].filter((guild) => guild.members.has(bot.id)),
    isInBotGuild: (userId) =>
      [...guilds.values()].some(({ members }) => members.has(bot.id) && members.has(userId)),
    installers: () => [...users.values()].filter(({ hasInstalled }) => hasInstalled),
    createUser,
    inviteBot,

    permissionsIn(userId, channel) {
      if (channel.guildId === null) {
        const isThere =
          channel.recipientIds.includes(userId) || (userId === bot.id && isBotDm(channel));
        return isThere ? ALL_PERMISSIONS & ~PERMISSIONS.ADMINISTRATOR : 0n;
      }
      const guild = guilds.get(channel.guildId);
      const member = guild?.members.get(userId);
      return guild && member ? channelPermissions(guild, channel, member, now()) : 0n;
    },

    createGuild(options) {
      const id = options.id ?? newId();
      const owner = createUser({ name: 'owner' });
      const guild: Guild = {
        id,
        name: options.name,
        ownerId: owner.id,
        locale: options.locale ?? 'en-US',
        roles: new Map(),
        channels: new Map(),
        members: new Map(),
        systemChannelId: null,
        rulesChannelId: null,
        unavailable: false,
      };
      const everyone = options.everyone ?? 0n;
      guild.roles.set(id, {
        id,
        name: '@everyone',
        permissions: everyone,
        position: 0,
        mentionable: false,
        color: 0,
        botId: null,
      });
      guilds.set(id, guild);
      addMember(guild, owner.id, []);
      if (options.withBot ?? true) inviteBot(id, options.botJoinedAtMs);
      else events.emit('world', { guildId: id });
      return guild;
    },

    createChannel(guildId, options) {
      const guild = needGuild(guildId);
      const channel: Channel = {
        id: newId(),
        guildId,
        type: options.type ?? CHANNEL_TYPES.TEXT,
        name: options.name,
        position: guild.channels.size,
        parentId: options.parentId ?? null,
        overwrites: new Map(),
        lastMessageId: null,
        recipientIds: [],
        archived: false,
        locked: false,
      };
      if (
        isThread(channel) &&
        !(channel.parentId !== null && guild.channels.has(channel.parentId))
      ) {
        throw new Error(`Thread ${options.name} needs parentId, a channel of the same server.`);
      }
      guild.channels.set(channel.id, channel);
      emit(guild, isThread(channel) ? 'THREAD_CREATE' : 'CHANNEL_CREATE', channelWire(channel, []));
      return channel;
    },

    createRole: (guildId, options) => addRole(needGuild(guildId), options, null),

    createMember(guildId, options) {
      const guild = needGuild(guildId);
      const user =
        (options.userId === undefined ? undefined : users.get(options.userId)) ??
        createUser(options);
      const role = options.admin
        ? roleFor(guild, 'Admin', PERMISSIONS.ADMINISTRATOR)
        : roleFor(guild, 'Member', options.permissions ?? EVERYDAY_PERMISSIONS);
      const member = addMember(guild, user.id, [role.id]);
      dispatch(
        'GUILD_MEMBER_ADD',
        { ...memberWire(member, user), guild_id: guildId },
        INTENTS.GUILD_MEMBERS,
      );
      events.emit('world', { guildId });
      return { userId: user.id, guildId };
    },
  };
}
