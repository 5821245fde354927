import { parseAddress, shortAddress, ZERO_ADDRESS } from '../domain/address.ts';
import {
  type ActivityItem,
  actionKind,
  type TransferItem,
  transferKind,
} from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import { Exact, quotient, sum } from '../lib/exact.ts';
import { marketKey, outcomeKey } from '../portfolio/market.ts';
import { signed } from './context-lines.ts';
import { marketNameOf } from './embed-parts.ts';
import type { Links } from './links.ts';
import { escapeText, maskedLink, wordAmongFigures } from './text/escape.ts';

const TITLE_LIMIT = 80;
const WORD_LIMIT = 30;
/** Records further apart are rows of their own. */
const APART_SECONDS = 60;
const OUTCOMES_NAMED = 3;

/** A trade or redemption in one line, escaped for markdown. */
export function activityLine(item: ActivityItem, links: Links, language: Language): string {
  const [what = '', ...others] = tradeParts([item], links, language);
  return [what, lineMarket(item, links, language), ...others].join(' · ');
}

/**
 * Whether two neighbours in a list are one row: fills of one purchase or sale, or redemptions of
 * one market.
 */
export function isOneRow(a: ActivityItem, b: ActivityItem): boolean {
  const outcomeOf = (item: ActivityItem) =>
    item.action === 'Redeem'
      ? ''
      : JSON.stringify([outcomeKey(item), item.positionSide, item.outcomeIndex]);
  const isSoonAfter = Math.abs(a.time - b.time) < APART_SECONDS;
  const isSameMarket = marketKey(a) !== '' && marketKey(a) === marketKey(b);
  return isSoonAfter && a.action === b.action && isSameMarket && outcomeOf(a) === outcomeOf(b);
}

/**
 * Trades and redemptions for a list, escaped for markdown: a line for those that belong together,
 * under the name of its market where that is another one than before. A text may hold two lines.
 *
 * @param isCut whether more of the last ones may follow
 */
export function activityRows(
  rows: readonly (readonly ActivityItem[])[],
  links: Links,
  language: Language,
  isCut: boolean,
): string[] {
  return rows.flatMap((items, index) => {
    const [first] = items;
    if (first === undefined) return [];
    const line = tradeParts(items, links, language, isCut && index === rows.length - 1).join(' · ');
    const before = rows[index - 1]?.[0];
    const isSame =
      before !== undefined &&
      marketKey(before) === marketKey(first) &&
      before.marketTitle === first.marketTitle;
    return [isSame ? line : `${lineMarket(first, links, language)}\n${line}`];
  });
}

/**
 * `**Bought 120.93 No** at 45.9¢`, `paid **$56.55**`, `5 fills`, when the last was, and the
 * transaction if one.
 */
function tradeParts(
  items: readonly ActivityItem[],
  links: Links,
  language: Language,
  isCut = false,
): string[] {
  const { texts, format } = language;
  const { lines, holdings, fills, redemptions } = texts.alerts;
  const sums = sumUp(items);
  const newest = newestOf(items);
  const kind = actionKind(newest.action);
  const shares = sums.shares.toNumber();
  const isNamed = items.every(
    ({ positionSide }) => wordAmongFigures(positionSide, WORD_LIMIT, '') !== '',
  );
  const side = outcomeNames(items, WORD_LIMIT, '');
  const what = isNamed ? holdings.of(format.quantity(shares), side) : format.shares(shares);
  const price = format.cents(sums.averageCents?.toNumber() ?? newest.price);
  const done =
    kind === 'other'
      ? lines.other(wordAmongFigures(newest.action, WORD_LIMIT, lines.unknownAction), what, price)
      : lines[kind](what, price);
  const { direction, usdc } = readFlow(sums.netUsdc.toNumber());
  const count = (kind === 'redeem' ? redemptions : fills)(format.quantity(sums.fills), sums.fills);
  return [
    done,
    lines[direction](`**${format.usdc(usdc)}**`),
    ...(sums.fills === 1 ? [] : [isCut ? `${count} …` : count]),
    `<t:${sums.lastSeconds}:R>`,
    ...(sums.transactions === 1 ? transactionLink(newest, links, language) : []),
  ];
}

/** The market's name for a line, behind its link. */
export function lineMarket(item: ActivityItem, links: Links, { texts }: Language): string {
  return maskedLink(
    marketNameOf(item),
    links.market(item),
    TITLE_LIMIT,
    texts.alerts.marketWithoutTitle,
  );
}

/**
 * A deposit or withdrawal in one line of a phone, escaped for markdown: `**+$314.00** ·
 * [0xFf5E…437F](transaction) · 3 minutes ago`. Of another type its direction is not known.
 */
export function transferRow(item: TransferItem, links: Links, { texts, format }: Language): string {
  const { lines } = texts.alerts;
  const { type, time } = item;
  const kind = transferKind(type);
  const amount = new Exact(item.amount);
  const moved =
    kind === 'other'
      ? `**${format.roundUsdc(item.amount)}** · ${escapeText(type, WORD_LIMIT, lines.unknownTransfer)}`
      : `**${signed(kind === 'deposit' ? amount : amount.neg(), format.roundUsdc)}**`;
  return [
    moved,
    otherName(item, texts, WORD_LIMIT, links.transaction(item.txHash)),
    `<t:${time}:R>`,
  ].join(' · ');
}

/**
 * The other side of a transfer. @param maxCodePoints of an address that is none @param url behind
 * its name
 */
export function counterparty(
  item: TransferItem,
  { texts }: Language,
  maxCodePoints: number,
  url?: string,
): string {
  const { from, to, otherSide } = texts.alerts.lines;
  const shown = otherName(item, texts, maxCodePoints, url);
  return isBridged(item)
    ? shown
    : { deposit: from, withdrawal: to, other: otherSide }[transferKind(item.type)](shown);
}

function otherName(
  item: TransferItem,
  { alerts }: Language['texts'],
  maxCodePoints: number,
  url?: string,
): string {
  const parsed = parseAddress(item.address);
  const address = parsed.ok ? shortAddress(parsed.address) : item.address;
  const name = isBridged(item) ? alerts.lines.viaBridge : address;
  return maskedLink(name, url, maxCodePoints, alerts.transfers.unknownAddress);
}

/** A deposit from the zero address came over a bridge, its sender is unknown. */
export function isBridged({ type, address }: TransferItem): boolean {
  return transferKind(type) === 'deposit' && address.toLowerCase() === ZERO_ADDRESS;
}

/** Empty without a link. */
export function transactionLink(
  { txHash }: { readonly txHash: string },
  links: Links,
  { texts }: Language,
): string[] {
  const url = links.transaction(txHash);
  return url === undefined ? [] : [`[${texts.alerts.links.short}](${url})`];
}

/** What fills that belong together come to. All sums are exact. */
export type FillSums = ReturnType<typeof sumUp>;

/** Adds up the fills of a group: at least one. */
export function sumUp(items: readonly ActivityItem[]) {
  const shares = sum(items.map(({ quantity }) => quantity));
  const weighted = sum(items.map(({ price, quantity }) => new Exact(price).times(quantity)));
  const prices = items.map(({ price }) => price);
  const times = items.map(({ time }) => time);
  return {
    fills: items.length,
    transactions: new Set(items.map(({ txHash }) => txHash.toLowerCase())).size,
    shares,
    /** Volume-weighted; null if no shares changed hands. */
    averageCents: shares.isZero() ? null : quotient(weighted, shares),
    lowestCents: Math.min(...prices),
    highestCents: Math.max(...prices),
    grossUsdc: sum(items.map(({ grossValue }) => grossValue)),
    feeUsdc: sum(items.map(({ fee }) => fee)),
    /** Positive: USDC left the wallet. */
    netUsdc: sum(items.map(({ transferNetAmount }) => transferNetAmount)),
    /** Unix seconds. */
    firstSeconds: Math.min(...times),
    lastSeconds: Math.max(...times),
  };
}

/** The newest of the items: a market's titles may change. */
export function newestOf(items: readonly ActivityItem[]): ActivityItem {
  return items.reduce((newest, item) => (item.time >= newest.time ? item : newest));
}

/**
 * The outcomes of items: of redemptions perhaps several, `Yes + No`. @param escaping as in
 * `wordAmongFigures`
 */
export function outcomeNames(
  items: readonly ActivityItem[],
  maxCodePoints: number,
  fallback: string,
  escaping = escapeText,
): string {
  const sides = [...new Set(items.map(({ positionSide }) => positionSide))];
  const named = sides
    .slice(0, OUTCOMES_NAMED)
    .map((side) => wordAmongFigures(side, maxCodePoints, fallback, escaping));
  return [...named, ...(sides.length > OUTCOMES_NAMED ? ['…'] : [])].join(' + ');
}

/**
 * Which way USDC went, as the wallet sees it (`net`: neither), and how much, not negative. The
 * venue's sign rule: a positive `transferNetAmount` left the wallet, a negative one came back to
 * it. The sign decides even where the action suggests the opposite.
 */
export function readFlow(transferNetAmount: number) {
  if (transferNetAmount > 0) return { direction: 'paid', usdc: transferNetAmount } as const;
  if (transferNetAmount < 0) return { direction: 'received', usdc: -transferNetAmount } as const;
  return { direction: 'net', usdc: transferNetAmount } as const;
}
