import { parseAddress, shortAddress, ZERO_ADDRESS } from '../domain/address.ts';
import { actionKind, transferKind } from '../domain/kinds.ts';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import { marketKey } from '../portfolio/market.ts';
import { marketNameOf } from './embed-parts.ts';
import { readFlow } from './flow.ts';
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
  return [`<t:${item.time}:R> ${moved}`, counterparty(item, language), ...transactionLink(item, links, language)].join(
    ' · ',
  );
}

function counterparty({ type, address }: TransferItem, { texts }: Language): string {
  const { lines, transfers } = texts.alerts;
  const kind = transferKind(type);
  if (kind === 'deposit' && address.toLowerCase() === ZERO_ADDRESS) return lines.viaBridge;
  const parsed = parseAddress(address);
  const shown = parsed.ok ? shortAddress(parsed.address) : escapeText(address, WORD_LIMIT, transfers.unknownAddress);
  return { deposit: lines.from, withdrawal: lines.to, other: lines.otherSide }[kind](shown);
}

function transactionLink({ txHash }: { readonly txHash: string }, links: Links, { texts }: Language): string[] {
  const url = links.transaction(txHash);
  return url === undefined ? [] : [`[${texts.alerts.links.short}](${url})`];
}
