import type {
  AutocompleteInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  MessageContextMenuCommandInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  RESTPostAPIContextMenuApplicationCommandsJSONBody,
  StringSelectMenuInteraction,
} from 'discord.js';

/** What people do with the bot, in servers and outside of them: `placeOf` says where. */
export type CommandUse = ChatInputCommandInteraction;
/** A button that is pressed, or an option of a menu that is chosen: its value is a button's id. */
export type ButtonUse = ButtonInteraction | StringSelectMenuInteraction;
export type Completion = AutocompleteInteraction;
/** A use of a command under Apps on a message. */
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

/** What Discord is given of a command at its registration. */
interface Definition<Body> {
  readonly name: string;
  toJSON(): Body;
}

/** One slash command. `Context`: the services that its parts are called with; `Asked`: what it reads of its options. */
export interface SlashCommand<Context, Asked = unknown> {
  readonly definition: Definition<RESTPostAPIChatInputApplicationCommandsJSONBody>;
  /** Whether only the person who typed it sees the answer. */
  readonly isPrivate: (interaction: CommandUse) => boolean;
  /** Reads what is asked. What can be refused without a request throws UserError here, before the channel sees that the bot is thinking. */
  check?(interaction: CommandUse, context: Context): Asked;
  /**
   * Called after the interaction has been acknowledged: answers by `editReply`. UserError and VenueError are shown to the person.
   *
   * @param asked what `check` returned
   */
  execute(interaction: CommandUse, context: Context, asked: Asked): Promise<void>;
  readonly autocomplete?: (interaction: Completion, context: Context) => readonly Choice[] | Promise<readonly Choice[]>;
  /** A button whose custom id is `NAME:ARGUMENTS…`: called after the press has been acknowledged, answers by `editReply`. */
  readonly press?: (interaction: ButtonUse, args: readonly string[], context: Context) => Promise<void>;
}

/** A command under Apps on a message: whoever uses it gets an answer of their own. */
export interface MessageCommand<Context> {
  readonly definition: Definition<RESTPostAPIContextMenuApplicationCommandsJSONBody>;
  /**
   * Called after the interaction has been acknowledged with an answer that only the person sees: fills it in by `editReply`.
   * UserError and VenueError are shown to the person.
   */
  readonly answer: (interaction: MessageUse, context: Context) => Promise<void>;
}

/** A button or a menu that stands under alerts and belongs to no command: whoever uses it gets an answer of their own. */
export interface PrivateComponent<Context> {
  /** The first part of its custom id. */
  readonly name: string;
  /**
   * Called after the interaction has been acknowledged with an answer that only the person sees: fills it in by `editReply`.
   * UserError and VenueError are shown to the person.
   *
   * @param id the custom id of the button, or the value chosen in the menu
   */
  readonly answer: (interaction: ButtonUse, id: string, context: Context) => Promise<void>;
}
