import { parseAddress, shortAddress, ZERO_ADDRESS } from '../domain/address.ts';
import { actionKind, transferKind } from '../domain/kinds.ts';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import { marketKey } from '../portfolio/market.ts';
import { marketNameOf } from './embed-parts.ts';
import { readFlow } from './fills.ts';
import type { Links } from './links.ts';
import { escapeText, maskedLink, wordAmongFigures } from './text/escape.ts';

const TITLE_LIMIT = 80;
const WORD_LIMIT = 30;

/** A trade or redemption in one line of a list, escaped for markdown. */
export function activityLine(item: ActivityItem, links: Links, language: Language): string {
  const [what, flow, ...transaction] = tradeParts(item, links, language);
  return [what, flow, lineMarket(item, links, language), ...transaction].join(' · ');
}

/**
 * Trades and redemptions for a list, escaped for markdown: each a line, under the name of its market where that is
 * another one than before. A text may hold two lines.
 */
export function activityRows(items: readonly ActivityItem[], links: Links, language: Language): string[] {
  return items.map((item, index) => {
    const line = tradeParts(item, links, language).join(' · ');
    const before = items[index - 1];
    const isSame =
      before !== undefined && marketKey(before) === marketKey(item) && before.marketTitle === item.marketTitle;
    return isSame ? line : `**${lineMarket(item, links, language)}**\n${line}`;
  });
}

function tradeParts(item: ActivityItem, links: Links, language: Language): string[] {
  return [
    actionText(item, language.format.cents(item.price), language),
    flowText(item.transferNetAmount, language),
    ...transactionLink(item, links, language),
  ];
}

/**
 * How the line of a trade begins: when, what was done with how many shares, at which price. A redemption has none.
 *
 * @param price as a text; undefined where there is none
 */
export function actionText(
  { time, action, quantity, positionSide }: Pick<ActivityItem, 'time' | 'action' | 'quantity' | 'positionSide'>,
  price: string | undefined,
  { texts, format }: Language,
): string {
  const { lines, holdings } = texts.alerts;
  const side = wordAmongFigures(positionSide, WORD_LIMIT, '');
  const what = side === '' ? format.shares(quantity) : holdings.of(format.quantity(quantity), side);
  const kind = actionKind(action);
  const done =
    kind === 'other'
      ? lines.other(wordAmongFigures(action, WORD_LIMIT, lines.unknownAction), what, price)
      : lines[kind](what, price);
  return `<t:${time}:R> ${done}`;
}

/** Which way USDC went: `paid $5.00`. @param netUsdc positive: it left the wallet */
export function flowText(netUsdc: number, { texts, format }: Language): string {
  const { direction, usdc } = readFlow(netUsdc);
  return texts.alerts.lines[direction](format.usdc(usdc));
}

/** The market's name for a line, behind its link. */
export function lineMarket(item: ActivityItem, links: Links, { texts }: Language): string {
  return maskedLink(marketNameOf(item), links.market(item), TITLE_LIMIT, texts.alerts.marketWithoutTitle);
}

/** A deposit or withdrawal in one line of a list, escaped for markdown. */
export function transferLine(item: TransferItem, links: Links, language: Language): string {
  const { lines } = language.texts.alerts;
  const amount = language.format.usdc(item.amount);
  const kind = transferKind(item.type);
  const moved =
    kind === 'other'
      ? lines.otherTransfer(escapeText(item.type, WORD_LIMIT, lines.unknownTransfer), amount)
      : lines[kind](amount);
  const other = counterparty(item, language, WORD_LIMIT);
  return [`<t:${item.time}:R> ${moved}`, other, ...transactionLink(item, links, language)].join(' · ');
}

/** The other side of a transfer. @param maxCodePoints of an address that is none */
export function counterparty(item: TransferItem, { texts }: Language, maxCodePoints: number): string {
  const { lines, transfers } = texts.alerts;
  if (isBridged(item)) return lines.viaBridge;
  const { type, address } = item;
  const parsed = parseAddress(address);
  const shown = parsed.ok ? shortAddress(parsed.address) : escapeText(address, maxCodePoints, transfers.unknownAddress);
  return { deposit: lines.from, withdrawal: lines.to, other: lines.otherSide }[transferKind(type)](shown);
}

/** A deposit from the zero address came over a bridge, its sender is unknown. */
export function isBridged({ type, address }: TransferItem): boolean {
  return transferKind(type) === 'deposit' && address.toLowerCase() === ZERO_ADDRESS;
}

/** Empty without a link. */
export function transactionLink({ txHash }: { readonly txHash: string }, links: Links, { texts }: Language): string[] {
  const url = links.transaction(txHash);
  return url === undefined ? [] : [`[${texts.alerts.links.short}](${url})`];
}
