import type { APIEmbed } from 'discord.js';
import type { AlertGroup } from '../alerts/alert-group.ts';
import { shortAddress } from '../domain/address.ts';
import { catchUpTotals, timesOf } from './catch-up-embed.ts';
import {
  delay,
  EMBED_COLOURS,
  footer,
  present,
  type RenderContext,
  timeRange,
  timestamp,
  walletName,
} from './embed-parts.ts';
import { groupLine } from './group-line.ts';
import { shortLinks } from './links.ts';
import { maskedLink } from './text/escape.ts';
import { joinWhileFitting } from './text/join-fitting.ts';

const NAME_MAX = 60;
const WALLET_URL_LIMIT = 200;

/** What rendering a line takes besides its alert group. */
export type CompactContext = Omit<RenderContext, 'label'> & {
  readonly labelOf: (wallet: AlertGroup['alerts'][0]['wallet']) => string | undefined;
};

/**
 * Several alert groups in one embed, a line each: as many as fit, at least one. A single one's line has only what the text
 * above the embed does not say. Its reference is that of the first alert.
 *
 * @returns how many of the groups are in it
 */
export function renderCompact(
  groups: readonly [AlertGroup, ...AlertGroup[]],
  context: CompactContext,
): { readonly embed: APIEmbed; readonly included: number } {
  const lineOf = (group: AlertGroup) => compactLine(group, context, groups.length === 1);
  const { text, included } = joinWhileFitting(groups, lineOf);
  const alerts = groups.slice(0, included).flatMap((group) => group.alerts);
  const times = alerts.filter(({ event }) => event.kind !== 'gap').flatMap(timesOf);
  const [first] = groups[0].alerts;
  return {
    embed: {
      description: text,
      color: EMBED_COLOURS.compact,
      footer: footer(first, delays(alerts.length, times, context)),
      ...(times.length === 0 ? {} : timestamp(Math.max(...times))),
    },
    included,
  };
}

function compactLine(
  group: AlertGroup,
  { labelOf, links, language, sentAtMs }: CompactContext,
  isAbove: boolean,
): string {
  const { kind, alerts } = group;
  const [{ wallet: address }] = alerts;
  const label = labelOf(address);
  const url = shortLinks(links, WALLET_URL_LIMIT).wallet(address);
  const wallet =
    url === undefined ? walletName(address, label) : maskedLink(label ?? '', url, NAME_MAX, shortAddress(address));
  if (kind === 'alert' || alerts.length === 1) return groupLine(group, { links, language, sentAtMs, wallet, isAbove });
  const { catchUp, headline } = language.texts.alerts;
  const times = alerts.flatMap(timesOf);
  const range = catchUp.range(...timeRange(Math.min(...times), Math.max(...times)));
  const late = headline.late(language.format.quantity(alerts.length), alerts.length);
  const said = isAbove ? wallet : headline.of(wallet, late);
  return present(said, catchUpTotals(alerts, language), range);
}

function delays(
  count: number,
  timesSeconds: readonly number[],
  { sentAtMs, language }: Pick<CompactContext, 'sentAtMs' | 'language'>,
): string {
  if (timesSeconds.length === 0) return language.texts.alerts.gap.notice;
  return delay(Math.max(...timesSeconds), sentAtMs, count === 1 ? 'event' : 'lastItem', language);
}
