import type { Names } from './en/names.ts';

export type SlashTexts = Readonly<Record<keyof Names['subcommands'] | 'activity' | 'flows', string>>;

/** Every command as a text names it, such as `/watch add` between backticks, by its own name. */
export function slashTexts({ commands, subcommands }: Names): SlashTexts {
  const of = (subcommand: string) => `\`/${commands.watch} ${subcommand}\``;
  return {
    add: of(subcommands.add),
    edit: of(subcommands.edit),
    remove: of(subcommands.remove),
    pause: of(subcommands.pause),
    resume: of(subcommands.resume),
    room: of(subcommands.room),
    digest: of(subcommands.digest),
    list: of(subcommands.list),
    status: of(subcommands.status),
    export: of(subcommands.export),
    import: of(subcommands.import),
    activity: `\`/${commands.activity}\``,
    flows: `\`/${commands.flows}\``,
  };
}
