import type {
  APIModalInteractionResponseCallbackData,
  AutocompleteInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  ContextMenuCommandBuilder,
  MessageContextMenuCommandInteraction,
  ModalSubmitInteraction,
  SlashCommandBuilder,
  StringSelectMenuInteraction,
} from 'discord.js';

/** A command as people use it, in servers and outside of them: `placeOf` says where. */
export type CommandUse = ChatInputCommandInteraction;
/** A button that is pressed, or an option of a menu that is chosen: its value is a button's id. */
export type ButtonUse = ButtonInteraction | StringSelectMenuInteraction;
export type Completion = AutocompleteInteraction;
export type MessageUse = MessageContextMenuCommandInteraction;
/** A form (Discord: modal) that is submitted. */
export type SubmitUse = ModalSubmitInteraction & { readonly channelId: string };
export type AnyUse = CommandUse | ButtonUse | Completion | MessageUse | SubmitUse;

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
  readonly forms?: Forms<Context>;
  /**
   * True if a press looks something up for the person alone: it does not use up the server's
   * commands.
   */
  readonly isOwnPress?: (args: readonly string[]) => boolean;
}

/** Forms that the buttons of a command open. Their custom ids are like those of buttons. */
export interface Forms<Context> {
  /**
   * True if a press opens a form.
   *
   * @param args of the button's custom id
   */
  readonly isOpenedBy: (args: readonly string[]) => boolean;
  /**
   * Makes the form, from memory alone: Discord takes it only as the first answer to a press, within
   * three seconds.
   *
   * @throws {UserError} that is said in its place
   */
  readonly open: (
    interaction: ButtonUse,
    args: readonly string[],
    context: Context,
  ) => APIModalInteractionResponseCallbackData;
  /**
   * Called once a submitted form is acknowledged, answers by `editReply`: in the place of the
   * message that opened it where that is for the person alone, else with a message of its own.
   */
  readonly submit: (
    interaction: SubmitUse,
    args: readonly string[],
    context: Context,
  ) => Promise<void>;
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
