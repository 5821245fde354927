import type { APIEmbed } from 'discord.js';
import type { Alert } from './alert.ts';
import { alertReference, COLOURS, type RenderContext, walletName } from './embed.ts';
import { formatUsdc } from './format.ts';
import { joinFitting } from './join-fitting.ts';
import { activityLine, transferLine } from './lines.ts';
import { escapeText } from './text.ts';

/** Code points of the list: with totals and footer the embed stays well below what one message takes. */
const LIST_LIMIT = 3_200;
const KINDS_LIMIT = 8;
const WORD_MAX = 30;
/** Micro-USDC: sums of figures with up to six decimals are exact. */
const MICRO = 1e6;

interface Total {
  count: number;
  micro: number;
}

/**
 * One embed for a wallet's alerts of a time in which nothing could be told: totals, and a list of the items as far as
 * it fits, with the number of those that do not.
 */
export function renderCatchUp(alerts: readonly [Alert, ...Alert[]], context: RenderContext): APIEmbed {
  const [first] = alerts;
  const times = alerts.flatMap(({ event }) =>
    event.kind === 'gap' ? [event.gap.fromSeconds, event.gap.toSeconds] : [event.item.time],
  );
  const list = joinFitting(
    alerts.map(({ event }) => eventLine(event, context)),
    LIST_LIMIT,
  );
  const more = list.left === 0 ? [] : [`… and ${list.left} more. \`/activity\` and \`/flows\` list them all.`];
  return {
    title: `${walletName(first.wallet, context.label)}: ${alerts.length} alerts that come late`,
    description: [
      `From <t:${Math.min(...times)}:f> to <t:${Math.max(...times)}:f>. ${totals(alerts)}`,
      list.text,
      ...more,
    ].join('\n'),
    color: COLOURS.gap,
    footer: { text: `Catch-up of ${alerts.length} · ${alertReference(first.id)}` },
  };
}

function eventLine(event: Alert['event'], { links }: RenderContext): string {
  switch (event.kind) {
    case 'activity':
      return activityLine(event.item, links);
    case 'transfer':
      return transferLine(event.item, links);
    case 'gap':
      return `⚠️ Some between <t:${event.gap.fromSeconds}:f> and <t:${event.gap.toSeconds}:f> may be missing.`;
  }
}

/** How many of each kind, and how much USDC went which way by the venue's own figures. */
function totals(alerts: readonly Alert[]): string {
  const byKind = new Map<string, Total>();
  const add = (kind: string, usdc: number) => {
    const total = byKind.get(kind) ?? { count: 0, micro: 0 };
    byKind.set(kind, { count: total.count + 1, micro: total.micro + Math.round(usdc * MICRO) });
  };
  for (const { event } of alerts) {
    if (event.kind === 'activity') add(event.item.action, event.item.transferNetAmount);
    if (event.kind === 'transfer') add(event.item.type, event.item.amount);
  }
  const parts = [...byKind].slice(0, KINDS_LIMIT).map(([kind, { count, micro }]) => {
    const amount = formatUsdc(Math.abs(micro) / MICRO);
    const verb = kind === 'deposit' || kind === 'withdrawal' ? 'of' : micro < 0 ? 'received' : 'paid';
    return `${count} × ${escapeText(kind, WORD_MAX, 'unknown')}, ${verb} **${amount}**`;
  });
  return `${parts.join(' · ')}.`;
}
