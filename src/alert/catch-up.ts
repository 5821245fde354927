import type { Decimal } from 'decimal.js';
import type { APIEmbed } from 'discord.js';
import { type Alert, eventSeconds } from './alert.ts';
import { alertReference, COLOURS, fitUrls, type RenderContext, walletName } from './embed-parts.ts';
import { formatUsdc } from './format.ts';
import { addUsdc, groupAlerts } from './group.ts';
import { joinFitting } from './join-fitting.ts';
import { escapeText } from './text.ts';
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
export function renderCatchUp(alerts: readonly [Alert, ...Alert[]], context: RenderContext): APIEmbed {
  const [first] = alerts;
  const times = alerts.flatMap(timesOf);
  const groups = groupAlerts(alerts);
  const list = joinFitting(
    groups.map((group) => unitLine(group, context.links)),
    LIST_LIMIT,
  );
  const left = groups.slice(groups.length - list.left).reduce((sum, group) => sum + group.length, 0);
  const [walletUrl] = fitUrls(WALLET_URL_ROOM, context.links.wallet(first.wallet));
  return {
    title: `${walletName(first.wallet, context.label)}: ${alerts.length} alerts that come late`,
    description: [
      `From <t:${Math.min(...times)}:f> to <t:${Math.max(...times)}:f>. ${lateTotals(alerts)}`,
      list.text,
      ...(left === 0 ? [] : [`… and ${left} more. \`/activity\` and \`/flows\` list them all.`]),
      ...(walletUrl === undefined ? [] : [`[Open the wallet](${walletUrl})`]),
    ].join('\n'),
    color: COLOURS.gap,
    footer: { text: `Catch-up of ${alerts.length} · ${alertReference(first.id)}` },
  };
}

/** Unix seconds that an alert is about. */
export function timesOf({ event }: Alert): number[] {
  return [...eventSeconds(event)];
}

/** How many of each kind, and how much USDC went which way by the venue's own figures. */
export function lateTotals(alerts: readonly Alert[]): string {
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
    const verb = kind === 'deposit' || kind === 'withdrawal' ? 'of' : usdc.lt(0) ? 'received' : 'paid';
    return `${count} × ${escapeText(kind, WORD_MAX, 'unknown')}, ${verb} **${formatUsdc(usdc.abs().toNumber())}**`;
  });
  if (results > 0) parts.push(`${results} × result of what rang here`);
  if (agreements > 0) parts.push(`${agreements} × consensus`);
  if (gaps > 0) parts.push(`${gaps} × something may be missing`);
  return `${parts.join(' · ')}.`;
}
