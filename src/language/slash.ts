import type { Names } from './en/names.ts';

export type SlashTexts = Readonly<Record<keyof Names['subcommands'] | 'activity' | 'flows', string>>;

/** A subcommand of `/watch` as it is typed, for texts in which Discord draws no markdown. */
export function typedCommand({ commands, subcommands }: Names, name: keyof Names['subcommands']): string {
  return `/${commands.watch} ${subcommands[name]}`;
}

/** Every command as a text names it, such as `/watch add` between backticks, by its own name. */
export function slashTexts(names: Names): SlashTexts {
  const of = (name: keyof Names['subcommands']) => `\`${typedCommand(names, name)}\``;
  return {
    add: of('add'),
    edit: of('edit'),
    remove: of('remove'),
    pause: of('pause'),
    resume: of('resume'),
    channel: of('channel'),
    digest: of('digest'),
    list: of('list'),
    status: of('status'),
    export: of('export'),
    import: of('import'),
    activity: `\`/${names.commands.activity}\``,
    flows: `\`/${names.commands.flows}\``,
  };
}
