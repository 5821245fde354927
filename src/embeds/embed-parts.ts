import type { APIEmbedAuthor } from 'discord.js';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import type { Language } from '../language/language.ts';
import { HOUR_SECONDS } from '../lib/time.ts';
import { type Market, shownTitle } from '../portfolio/market.ts';
import { type Links, shortLinks, withFragment } from './links.ts';
import { escapeText, maskedLink, plainText, wordAmongFigures } from './text/escape.ts';

/**
 * Colours of an embed's edge, by kind of event, and of answers to commands; a result has no colour
 * of a trade.
 */
export const EMBED_COLOURS = {
  buy: 0x2ecc71,
  sell: 0xe74c3c,
  redeem: 0x9b59b6,
  deposit: 0x3498db,
  withdrawal: 0xe67e22,
  gain: 0xf1c40f,
  loss: 0x607d8b,
  /** Something is over that was amiss. */
  good: 0x2ecc71,
  /** Something may be missing, or is late. */
  warning: 0xd35400,
  consensus: 0xeb459e,
  compact: 0x5865f2,
  answer: 0x5865f2,
  fault: 0xed4245,
  unknown: 0x95a5a6,
} as const;

export interface RenderContext {
  /** The guild's label of any wallet. */
  readonly labelOf: (wallet: WalletAddress) => string | undefined;
  readonly links: Links;
  /** The channel's. */
  readonly language: Language;
  /**
   * Delay of its message, for its small print; undefined where that is not worth saying, or its
   * first line says it.
   */
  readonly late?: string | undefined;
  /** True if the channel has found the wallet better than luck; left out: no. */
  readonly isBetterThanLuck?: boolean | undefined;
  /** True if the first line says the size already. */
  readonly isSizeSaid?: boolean | undefined;
  /** Link to the alert that a result is about; left out where the message answers it. */
  readonly firstAlert?: string | undefined;
}

/** Code points after escaping. With the figures they stay far below Discord's limits. */
const LABEL_MAX = 60;
/** Most characters of an embed's title, by Discord's documentation. */
const MARKET_TITLE_MAX = 256;
const SIDE_MAX = 40;
/** An event dated further ahead than this means that the clocks disagree. */
const CLOCK_SKEW_SECONDS = 30;
/** An alert that is sent so long after its event says so; and from a minute on before all else. */
const LATE_SECONDS = 15;
const VERY_LATE_SECONDS = 60;
/** A second time less than this after the first is shown without its date: 12 h. */
export const CLOSE_SECONDS = 12 * HOUR_SECONDS;
export const SEPARATOR = ' · ';

/**
 * The last word of the footer of a message without buttons, by which delivery finds it in a
 * channel's history.
 */
export function alertReference(alertId: string): string {
  return `#${alertId}`;
}

/** The label of the wallet, escaped and cut; without one its short address. */
export function walletName(
  wallet: WalletAddress,
  label: string | null | undefined,
  maxCodePoints = LABEL_MAX,
): string {
  return escapeText(label ?? '', maxCodePoints, shortAddress(wallet));
}

/** The wallet that a list is about: `Whale · 0x5aAe…eAed`, linked to the wallet's page. */
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
 * A wallet's short address, linked to its page; its name stands above the embed.
 *
 * @param room characters for the URL
 */
export function walletLink(wallet: WalletAddress, links: Links, room: number): string {
  return maskedLink(shortAddress(wallet), shortLinks(links, room).wallet(wallet), LABEL_MAX, '');
}

/**
 * An embed's title where the first line cuts it: the market by its title or else its slug, linked
 * to the market's page. The alert's reference is the link's fragment: Discord's clients show embeds
 * with an equal `url` as one.
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
 * A market's title, or else its slug, as far as it is shown, unescaped; empty if nothing of either
 * can be seen.
 */
export function marketNameOf({
  marketTitle,
  marketSlug,
}: Pick<Market, 'marketTitle' | 'marketSlug'>): string {
  const name = [marketTitle, marketSlug].find((text) => escapeText(text, 1, '') !== '');
  return shownTitle(name ?? '');
}

/** An outcome's name, bold. */
export function sideName(side: string, language: Language): string {
  const { unknownSide } = language.texts.news.consensus;
  return `**${wordAmongFigures(side, SIDE_MAX, unknownSide, language)}**`;
}

/**
 * A time of day for a row, as Discord draws it for each reader: `9:49 AM`, with the date before it
 * where that is twelve hours and more ago.
 */
export function clockTime(timeSeconds: number, nowSeconds: number): string {
  const time = `<t:${timeSeconds}:t>`;
  if (nowSeconds - timeSeconds < CLOSE_SECONDS) return time;
  return `<t:${timeSeconds}:d> ${time}`;
}

/**
 * A time and a later one (Unix seconds, in any order) as Discord shows them; the later without its
 * date if close.
 */
export function timeRange(...seconds: readonly [number, number]): [from: string, to: string] {
  const from = Math.min(...seconds);
  const to = Math.max(...seconds);
  const style = to - from < CLOSE_SECONDS ? 't' : 'f';
  return [`<t:${from}:f>`, `<t:${to}:${style}>`];
}

/** The parts that there are as one line of small print; none if there are none. */
export function smallPrint(...parts: readonly Part[]): string[] {
  const text = present(...parts);
  if (text === '') return [];
  return [`-# ${text}`];
}

/**
 * Says how long after an event (Unix seconds) its alert is sent (epoch ms, venue's clock): in the
 * first line from a minute on, to the minute; in small print from 15 s on. Undefined elsewhere.
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
 * Keeps URLs in their order while they fit; others become undefined.
 *
 * @param limit characters of all together
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

/** A part of a text that may be missing, as in `fees > 0 && feesText(fees)`. */
type Part = string | false | null | undefined;

/** The parts that there are, in their order. */
export function presentParts(...parts: readonly Part[]): string[] {
  return parts.filter((part) => typeof part === 'string');
}

/** The parts that there are in one line, separated by ` · `. */
export function present(...parts: readonly Part[]): string {
  return presentParts(...parts).join(SEPARATOR);
}
