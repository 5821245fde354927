import type { Language } from '../language/language.ts';
import { parseAddress, shortAddress, ZERO_ADDRESS } from '../venue/address.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';
import { describeFlow } from './format.ts';
import type { Links } from './links.ts';
import { escapeText, maskedLink } from './text.ts';

const TITLE_LIMIT = 80;
const WORD_LIMIT = 30;
/** Words that begin a line about an action that the venue describes. */
export const ACTION_WORDS: Readonly<Record<string, string>> = { Buy: 'Bought', Sell: 'Sold', Redeem: 'Redeemed' };
const TRANSFERS: Readonly<Record<string, { readonly verb: string; readonly preposition: string }>> = {
  deposit: { verb: 'Deposited', preposition: 'from' },
  withdrawal: { verb: 'Withdrew', preposition: 'to' },
};

/** A trade or redemption in one line of a list, escaped for markdown. */
export function activityLine(item: ActivityItem, links: Links, language: Language): string {
  const [what, flow, ...transaction] = tradeParts(item, links, language);
  return [what, flow, marketName(item, links), ...transaction].join(' · ');
}

/**
 * Trades and redemptions for a list, escaped for markdown: each a line, under the name of its market where that is
 * another one than before. A text may hold two lines.
 */
export function activityRows(items: readonly ActivityItem[], links: Links, language: Language): string[] {
  return items.map((item, index) => {
    const line = tradeParts(item, links, language).join(' · ');
    const before = items[index - 1];
    const isSame = before?.marketId === item.marketId && before.marketTitle === item.marketTitle;
    return isSame ? line : `**${marketName(item, links)}**\n${line}`;
  });
}

function tradeParts(item: ActivityItem, links: Links, { figures }: Language): string[] {
  const verb = Object.hasOwn(ACTION_WORDS, item.action) ? ACTION_WORDS[item.action] : undefined;
  const what = `${figures.quantity(item.quantity)} ${escapeText(item.positionSide, WORD_LIMIT, 'shares')}`;
  const price = item.action === 'Redeem' ? '' : ` at ${figures.cents(item.price)}`;
  const flow = describeFlow(item.transferNetAmount);
  const transactionUrl = links.transaction(item.txHash);
  return [
    `<t:${item.time}:R> **${verb ?? escapeText(item.action, WORD_LIMIT, 'Unknown action')} ${what}**${price}`,
    `${flow.verb} ${flow.amount}`,
    ...(transactionUrl === undefined ? [] : [`[tx](${transactionUrl})`]),
  ];
}

function marketName(item: ActivityItem, links: Links): string {
  return maskedLink(item.marketTitle || item.marketSlug, links.market(item), TITLE_LIMIT, 'Market without a title');
}

/** A deposit or withdrawal in one line of a list, escaped for markdown. */
export function transferLine(item: TransferItem, links: Links, { figures }: Language): string {
  const words = Object.hasOwn(TRANSFERS, item.type) ? TRANSFERS[item.type] : undefined;
  const verb = words?.verb ?? escapeText(item.type, WORD_LIMIT, 'Unknown transfer');
  const transactionUrl = links.transaction(item.txHash);
  return [
    `<t:${item.time}:R> **${verb} ${figures.usdc(item.amount)}**`,
    counterparty(item, words?.preposition ?? 'other side'),
    ...(transactionUrl === undefined ? [] : [`[tx](${transactionUrl})`]),
  ].join(' · ');
}

function counterparty(item: TransferItem, preposition: string): string {
  if (item.type === 'deposit' && item.address.toLowerCase() === ZERO_ADDRESS) return 'via bridge';
  const parsed = parseAddress(item.address);
  return `${preposition} ${parsed.ok ? shortAddress(parsed.address) : escapeText(item.address, WORD_LIMIT, 'an unknown address')}`;
}
