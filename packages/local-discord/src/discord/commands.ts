import type { Events } from './events.ts';
import type { CommandForm } from './forms/command.ts';
import type { Wire } from './model.ts';
import { refusals } from './refusal.ts';

/** A registered command: a slash command or a message command. */
export interface Command extends CommandForm {
  readonly id: string;
  readonly version: string;
}

/** Number of writes of the commands, which reveals a bot that registers needlessly. */
export interface CommandCounts {
  readonly puts: number;
  readonly unchangedPuts: number;
  readonly creates: number;
}

export interface Commands {
  readonly counts: CommandCounts;
  list(): Command[];
  /** Replaces all commands. */
  overwrite(forms: readonly CommandForm[]): Command[];
  wire(command: Command): Wire;
  /** Returns the commands of one server, separate from the global ones. */
  inGuild(guildId: string): Commands;
}

const MAX_COMMANDS = 100;
const MAX_CREATES_PER_DAY = 200;
const DAY_MS = 86_400_000;

export interface CommandsDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly applicationId: string;
  readonly events: Events;
}

/**
 * Creates the store of the application's commands, which enforces limits on their number
 * (interactions/application-commands.mdx).
 */
export function createCommands(deps: CommandsDeps): Commands {
  const { now, newId, applicationId, events } = deps;
  const ofGuilds = new Map<string, Commands>();
  let commands: readonly Command[] = [];
  let createTimesMs: number[] = [];
  const counts = { puts: 0, unchangedPuts: 0, creates: 0 };

  function build(form: CommandForm): Command {
    const present = commands.find(({ name }) => name === form.name);
    if (present && definition(present) === definition(form)) return present;
    return { ...form, id: present?.id ?? newId(), version: newId() };
  }

  function countCreates(added: number): void {
    const recent = createTimesMs.filter((atMs) => now() - atMs < DAY_MS);
    if (recent.length + added > MAX_CREATES_PER_DAY) throw refusals.tooManyCommandCreates();
    createTimesMs = [...recent, ...Array.from({ length: added }, () => now())];
    counts.creates += added;
  }

  return {
    get counts() {
      return { ...counts };
    },
    list: () => [...commands],

    inGuild(guildId) {
      const found = ofGuilds.get(guildId) ?? createCommands(deps);
      ofGuilds.set(guildId, found);
      return found;
    },

    overwrite(forms) {
      if (forms.length > MAX_COMMANDS) throw refusals.tooManyCommands();
      const built = forms.map(build);
      countCreates(built.filter((command) => !commands.some(({ id }) => id === command.id)).length);
      const unchanged =
        built.length === commands.length && built.every((command) => commands.includes(command));
      counts.puts += 1;
      if (unchanged) counts.unchangedPuts += 1;
      commands = built;
      events.emit('commands', { names: built.map(({ name }) => name), unchanged });
      return built;
    },

    wire: (command) => ({
      id: command.id,
      application_id: applicationId,
      version: command.version,
      type: command.type ?? 1,
      name: command.name,
      name_localizations: command.name_localizations ?? null,
      description: command.description,
      description_localizations: command.description_localizations ?? null,
      ...(command.options && command.options.length > 0 ? { options: command.options } : {}),
      default_member_permissions: command.default_member_permissions ?? null,
      dm_permission: true,
      contexts: command.contexts ?? null,
      integration_types: command.integration_types ?? [0],
      nsfw: command.nsfw ?? false,
    }),
  };
}

/** Returns the definition of a command, without its ids, as text. */
function definition(command: CommandForm): string {
  const {
    type,
    name,
    description,
    options,
    default_member_permissions,
    nsfw,
    contexts,
    integration_types,
  } = command;
  const { name_localizations, description_localizations } = command;
  return JSON.stringify([
    type ?? 1,
    name,
    description,
    options ?? [],
    default_member_permissions ?? null,
    nsfw ?? false,
    contexts ?? null,
    integration_types ?? null,
    name_localizations ?? null,
    description_localizations ?? null,
  ]);
}
