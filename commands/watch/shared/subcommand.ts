import type { InteractionEditReplyOptions } from 'discord.js';
import type { Names } from '../../../src/language/en/names.ts';
import type { CommandOption, CommandText } from '../../../src/slash-commands/options.ts';
import type { ButtonUse, CommandUse } from '../../../src/slash-commands/slash-command.ts';
import type { CommandContext } from '../../shared/context.ts';

/** An answer, which mentions nobody: a text or more; null where it has been sent already. */
export type Answer = string | Pick<InteractionEditReplyOptions, 'content' | 'embeds' | 'components'> | null;

/** One subcommand of a slash command. `Asked`: what it reads of its options. */
export interface Subcommand<Asked = unknown> {
  readonly name: keyof Names['subcommands'];
  readonly about: CommandText;
  /** In the order in which people are offered them. */
  readonly options?: readonly CommandOption<CommandContext>[];
  /** Where it works; in servers and in direct messages, if left out. */
  readonly worksIn?: 'directMessage';
  /** Whether only the person who typed it sees the answer. */
  readonly isPrivate: boolean | ((interaction: CommandUse) => boolean);
  /** Reads what is asked. What can be refused without a request throws UserError here, before the channel sees that the bot is thinking. */
  check?(interaction: CommandUse, context: CommandContext): Asked;
  /** Called after the interaction has been acknowledged. @param asked what `check` returned */
  execute(interaction: CommandUse, context: CommandContext, asked: Asked): Promise<Answer>;
  /** A button whose custom id is `COMMAND:SUBCOMMAND:ARGUMENTS…`: called after the press has been acknowledged. The answer takes the message's place. */
  readonly press?: (interaction: ButtonUse, args: readonly string[], context: CommandContext) => Promise<Answer>;
}
