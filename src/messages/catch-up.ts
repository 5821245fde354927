import type { APIEmbed } from 'discord.js';
import {
  type Alert,
  type AlertGroup,
  alertsIn,
  groupAlerts,
  type NonEmptyAlerts,
  newestTimeMs,
} from '../alerts/alert.ts';
import { fillEvents, fillsOf, tradeAmongOthers } from '../alerts/kinds/activity.ts';
import type { LineContext } from '../alerts/kinds/kind.ts';
import { headlineOf, KIND_NAMES, kindOf, lineLinks, lineOf } from '../alerts/kinds/kinds.ts';
import { resultGainText, resultsOf } from '../alerts/kinds/result.ts';
import { lateMarkets } from '../alerts/row-order.ts';
import { groupsWithDetails } from '../details/target.ts';
import { gainText, otherSide } from '../embeds/context-lines.ts';
import {
  author,
  EMBED_COLOURS,
  present,
  presentParts,
  type RenderContext,
  SEPARATOR,
  smallPrint,
  timeRange,
} from '../embeds/embed-parts.ts';
import { newestOf } from '../embeds/item-lines.ts';
import { lineBeside, type NamedLine, writeLines } from '../embeds/named-lines.ts';
import { joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { outcomeKey } from '../portfolio/market.ts';
import { combineContexts } from '../portfolio/trades/combined.ts';

/**
 * Maximum code points of the list: with totals and footer, the embed stays well below the limit of
 * one message.
 */
const LATE_LIST_MAX = 3_000;
/** Maximum rows that could fit in that list. */
const LATE_ROWS_MAX = 100;
/** Maximum sums with amounts in a catch-up, such as the sum of an action. */
const SUMS_SHOWN = 8;
/** Maximum sums in a market's row; if there are more, each has its own row. */
const SUMS_OF_MARKET = 4;

/**
 * Returns one embed for a wallet's alerts that are posted long after their events, because sending
 * or polling was impossible: totals, and as many rows as fit, one for each market, sorted by USDC,
 * and one for each transfer, with the number of alerts in the remaining ones.
 */
export function renderCatchUp(
  alerts: Readonly<NonEmptyAlerts>,
  {
    language,
    links,
    labelOf,
    sentAtMs,
  }: Pick<RenderContext, 'labelOf' | 'links' | 'language'> & { readonly sentAtMs: number },
): APIEmbed {
  const [first] = alerts;
  const { format } = language;
  const texts = language.texts.alerts.catchUp;
  const markets = lateMarkets(alerts).flatMap((own) =>
    own.length > SUMS_OF_MARKET ? own.map((one): typeof own => [one]) : [own],
  );
  const context: LineContext = {
    links,
    language,
    sentAtMs,
    wallet: '',
    showsShares: true,
    showsFills: true,
    isAbove: false,
    isSizeShown: false,
  };
  const listed = markets.slice(0, LATE_ROWS_MAX);
  const offered = groupsWithDetails([{ kind: 'late', alerts }]).length;
  let place = 0;
  const rows = writeLines(
    listed.map((own) => {
      // The menu option shows the shares of its alert.
      const isInMenu = offered > 1 && place < offered;
      place += own.filter((group) => fillsOf(group.alerts).length > 0).length;
      return marketRow(own, { ...context, showsShares: !isInMenu });
    }),
  );
  const list = joinFitting(rows, LATE_LIST_MAX);
  const left = markets
    .slice(list.included)
    .flat()
    .flatMap((group) => withoutShownResults(group.alerts));
  const range = texts.range(...timeRange(...spanOf(alerts)));
  const lines = [totalsText(alerts, language), ...smallPrint(range), list.text];
  if (left.length > 0) lines.push(texts.more(format.quantity(left.length), left.length));
  return {
    author: author(first.wallet, labelOf(first.wallet), links),
    description: lines.join('\n'),
    color: EMBED_COLOURS.warning,
  };
}

/**
 * Returns a market's row: for one alert its line, for several, such as a purchase and a sale, their
 * sums and result: `🔴 BUY **Yes $153**, SELL **Yes $60.00** · **−$93.00** (−60.8%) · all sold`.
 */
function marketRow(
  groups: readonly [AlertGroup, ...AlertGroup[]],
  context: LineContext,
): NamedLine {
  const [only, ...others] = groups;
  if (others.length === 0) return lineOf(only, context);
  const { language, links } = context;
  const { texts } = language;
  const last = others.at(-1) ?? only;
  const newest = newestOf(fillsOf(last.alerts));
  const { emoji } = headlineOf(last, language);
  const said = (price: 'whole' | 'none') => {
    const trades = groups.map(({ alerts }) => tradeAmongOthers(alerts, language, price));
    return present(
      `${emoji} ${trades.join(texts.watch.comma)}`,
      ...gainsText(groups, language),
      ...stateAfter(groups, language),
    );
  };
  const url = lineLinks(links).market(newest);
  return lineBeside(newest, [said('whole'), said('none')], url, texts.alerts.marketWithoutTitle);
}

/**
 * Returns the gains of a market's closed positions; if there are none, the total gain of its sales
 * and redemptions. Empty unless it is known for all of them, because a partial gain would be taken
 * for the total.
 */
function gainsText(groups: readonly AlertGroup[], language: Language): string[] {
  const results = groups.flatMap(({ alerts }) => resultsOf(alerts));
  if (results.length > 0) return results.map((result) => resultGainText(result, language));
  const fills = groups.map(({ alerts }) => fillEvents(alerts));
  const sold = fills.filter(([fill]) => fill?.item.action !== 'Buy');
  const gains = sold.map((own) => combineContexts(own)?.context);
  const known = gains.flatMap((one) => (one === undefined || one.realized === null ? [] : one));
  if (known.length === 0 || known.length < gains.length) return [];
  const realized = sum(known.map((one) => one.realized ?? 0));
  const cost = sum(known.map(({ costOfSold }) => costOfSold));
  return [gainText(realized, cost, language, language.format.roundUsdc)];
}

/**
 * Returns what a market's last sale left, `all sold` or `120 shares left`, and the holdings on the
 * other side. Empty if uncertain: the sale has the same second as other trades, an older one was
 * found after it, or several outcomes were traded.
 *
 * @param groups with the newest trade last
 */
function stateAfter(groups: readonly AlertGroup[], language: Language): string[] {
  const last = groups.at(-1);
  const alerts = alertsIn(groups);
  if (new Set(fillsOf(alerts).map(outcomeKey)).size > 1 || last === undefined) return [];
  const lastMs = newestTimeMs(last);
  if (groups.some((group) => group !== last && newestTimeMs(group) === lastMs)) return [];
  const fills = last.alerts.filter(({ event }) => event.kind === 'activity');
  const seenMs = fills.at(-1)?.seenAtMs ?? 0;
  if (alerts.some(({ seenAtMs }) => seenAtMs > seenMs)) return [];
  const story = combineContexts(fillEvents(fills));
  if (story?.action !== 'Sell') return [];
  const { isClosed, sharesAfter } = story.context;
  const { position } = language.texts.news;
  const left = position.left(language.format.shares(Number(sharesAfter)));
  return presentParts(isClosed ? position.allSold : left, otherSide(fillEvents(fills), language));
}

/**
 * Returns the start of the first event and the end of the last one, in Unix seconds; infinite if
 * there are none.
 */
export function spanOf(alerts: readonly Alert[]): [fromSeconds: number, toSeconds: number] {
  const seconds = alerts.flatMap(({ event }) => kindOf(event).seconds(event));
  return [Math.min(...seconds), Math.max(...seconds)];
}

/**
 * Returns the alerts that are counted: all except results that the alert of a sale already states.
 */
export function withoutShownResults(alerts: readonly Alert[]): Alert[] {
  return groupAlerts(alerts).flatMap(([first, ...others]) => [
    first,
    ...others.filter(({ event }) => event.kind !== 'result'),
  ]);
}

/**
 * Returns the number of each kind, and their sum. Kinds with amounts come first, in the order of
 * their first alerts.
 */
export function totalsText(alerts: readonly Alert[], language: Language): string {
  const events = withoutShownResults(alerts).map(({ event }) => event);
  const keyOf = (event: Alert['event']) =>
    JSON.stringify([event.kind, kindOf(event).sumWord?.(event)]);
  const sums = [...groupBy(events, keyOf).values()];
  const hasAmount = ([event]: (typeof sums)[number]) => kindOf(event).usdc !== undefined;
  const place = ([{ kind }]: (typeof sums)[number]) => KIND_NAMES.indexOf(kind);
  const withAmount = sums.filter(hasAmount).slice(0, SUMS_SHOWN);
  const others = sums.filter((same) => !hasAmount(same));
  others.sort((a, b) => place(a) - place(b));
  const said = [...withAmount, ...others].map((same) => {
    const kind = kindOf(same[0]);
    const usdc = sum(same.map((event) => kind.usdc?.(event) ?? 0));
    return kind.sumText(same, usdc.toNumber(), language);
  });
  return said.join(SEPARATOR);
}
