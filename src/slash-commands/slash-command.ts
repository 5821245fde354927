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

/** A command as people use it, in servers and outside of them; `placeOf` returns the place. */
export type CommandUse = ChatInputCommandInteraction;
/** A pressed button, or a chosen menu option, whose value is a button's id. */
export type ButtonUse = ButtonInteraction | StringSelectMenuInteraction;
export type Completion = AutocompleteInteraction;
export type MessageUse = MessageContextMenuCommandInteraction;
/** A submitted form (Discord: modal). */
export type SubmitUse = ModalSubmitInteraction & { readonly channelId: string };
export type AnyUse = CommandUse | ButtonUse | Completion | MessageUse | SubmitUse;

/** A choice that Discord offers while an option is being typed. */
export interface Choice {
  readonly name: string;
  readonly value: string;
}
/**
 * Maximum choices that Discord accepts for an option, and maximum characters of a choice's name and
 * value.
 */
export const CHOICES_MOST = 25;
export const CHOICE_LENGTH = 100;

/**
 * One slash command. `Context`: the services passed to its parts; `Asked`: the value read from its
 * options.
 */
export interface SlashCommand<Context, Asked = unknown> {
  readonly definition: Pick<SlashCommandBuilder, 'name' | 'toJSON'>;
  /** True if only the person who typed it sees the answer. */
  readonly isPrivate: (interaction: CommandUse) => boolean;
  /**
   * True if a subcommand and its buttons are answered even before the start has read the wallets of
   * the server or the person; default: none.
   */
  readonly worksUnread?: (subcommand: string | null) => boolean;
  /**
   * Reads the options. Input that can be rejected without a request throws UserError before the bot
   * is shown as thinking.
   */
  check?(interaction: CommandUse, context: Context): Asked;
  /**
   * Called once the interaction is acknowledged; answers by `editReply`. UserError and VenueError
   * are shown to the person.
   *
   * @param asked value returned by `check`
   */
  execute(interaction: CommandUse, context: Context, asked: Asked): Promise<void>;
  readonly autocomplete?: (
    interaction: Completion,
    context: Context,
  ) => readonly Choice[] | Promise<readonly Choice[]>;
  /**
   * Handles a button with the custom id `NAME:ARGUMENTS…`. Called once the press is acknowledged;
   * answers by `editReply`.
   */
  readonly press?: (
    interaction: ButtonUse,
    args: readonly string[],
    context: Context,
  ) => Promise<void>;
  readonly forms?: Forms<Context>;
  /**
   * True if a press is a lookup for the person alone, which does not count against the server's
   * commands.
   */
  readonly isOwnPress?: (args: readonly string[]) => boolean;
}

/** Forms that the buttons of a command open. Their custom ids have the form of buttons' ids. */
export interface Forms<Context> {
  /**
   * True if a press opens a form.
   *
   * @param args of the button's custom id
   */
  readonly isOpenedBy: (args: readonly string[]) => boolean;
  /**
   * Returns the form, using only data in memory: Discord accepts it only as the first response to a
   * press, within three seconds.
   *
   * @returns null if the press is to be answered as that of another button
   * @throws {UserError} that is shown instead
   */
  readonly open: (
    interaction: ButtonUse,
    args: readonly string[],
    context: Context,
  ) => APIModalInteractionResponseCallbackData | null;
  /**
   * Called once a submitted form is acknowledged; answers by `editReply`. The answer replaces the
   * message that opened the form if only the person sees it, and is a new message otherwise.
   */
  readonly submit: (
    interaction: SubmitUse,
    args: readonly string[],
    context: Context,
  ) => Promise<void>;
}

/**
 * A command under Apps on a message. `answer` is called after the interaction was acknowledged with
 * a private answer, and fills it in by `editReply`. UserError and VenueError are shown to the
 * person.
 */
export interface MessageCommand<Context> {
  readonly definition: Pick<ContextMenuCommandBuilder, 'name' | 'toJSON'>;
  readonly answer: (interaction: MessageUse, context: Context) => Promise<void>;
}

/** A button or a menu under alerts that belongs to no command. */
export interface PrivateComponent<Context> {
  /** The first part of its custom id. */
  readonly name: string;
  /** @param id the custom id of the button, or the value chosen in the menu */
  readonly answer: (interaction: ButtonUse, id: string, context: Context) => Promise<void>;
}
