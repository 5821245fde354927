import type { Decimal } from 'decimal.js';
import type { APIEmbed } from 'discord.js';
import { type Alert, eventSeconds } from '../alerts/alert.ts';
import { addUsdc, groupAlerts, type NonEmptyAlerts } from '../alerts/group.ts';
import { actionKind, transferKind } from '../domain/kinds.ts';
import type { Language } from '../language/language.ts';
import {
  author,
  EMBED_COLOURS,
  footer,
  lines,
  type RenderContext,
  SEPARATOR,
  smallPrint,
  timeRange,
  timestamp,
} from './embed-parts.ts';
import { groupLine } from './group-line.ts';
import { escapeText } from './text/escape.ts';
import { joinWhileFitting } from './text/join-fitting.ts';

/** Code points of the list: with totals and footer the embed stays well below what one message takes. */
const LIST_LIMIT = 3_000;
const KINDS_LIMIT = 8;
const WORD_MAX = 30;

/**
 * One embed for the alerts of a wallet that come long after their events, because nothing could be sent or polled: totals,
 * and a list of the items, grouped fills in one line, as far as it fits, with the number of those that do not.
 *
 * @param alerts of one wallet, oldest first
 */
export function renderCatchUp(
  alerts: readonly [Alert, ...Alert[]],
  { language, links, label, sentAtMs }: RenderContext,
): APIEmbed {
  const [first] = alerts;
  const { format } = language;
  const texts = language.texts.alerts.catchUp;
  const times = alerts.flatMap(timesOf);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const groups = groupAlerts(alerts);
  const lineOf = (own: NonEmptyAlerts) =>
    groupLine({ alerts: own }, { links, language, sentAtMs, wallet: '', isAbove: false });
  const list = joinWhileFitting(groups, lineOf, LIST_LIMIT);
  const left = groups.slice(list.included).reduce((sum, group) => sum + group.length, 0);
  return {
    author: author(first.wallet, label, links),
    description: lines(
      catchUpTotals(alerts, language),
      ...smallPrint(texts.range(...timeRange(from, to))),
      list.text,
      ...(left === 0 ? [] : [texts.more(format.quantity(left), left)]),
    ),
    color: EMBED_COLOURS.gap,
    footer: footer(first, texts.footer(format.quantity(alerts.length))),
    ...timestamp(to),
  };
}

/** Unix seconds of the beginning and the end of an alert's event. */
export function timesOf({ event }: Alert): number[] {
  return [...eventSeconds(event)];
}

/** How many of each kind, and the sum of their net USDC, as text. */
export function catchUpTotals(alerts: readonly Alert[], { texts: { alerts: all }, format }: Language): string {
  const texts = all.catchUp;
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
    const included = transfer !== 'other' ? texts.moved : usdc.lt(0) ? texts.received : texts.paid;
    const known = action !== 'other' ? action : transfer !== 'other' ? transfer : undefined;
    const name = known === undefined ? escapeText(kind, WORD_MAX, texts.unknownKind) : texts.kinds[known];
    return included(format.quantity(count), name, format.usdc(usdc.abs().toNumber()));
  });
  if (results > 0) parts.push(texts.results(format.quantity(results)));
  if (agreements > 0) parts.push(texts.agreements(format.quantity(agreements)));
  if (gaps > 0) parts.push(texts.gaps(format.quantity(gaps)));
  return parts.join(SEPARATOR);
}
