import type {
  AutocompleteInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  ContextMenuCommandBuilder,
  MessageContextMenuCommandInteraction,
  SlashCommandBuilder,
  StringSelectMenuInteraction,
} from 'discord.js';

/** A command as people use it, in servers and outside of them: `placeOf` says where. */
export type CommandUse = ChatInputCommandInteraction;
/** A button that is pressed, or an option of a menu that is chosen: its value is a button's id. */
export type ButtonUse = ButtonInteraction | StringSelectMenuInteraction;
export type Completion = AutocompleteInteraction;
export type MessageUse = MessageContextMenuCommandInteraction;
export type AnyUse = CommandUse | ButtonUse | Completion | MessageUse;

/** A choice that Discord offers while an option is being typed. */
export interface Choice {
  readonly name: string;
  readonly value: string;
}
/** Choices that Discord takes for an option, and characters of the name and of the value of one. */
export const CHOICES_MOST = 25;
export const CHOICE_LENGTH = 100;

/**
 * One slash command. `Context`: the services that its parts are called with; `Asked`: what it reads
 * of its options.
 */
export interface SlashCommand<Context, Asked = unknown> {
  readonly definition: Pick<SlashCommandBuilder, 'name' | 'toJSON'>;
  /** True if only the person who typed it sees the answer. */
  readonly isPrivate: (interaction: CommandUse) => boolean;
  /**
   * True if a subcommand, and its buttons, are answered before the start has read the wallets of the
   * server, or the person; left out: none is.
   */
  readonly worksUnread?: (subcommand: string | null) => boolean;
  /**
   * Reads what is asked. What can be refused without a request throws UserError before the bot is
   * seen thinking.
   */
  check?(interaction: CommandUse, context: Context): Asked;
  /**
   * Called once the interaction is acknowledged: answers by `editReply`. UserError and VenueError
   * go to the person.
   *
   * @param asked what `check` returned
   */
  execute(interaction: CommandUse, context: Context, asked: Asked): Promise<void>;
  readonly autocomplete?: (
    interaction: Completion,
    context: Context,
  ) => readonly Choice[] | Promise<readonly Choice[]>;
  /**
   * A button whose custom id is `NAME:ARGUMENTS…`: called once the press is acknowledged, answers
   * by `editReply`.
   */
  readonly press?: (
    interaction: ButtonUse,
    args: readonly string[],
    context: Context,
  ) => Promise<void>;
  /**
   * True if a press looks something up for the person alone: it does not use up the server's
   * commands.
   */
  readonly isOwnPress?: (args: readonly string[]) => boolean;
}

/**
 * A command under Apps on a message. `answer` is called after the interaction has been acknowledged
 * with an answer that only the person sees, and fills it in by `editReply`. UserError and
 * VenueError are shown to the person.
 */
export interface MessageCommand<Context> {
  readonly definition: Pick<ContextMenuCommandBuilder, 'name' | 'toJSON'>;
  readonly answer: (interaction: MessageUse, context: Context) => Promise<void>;
}

/** A button or a menu that stands under alerts and belongs to no command. */
export interface PrivateComponent<Context> {
  /** The first part of its custom id. */
  readonly name: string;
  /** @param id the custom id of the button, or the value chosen in the menu */
  readonly answer: (interaction: ButtonUse, id: string, context: Context) => Promise<void>;
}
