import { parseAddress, shortAddress, ZERO_ADDRESS } from '../domain/address.ts';
import { fillParts } from '../domain/market-keys.ts';
import {
  type ActionKind,
  type ActivityItem,
  actionKind,
  type EndpointName,
  isFeeKnown,
  type RecordOf,
  type TransferItem,
  transferDirection,
} from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import { Exact, quotient, sum } from '../lib/exact.ts';
import { marketKey } from '../portfolio/market.ts';
import { signed } from './context-lines.ts';
import { clockTime, marketNameOf, present } from './embed-parts.ts';
import type { Links } from './links.ts';
import {
  linkedName,
  type NamedLine,
  OWN_LINE_EMS,
  unnamedLine,
  writeLines,
} from './named-lines.ts';
import { escapeText, maskedLink, nameWithin, wordAmongFigures } from './text/escape.ts';
import { LEAST_NAME_EMS } from './text/width.ts';

const WORD_LIMIT = 30;
/** Distance from which two items are separate rows. */
const APART_SECONDS = 60;
const OUTCOMES_NAMED = 3;

/**
 * Returns a trade or redemption in two lines of a phone, escaped for markdown: `**Bought No $56.55** ·
 * [market](link) · 3 minutes ago`.
 */
function activityLine(item: ActivityItem, links: Links, language: Language): string {
  const [what = ''] = summedParts([item], language, false);
  const name = nameWithin(marketNameOf(item), LEAST_NAME_EMS);
  return [what, lineMarket(item, name, links, language), `<t:${item.time}:R>`].join(' · ');
}

/**
 * True if two neighbors in a list form one row: fills of one purchase or sale, or redemptions of
 * one market.
 */
export function isOneRow(a: ActivityItem, b: ActivityItem): boolean {
  if (marketKey(a) === '' || Math.abs(a.time - b.time) >= APART_SECONDS) return false;
  return JSON.stringify(fillParts(a)) === JSON.stringify(fillParts(b));
}

/**
 * Returns trades and redemptions for a list, escaped for markdown: the name of a market, and below
 * it a line for each group of items. A text may have two lines.
 *
 * @param nowSeconds time at which the list was read, in Unix seconds
 * @param isCut whether the last group may have more items than the list shows
 */
export function activityRows(
  rows: readonly (readonly ActivityItem[])[],
  links: Links,
  language: Language,
  { nowSeconds, isCut }: { readonly nowSeconds: number; readonly isCut: boolean },
): string[] {
  const lines: NamedLine[] = [];
  let above: ActivityItem | undefined;
  for (const [index, items] of rows.entries()) {
    const [first] = items;
    if (first === undefined) continue;
    const parts = summedParts(items, language, isCut && index === rows.length - 1);
    const line = present(...parts, clockTime(sumUp(items).lastSeconds, nowSeconds));
    const isSame =
      above !== undefined &&
      marketKey(above) === marketKey(first) &&
      above.marketTitle === first.marketTitle;
    above = first;
    if (isSame) lines.push(unnamedLine(line));
    else {
      const write = (name: string) => `${lineMarket(first, name, links, language)}\n${line}`;
      lines.push({ market: first, ems: OWN_LINE_EMS, write });
    }
  }
  return writeLines(lines);
}

/** Returns `**Bought No $56.55**`, `120.9 at 45.9¢`, `5 fills`. */
function summedParts(items: readonly ActivityItem[], language: Language, isCut: boolean): string[] {
  const { texts, format } = language;
  const { fills, redemptions } = texts.alerts;
  const sums = sumUp(items);
  const parts = [tradedText(items, sums, language), ...sharesText(items, sums, language)];
  if (sums.fills === 1) return parts;
  const isRedemption = actionKind(newestOf(items).action) === 'redeem';
  const countText = isRedemption ? redemptions : fills;
  const count = countText(format.quantity(sums.fills), sums.fills);
  return [...parts, isCut ? `${count} …` : count];
}

/**
 * Returns `**Bought No $56.55**`.
 *
 * @param sums of the items
 */
function tradedText(items: readonly ActivityItem[], sums: FillSums, language: Language): string {
  const { lines } = language.texts.alerts;
  const newest = newestOf(items);
  const kind = actionKind(newest.action);
  const amount = flowText(kind, sums, language);
  const isNamed = items.every(
    ({ positionSide }) => wordAmongFigures(positionSide, WORD_LIMIT, '', language) !== '',
  );
  const what = isNamed ? `${outcomeNames(items, WORD_LIMIT, '', language)} ${amount}` : amount;
  if (kind !== 'other') return lines[kind](what);
  const action = wordAmongFigures(newest.action, WORD_LIMIT, lines.unknownAction, language);
  return lines.other(action, what);
}

/**
 * Returns `120.9 at 45.9¢`. For redemptions, which are no trades at their 100 cents, it is `120.9
 * shares`, or empty if the venue does not state the number.
 */
function sharesText(
  items: readonly ActivityItem[],
  sums: FillSums,
  { texts, format }: Language,
): string[] {
  const newest = newestOf(items);
  const kind = actionKind(newest.action);
  if (!areSharesKnown(kind, sums)) return [];
  const number = sums.shares.toNumber();
  if (kind === 'redeem') return [format.shares(number)];
  const price = format.cents(sums.averageCents?.toNumber() ?? newest.price);
  return [texts.news.alsoHere.at(format.shareCount(number), price)];
}

/**
 * Returns the amount paid or received, by its sign. The text states the direction if the action
 * does not imply it.
 */
export function flowText(
  kind: ActionKind,
  { netUsdc }: FillSums,
  { texts, format }: Language,
): string {
  const { direction, usdc } = readFlow(netUsdc.toNumber());
  const amount = format.roundUsdc(usdc);
  if (kind === 'buy' && direction !== 'received') return amount;
  if (kind !== 'buy' && kind !== 'other' && direction !== 'paid') return amount;
  return texts.alerts.lines[direction](amount);
}

/**
 * Returns the market's name for a line, with its link.
 *
 * @param name already cut
 */
function lineMarket(item: ActivityItem, name: string, links: Links, { texts }: Language): string {
  return linkedName(name, links.market(item), texts.alerts.marketWithoutTitle);
}

/**
 * Returns a deposit or withdrawal in one line of a phone, escaped for markdown: `**+$314.00** ·
 * [0xFf5E…437F](transaction) · 3 minutes ago`. For any other type the direction is unknown.
 */
export function transferRow(item: TransferItem, links: Links, language: Language): string {
  const moved = movedText(item, language);
  const other = showsOther(item)
    ? [otherName(item, language, WORD_LIMIT, links.transaction(item.txHash))]
    : transactionLink(item, links, language);
  return [moved, ...other, `<t:${item.time}:R>`].join(' · ');
}

/** Returns `**+$314.00**` or `**−$20.00**`; if the direction is unknown, no sign but the type. */
function movedText({ type, amount }: TransferItem, { texts, format }: Language): string {
  const { roundUsdc } = format;
  const kind = transferDirection(type);
  if (kind === 'other') {
    const word = escapeText(type, WORD_LIMIT, texts.alerts.lines.unknownTransfer);
    return `**${roundUsdc(amount)}** · ${word}`;
  }
  const usdc = new Exact(amount);
  const change = kind === 'deposit' ? usdc : usdc.neg();
  return `**${signed(change, roundUsdc)}**`;
}

/**
 * Returns the other side of a transfer.
 *
 * @param maxCodePoints limit for an invalid address
 * @param url link of its name
 */
export function counterparty(
  item: TransferItem,
  language: Language,
  maxCodePoints: number,
  url?: string,
): string {
  const { from, to, otherSide } = language.texts.alerts.lines;
  const shown = otherName(item, language, maxCodePoints, url);
  if (isBridged(item)) return shown;
  const says = { deposit: from, withdrawal: to, other: otherSide };
  return says[transferDirection(item.type)](shown);
}

function otherName(
  item: TransferItem,
  { texts: { alerts } }: Language,
  maxCodePoints: number,
  url: string | undefined,
): string {
  const parsed = parseAddress(item.address);
  const address = parsed.ok ? shortAddress(parsed.address) : item.address;
  const name = isBridged(item) ? alerts.lines.viaBridge : address;
  return maskedLink(name, url, maxCodePoints, alerts.transfers.unknownAddress);
}

/** Whether the venue names the other side of a transfer. */
export function showsOther({ address }: TransferItem): boolean {
  return address !== '';
}

/** Whether a deposit came over a bridge: it is from the zero address, and its sender is unknown. */
export function isBridged({ type, address }: TransferItem): boolean {
  return transferDirection(type) === 'deposit' && address.toLowerCase() === ZERO_ADDRESS;
}

/** Returns the link to a transaction as a list of one; empty if there is no link. */
export function transactionLink(
  { txHash }: { readonly txHash: string },
  links: Links,
  { texts }: Language,
): string[] {
  const url = links.transaction(txHash);
  if (url === undefined) return [];
  return [`[${texts.alerts.links.short}](${url})`];
}

/** Exact sums of a group of fills. */
export type FillSums = ReturnType<typeof sumUp>;

/** Whether the number of shares is known. A venue may list a redemption without it. */
export function areSharesKnown(kind: ActionKind, { shares }: FillSums): boolean {
  return kind !== 'redeem' || !shares.isZero();
}

/** Adds up a group of one or more fills. */
export function sumUp(items: readonly ActivityItem[]) {
  const shares = sum(items.map(({ quantity }) => quantity));
  const weighted = sum(items.map(({ price, quantity }) => new Exact(price).times(quantity)));
  const prices = items.map(({ price }) => price);
  const times = items.map(({ time }) => time);
  const averageCents = shares.isZero() ? null : quotient(weighted, shares);
  return {
    fills: items.length,
    transactions: new Set(items.map(({ txHash }) => txHash.toLowerCase())).size,
    shares,
    /** Volume-weighted; null if no shares changed hands. */
    averageCents,
    lowestCents: Math.min(...prices),
    highestCents: Math.max(...prices),
    grossUsdc: sum(items.map(({ grossValue }) => grossValue)),
    feeUsdc: sum(items.map(({ fee }) => fee)),
    areFeesKnown: items.every(isFeeKnown),
    /** Positive if USDC left the wallet. */
    netUsdc: sum(items.map(({ transferNetAmount }) => transferNetAmount)),
    /** Times of the earliest and the latest item, in Unix seconds. */
    firstSeconds: Math.min(...times),
    lastSeconds: Math.max(...times),
  };
}

/** Returns the newest item, because a market's titles may change. */
export function newestOf(items: readonly ActivityItem[]): ActivityItem {
  return items.reduce((newest, item) => (item.time >= newest.time ? item : newest));
}

/**
 * Returns the outcomes of items; for redemptions there may be several, `Yes + No`.
 *
 * @param escaping as in `wordAmongFigures`
 */
export function outcomeNames(
  items: readonly ActivityItem[],
  maxCodePoints: number,
  fallback: string,
  language: Language,
  escaping = escapeText,
): string {
  const sides = [...new Set(items.map(({ positionSide }) => positionSide))];
  const named = sides
    .slice(0, OUTCOMES_NAMED)
    .map((side) => wordAmongFigures(side, maxCodePoints, fallback, language, escaping));
  if (sides.length > OUTCOMES_NAMED) named.push('…');
  return named.join(' + ');
}

/**
 * Returns the direction of USDC from the wallet's view (`net`: neither), and the absolute amount.
 * By the venue's sign rule, a positive `transferNetAmount` left the wallet, and a negative one
 * returned to it. The sign decides even if the action suggests the opposite.
 */
export function readFlow(transferNetAmount: number) {
  if (transferNetAmount > 0) return { direction: 'paid', usdc: transferNetAmount } as const;
  if (transferNetAmount < 0) return { direction: 'received', usdc: -transferNetAmount } as const;
  return { direction: 'net', usdc: transferNetAmount } as const;
}

/** Functions that format records, by endpoint. */
const RECORD_LINES: {
  readonly [Name in EndpointName]: (
    record: RecordOf<Name>,
    links: Links,
    language: Language,
  ) => string;
} = {
  activity: activityLine,
  'deposits-withdrawals': transferRow,
};

/** Formats a record of any endpoint as a line. */
export function recordLine<Name extends EndpointName>(
  name: Name,
  record: RecordOf<Name>,
  links: Links,
  language: Language,
): string {
  return RECORD_LINES[name](record, links, language);
}
