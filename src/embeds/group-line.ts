import type { Alert } from '../alerts/alert.ts';
import { fillsOf, sumUp } from '../alerts/group.ts';
import { type ActivityItem, actionKind } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { averagePrice, fillCount } from './fills-embed.ts';
import { actionText, activityLine, flowText, lineMarket, transferLine } from './item-lines.ts';
import { type Links, shortLinks } from './links.ts';
import { newsLine } from './news-embed.ts';

/** Characters: a line with three links stays well below the 4,096 of a description. */
const URL_LIMIT = 500;

/** One alert, or grouped fills, as one line of a list, escaped for markdown. */
export function groupLine(alerts: readonly [Alert, ...Alert[]], links: Links, language: Language): string {
  const [{ event }] = alerts;
  const short = shortLinks(links, URL_LIMIT);
  if (alerts.length > 1) return fillsLine(fillsOf(alerts), short, language);
  switch (event.kind) {
    case 'activity':
      return activityLine(event.item, short, language);
    case 'transfer':
      return transferLine(event.item, short, language);
    case 'consensus':
    case 'result':
      return newsLine(event, short, language);
    case 'gap': {
      const { fromSeconds, toSeconds, endpoint } = event.gap;
      const missing = language.texts.alerts.gap.lines[endpoint === 'activity' ? 'trades' : 'transfers'];
      return `⚠️ ${missing(`<t:${fromSeconds}:f>`, `<t:${toSeconds}:f>`)}`;
    }
  }
}

function fillsLine(items: readonly ActivityItem[], links: Links, language: Language): string {
  const sums = sumUp(items);
  const newest = items.reduce((a, b) => (b.time >= a.time ? b : a));
  const largest = items.reduce((a, b) => (b.quantity > a.quantity ? b : a));
  const txUrl = links.transaction(largest.txHash);
  const texts = language.texts.alerts.links;
  return [
    actionText({ ...newest, quantity: sums.shares.toNumber() }, averagePrice(sums, language), language),
    fillCount(actionKind(newest.action), sums, language),
    flowText(sums.netUsdc.toNumber(), language),
    lineMarket(newest, links, language),
    ...(txUrl === undefined ? [] : [`[${sums.transactions === 1 ? texts.short : texts.largest}](${txUrl})`]),
  ].join(' · ');
}
