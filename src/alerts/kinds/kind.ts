import type {
  APIButtonComponentWithCustomId,
  APIButtonComponentWithURL,
  APIEmbed,
} from 'discord.js';
import type * as z from 'zod';
import type { WalletAddress } from '../../domain/address.ts';
import type { EndpointName } from '../../domain/records.ts';
import type { RenderContext } from '../../embeds/embed-parts.ts';
import type { Links } from '../../embeds/links.ts';
import { escapeText } from '../../embeds/text/escape.ts';
import type { Language } from '../../language/language.ts';
import type { Market } from '../../portfolio/market.ts';
import type { AlsoHere } from '../../portfolio/positions/held-markets.ts';
import type { Kind } from '../../watches/settings/setting.ts';
import type { Watch } from '../../watches/watch.ts';

/** Maximum number of code points shown of the venue's word for unknown records. */
const SUM_WORD_MAX = 30;

/** Parts of a list line that are dropped to make space for the market's name, in this order. */
export const GIVING_WAY = ['partOf', 'time', 'size', 'priceDigits'] as const;
export type GivenUp = ReadonlySet<(typeof GIVING_WAY)[number]>;

/** Parts that identify an event in a first line or a list line. */
export interface Headline {
  /** Shows the direction by more than color, for readers who cannot see the color. */
  readonly emoji: string;
  /**
   * Returns what happened, escaped for markdown.
   * @param wallet the wallet's name, escaped; empty if it is shown elsewhere
   * @param givenUp parts to drop; none if left out
   */
  readonly says: (wallet: string, givenUp?: GivenUp) => string;
  /** Multiple of the usual size, shown after that; undefined if it is not unusual. */
  readonly size?: string | undefined;
  /** Market of the event, with unescaped names. Undefined if the event has no market. */
  readonly market?: Market;
}

/** An event for one channel, as kept in the outbox. */
export interface AlertOf<Event> {
  /**
   * Unique within the wallet and stable across restarts. The message's buttons use it as their
   * reference.
   */
  readonly id: string;
  readonly wallet: WalletAddress;
  readonly channelId: string;
  readonly event: Event;
  /** Time when the bot first saw it, in epoch milliseconds by the venue's clock. */
  readonly seenAtMs: number;
}

export interface AnyEvent {
  readonly kind: string;
}

/** One alert, or fills that belong together with their results. */
export interface GroupOf<Event> {
  /** Alerts of one wallet, oldest first. */
  readonly alerts: readonly [AlertOf<Event>, ...AlertOf<Event>[]];
  /**
   * USDC of the same purchase that earlier messages have shown, as decimal text; left out if there
   * are none.
   */
  readonly earlierUsdc?: string | undefined;
  /** Holdings of the channel's other wallets in the market; left out if none are known. */
  readonly alsoHere?: AlsoHere | undefined;
}

/** A group with the event of its first alert. */
export interface Announced<Event> extends GroupOf<AnyEvent> {
  readonly event: Event;
}

/** Data that a list line needs in addition to its alerts. */
export interface LineContext {
  readonly links: Links;
  readonly language: Language;
  /**
   * Time of sending, in epoch ms by the venue's clock. An event is dated if it is later than its
   * alert's first line would show.
   */
  readonly sentAtMs: number;
  /** The wallet's name, escaped; empty if it is shown above the list. */
  readonly wallet: string;
  /**
   * True if the line shows the number of shares. In a list, the menu for its details shows it
   * instead.
   */
  readonly showsShares: boolean;
  /** Whether the number of fills is shown even without shares; false if left out. */
  readonly showsFills?: boolean;
  /**
   * True if the text above the embed says what happened, so that the line contains only the rest.
   */
  readonly isAbove: boolean;
  /** True if that text mentions an unusual size. */
  readonly isSizeShown: boolean;
}

export type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;
/** A list that a button opens, or a market's page. */
export type Look = 'activity' | 'flows' | { readonly market: Market };

/**
 * Everything specific to one kind of alert. Each kind is one file of this shape and one line in
 * {@link KINDS}.
 */
export interface AlertKind<Event> {
  readonly schema: z.ZodType<Event> & z.core.$ZodTypeDiscriminable;
  /** True for a message of the bot itself that reports nothing the wallet did. */
  readonly isNotice?: true;
  /** True for a message that never makes a sound. */
  readonly isSilent?: true;
  /**
   * True for an event about several wallets. It is always a message of its own, whose button names
   * the wallet it mutes.
   */
  readonly isOfSeveral?: true;
  /** Returns the event's period in Unix seconds: when it began and when it ended. */
  seconds(event: Event): readonly [fromSeconds: number, toSeconds: number];
  endpoint(event: Event): EndpointName;
  /**
   * Returns the net USDC, positive if it left the wallet; for a transfer, its amount. Notices and
   * results have none.
   */
  usdc?(event: Event): number;
  /**
   * Returns whether a watch gets an event that was stored before the watch began (`fromSeconds`, in
   * Unix seconds). It gets a record unless its filters reject it. If left out, no such watch gets
   * it.
   */
  isForNewcomer?(event: Event, watch: Watch, fromSeconds: number): boolean;
  /** @param links for a list line, which may contain links; left out for a first line */
  headline(group: Announced<Event>, language: Language, links?: Links): Headline;
  /** Returns further parts of a list line, escaped for markdown. */
  rest?(group: Announced<Event>, context: LineContext): readonly (string | undefined)[];
  /** Returns a list line, if it differs from the headline followed by the rest. */
  line?(group: Announced<Event>, context: LineContext): string;
  /**
   * Returns the embed below the message's text and market name. It repeats neither and stays within
   * Discord's limits whatever the venue's texts are.
   */
  embed(group: Announced<Event>, context: RenderContext): APIEmbed;
  /** Returns where the event can be looked up, for its buttons. */
  looks(event: Event): readonly Look[];
  /**
   * Returns the word under which the event is counted among late alerts. Events with the same word
   * are added up.
   */
  sumWord?(event: Event): string;
  /**
   * Returns the number of events and their total.
   * @param events events with the same `sumWord`
   * @param usdc their total; 0 without amounts
   */
  sumText(events: readonly [Event, ...Event[]], usdc: number, language: Language): string;
}

/**
 * Returns the number of records of a kind: `3 purchases`.
 * @param word the venue's word, used for records of unknown kinds
 */
export function countText(
  kind: Kind | 'other',
  word: string,
  n: number,
  { texts, format }: Language,
): string {
  const { kinds, other, unknownKind } = texts.alerts.catchUp;
  const count = format.quantity(n);
  if (kind === 'other') return other(count, escapeText(word, SUM_WORD_MAX, unknownKind));
  return kinds[kind](count, n);
}

/** Returns the `sumText` of events without amounts: only their number. */
export function countOf(name: 'amended' | 'agreements' | 'gaps' | 'results') {
  return ({ length }: readonly unknown[], _usdc: number, { texts, format }: Language): string =>
    texts.alerts.catchUp[name](format.quantity(length), length);
}

/**
 * Returns the wallet's name followed by what it did, or only that if the name is shown elsewhere.
 */
export function spaced(wallet: string, sentence: string): string {
  return wallet === '' ? sentence : `${wallet} ${sentence}`;
}
