type Subcommand =
  | 'add'
  | 'edit'
  | 'remove'
  | 'pause'
  | 'resume'
  | 'channel'
  | 'digest'
  | 'list'
  | 'status'
  | 'export'
  | 'import';

/** The names of the commands in one language, from its catalogue. */
interface CommandNames {
  readonly commands: Readonly<Record<'watch' | 'activity' | 'flows', string>>;
  readonly subcommands: Readonly<Record<Subcommand, string>>;
}

/** Every command as a text mentions it, between backticks. */
export type SlashTexts = Readonly<Record<Subcommand | 'activity' | 'flows', string>>;

/** A subcommand as it is typed, `/watch add`, for texts in which Discord renders no markdown. */
export function typedCommand({ commands, subcommands }: CommandNames, name: Subcommand): string {
  return `/${commands.watch} ${subcommands[name]}`;
}

/** All commands for the texts of one language: `` `/watch add` ``. */
export function slashTexts(names: CommandNames): SlashTexts {
  const of = (name: Subcommand) => `\`${typedCommand(names, name)}\``;
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
