import type { APIEmbedAuthor } from 'discord.js';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import { type Market, shownTitle } from '../portfolio/market.ts';
import type { RoomRecord } from '../portfolio/record/standing.ts';
import { type Links, withFragment } from './links.ts';
import { escapeText, maskedLink, plainText, wordAmongFigures } from './text/escape.ts';

/** Colour of an embed's edge, by kind of event: what came of a position is in none of the colours of trades. */
export const EMBED_COLOURS = {
  buy: 0x2ecc71,
  sell: 0xe74c3c,
  redeem: 0x9b59b6,
  deposit: 0x3498db,
  withdrawal: 0xe67e22,
  gain: 0xf1c40f,
  loss: 0x607d8b,
  gap: 0xd35400,
  consensus: 0xeb459e,
  compact: 0x5865f2,
  unknown: 0x95a5a6,
} as const;

/** What rendering an alert takes besides the alert. */
export interface RenderContext {
  /** The guild's label of any wallet. */
  readonly labelOf: (wallet: WalletAddress) => string | undefined;
  readonly links: Links;
  /** The channel's. */
  readonly language: Language;
  /** How late it is sent, for its small print; undefined where that is not worth saying, or its first line says it. */
  readonly late?: string | undefined;
  /** How the wallet's alerts did in the channel; absent or null if too few of them are known to be over. */
  readonly record?: RoomRecord | null | undefined;
}

/** What a market is shown and linked by. */
export type NamedMarket = Pick<ActivityItem, 'marketTitle' | 'marketSlug' | 'marketId' | 'eventSlug'>;

/** Code points after escaping. With the figures they stay far below Discord's limits. */
const LABEL_MAX = 60;
const MARKET_TITLE_MAX = 90;
const SIDE_MAX = 40;
/** The last second that Discord's timestamps hold: the end of the year 9999, Unix seconds. */
const LAST_SECOND = 253_402_300_799;
/** An event dated further ahead than this means that the clocks disagree. */
const CLOCK_SKEW_SECONDS = 30;
/** An alert that is sent so long after its event says so; and from a minute on before all else. */
const LATE_SECONDS = 15;
const VERY_LATE_SECONDS = 60;
/** Of two times as close as this it is plain which day the second one is of. */
export const CLOSE_SECONDS = 12 * 3_600;
export const SEPARATOR = ' · ';

/**
 * The reference of a message without buttons, `#<id>`: the last word of its footer, by which delivery finds it in a channel's
 * history.
 *
 * @throws RangeError unless the id has 1 to 200 visible ASCII characters
 */
export function alertReference(alertId: string): string {
  if (!/^[!-~]{1,200}$/.test(alertId)) {
    throw new RangeError(
      `The alert id ${JSON.stringify(alertId)} is no reference. Accepted: 1 to 200 visible ASCII characters.`,
    );
  }
  return `#${alertId}`;
}

/** The label of the wallet, escaped and cut; without one its short address. */
export function walletName(wallet: WalletAddress, label: string | null | undefined, maxCodePoints = LABEL_MAX): string {
  return escapeText(label ?? '', maxCodePoints, shortAddress(wallet));
}

/** Whose alerts a list shows: `Whale · 0x5aAe…eAed`, linked to the wallet's page. */
export function author(wallet: WalletAddress, label: string | undefined, links: Links): APIEmbedAuthor {
  const address = shortAddress(wallet);
  const name = plainText(label ?? '', LABEL_MAX, address);
  const url = links.wallet(wallet);
  return { name: name === address ? name : `${name}${SEPARATOR}${address}`, ...(url === undefined ? {} : { url }) };
}

/**
 * Whose alert it is, for small print: its short address, linked to the wallet's page. Its name stands above the embed.
 *
 * @param room characters that are left for a URL
 */
export function walletLink(wallet: WalletAddress, links: Links, room: number): string {
  const [url] = fitUrls(room, links.wallet(wallet));
  return maskedLink(shortAddress(wallet), url, LABEL_MAX, '');
}

/**
 * An embed's title where the first line cuts it: the market by its title or else its slug, linked to the market's page. The alert's reference is the
 * link's fragment: Discord's clients show embeds with an equal `url` as one.
 */
export function marketTitle(
  market: NamedMarket,
  alert: { readonly id: string },
  { links, language }: Pick<RenderContext, 'links' | 'language'>,
): { readonly title: string; readonly url?: string } {
  const url = links.market(market);
  return {
    title: escapeText(marketNameOf(market), MARKET_TITLE_MAX, language.texts.alerts.marketWithoutTitle),
    ...(url === undefined ? {} : { url: withFragment(url, alert.id) }),
  };
}

/** The title of a market, or else its slug, as far as it is shown, unescaped; empty if nothing of either can be seen. */
export function marketNameOf({ marketTitle, marketSlug }: Pick<NamedMarket, 'marketTitle' | 'marketSlug'>): string {
  return shownTitle([marketTitle, marketSlug].find((text) => escapeText(text, 1, '') !== '') ?? '');
}

/** A stored market as the venue names it. */
export function named({ title, ...market }: Market): NamedMarket {
  return { ...market, marketTitle: title };
}

/** An outcome's name, bold. */
export function sideName(side: string, { texts }: Language): string {
  return `**${wordAmongFigures(side, SIDE_MAX, texts.news.consensus.unknownSide)}**`;
}

/** The time beside an embed's footer. @param seconds Unix seconds @returns undefined where Discord has no such time */
export function timestamp(seconds: number): { readonly timestamp?: string } {
  return seconds >= 0 && seconds <= LAST_SECOND ? { timestamp: new Date(seconds * 1000).toISOString() } : {};
}

/**
 * A time and a later one, as Discord shows them: the later one without its date where the two are close.
 *
 * @param seconds Unix seconds, in either order
 */
export function timeRange(...seconds: readonly [number, number]): [from: string, to: string] {
  const [from, to] = [Math.min(...seconds), Math.max(...seconds)];
  return [`<t:${from}:f>`, `<t:${to}:${to - from < CLOSE_SECONDS ? 't' : 'f'}>`];
}

/** The defined parts as one line of small print; none if there are none. */
export function smallPrint(...parts: readonly (string | undefined)[]): string[] {
  const text = present(...parts);
  return text === '' ? [] : [`-# ${text}`];
}

export interface Lateness {
  readonly firstLine?: string;
  readonly smallPrint?: string;
}

/**
 * How long after an event its alert is sent, as text: in the first line from a minute on, to the minute; in small print from 15 s on.
 * Undefined elsewhere.
 *
 * @param timeSeconds of the event, Unix seconds
 * @param sentAtMs epoch ms by the venue's clock
 */
export function lateness(timeSeconds: number, sentAtMs: number, { texts, format }: Language): Lateness {
  const { late, clocksDisagree } = texts.alerts;
  const seconds = Math.floor(sentAtMs / 1000) - timeSeconds;
  if (seconds < -CLOCK_SKEW_SECONDS) return { smallPrint: clocksDisagree(format.duration(-seconds)) };
  if (seconds >= VERY_LATE_SECONDS) return { firstLine: late(format.duration(seconds - (seconds % 60))) };
  return seconds < LATE_SECONDS ? {} : { smallPrint: late(format.duration(seconds)) };
}

/** Keeps URLs in their order while they fit; those that do not become undefined. @param limit characters of all together */
export function fitUrls(limit: number, ...urls: readonly (string | undefined)[]): (string | undefined)[] {
  let left = limit;
  return urls.map((url) => {
    if (url === undefined || url.length > left) return undefined;
    left -= url.length;
    return url;
  });
}

/** The defined parts in one line, separated by ` · `. */
export function present(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(SEPARATOR);
}

/** The rows as one text. */
export function lines(...rows: readonly string[]): string {
  return rows.join('\n');
}
