import type { LanguageTag } from '../../language/language.ts';
import type { BotState } from '../bot-supervisor.ts';
import type { VenueMode } from '../venue-switch.ts';

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
  /** Of the person's direct message with the bot, which is called by its name: whether the person takes messages. Null: a server's channel. */
  readonly direct: { readonly isOpen: boolean } | null;
  /** What the bot may do here. */
  readonly bot: { readonly view: boolean; readonly send: boolean; readonly embed: boolean };
}

export interface PageTrader {
  readonly handle: string;
  readonly address: string;
  readonly pace: string;
  /** How it trades, in words. */
  readonly style: string;
  /** What it is above luck, cents a share: what the bot is to find out. */
  readonly edgeCents: number;
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
  readonly author: { readonly name: string; readonly url: string | null; readonly icon: PagePicture | null } | null;
  readonly image: PagePicture | null;
  readonly thumbnail: PagePicture | null;
  readonly fields: readonly { readonly name: string; readonly value: string; readonly inline: boolean }[];
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

export interface PageSelect {
  readonly kind: 'select';
  readonly customId: string;
  readonly placeholder: string;
  readonly min: number;
  readonly max: number;
  readonly disabled: boolean;
  readonly options: readonly {
    readonly label: string;
    /** The small line below the label. */
    readonly detail: string | null;
    readonly value: string;
    readonly chosen: boolean;
  }[];
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
  /** Only the person who acts sees it. */
  readonly ephemeral: boolean;
  readonly createdAtMs: number;
  readonly edited: boolean;
  /** Sent without a sound. */
  readonly silent: boolean;
  readonly answered: PageAnswered | null;
  readonly pingsMe: boolean;
}

export interface PageSuggestion {
  /** `option`: one that may be left out. */
  readonly kind: 'command' | 'value' | 'required' | 'option';
  readonly label: string;
  readonly detail: string;
  /** The whole line with it. */
  readonly text: string;
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

export interface PageStatus {
  readonly bot: BotState;
  readonly venue: VenueMode;
  /** What the venue's rate-limit headers said last; null before the first request. */
  readonly budget: { readonly used: number; readonly limit: number; readonly resetAtMs: number } | null;
  readonly requests: number;
  readonly alerts: number;
  /** From the trade to its message; null before the first alert. */
  readonly lastDelaySeconds: number | null;
  readonly duplicates: number;
  /** In the venue, and not in the channel yet. */
  readonly waiting: number;
}

/** What the server looks like to the person who acts. */
export interface PageWorld {
  readonly guildName: string;
  readonly me: PagePerson;
  readonly people: readonly PagePerson[];
  /** That a person's Discord can be set to: those that the bot speaks. */
  readonly languages: readonly { readonly locale: LanguageTag; readonly name: string }[];
  readonly users: readonly { readonly id: string; readonly name: string }[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly channels: readonly PageChannel[];
  readonly traders: readonly PageTrader[];
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
