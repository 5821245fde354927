import type { APIButtonComponentWithCustomId, APIButtonComponentWithURL, APIEmbed } from 'discord.js';
import type * as z from 'zod';
import type { WalletAddress } from '../../domain/address.ts';
import type { EndpointName } from '../../domain/records.ts';
import {
  CLOSE_SECONDS,
  marketNameOf,
  type NamedMarket,
  present,
  type RenderContext,
} from '../../embeds/embed-parts.ts';
import { type Links, shortLinks } from '../../embeds/links.ts';
import { maskedLink } from '../../embeds/text/escape.ts';
import type { Language } from '../../language/language.ts';
import type { AlsoHere } from '../../portfolio/positions/held-markets.ts';
import type { Watch } from '../../watches/watch.ts';

const TITLE_MAX = 80;
/** Characters: a line with three links stays well below the 4,096 of a description. */
export const LINE_URL_MAX = 500;
/** Code points of a venue's word that is counted by. */
export const SUM_WORD_MAX = 30;

/** What an event is known by, for a first line or a line of a list. */
export interface Headline {
  /** A direction is seen without its colour and without reading. */
  readonly emoji: string;
  /** What happened, escaped for markdown. @param wallet its name, escaped; empty where it stands elsewhere */
  readonly says: (wallet: string) => string;
  /** Its names are not escaped. Undefined if the event is about no market. */
  readonly market?: NamedMarket;
}

/** An event on its way to one channel, as it stands in the outbox. */
export interface AlertOf<Event> {
  /** Unique within the wallet; stable over restarts. Shown in the message as its reference. */
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
export interface Announced<Event> {
  /** Of the first alert. */
  readonly event: Event;
  /** Of one wallet, oldest first. */
  readonly alerts: readonly [AlertOf<AnyEvent>, ...AlertOf<AnyEvent>[]];
  /** What earlier messages have shown of the same purchase, USDC as decimal text; left out where there are none. */
  readonly earlierUsdc?: string | undefined;
  /** What the channel's other wallets hold in its market; left out where nothing is known of any. */
  readonly alsoHere?: AlsoHere | undefined;
}

/** What a line of a list needs besides its alerts. */
export interface LineContext {
  readonly links: Links;
  readonly language: Language;
  /** Epoch milliseconds by the venue's clock: an event shortly before it is dated by the clock alone. */
  readonly sentAtMs: number;
  /** The wallet's name, escaped; empty where it stands above the list. */
  readonly wallet: string;
  /** Whether the text above the embed says what happened: then the line has the rest. */
  readonly isAbove: boolean;
}

export type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;
/** A list that a button opens, or a market's page. */
export type Look = 'activity' | 'flows' | { readonly market: NamedMarket };

/** All that is particular to one kind of alert: one file of this shape, and one line in {@link KINDS}. */
export interface AlertKind<Event> {
  /** The event as it is stored. */
  readonly schema: z.ZodType<Event> & z.core.$ZodTypeDiscriminable;
  /** Whether it is a word of the bot's own, and nothing that the wallet did at some time. */
  readonly isNotice: boolean;
  /** Whether it is about several wallets: always a message of its own, whose button names the one that it mutes. */
  readonly isOfSeveral: boolean;
  /** The times that it is about, Unix seconds: when it began and when it ended. */
  seconds(event: Event): readonly [fromSeconds: number, toSeconds: number];
  /** The endpoint whose records it comes from. */
  endpoint(event: Event): EndpointName;
  /** Net USDC, positive if it left the wallet; of a transfer its amount. Null where it has none, as a notice. */
  usdc(event: Event): number | null;
  /** Whether a watch gets it that began when it was stored already. @param fromSeconds Unix seconds of its beginning */
  isForNewcomer(event: Event, watch: Watch, fromSeconds: number, nowSeconds: number): boolean;
  headline(group: Announced<Event>, language: Language): Headline;
  /** One line of a list, escaped for markdown; mostly a {@link headedLine}. */
  line(group: Announced<Event>, context: LineContext): string;
  /** Below the message's text, which it does not repeat. Within Discord's limits whatever the venue's texts hold. */
  embed(group: Announced<Event>, context: RenderContext): APIEmbed;
  /** Where it can be looked up, for its buttons. */
  looks(event: Event): readonly Look[];
  /** What it is counted under among alerts that come late: those with equal words are one sum. */
  sumWord(event: Event): string;
  /** How many they are and what they come to. @param events with one `sumWord` @param usdc their sum, 0 without amounts */
  sumText(events: readonly [Event, ...Event[]], usdc: number, language: Language): string;
}

/** A line of a list: first line, market, what else there is to say, and the time. */
export function headedLine(
  { emoji, says, market }: Headline,
  timeSeconds: number,
  { language, links, sentAtMs, wallet, isAbove }: LineContext,
  ...rest: readonly (string | undefined)[]
): string {
  const url = market && shortLinks(links, LINE_URL_MAX).market(market);
  return present(
    isAbove ? wallet || undefined : `${emoji} ${says(wallet)}`,
    market && maskedLink(marketNameOf(market), url, TITLE_MAX, language.texts.alerts.marketWithoutTitle),
    ...rest,
    `<t:${timeSeconds}:${sentAtMs / 1000 - timeSeconds < CLOSE_SECONDS ? 't' : 'R'}>`,
  );
}

/** What a wallet did, after its name if that does not stand elsewhere. */
export function spaced(wallet: string, said: string): string {
  return wallet === '' ? said : `${wallet} ${said}`;
}
