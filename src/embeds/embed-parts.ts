import type { Alert } from '../alerts/alert.ts';
import { type ActionKind, type ActivityItem, shortAddress, type WalletAddress } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { escapeText, maskedLink } from './escape.ts';
import { readFlow } from './flow.ts';
import type { Links } from './links.ts';

/** Colour of an embed's edge, by kind of event. */
export const EMBED_COLOURS = {
  buy: 0x2ecc71,
  sell: 0xe74c3c,
  redeem: 0x9b59b6,
  deposit: 0x3498db,
  withdrawal: 0xe67e22,
  gap: 0xf1c40f,
  consensus: 0xf39c12,
  compact: 0x5865f2,
  unknown: 0x95a5a6,
} as const;

/** What rendering an alert takes besides the alert. */
export interface RenderContext {
  /** The guild's label of the wallet. */
  readonly label?: string | undefined;
  /** The guild's label of any wallet. */
  readonly labelOf: (wallet: WalletAddress) => string | undefined;
  readonly links: Links;
  /** The channel's. */
  readonly language: Language;
  /** Epoch milliseconds by the venue's clock: when the message is about to be sent. */
  readonly sentAtMs: number;
}

/** Code points after escaping. With the figures they stay far below Discord's limits. */
const LABEL_MAX = 60;
const MARKET_TITLE_MAX = 250;
const WORD_MAX = 40;
/** An event dated further ahead than this means that the clocks disagree. */
const CLOCK_SKEW_SECONDS = 30;
export const SEPARATOR = ' · ';

/**
 * The reference of an alert, `#<id>`: the last word of its footer, by which delivery finds it in a channel's history.
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
export function walletName(wallet: WalletAddress, label: string | undefined): string {
  return escapeText(label ?? '', LABEL_MAX, shortAddress(wallet));
}

/** The market by its title or else its slug, behind its link. */
export function marketName(
  item: Pick<ActivityItem, 'marketTitle' | 'marketSlug'>,
  url: string | undefined,
  { texts }: Language,
): string {
  const named = [item.marketTitle, item.marketSlug].find((text) => escapeText(text, 1, '') !== '');
  return maskedLink(named ?? '', url, MARKET_TITLE_MAX, texts.alerts.marketWithoutTitle);
}

/** Shares and outcome: `1,234.5 Yes`. */
export function holding(quantity: number, positionSide: string, { texts, format }: Language): string {
  const side = escapeText(positionSide, WORD_MAX, '');
  const { of, ofUnknown } = texts.alerts.holdings;
  return side === '' ? ofUnknown(format.quantity(quantity)) : of(format.quantity(quantity), side);
}

/**
 * The title of a trade or redemption: who did what, at which price.
 *
 * @param what from `holding`
 * @param price as a text; undefined where there is none
 * @param netUsdc positive: it left the wallet
 */
export function activityTitle(
  name: string,
  { action, kind }: { readonly action: string; readonly kind: ActionKind },
  what: string,
  price: string | undefined,
  netUsdc: number,
  { texts, format }: Language,
): string {
  const { titles } = texts.alerts;
  if (kind === 'other') return titles.other(name, escapeText(action, WORD_MAX, titles.unknownAction), what, price);
  if (kind !== 'redeem') return titles[kind](name, what, price);
  const { direction, usdc } = readFlow(netUsdc);
  return titles.redeem(name, what, direction === 'paid' ? undefined : format.usdc(usdc));
}

/**
 * How long after an event its alert is sent, as text.
 *
 * @param timeSeconds of the event, Unix seconds
 * @param sentAtMs epoch ms by the venue's clock
 * @param event by the catalogue's names
 */
export function delay(
  timeSeconds: number,
  sentAtMs: number,
  event: keyof Language['texts']['alerts']['delivered']['after'],
  { texts, format }: Language,
): string {
  const { delivered } = texts.alerts;
  const seconds = Math.floor(sentAtMs / 1000) - timeSeconds;
  if (seconds < -CLOCK_SKEW_SECONDS) return delivered.clocksDisagree(format.duration(-seconds));
  return seconds <= 0 ? delivered.atOnce : delivered.after[event](format.duration(seconds));
}

/** The footer of an alert's embed: words, and its reference at the end. */
export function footer(alert: Alert, text: string): { text: string } {
  return { text: `${text}${SEPARATOR}${alertReference(alert.id)}` };
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
