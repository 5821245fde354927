import type { Decimal } from 'decimal.js';
import type { APIEmbed } from 'discord.js';
import { type Alert, eventSeconds } from '../alerts/alert.ts';
import { addUsdc, groupAlerts } from '../alerts/group.ts';
import type { Language } from '../language/language.ts';
import { COLOURS, fitUrls, footer, type RenderContext, SEPARATOR, walletName } from './embed-parts.ts';
import { escapeText } from './escape.ts';
import { joinWhileFitting } from './join-fitting.ts';
import { actionKind, transferKind } from './kinds.ts';
import { unitLine } from './unit-lines.ts';

/** Code points of the list: with totals and footer the embed stays well below what one message takes. */
const LIST_LIMIT = 3_000;
const WALLET_URL_ROOM = 300;
const KINDS_LIMIT = 8;
const WORD_MAX = 30;

/**
 * One embed for a wallet's alerts of a time in which nothing could be told: totals, and a list of the items, fills that
 * belong together in one line, as far as it fits, with the number of those that do not.
 */
export function renderCatchUp(
  alerts: readonly [Alert, ...Alert[]],
  { language, links, label }: RenderContext,
): APIEmbed {
  const [first] = alerts;
  const { figures } = language;
  const words = language.words.alerts.catchUp;
  const times = alerts.flatMap(timesOf);
  const groups = groupAlerts(alerts);
  const list = joinWhileFitting(groups, (group) => unitLine(group, links, language), LIST_LIMIT);
  const left = groups.slice(list.told).reduce((sum, group) => sum + group.length, 0);
  const [walletUrl] = fitUrls(WALLET_URL_ROOM, links.wallet(first.wallet));
  const count = figures.quantity(alerts.length);
  return {
    title: words.title(walletName(first.wallet, label), count),
    description: [
      words.summary(`<t:${Math.min(...times)}:f>`, `<t:${Math.max(...times)}:f>`, lateTotals(alerts, language)),
      list.text,
      ...(left === 0 ? [] : [words.more(figures.quantity(left), left)]),
      ...(walletUrl === undefined ? [] : [`[${words.openWallet}](${walletUrl})`]),
    ].join('\n'),
    color: COLOURS.gap,
    footer: footer(first, words.footer(count)),
  };
}

/** Unix seconds that an alert is about. */
export function timesOf({ event }: Alert): number[] {
  return [...eventSeconds(event)];
}

/** How many of each kind, and how much USDC went which way by the venue's own figures. */
export function lateTotals(alerts: readonly Alert[], { words: { alerts: all }, figures }: Language): string {
  const words = all.catchUp;
  const byKind = new Map<string, { readonly count: number; readonly usdc: Decimal }>();
  const add = (kind: string, usdc: number) => {
    const total = byKind.get(kind);
    byKind.set(kind, { count: (total?.count ?? 0) + 1, usdc: addUsdc(total?.usdc, usdc) });
  };
  let [gaps, results, agreements] = [0, 0, 0];
  for (const { event } of alerts) {
    if (event.kind === 'activity') add(event.item.action, event.item.transferNetAmount);
    else if (event.kind === 'transfer') add(event.item.type, event.item.amount);
    else if (event.kind === 'gap') gaps += 1;
    else if (event.kind === 'result') results += 1;
    else agreements += 1;
  }
  const parts = [...byKind].slice(0, KINDS_LIMIT).map(([kind, { count, usdc }]) => {
    const [action, transfer] = [actionKind(kind), transferKind(kind)];
    const told = transfer !== 'other' ? words.moved : usdc.lt(0) ? words.received : words.paid;
    const known = action !== 'other' ? action : transfer !== 'other' ? transfer : undefined;
    const name = known === undefined ? escapeText(kind, WORD_MAX, words.unknownKind) : words.kinds[known];
    return told(figures.quantity(count), name, figures.usdc(usdc.abs().toNumber()));
  });
  if (results > 0) parts.push(words.results(figures.quantity(results)));
  if (agreements > 0) parts.push(words.agreements(figures.quantity(agreements)));
  if (gaps > 0) parts.push(words.gaps(figures.quantity(gaps)));
  return parts.join(SEPARATOR);
}
