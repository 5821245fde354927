import type { Command, Commands } from './commands.ts';
import type { Scene } from './payload.ts';
import { has, PERMISSIONS } from './permissions.ts';
import type { World } from './world.ts';

/** An administrator's exception: who may use a command, or where (at most 100 a command). */
export interface CommandException {
  /** A role, a person or a channel; the server's id is @everyone, the server's id minus one all channels. */
  readonly id: string;
  /** 1 role, 2 person, 3 channel. */
  readonly type: 1 | 2 | 3;
  readonly permission: boolean;
}

export interface CommandAccess {
  /** Commands that a person is offered, those of the server before global ones of the same name. */
  offered(scene: Scene): Command[];
  /** What an administrator sets under Server Settings, Integrations. Throws RangeError over 100 entries. */
  setExceptions(guildId: string, commandId: string, exceptions: readonly CommandException[]): void;
  exceptions(guildId: string, commandId: string): readonly CommandException[];
}

const MAX_EXCEPTIONS = 100;

/** Who may use which command where (interactions/application-commands.mdx, "Permissions"). */
export function createCommandAccess({ world, commands }: { world: World; commands: Commands }): CommandAccess {
  const byCommand = new Map<string, readonly CommandException[]>();
  const exceptionsOf = (guildId: string, commandId: string) => byCommand.get(`${guildId} ${commandId}`) ?? [];

  function isAllowed(command: Command, { user, channel, guild, member }: Scene): boolean {
    if (!guild || !member) return true;
    const permissions = world.permissionsIn(user.id, channel);
    if (has(permissions, PERMISSIONS.ADMINISTRATOR)) return true;
    const entries = exceptionsOf(guild.id, command.id);
    const find = (id: string) => entries.find((entry) => entry.id === id)?.permission;
    if (!(find(channel.id) ?? find((BigInt(guild.id) - 1n).toString()) ?? true)) return false;
    const own = find(user.id);
    if (own !== undefined) return own;
    const ofRoles = [...member.roleIds].flatMap((id) => find(id) ?? []);
    if (ofRoles.length > 0) return ofRoles.includes(true);
    const ofEveryone = find(guild.id);
    if (ofEveryone !== undefined) return ofEveryone;
    const needed = command.default_member_permissions;
    return needed === null || needed === undefined || (needed !== '0' && has(permissions, BigInt(needed)));
  }

  return {
    exceptions: exceptionsOf,

    setExceptions(guildId, commandId, exceptions) {
      if (exceptions.length > MAX_EXCEPTIONS) {
        throw new RangeError(`A command takes ${MAX_EXCEPTIONS} exceptions, got ${exceptions.length}.`);
      }
      byCommand.set(`${guildId} ${commandId}`, exceptions);
    },

    offered(scene) {
      const { user, channel, guild } = scene;
      if (guild && !guild.members.has(world.bot.id)) return [];
      if (!has(world.permissionsIn(user.id, channel), PERMISSIONS.USE_APPLICATION_COMMANDS)) return [];
      const context = guild ? 0 : 1;
      const own = guild ? commands.list(guild.id) : [];
      const global = commands
        .list(null)
        .filter((command) => !own.some((one) => one.name === command.name && one.type === command.type))
        .filter((command) => !command.contexts || command.contexts.includes(context));
      return [...own, ...global].filter((command) => isAllowed(command, scene));
    },
  };
}
