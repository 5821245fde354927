import type {
  AutocompleteInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  StringSelectMenuInteraction,
} from 'discord.js';

/** Commands work in servers only: they are registered so, and the dispatcher makes sure. */
export type GuildCommand = ChatInputCommandInteraction<'cached' | 'raw'>;
export type GuildButton = ButtonInteraction<'cached' | 'raw'>;
export type GuildAutocomplete = AutocompleteInteraction<'cached' | 'raw'>;
export type GuildMenu = StringSelectMenuInteraction<'cached' | 'raw'>;
export type GuildInteraction = GuildCommand | GuildButton | GuildAutocomplete | GuildMenu;

/** A choice that Discord offers while an option is being typed. */
export interface Choice {
  readonly name: string;
  readonly value: string;
}

/** What Discord is given of a command at its registration. */
export interface CommandDefinition {
  readonly name: string;
  toJSON(): RESTPostAPIChatInputApplicationCommandsJSONBody;
}

/** One slash command. `Context`: the services that its parts are called with. */
export interface SlashCommand<Context> {
  readonly definition: CommandDefinition;
  /** Whether only the person who typed it sees the answer. */
  readonly isPrivate: (interaction: GuildCommand) => boolean;
  /** What can be refused without a request: throws UserError, before the channel sees that the bot is thinking. */
  readonly check?: (interaction: GuildCommand, context: Context) => void;
  /** Called after the interaction has been acknowledged: answers by `editReply`. UserError and VenueError are shown to the person. */
  readonly execute: (interaction: GuildCommand, context: Context) => Promise<void>;
  readonly autocomplete?: (interaction: GuildAutocomplete, context: Context) => readonly Choice[];
  /** A button whose custom id is `NAME:ARGUMENTS…`: called after the press has been acknowledged, answers by `editReply`. */
  readonly press?: (interaction: GuildButton, args: readonly string[], context: Context) => Promise<void>;
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
  readonly answer: (interaction: GuildButton | GuildMenu, id: string, context: Context) => Promise<void>;
}
