/** What the page shows of a person: also who can be chosen to act. */
export interface PagePerson {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** Of the person's Discord. */
  readonly locale: string;
}

export interface PageChannel {
  readonly id: string;
  readonly name: string;
  /** Discord's channel type. */
  readonly type: number;
  /**
   * Of the person's direct message with the bot, which is called by its name: whether the person
   * takes messages. Null: a server's channel.
   */
  readonly direct: { readonly isOpen: boolean } | null;
  /** What the bot may do here. */
  readonly bot: { readonly view: boolean; readonly send: boolean; readonly embed: boolean };
}

/** What a person's Discord can be set to. */
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

/** What a message answers: a command, a message, or one that is no longer there. */
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
  /** The bot did not answer in time: Discord says so in its place. */
  readonly unanswered: boolean;
  /** Only the person who acts sees it. */
  readonly ephemeral: boolean;
  readonly createdAtMs: number;
  readonly edited: boolean;
  /** Sent without a sound. */
  readonly silent: boolean;
  readonly answered: PageAnswered | null;
  readonly pingsMe: boolean;
}

/** What a person fills in, with what the bot has filled in. */
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

/** A modal before the person who acts. */
export interface PageModal {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly (PageField | { readonly kind: 'text'; readonly content: string })[];
}

/** What comes at once of a command, a press or a choice; all else comes as events. */
export interface PageOutcome {
  /** What Discord says in the place of an answer that did not come in time. */
  readonly unanswered: PageMessage | null;
  readonly modal: PageModal | null;
}

/** What comes of a submitted modal; it is closed where it is `answered`. */
export type PageSubmitted =
  | { readonly kind: 'answered' | 'unanswered' }
  /** By custom id, what is wrong with a field. */
  | { readonly kind: 'invalid'; readonly faults: Readonly<Record<string, string>> };

/** A suggestion that somebody has picked: the line shows its name, the bot gets its value. */
export interface PickedChoice {
  /** The option's own name. */
  readonly option: string;
  readonly shown: string;
  readonly value: string | number;
}

export interface PageSuggestion {
  /** `option`: one that may be left out. */
  readonly kind: 'command' | 'value' | 'required' | 'option';
  readonly label: string;
  readonly detail: string;
  /** The whole line with it. */
  readonly text: string;
  /** What the bot is to get for it where that is not what the line shows. */
  readonly picked: PickedChoice | null;
}

export interface PageSuggestions {
  readonly suggestions: readonly PageSuggestion[];
  /** The command that is named takes a file. */
  readonly takesFile: boolean;
}

export interface PageComplaint {
  readonly atMs: number;
  /** `rejected`: Discord refuses it. `warning`: it passes, but hardly does what was meant. */
  readonly kind: 'rejected' | 'warning';
  readonly route: string;
  readonly reason: string;
}

/** One figure of the strip at the top. */
export interface PageFigure {
  readonly name: string;
  /** `untilMs`: the seconds until then, epoch ms, counted down by the page. */
  readonly value: { readonly text: string } | { readonly untilMs: number };
  readonly isBad: boolean;
  /** Shown where the pointer rests on it. */
  readonly meaning: string;
}

export interface PageControlButton {
  readonly id: string;
  readonly label: string;
  readonly isDanger: boolean;
  readonly isDisabled: boolean;
  /** Whether what the button brings about is so already; null where that cannot be said. */
  readonly isPressed: boolean | null;
}

/** One part of the side panel with which the world around the bot is moved. */
export interface PageControl {
  readonly id: string;
  readonly title: string;
  /** Of what the buttons are pressed for; null if there is one thing alone. */
  readonly choice: {
    readonly label: string;
    readonly options: readonly {
      readonly value: string;
      readonly label: string;
      /** Said of it while it is chosen, above and below the buttons. */
      readonly about: string;
      readonly below: string;
    }[];
  } | null;
  readonly buttons: readonly PageControlButton[];
}

/** A list below the panel, of what happens beside Discord. */
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

/** What changes all the time. */
export interface PageStatus {
  readonly figures: readonly PageFigure[];
  readonly controls: readonly PageControl[];
  readonly reports: readonly PageReport[];
}

/** What the server looks like to the person who acts. */
export interface PageWorld {
  /** Of the page. */
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

/** What the server sends the page, one event a line. */
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
