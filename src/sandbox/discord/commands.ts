import type { Events } from './events.ts';
import type { CommandForm } from './forms/command.ts';
import type { Wire } from './model.ts';
import { refusals } from './refusal.ts';

/** A registered command. */
export interface Command extends CommandForm {
  readonly id: string;
  readonly type: number;
  readonly version: string;
  /** Null: global. */
  readonly guildId: string | null;
}

/** How often the commands were written: a bot that registers without need shows here. */
export interface CommandCounts {
  readonly puts: number;
  readonly unchangedPuts: number;
  readonly creates: number;
  readonly updates: number;
  readonly deletes: number;
}

export interface Commands {
  readonly counts: CommandCounts;
  list(guildId: string | null): Command[];
  get(guildId: string | null, commandId: string): Command;
  /** Replaces all. */
  overwrite(guildId: string | null, forms: readonly CommandForm[]): Command[];
  /** Creates, or replaces the one of the same name; true if it was not there. */
  upsert(guildId: string | null, form: CommandForm): { command: Command; isNew: boolean };
  update(guildId: string | null, commandId: string, form: CommandForm): Command;
  delete(guildId: string | null, commandId: string): void;
  wire(command: Command): Wire;
}

const MAX_COMMANDS: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15 };
const MAX_CREATES_PER_DAY = 200;
const DAY_MS = 86_400_000;

export interface CommandsDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly applicationId: string;
  readonly events: Events;
}

/** The application's commands with their limits in number (interactions/application-commands.mdx). */
export function createCommands({ now, newId, applicationId, events }: CommandsDeps): Commands {
  const scopes = new Map<string, Map<string, Command>>();
  const createTimesMs = new Map<string, number[]>();
  const counts = { puts: 0, unchangedPuts: 0, creates: 0, updates: 0, deletes: 0 };

  const scopeKey = (guildId: string | null) => guildId ?? 'global';
  const commandsOf = (guildId: string | null) => scopes.get(scopeKey(guildId)) ?? new Map<string, Command>();
  const sameName = (left: CommandForm, right: CommandForm) =>
    left.name === right.name && (left.type ?? 1) === (right.type ?? 1);

  function build(guildId: string | null, form: CommandForm, present: Command | undefined): Command {
    const draft = { ...form, type: form.type ?? 1, guildId };
    if (present && definition(present) === definition(draft)) return present;
    return { ...draft, id: present?.id ?? newId(), version: newId() };
  }

  function countCreates(guildId: string | null, added: number): void {
    const recent = (createTimesMs.get(scopeKey(guildId)) ?? []).filter((atMs) => now() - atMs < DAY_MS);
    if (recent.length + added > MAX_CREATES_PER_DAY) throw refusals.tooManyCommandCreates();
    createTimesMs.set(scopeKey(guildId), [...recent, ...Array.from({ length: added }, () => now())]);
    counts.creates += added;
  }

  function checkNumber(commands: readonly CommandForm[]): void {
    for (const [type, max] of Object.entries(MAX_COMMANDS)) {
      if (commands.filter((command) => (command.type ?? 1) === Number(type)).length > max) {
        throw refusals.tooManyCommands();
      }
    }
  }

  function store(guildId: string | null, commands: readonly Command[], unchanged: boolean): void {
    scopes.set(scopeKey(guildId), new Map(commands.map((command) => [command.id, command])));
    events.emit('commands', { guildId, names: commands.map(({ name }) => name), unchanged });
  }

  function get(guildId: string | null, commandId: string): Command {
    const command = commandsOf(guildId).get(commandId);
    if (!command) throw refusals.unknownCommand();
    return command;
  }

  return {
    get counts() {
      return { ...counts };
    },
    get,
    list: (guildId) => [...commandsOf(guildId).values()],

    overwrite(guildId, forms) {
      checkNumber(forms);
      const present = [...commandsOf(guildId).values()];
      const built = forms.map((form) =>
        build(
          guildId,
          form,
          present.find((command) => sameName(command, form)),
        ),
      );
      countCreates(guildId, built.filter((command) => !present.some(({ id }) => id === command.id)).length);
      const unchanged = built.length === present.length && built.every((command) => present.includes(command));
      counts.puts += 1;
      if (unchanged) counts.unchangedPuts += 1;
      store(guildId, built, unchanged);
      return built;
    },

    upsert(guildId, form) {
      const others = [...commandsOf(guildId).values()].filter((command) => !sameName(command, form));
      const present = [...commandsOf(guildId).values()].find((command) => sameName(command, form));
      checkNumber([...others, form]);
      if (!present) countCreates(guildId, 1);
      else counts.updates += 1;
      const command = build(guildId, form, present);
      store(guildId, [...others, command], command === present);
      return { command, isNew: present === undefined };
    },

    update(guildId, commandId, form) {
      const present = get(guildId, commandId);
      const command = build(guildId, form, present);
      counts.updates += 1;
      const all = [...commandsOf(guildId).values()].map((one) => (one.id === commandId ? command : one));
      store(guildId, all, command === present);
      return command;
    },

    delete(guildId, commandId) {
      get(guildId, commandId);
      counts.deletes += 1;
      store(
        guildId,
        [...commandsOf(guildId).values()].filter(({ id }) => id !== commandId),
        false,
      );
    },

    wire: (command) => ({
      id: command.id,
      application_id: applicationId,
      version: command.version,
      type: command.type,
      name: command.name,
      name_localizations: command.name_localizations ?? null,
      description: command.description ?? '',
      description_localizations: command.description_localizations ?? null,
      ...(command.options && command.options.length > 0 ? { options: command.options } : {}),
      default_member_permissions: command.default_member_permissions ?? null,
      dm_permission: command.guildId === null,
      ...(command.guildId === null
        ? { contexts: command.contexts ?? null, integration_types: command.integration_types ?? [0] }
        : { guild_id: command.guildId }),
      nsfw: command.nsfw ?? false,
    }),
  };
}

/** What makes a command what it is, without its ids, in one text. */
function definition(command: CommandForm): string {
  const { name, type, description, options, default_member_permissions, nsfw, contexts, integration_types } = command;
  const { name_localizations, description_localizations } = command;
  const parts = [name, type ?? 1, description ?? '', options ?? [], default_member_permissions ?? null, nsfw ?? false];
  return JSON.stringify([
    ...parts,
    contexts ?? null,
    integration_types ?? null,
    name_localizations ?? null,
    description_localizations ?? null,
  ]);
}
