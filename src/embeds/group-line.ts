import { eventSeconds } from '../alerts/alert.ts';
import type { AlertGroup } from '../alerts/alert-group.ts';
import { fillsOf, resultsOf, sumUp } from '../alerts/group.ts';
import { actionKind } from '../domain/kinds.ts';
import type { Language } from '../language/language.ts';
import { briefContext } from './context-lines.ts';
import { CLOSE_SECONDS, gapSentence, marketNameOf, type NamedMarket, present } from './embed-parts.ts';
import { headlineOf } from './headline.ts';
import { type Links, shortLinks } from './links.ts';
import { resultCost } from './news-embed.ts';
import { maskedLink } from './text/escape.ts';
import { fillCount } from './trade-embed.ts';

const TITLE_MAX = 80;
/** Characters: a line with three links stays well below the 4,096 of a description. */
const URL_LIMIT = 500;

/** What a line of a list needs besides its alerts. */
export interface LineContext {
  readonly links: Links;
  readonly language: Language;
  /** Epoch milliseconds by the venue's clock: an event shortly before it is dated by the clock alone. */
  readonly sentAtMs: number;
  /** The wallet's name, escaped; empty where it stands above the list. */
  readonly wallet: string;
  /** Whether the text above the embed says what happened: then the line has the rest. */
  readonly isAbove: boolean;
}

/** One alert, or fills that belong together, as one line of a list, escaped for markdown. */
export function groupLine(group: Pick<AlertGroup, 'alerts' | 'earlierUsdc'>, context: LineContext): string {
  const { alerts } = group;
  const [{ event }] = alerts;
  const { language, wallet, isAbove } = context;
  const links = shortLinks(context.links, URL_LIMIT);
  const { emoji, says, market } = headlineOf(group, language);
  const named = isAbove && wallet !== '' ? wallet : undefined;
  const said = isAbove ? named : `${emoji} ${says(wallet)}`;
  const name = market === undefined ? undefined : marketLink(market, links, language);
  const seconds = Math.max(...alerts.map((alert) => eventSeconds(alert.event)[1]));
  const time = `<t:${seconds}:${context.sentAtMs / 1000 - seconds < CLOSE_SECONDS ? 't' : 'R'}>`;
  switch (event.kind) {
    case 'activity':
      return present(said, name, ...tradeParts(alerts, language), time);
    case 'transfer':
      return present(said, transactionLink(event.item.txHash, links, language), time);
    case 'consensus':
    case 'result':
      return present(said, name, time);
    case 'gap': {
      const said = gapSentence(event.gap, language);
      return `${emoji} ${present(wallet === '' ? undefined : wallet, said)}`;
    }
  }
}

function tradeParts(alerts: AlertGroup['alerts'], language: Language): (string | undefined)[] {
  const items = fillsOf(alerts);
  const sums = sumUp(items);
  const kind = actionKind(items[0]?.action ?? '');
  // The first line has what it gained.
  const results = resultsOf(alerts);
  return [
    language.format.shares(sums.shares.toNumber()),
    items.length > 1 ? fillCount(kind, sums, language) : undefined,
    ...(results.length === 0
      ? [briefContext(alerts, language)]
      : results.map((result) => resultCost(result, sums.netUsdc.neg(), language))),
  ];
}

function marketLink(market: NamedMarket, links: Links, { texts }: Language): string {
  return maskedLink(marketNameOf(market), links.market(market), TITLE_MAX, texts.alerts.marketWithoutTitle);
}

function transactionLink(txHash: string, links: Links, { texts }: Language): string | undefined {
  const url = links.transaction(txHash);
  return url === undefined ? undefined : `[${texts.alerts.links.short}](${url})`;
}
