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

/** Code points of a venue's word that is counted by. */
const SUM_WORD_MAX = 30;

/** Parts of a line of a list that give way to its market's name, the first of them first. */
export const GIVING_WAY = ['partOf', 'time', 'size', 'priceDigits'] as const;
export type GivenUp = ReadonlySet<(typeof GIVING_WAY)[number]>;

/** Parts by which an event is known, for a first line or a line of a list. */
export interface Headline {
  /** Tells the direction by more than its colour, for those who cannot see it. */
  readonly emoji: string;
  /**
   * Says what happened, escaped for markdown.
   *
   * @param wallet its name, escaped; empty where it stands elsewhere
   * @param givenUp left out: nothing
   */
  readonly says: (wallet: string, givenUp?: GivenUp) => string;
  /** Multiple of the usual size, said after that; undefined where it is no news. */
  readonly size?: string | undefined;
  /**
   * Market that the event is about, its names not escaped. Undefined if the event is about no
   * market.
   */
  readonly market?: Market;
}

/** An event on its way to one channel, as it stands in the outbox. */
export interface AlertOf<Event> {
  /**
   * Unique within the wallet; stable over restarts. The message's buttons carry it as its
   * reference.
   */
  readonly id: string;
  readonly wallet: WalletAddress;
  readonly channelId: string;
  readonly event: Event;
  /** Epoch milliseconds by the venue's clock: when the bot saw it first. */
  readonly seenAtMs: number;
}

export interface AnyEvent {
  readonly kind: string;
}

/** One alert, or fills that belong together with what came of them. */
export interface GroupOf<Event> {
  /** Alerts of one wallet, oldest first. */
  readonly alerts: readonly [AlertOf<Event>, ...AlertOf<Event>[]];
  /**
   * Sum that earlier messages have shown of the same purchase, USDC as decimal text; left out where
   * there are none.
   */
  readonly earlierUsdc?: string | undefined;
  /**
   * Holdings of the channel's other wallets in its market; left out where nothing is known of any.
   */
  readonly alsoHere?: AlsoHere | undefined;
}

/** A group with the event of its first alert. */
export interface Announced<Event> extends GroupOf<AnyEvent> {
  readonly event: Event;
}

/** Parts that a line of a list needs besides its alerts. */
export interface LineContext {
  readonly links: Links;
  readonly language: Language;
  /**
   * Epoch ms by the venue's clock: an event is dated if it is later than its alert's first line
   * would bear.
   */
  readonly sentAtMs: number;
  /** The wallet's name, escaped; empty where it stands above the list. */
  readonly wallet: string;
  /** True if it says how many shares were traded: in a list the choice of its details does. */
  readonly saysShares: boolean;
  /** Whether several fills are said where shares are not; left out: they are not. */
  readonly saysFills?: boolean;
  /** True if the text above the embed says what happened: then the line has the rest. */
  readonly isAbove: boolean;
  /** True if that text says an unusual size. */
  readonly isSizeSaid: boolean;
}

export type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;
/** A list that a button opens, or a market's page. */
export type Look = 'activity' | 'flows' | { readonly market: Market };

/**
 * All that is particular to one kind of alert: one file of this shape, and one line in {@link
 * KINDS}.
 */
export interface AlertKind<Event> {
  readonly schema: z.ZodType<Event> & z.core.$ZodTypeDiscriminable;
  /** True for a word of the bot's own, which is nothing that the wallet did at some time. */
  readonly isNotice?: true;
  /** True for a word that never makes a sound. */
  readonly isSilent?: true;
  /**
   * True for an event about several wallets: always a message of its own, whose button names the
   * one that it mutes.
   */
  readonly isOfSeveral?: true;
  /** The times that it is about, Unix seconds: when it began and when it ended. */
  seconds(event: Event): readonly [fromSeconds: number, toSeconds: number];
  endpoint(event: Event): EndpointName;
  /**
   * Net USDC, positive if it left the wallet; of a transfer its amount. A notice, or a result, has
   * none.
   */
  usdc?(event: Event): number;
  /**
   * Tells whether a watch gets an event that was stored before the watch began (`fromSeconds`, Unix
   * seconds), a record unless its filters hold it; left out: no such watch does.
   */
  isForNewcomer?(event: Event, watch: Watch, fromSeconds: number): boolean;
  /** @param links of a line of a list, which may hold some; left out for a first line */
  headline(group: Announced<Event>, language: Language, links?: Links): Headline;
  /** Further parts of a line of a list, escaped for markdown. */
  rest?(group: Announced<Event>, context: LineContext): readonly (string | undefined)[];
  /** One line of a list, where it is not the headline with the rest. */
  line?(group: Announced<Event>, context: LineContext): string;
  /**
   * Stands below the message's text and market name, repeats neither; within Discord's limits for
   * any venue text.
   */
  embed(group: Announced<Event>, context: RenderContext): APIEmbed;
  /** Places where it can be looked up, for its buttons. */
  looks(event: Event): readonly Look[];
  /**
   * Word under which it is counted among alerts that come late: those with equal words are one sum.
   */
  sumWord?(event: Event): string;
  /**
   * Says how many they are, and their sum.
   *
   * @param events with one `sumWord`
   * @param usdc their sum, 0 without amounts
   */
  sumText(events: readonly [Event, ...Event[]], usdc: number, language: Language): string;
}

/**
 * Number of records of a kind: `3 purchases`.
 *
 * @param word the venue's, by which those of no known kind are counted
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

/** Puts what a wallet did after its name; without the name if that stands elsewhere. */
export function spaced(wallet: string, said: string): string {
  return wallet === '' ? said : `${wallet} ${said}`;
}
