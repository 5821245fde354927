/** The page's view of a person, also used in the list of people who can act. */
export interface PagePerson {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** Language of the person's Discord. */
  readonly locale: string;
}

export interface PageChannel {
  readonly id: string;
  readonly name: string;
  /** Discord's channel type. */
  readonly type: number;
  /**
   * For the person's direct message with the bot, which has the bot's name: whether the person
   * accepts messages. Null for a server's channel.
   */
  readonly direct: { readonly isOpen: boolean } | null;
  /** The bot's permissions here. */
  readonly bot: { readonly view: boolean; readonly send: boolean; readonly embed: boolean };
}

/** A language to which a person's Discord can be set. */
export interface PageLanguage {
  /** Discord's tag, such as en-US. */
  readonly locale: string;
  readonly name: string;
}

/** An address on this server, or null for a picture from elsewhere, which is never loaded. */
export type PagePicture = { readonly src: string } | { readonly src: null };

export interface PageEmbed {
  readonly title: string | null;
  readonly description: string | null;
  readonly url: string | null;
  /** Epoch milliseconds. */
  readonly timestampMs: number | null;
  /** `#rrggbb`. */
  readonly colour: string | null;
  readonly footer: string | null;
  readonly author: {
    readonly name: string;
    readonly url: string | null;
    readonly icon: PagePicture | null;
  } | null;
  readonly image: PagePicture | null;
  readonly thumbnail: PagePicture | null;
  readonly fields: readonly {
    readonly name: string;
    readonly value: string;
    readonly inline: boolean;
  }[];
}

export interface PageButton {
  readonly kind: 'button';
  readonly label: string;
  /** Discord's button style, 1 to 6. */
  readonly style: number;
  readonly customId: string | null;
  readonly url: string | null;
  readonly disabled: boolean;
}

export interface PageOption {
  readonly label: string;
  /** The small line below the label. */
  readonly detail: string | null;
  readonly value: string;
  readonly chosen: boolean;
}

export interface PageSelect {
  readonly kind: 'select';
  readonly customId: string;
  readonly placeholder: string;
  readonly min: number;
  readonly max: number;
  readonly disabled: boolean;
  readonly options: readonly PageOption[];
}

export type PageComponent = PageButton | PageSelect;

export interface PageAuthor {
  readonly id: string;
  readonly name: string;
  readonly bot: boolean;
}

/** What a message replies to: a command, a message, or one that no longer exists. */
export type PageAnswered =
  | { readonly kind: 'command'; readonly author: PageAuthor; readonly line: string }
  | { readonly kind: 'message'; readonly author: PageAuthor; readonly content: string }
  | { readonly kind: 'gone' };

export interface PageMessage {
  readonly id: string;
  readonly channelId: string;
  readonly author: PageAuthor;
  readonly content: string;
  readonly embeds: readonly PageEmbed[];
  readonly rows: readonly (readonly PageComponent[])[];
  readonly attachments: readonly {
    readonly filename: string;
    readonly sizeBytes: number;
    readonly src: string;
    readonly isImage: boolean;
    readonly description: string | null;
  }[];
  readonly thinking: boolean;
  /** Whether the bot did not respond in time, so that Discord shows an error instead. */
  readonly unanswered: boolean;
  /** Whether only the acting person sees it. */
  readonly ephemeral: boolean;
  readonly createdAtMs: number;
  readonly edited: boolean;
  /** Sent without a sound. */
  readonly silent: boolean;
  readonly answered: PageAnswered | null;
  readonly pingsMe: boolean;
}

/** An input of a modal, with the bot's prefilled value. */
export type PageInput =
  | { readonly kind: 'line' | 'paragraph'; readonly value: string; readonly placeholder: string }
  | {
      readonly kind: 'menu';
      readonly placeholder: string;
      readonly options: readonly PageOption[];
    }
  | { readonly kind: 'radio' | 'checkboxes'; readonly options: readonly PageOption[] }
  | { readonly kind: 'checkbox'; readonly isTicked: boolean }
  | { readonly kind: 'files'; readonly isMany: boolean; readonly accept: string };

export interface PageField {
  readonly kind: 'field';
  readonly customId: string;
  readonly label: string;
  readonly description: string | null;
  readonly isRequired: boolean;
  readonly input: PageInput;
}

/** A modal that the acting person has open. */
export interface PageModal {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly (PageField | { readonly kind: 'text'; readonly content: string })[];
}

/**
 * The immediate outcome of a command, button press or selection; everything else arrives as events.
 */
export interface PageOutcome {
  /** Discord's error message if the bot did not respond in time. */
  readonly unanswered: PageMessage | null;
  readonly modal: PageModal | null;
}

/** The outcome of submitting a modal; `answered` closes it. */
export type PageSubmitted =
  | { readonly kind: 'answered' | 'unanswered' }
  /** The error of each invalid field, by custom id. */
  | { readonly kind: 'invalid'; readonly faults: Readonly<Record<string, string>> };

/** A picked suggestion: the line shows its name, and the bot gets its value. */
export interface PickedChoice {
  /** The name of the option. */
  readonly option: string;
  readonly shown: string;
  readonly value: string | number;
}

export interface PageSuggestion {
  /** `option` means an optional one. */
  readonly kind: 'command' | 'value' | 'required' | 'option';
  readonly label: string;
  readonly detail: string;
  /** The whole line after picking it. */
  readonly text: string;
  /** The value for the bot, if it differs from what the line shows. */
  readonly picked: PickedChoice | null;
}

export interface PageSuggestions {
  readonly suggestions: readonly PageSuggestion[];
  /** Whether the typed command accepts a file. */
  readonly takesFile: boolean;
}

export interface PageComplaint {
  readonly atMs: number;
  /**
   * `rejected`: Discord rejects it. `warning`: Discord accepts it, but it probably doesn't do what
   * was meant.
   */
  readonly kind: 'rejected' | 'warning';
  readonly route: string;
  readonly reason: string;
}

/** One figure of the strip at the top. */
export interface PageFigure {
  readonly name: string;
  /** `untilMs` is a time in epoch ms; the page counts down the seconds. */
  readonly value: { readonly text: string } | { readonly untilMs: number };
  readonly isBad: boolean;
  /** Tooltip. */
  readonly meaning: string;
}

export interface PageControlButton {
  readonly id: string;
  readonly label: string;
  readonly isDanger: boolean;
  readonly isDisabled: boolean;
  /** Whether the button's effect is already in place; null if it has no such state. */
  readonly isPressed: boolean | null;
}

/** A section of the side panel, whose buttons change the world around the bot. */
export interface PageControl {
  readonly id: string;
  readonly title: string;
  /** The targets that the buttons can apply to; null if there is only one. */
  readonly choice: {
    readonly label: string;
    readonly options: readonly {
      readonly value: string;
      readonly label: string;
      /** Text shown while it is selected, above the buttons; `below` is shown below them. */
      readonly about: string;
      readonly below: string;
    }[];
  } | null;
  readonly buttons: readonly PageControlButton[];
}

/** A list below the panel about things that happen outside of Discord. */
export interface PageReport {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Newest first. */
  readonly rows: readonly {
    readonly atMs: number;
    readonly text: string;
    readonly detail: string;
    readonly isBad: boolean;
  }[];
}

/** The frequently changing parts of the page. */
export interface PageStatus {
  readonly figures: readonly PageFigure[];
  readonly controls: readonly PageControl[];
  readonly reports: readonly PageReport[];
}

/** The server as the acting person sees it. */
export interface PageWorld {
  /** Title of the page. */
  readonly title: string;
  readonly guildName: string;
  readonly bot: { readonly id: string; readonly name: string; readonly isOnline: boolean };
  readonly me: PagePerson;
  readonly people: readonly PagePerson[];
  readonly languages: readonly PageLanguage[];
  readonly users: readonly { readonly id: string; readonly name: string }[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly channels: readonly PageChannel[];
}

/** An event that the server sends to the page, one per line. */
export type SiteEvent =
  | {
      readonly kind: 'snapshot';
      readonly world: PageWorld;
      readonly messages: readonly PageMessage[];
      readonly complaints: readonly PageComplaint[];
      readonly status: PageStatus;
    }
  | { readonly kind: 'world'; readonly world: PageWorld }
  | { readonly kind: 'message'; readonly message: PageMessage }
  | { readonly kind: 'deleted'; readonly messageId: string }
  | { readonly kind: 'complaint'; readonly complaint: PageComplaint }
  | { readonly kind: 'status'; readonly status: PageStatus };
