const SUBCOMMANDS = [
  'add',
  'edit',
  'remove',
  'pause',
  'resume',
  'channel',
  'digest',
  'scores',
  'list',
  'why',
  'status',
  'export',
  'import',
  'delete-data',
] as const;
export type SubcommandName = (typeof SUBCOMMANDS)[number];

/** Names of the commands in one language. */
export interface CommandNames {
  readonly commands: Readonly<Record<'watch' | 'activity' | 'flows' | 'market', string>>;
  /** Subcommands of `/watch`. */
  readonly subcommands: Readonly<Record<SubcommandName, string>>;
}

export type SlashTexts = Readonly<
  Record<SubcommandName | 'watch' | 'activity' | 'flows' | 'market', string>
>;

/**
 * Returns a subcommand of `/watch` as it is typed, for texts in which Discord renders no markdown.
 */
export function typedCommand(
  { commands, subcommands }: CommandNames,
  name: SubcommandName,
): string {
  return `/${commands.watch} ${subcommands[name]}`;
}

/**
 * Returns every command as texts name it, such as `/watch add` between backticks, in the language
 * of `names`.
 */
export function slashTexts(names: CommandNames): SlashTexts {
  const ofWatch = SUBCOMMANDS.map((name) => [name, `\`${typedCommand(names, name)}\``]);
  return {
    ...(Object.fromEntries(ofWatch) as Record<SubcommandName, string>),
    watch: `\`/${names.commands.watch}\``,
    activity: `\`/${names.commands.activity}\``,
    flows: `\`/${names.commands.flows}\``,
    market: `\`/${names.commands.market}\``,
  };
}
