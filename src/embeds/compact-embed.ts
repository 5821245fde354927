import type { APIEmbed } from 'discord.js';
import type { AlertGroup } from '../alerts/alert-group.ts';
import { shortAddress } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { catchUpTotals, timesOf } from './catch-up-embed.ts';
import { briefContext } from './context-lines.ts';
import { delay, EMBED_COLOURS, footer, present, type RenderContext, walletName } from './embed-parts.ts';
import { maskedLink } from './escape.ts';
import { groupLine } from './group-line.ts';
import { joinWhileFitting } from './join-fitting.ts';
import { shortLinks } from './links.ts';

const NAME_MAX = 60;
const WALLET_URL_LIMIT = 200;

/** What rendering a line takes besides its alert group. */
export type CompactContext = Omit<RenderContext, 'label'> & {
  readonly labelOf: (wallet: AlertGroup['alerts'][0]['wallet']) => string | undefined;
};

/**
 * Several alert groups in one embed, a line each: as many as fit, at least one. Its reference is that of the first alert.
 *
 * @returns how many of the groups are in it
 */
export function renderCompact(
  groups: readonly [AlertGroup, ...AlertGroup[]],
  context: CompactContext,
): { readonly embed: APIEmbed; readonly included: number } {
  const { text, included } = joinWhileFitting(groups, (group) => compactLine(group, context));
  const alerts = groups.slice(0, included).flatMap((group) => group.alerts);
  const times = alerts.filter(({ event }) => event.kind !== 'gap').flatMap(timesOf);
  const [first] = groups[0].alerts;
  return {
    embed: {
      description: text,
      color: EMBED_COLOURS.compact,
      footer: footer(first, delays(alerts.length, times, context)),
    },
    included,
  };
}

function compactLine({ kind, alerts }: AlertGroup, { labelOf, links, language }: CompactContext): string {
  const [{ wallet }] = alerts;
  const label = labelOf(wallet);
  const url = shortLinks(links, WALLET_URL_LIMIT).wallet(wallet);
  const name =
    url === undefined ? walletName(wallet, label) : maskedLink(label ?? '', url, NAME_MAX, shortAddress(wallet));
  if (kind === 'alert' || alerts.length === 1) {
    return present(name, groupLine(alerts, links, language), briefContext(alerts, language));
  }
  return present(name, catchUpLine(alerts, language));
}

function catchUpLine(alerts: AlertGroup['alerts'], language: Language): string {
  const times = alerts.flatMap(timesOf);
  const [from, to] = [`<t:${Math.min(...times)}:f>`, `<t:${Math.max(...times)}:f>`];
  const { line } = language.texts.alerts.catchUp;
  return line(language.format.quantity(alerts.length), from, to, catchUpTotals(alerts, language));
}

function delays(
  count: number,
  timesSeconds: readonly number[],
  { sentAtMs, language }: Pick<CompactContext, 'sentAtMs' | 'language'>,
): string {
  const { gap, delivered } = language.texts.alerts;
  if (timesSeconds.length === 0) return gap.notice;
  const [first, last] = [Math.min(...timesSeconds), Math.max(...timesSeconds)];
  const included = delay(last, sentAtMs, count === 1 ? 'event' : 'lastItem', language);
  const sinceFirst = Math.floor(sentAtMs / 1000) - first;
  if (first === last || sinceFirst <= 0) return included;
  return delivered.sinceFirst.item(included, language.format.duration(sinceFirst));
}
