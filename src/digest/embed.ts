import type { APIEmbed } from 'discord.js';
import { signedUsdc } from '../alert/context-lines.ts';
import { alertReference, walletName } from '../alert/embed-parts.ts';
import { formatCents, formatUsdc } from '../alert/format.ts';
import { type Links, shortLinks } from '../alert/links.ts';
import { scoreLine } from '../alert/news-embed.ts';
import { escapeText, maskedLink, textLength } from '../alert/text.ts';
import type { Exact } from '../book/exact.ts';
import type { LargestTrade } from '../book/largest.ts';
import { ENGLISH } from '../language/language.ts';
import { isQuiet, netFlow, type Period, totalFigures, volumeOf, type WalletFigures } from './figures.ts';
import type { Schedule } from './schedule.ts';

const COLOUR = 0x1abc9c;
const DESCRIPTION_LIMIT = 4_096;
/** For the line that says how many more there are. */
const REST_ROOM = 200;
const TITLE_MAX = 90;
const SIDE_MAX = 30;
const URL_LIMIT = 150;
const QUIET_NAMED = 8;
/** How many of the largest trades of each wallet are told: as many as leave room for every wallet. */
const DETAILS = [3, 1, 0] as const;

export interface DigestText {
  readonly schedule: Schedule;
  readonly period: Period;
  /** What was watched in the period. */
  readonly wallets: readonly WalletFigures[];
  /** What it is recognised by in the channel's history. */
  readonly reference: string;
  /** When it was due, and why it did not come then; null if it does. Epoch milliseconds. */
  readonly late: { readonly dueMs: number; readonly wasAway: boolean } | null;
  /** Digests before it that never came. */
  readonly missed: number;
  readonly links: Links;
  /** The name of the attached picture; null if there is none. */
  readonly picture: string | null;
}

/** The embed of a digest, within Discord's limits whatever the labels and titles hold. */
export function digestEmbed(text: DigestText): APIEmbed {
  const { schedule, wallets } = text;
  const busy = wallets.filter((wallet) => !isQuiet(wallet)).toSorted(byWeight);
  const head = [...noteLines(text), ...headLines(text, busy)];
  const tail = busy.length === 0 ? [] : quietLines(wallets.filter(isQuiet));
  const room = DESCRIPTION_LIMIT - length([...head, ...tail, '']) - REST_ROOM;
  return {
    title: schedule.every === 'day' ? 'Daily digest' : 'Weekly digest',
    description: [...head, ...walletLines(busy, room, text.links), ...tail].join('\n'),
    color: COLOUR,
    ...(text.picture === null ? {} : { image: { url: `attachment://${text.picture}` } }),
    footer: { text: `${scheduleWords(schedule)} · ${alertReference(text.reference)}` },
  };
}

/** `Every day at 18:00, Europe/Berlin`. */
export function scheduleWords({ every, atMinutes, weekday, timeZone }: Schedule): string {
  const clock = [Math.floor(atMinutes / 60), atMinutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `Every ${every === 'day' ? 'day' : weekday} at ${clock}, ${timeZone}`;
}

function noteLines({ late, missed, wallets }: DigestText): string[] {
  const behind = wallets.filter(({ isBehind }) => isBehind).length;
  const why = late?.wasAway === true ? 'the bot was away' : 'it could not be sent then';
  const dueSeconds = Math.floor((late?.dueMs ?? 0) / 1000);
  return [
    ...(late === null ? [] : [`⏰ Late: due <t:${dueSeconds}:f>, ${why}.`]),
    ...(missed === 0 ? [] : [`⏰ ${count(missed, 'digest')} before this one could not be sent.`]),
    ...(behind === 0
      ? []
      : [`⚠️ ${count(behind, 'wallet')} could not be looked at since the end of this time: something may be missing.`]),
  ];
}

function headLines({ period, wallets }: DigestText, busy: readonly WalletFigures[]): string[] {
  const range = `<t:${period.fromSeconds}:f> to <t:${period.toSeconds}:f>`;
  if (busy.length === 0) {
    const isUnseen = wallets.some(({ tradesSinceSeconds }) => tradesSinceSeconds !== null);
    return [
      `Nothing happened from ${range}: no trade, redemption, deposit or withdrawal was seen of ${count(wallets.length, 'watched wallet')}${isUnseen ? ', some of which are not known all of that time' : ''}.`,
    ];
  }
  const { trades, volume, net, realized } = totalFigures(wallets);
  return [
    `From ${range} · ${count(wallets.length, 'wallet')}`,
    `Volume **${usdc(volume)}** · ${count(trades, 'record')} · net flow **${signedUsdc(net, ENGLISH.figures)}** · realized **${signedUsdc(realized, ENGLISH.figures)}**`,
  ];
}

/** Each wallet with as much detail as leaves room for all; beyond, the least are counted. */
function walletLines(busy: readonly WalletFigures[], room: number, links: Links): string[] {
  for (const detail of DETAILS) {
    const lines = busy.flatMap((wallet) => walletBlock(wallet, detail, links));
    if (length(lines) <= room) return lines;
  }
  const lines: string[] = [];
  let told = 0;
  for (const wallet of busy) {
    const block = walletBlock(wallet, 0, links);
    if (length([...lines, ...block]) > room) break;
    lines.push(...block);
    told += 1;
  }
  const rest = totalFigures(busy.slice(told));
  return [
    ...lines,
    '',
    `… and ${count(busy.length - told, 'more wallet')}: volume ${usdc(rest.volume)} · net flow ${signedUsdc(rest.net, ENGLISH.figures)} · realized ${signedUsdc(rest.realized, ENGLISH.figures)}`,
  ];
}

function walletBlock(wallet: WalletFigures, detail: number, links: Links): string[] {
  const { trades, bought, sold, redeemed, deposited, withdrawn } = wallet;
  const parts = [
    `**${walletName(wallet.wallet, wallet.label)}**: volume **${usdc(volumeOf(wallet))}** · ${count(trades, 'record')}`,
    ...amount('bought', bought),
    ...amount('sold', sold),
    ...amount('redeemed', redeemed),
  ];
  const hasMoved = !deposited.isZero() || !withdrawn.isZero();
  const flow = [
    `Net flow ${signedUsdc(netFlow(wallet), ENGLISH.figures)}`,
    ...amount('deposited', deposited),
    ...amount('withdrew', withdrawn),
  ];
  return [
    '',
    parts.join(' · '),
    ...realizedLines(wallet),
    ...(hasMoved ? [flow.join(' · ')] : []),
    ...sinceLines(wallet),
    ...wallet.largest.slice(0, detail).map((trade) => tradeLine(trade, links)),
    ...(wallet.score === null ? [] : [scoreLine(wallet.score, ENGLISH)]),
  ];
}

function realizedLines({ realized, unknownSales, sold, redeemed, sharesSinceSeconds }: WalletFigures): string[] {
  if (sold.isZero() && redeemed.isZero() && realized.isZero()) return [];
  const since = sharesSinceSeconds === null ? '' : `, of shares known since <t:${sharesSinceSeconds}:d>`;
  const unknown =
    unknownSales === 0
      ? ''
      : ` · ${count(unknownSales, 'sale or redemption', 'sales or redemptions')} of more than is known, counted as far as known`;
  return [`Realized ${signedUsdc(realized, ENGLISH.figures)}${since}${unknown}`];
}

function sinceLines({ tradesSinceSeconds, transfersSinceSeconds }: WalletFigures): string[] {
  const parts = [
    ...(tradesSinceSeconds === null ? [] : [`trades complete only since <t:${tradesSinceSeconds}:f>`]),
    ...(transfersSinceSeconds === 'never' ? ['deposits and withdrawals not known'] : []),
    ...(typeof transfersSinceSeconds === 'number'
      ? [`deposits and withdrawals complete only since <t:${transfersSinceSeconds}:f>`]
      : []),
  ];
  return parts.length === 0 ? [] : [`-# ${parts.join(' · ')}`];
}

function tradeLine(
  { action, side, usdc: size, priceCents, timeSeconds, ...market }: LargestTrade,
  links: Links,
): string {
  const price = priceCents === null ? '' : ` at ${formatCents(priceCents)}`;
  const url = shortLinks(links, URL_LIMIT).market(market);
  const title = maskedLink(market.title || market.marketSlug, url, TITLE_MAX, 'Market without a title');
  return `• ${action === 'Buy' ? 'Bought' : 'Sold'} ${formatUsdc(size)} ${escapeText(side, SIDE_MAX, 'of an unknown outcome')}${price} · ${title} · <t:${timeSeconds}:t>`;
}

function quietLines(quiet: readonly WalletFigures[]): string[] {
  if (quiet.length === 0) return [];
  const names = quiet.slice(0, QUIET_NAMED).map(({ wallet, label }) => walletName(wallet, label));
  const more = quiet.length > QUIET_NAMED ? ` and ${quiet.length - QUIET_NAMED} more` : '';
  return ['', `Nothing seen of ${names.join(', ')}${more}`];
}

function byWeight(a: WalletFigures, b: WalletFigures): number {
  return volumeOf(b).comparedTo(volumeOf(a)) || b.redeemed.comparedTo(a.redeemed) || (a.wallet < b.wallet ? -1 : 1);
}

function amount(word: string, value: Exact): string[] {
  return value.isZero() ? [] : [`${word} ${usdc(value)}`];
}

function usdc(value: Exact): string {
  return formatUsdc(value.toNumber());
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

function length(lines: readonly string[]): number {
  return textLength(lines.join('\n')) + 2;
}
