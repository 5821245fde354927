import type { Command, Commands } from '../commands.ts';
import { COMMAND_TYPES } from '../forms/command.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import type { World } from '../world/world.ts';
import { contextOf, ownersIn, type Scene } from './scene.ts';

/**
 * An administrator's exception under Server Settings, Integrations: a person who may or may not use
 * a command.
 */
export interface CommandException {
  /** The person's id. */
  readonly id: string;
  readonly type: 2;
  readonly permission: boolean;
}

export type CommandAccess = ReturnType<typeof createCommandAccess>;

/** Returns the ways in which a command can be installed; only for servers by default. */
export function typesOf({ integration_types: types }: Command): readonly number[] {
  return types ?? [0];
}

/**
 * Creates the checks of who may use a command in a channel (interactions/application-commands.mdx,
 * "Permissions").
 */
export function createCommandAccess({ world, commands }: { world: World; commands: Commands }) {
  const byCommand = new Map<string, readonly CommandException[]>();

  function isAllowed(command: Command, { user, channel, guild }: Scene): boolean {
    // A server without the bot cannot restrict an application that people have installed for
    // themselves.
    if (!guild?.members.has(world.bot.id)) return true;
    const permissions = world.permissionsIn(user.id, channel);
    if (has(permissions, PERMISSIONS.ADMINISTRATOR)) return true;
    const exception = byCommand.get(`${guild.id} ${command.id}`)?.find(({ id }) => id === user.id);
    if (exception) return exception.permission;
    // Discord doesn't document whether this permission is required from people who have installed
    // the application for themselves. Here it is not.
    if (user.hasInstalled && typesOf(command).includes(1)) return true;
    const needed = command.default_member_permissions;
    return (
      needed === null ||
      needed === undefined ||
      (needed !== '0' && has(permissions, BigInt(needed)))
    );
  }

  return {
    setExceptions: (guildId: string, commandId: string, exceptions: readonly CommandException[]) =>
      void byCommand.set(`${guildId} ${commandId}`, exceptions),

    /**
     * Returns the commands offered to a person in a channel: slash commands, or commands on
     * messages.
     */
    offered(scene: Scene, kind: number = COMMAND_TYPES.SLASH): Command[] {
      const { user, channel } = scene;
      if (!has(world.permissionsIn(user.id, channel), PERMISSIONS.USE_APPLICATION_COMMANDS)) {
        return [];
      }
      const context = contextOf(scene);
      const isInstalled = (command: Command) =>
        Object.keys(ownersIn(world, scene, typesOf(command))).length > 0;
      const isFor = (command: Command) =>
        (command.contexts?.includes(context) ?? true) && isInstalled(command);
      return commands
        .list()
        .filter((command) => (command.type ?? COMMAND_TYPES.SLASH) === kind)
        .filter((command) => isFor(command) && isAllowed(command, scene));
    },
  };
}
