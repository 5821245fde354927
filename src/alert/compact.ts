import type { APIEmbed } from 'discord.js';
import { shortAddress } from '../venue/address.ts';
import { lateTotals, timesOf } from './catch-up.ts';
import { contextWords } from './context-lines.ts';
import { COLOURS, delay, footer, type RenderContext, walletName } from './embed-parts.ts';
import { formatDuration } from './format.ts';
import { joinFitting } from './join-fitting.ts';
import { shortLinks } from './links.ts';
import { maskedLink } from './text.ts';
import type { Unit } from './unit.ts';
import { unitLine } from './unit-lines.ts';

const NAME_MAX = 60;
const WALLET_URL_LIMIT = 200;

/** What a line needs to know besides its unit. */
export type CompactContext = Omit<RenderContext, 'label'> & {
  readonly labelOf: (wallet: Unit['alerts'][0]['wallet']) => string | undefined;
};

/**
 * Several units in one embed, a line each: as many as it holds, at least one. Its reference is that of the very first
 * alert.
 */
export function renderCompact(
  units: readonly [Unit, ...Unit[]],
  context: CompactContext,
): { readonly embed: APIEmbed; readonly told: number } {
  const list = joinFitting(units.map((unit) => compactLine(unit, context)));
  const told = units.length - list.left;
  const alerts = units.slice(0, told).flatMap((unit) => unit.alerts);
  const times = alerts.filter(({ event }) => event.kind !== 'gap').flatMap(timesOf);
  const [first] = units[0].alerts;
  return {
    embed: {
      description: list.text,
      color: COLOURS.compact,
      footer: footer(first, delays(alerts.length, times, context.sentAtMs)),
    },
    told,
  };
}

function compactLine({ kind, alerts }: Unit, context: CompactContext): string {
  const [{ wallet }] = alerts;
  const label = context.labelOf(wallet);
  const url = shortLinks(context.links, WALLET_URL_LIMIT).wallet(wallet);
  const name =
    url === undefined ? walletName(wallet, label) : maskedLink(label ?? '', url, NAME_MAX, shortAddress(wallet));
  if (kind === 'alert' || alerts.length === 1) {
    const words = contextWords(alerts);
    return `${name} · ${unitLine(alerts, context.links)}${words === undefined ? '' : ` · ${words}`}`;
  }
  const times = alerts.flatMap(timesOf);
  return `${name} · ${alerts.length} alerts that come late, <t:${Math.min(...times)}:f> to <t:${Math.max(...times)}:f>: ${lateTotals(alerts)}`;
}

function delays(count: number, timesSeconds: readonly number[], sentAtMs: number): string {
  if (timesSeconds.length === 0) return 'Gap notice';
  const [first, last] = [Math.min(...timesSeconds), Math.max(...timesSeconds)];
  const sinceFirst = Math.floor(sentAtMs / 1000) - first;
  const rang = delay(last, sentAtMs, count === 1 ? undefined : 'the last of them');
  return first < last && sinceFirst > 0 ? `${rang}, ${formatDuration(sinceFirst)} after the first` : rang;
}
