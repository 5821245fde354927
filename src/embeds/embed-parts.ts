import type { APIEmbedAuthor } from 'discord.js';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import type { Language } from '../language/language.ts';
import { HOUR_SECONDS } from '../lib/time.ts';
import { type Market, shownTitle } from '../portfolio/market.ts';
import { type Links, shortLinks, withFragment } from './links.ts';
import { escapeText, isVisible, maskedLink, plainText, wordAmongFigures } from './text/escape.ts';

/**
 * Colors of an embed's edge, by kind of event, and of answers to commands. No result has a trade's
 * color.
 */
export const EMBED_COLOURS = {
  buy: 0x2ecc71,
  sell: 0xe74c3c,
  redeem: 0x9b59b6,
  deposit: 0x3498db,
  withdrawal: 0xe67e22,
  gain: 0xf1c40f,
  loss: 0x607d8b,
  /** A problem is over. */
  good: 0x2ecc71,
  /** Something may be missing or is late. */
  warning: 0xd35400,
  consensus: 0xeb459e,
  compact: 0x5865f2,
  answer: 0x5865f2,
  fault: 0xed4245,
  unknown: 0x95a5a6,
} as const;

export interface RenderContext {
  /** Returns the guild's label of a wallet. */
  readonly labelOf: (wallet: WalletAddress) => string | undefined;
  readonly links: Links;
  /** The channel's language. */
  readonly language: Language;
  /**
   * Delay of the message, for its small print; undefined if it is negligible, or if the first line
   * states it.
   */
  readonly late?: string | undefined;
  /** True if the channel's verdict on the wallet is better than luck; default: false. */
  readonly isBetterThanLuck?: boolean | undefined;
  /** True if the first line already states the size. */
  readonly isSizeShown?: boolean | undefined;
  /** Link to the alert that a result is about; omitted if the message replies to that alert. */
  readonly firstAlert?: string | undefined;
}

/**
 * Maximum code points of a label after escaping. With the figures, texts stay far below Discord's
 * limits.
 */
const LABEL_MAX = 60;
/** Maximum characters of an embed's title, by Discord's documentation. */
const MARKET_TITLE_MAX = 256;
const SIDE_MAX = 40;
/** If an event is dated further ahead than this, the clocks disagree. */
const CLOCK_SKEW_SECONDS = 30;
/**
 * Delay after an event from which its alert says that it is late; from a minute on, at the start of
 * its first line.
 */
const LATE_SECONDS = 15;
const VERY_LATE_SECONDS = 60;
/** Maximum distance of a second time that is shown without its date: 12 h. */
export const CLOSE_SECONDS = 12 * HOUR_SECONDS;
export const SEPARATOR = ' · ';

/**
 * Returns the last word in the footer of a message without buttons, by which delivery finds the
 * message in a channel's history.
 */
export function alertReference(alertId: string): string {
  return `#${alertId}`;
}

/** Returns the label of the wallet, escaped and cut, or its short address if it has none. */
export function walletName(
  wallet: WalletAddress,
  label: string | null | undefined,
  maxCodePoints = LABEL_MAX,
): string {
  return escapeText(label ?? '', maxCodePoints, shortAddress(wallet));
}

/**
 * Returns the author line for a wallet's list: `Whale · 0x5aAe…eAed`, linked to the wallet's page.
 */
export function author(
  wallet: WalletAddress,
  label: string | undefined,
  links: Links,
): APIEmbedAuthor {
  const address = shortAddress(wallet);
  const name = plainText(label ?? '', LABEL_MAX, address);
  const url = links.wallet(wallet);
  const shown = name === address ? name : `${name}${SEPARATOR}${address}`;
  if (url === undefined) return { name: shown };
  return { name: shown, url };
}

/**
 * Returns a wallet's short address, linked to its page; its name is above the embed.
 *
 * @param maxCharacters of the URL
 */
export function walletLink(wallet: WalletAddress, links: Links, maxCharacters: number): string {
  return maskedLink(
    shortAddress(wallet),
    shortLinks(links, maxCharacters).wallet(wallet),
    LABEL_MAX,
    '',
  );
}

/**
 * Returns an embed's title for the case that the first line cuts it: the market's title, or else
 * its slug, linked to its page. The link's fragment is the alert's reference, because Discord's
 * clients merge embeds with an equal `url`.
 */
export function marketTitle(
  market: Market,
  alert: { readonly id: string },
  { links, language }: Pick<RenderContext, 'links' | 'language'>,
): { readonly title: string; readonly url?: string } {
  const url = links.market(market);
  const title = escapeText(
    marketNameOf(market),
    MARKET_TITLE_MAX,
    language.texts.alerts.marketWithoutTitle,
  );
  if (url === undefined) return { title };
  return { title, url: withFragment(url, alert.id) };
}

/**
 * Returns the market's title, or else its slug, as shown but unescaped; empty if neither has
 * visible characters.
 */
export function marketNameOf({
  marketTitle,
  marketSlug,
}: Pick<Market, 'marketTitle' | 'marketSlug'>): string {
  const name = [marketTitle, marketSlug].find(isVisible);
  return shownTitle(name ?? '');
}

/** Returns an outcome's name in bold. */
export function sideName(side: string, language: Language): string {
  const { unknownSide } = language.texts.news.consensus;
  return `**${wordAmongFigures(side, SIDE_MAX, unknownSide, language)}**`;
}

/**
 * Returns a time of day for a row, as Discord shows it to each reader: `9:49 AM`, with the date
 * before it if it is twelve hours or more ago.
 */
export function clockTime(timeSeconds: number, nowSeconds: number): string {
  const time = `<t:${timeSeconds}:t>`;
  if (nowSeconds - timeSeconds < CLOSE_SECONDS) return time;
  return `<t:${timeSeconds}:d> ${time}`;
}

/**
 * Formats an earlier and a later time (Unix seconds, in any order) for Discord; the later one has
 * no date if they are close.
 */
export function timeRange(...seconds: readonly [number, number]): [from: string, to: string] {
  const from = Math.min(...seconds);
  const to = Math.max(...seconds);
  const style = to - from < CLOSE_SECONDS ? 't' : 'f';
  return [`<t:${from}:f>`, `<t:${to}:${style}>`];
}

/** Joins the present parts to one line of small print; empty if there are none. */
export function smallPrint(...parts: readonly Part[]): string[] {
  const text = present(...parts);
  if (text === '') return [];
  return [`-# ${text}`];
}

/**
 * Returns how long after an event (Unix seconds) its alert is sent (epoch ms, venue's clock). From
 * a minute on it is for the first line, rounded down to minutes; from 15 s on for the small print.
 * Empty below that.
 */
export function lateness(
  timeSeconds: number,
  sentAtMs: number,
  { texts, format }: Language,
): { readonly firstLine?: string; readonly smallPrint?: string } {
  const { late, clocksDisagree } = texts.alerts;
  const seconds = Math.floor(sentAtMs / 1000) - timeSeconds;
  if (seconds < -CLOCK_SKEW_SECONDS) {
    return { smallPrint: clocksDisagree(format.duration(-seconds)) };
  }
  if (seconds >= VERY_LATE_SECONDS) {
    return { firstLine: late(format.duration(seconds - (seconds % 60))) };
  }
  if (seconds < LATE_SECONDS) return {};
  return { smallPrint: late(format.duration(seconds)) };
}

/**
 * Keeps URLs in order while they fit; the others become undefined.
 *
 * @param limit total number of characters
 */
export function fitUrls(
  limit: number,
  ...urls: readonly (string | undefined)[]
): (string | undefined)[] {
  let left = limit;
  return urls.map((url) => {
    if (url === undefined || url.length > left) return undefined;
    left -= url.length;
    return url;
  });
}

/** A part of a text that may be absent, as in `fees > 0 && feesText(fees)`. */
type Part = string | false | null | undefined;

/** Returns the present parts, in order. */
export function presentParts(...parts: readonly Part[]): string[] {
  return parts.filter((part) => typeof part === 'string');
}

/** Joins the present parts to one line, separated by ` · `. */
export function present(...parts: readonly Part[]): string {
  return presentParts(...parts).join(SEPARATOR);
}
