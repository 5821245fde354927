import { ENGLISH } from '../language/language.ts';
import type { ActivityItem } from '../venue/schema.ts';
import type { Alert } from './alert.ts';
import { averagePrice, fillCount } from './fills-embed.ts';
import { describeFlow, formatQuantity } from './format.ts';
import { fillsOf, sumUp } from './group.ts';
import { ACTION_WORDS, activityLine, transferLine } from './lines.ts';
import { type Links, shortLinks } from './links.ts';
import { newsLine } from './news-embed.ts';
import { escapeText, maskedLink } from './text.ts';

const TITLE_LIMIT = 80;
const WORD_LIMIT = 30;
/** A line with three links stays well below what an embed holds. */
const URL_LIMIT = 500;

/** What belongs together in one line of a list, escaped for markdown: one alert, or fills of one market and outcome. */
export function unitLine(alerts: readonly [Alert, ...Alert[]], links: Links): string {
  const [{ event }] = alerts;
  const short = shortLinks(links, URL_LIMIT);
  if (alerts.length > 1) return fillsLine(fillsOf(alerts), short);
  switch (event.kind) {
    case 'activity':
      return activityLine(event.item, short, ENGLISH);
    case 'transfer':
      return transferLine(event.item, short, ENGLISH);
    case 'consensus':
    case 'result':
      return newsLine(event, short);
    case 'gap':
      return `⚠️ Some ${event.gap.endpoint === 'activity' ? 'trades' : 'transfers'} between <t:${event.gap.fromSeconds}:f> and <t:${event.gap.toSeconds}:f> may be missing.`;
  }
}

function fillsLine(items: readonly ActivityItem[], links: Links): string {
  const figures = sumUp(items);
  const newest = items.reduce((a, b) => (b.time >= a.time ? b : a));
  const largest = items.reduce((a, b) => (b.quantity > a.quantity ? b : a));
  const verb = Object.hasOwn(ACTION_WORDS, newest.action) ? ACTION_WORDS[newest.action] : undefined;
  const what = `${formatQuantity(figures.shares.toNumber())} ${escapeText(newest.positionSide, WORD_LIMIT, 'shares')}`;
  const flow = describeFlow(figures.netUsdc.toNumber());
  const txUrl = links.transaction(largest.txHash);
  const market = maskedLink(
    newest.marketTitle || newest.marketSlug,
    links.market(newest),
    TITLE_LIMIT,
    'Market without a title',
  );
  return [
    `<t:${newest.time}:R> **${verb ?? escapeText(newest.action, WORD_LIMIT, 'Unknown action')} ${what}**${newest.action === 'Redeem' ? '' : averagePrice(figures)}`,
    fillCount(newest.action, figures),
    `${flow.verb} ${flow.amount}`,
    market,
    ...(txUrl === undefined ? [] : [`[${figures.transactions === 1 ? 'tx' : 'largest tx'}](${txUrl})`]),
  ].join(' · ');
}
