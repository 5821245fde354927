import type { Command } from '../discord/commands.ts';
import { type CommandOption, OPTION_TYPES, type ValueOption } from '../discord/forms/command.ts';

const T = OPTION_TYPES;

export interface TypedOption {
  readonly name: string;
  /** Name in the person's language, like the description. */
  readonly label: string;
  readonly description: string;
  /** Discord's option type. */
  readonly type: number;
  readonly required: boolean;
  readonly autocomplete: boolean;
  readonly choices: readonly { readonly name: string; readonly value: string | number }[];
  readonly channelTypes: readonly number[];
}

/** A command as typed; each subcommand is a command of its own. */
export interface TypedCommand {
  /** Name path such as `watch add`. */
  readonly line: string;
  /** Name in the person's language, like the description. */
  readonly label: string;
  readonly description: string;
  readonly options: readonly TypedOption[];
}

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly name_localizations?: Record<string, string | null> | null | undefined;
  readonly description_localizations?: Record<string, string | null> | null | undefined;
}

/** Returns the registered slash commands as they are typed in a language, one per subcommand. */
export function typedCommands(commands: readonly Command[], locale: string): TypedCommand[] {
  const texts = (of: Described) => ({
    name: of.name_localizations?.[locale] ?? of.name,
    description: of.description_localizations?.[locale] ?? of.description ?? '',
  });

  function leaves(
    of: Described & { options?: readonly CommandOption[] | null | undefined },
  ): TypedCommand[] {
    const { name, description } = texts(of);
    const options = of.options ?? [];
    const inner = options.filter(isBranch);
    if (inner.length === 0) {
      const own = options
        .filter((option): option is ValueOption => !isBranch(option))
        .map(optionOf);
      const ordered = [
        ...own.filter(({ required }) => required),
        ...own.filter(({ required }) => !required),
      ];
      return [{ line: of.name, label: name, description, options: ordered }];
    }
    return inner
      .flatMap((branch) => leaves(branch))
      .map((leaf) => ({
        ...leaf,
        line: `${of.name} ${leaf.line}`,
        label: `${name} ${leaf.label}`,
      }));
  }

  function optionOf(option: ValueOption): TypedOption {
    const { name, description } = texts(option);
    return {
      name: option.name,
      label: name,
      description,
      type: option.type,
      required: option.required ?? false,
      autocomplete: option.autocomplete ?? false,
      choices: (option.choices ?? []).map((choice) => ({
        name: choice.name_localizations?.[locale] ?? choice.name,
        value: choice.value,
      })),
      channelTypes: option.channel_types ?? [],
    };
  }

  return commands.flatMap(leaves);
}

function isBranch(option: CommandOption): option is Exclude<CommandOption, ValueOption> {
  return option.type === T.SUB_COMMAND || option.type === T.SUB_COMMAND_GROUP;
}
