import type { APIEmbed, APIEmbedField } from 'discord.js';
import { signed } from '../embeds/context-lines.ts';
import { alertReference, present, SEPARATOR, smallPrint, timestamp, walletName } from '../embeds/embed-parts.ts';
import { type Links, shortLinks } from '../embeds/links.ts';
import { shortRecord } from '../embeds/record-lines.ts';
import { maskedLink, textLength, wordAmongFigures } from '../embeds/text/escape.ts';
import type { Language } from '../language/language.ts';
import type { Exact } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import type { LargestTrade } from '../portfolio/trades/trades.ts';
import { rankLine } from '../scores/embed.ts';
import { rankWallets, type WalletScore } from '../scores/ranking.ts';
import { type Schedule, weekdayName } from './schedule.ts';
import { isComplete, isQuiet, netFlow, type Period, totalFigures, volumeOf, type WalletFigures } from './stats.ts';

const COLOUR = 0x1abc9c;
const DESCRIPTION_LIMIT = 4_096;
/** For the line that says how many more there are. */
const REST_ROOM = 200;
const TITLE_MAX = 90;
const SIDE_MAX = 30;
const URL_LIMIT = 150;
const QUIET_NAMED = 8;
const UNKNOWN_SHOWN = 3;
const RANKED_NAMED = 3;

export interface DigestText {
  readonly schedule: Schedule;
  readonly period: Period;
  /** What was watched in the period. */
  readonly wallets: readonly WalletFigures[];
  /** How many wallets the channel has ever ranked. */
  readonly everRanked: number;
  /** What it is recognised by in the channel's history. */
  readonly reference: string;
  readonly links: Links;
  /** The name of the attached picture; null if there is none. */
  readonly picture: string | null;
  /** The channel's language. */
  readonly language: Language;
}

/** The embed of a digest, within Discord's limits whatever the labels and titles hold. */
export function digestEmbed(text: DigestText): APIEmbed {
  const { schedule, wallets, language } = text;
  const busy = wallets.filter((wallet) => !isQuiet(wallet)).toSorted(byWeight);
  const behind = wallets.filter(({ isBehind }) => isBehind).length;
  const note = behind === 0 ? [] : [`⚠️ ${language.texts.digest.behind(...counted(behind, language))}`];
  const head = [...note, ...headLines(text, busy)];
  const tail =
    busy.length === 0 ? [] : [...quietLines(wallets.filter(isQuiet), language), ...unknownLines(busy, language)];
  const room = DESCRIPTION_LIMIT - length([...head, ...tail, '']) - REST_ROOM;
  return {
    title: `${language.texts.digest.title[schedule.every]}${SEPARATOR}${periodWords(text)}`,
    description: [...head, ...walletLines(busy, room, text), ...tail].join('\n'),
    color: COLOUR,
    ...(text.picture === null ? {} : { image: { url: `attachment://${text.picture}` } }),
    fields: scoresFields(wallets, text.everRanked, language),
    footer: { text: `${scheduleWords(schedule, language)}${SEPARATOR}${alertReference(text.reference)}` },
    ...timestamp(text.period.toSeconds),
  };
}

/** `Every day at 18:00 (Europe/Berlin)`. */
export function scheduleWords({ every, atMinutes, weekday, timeZone }: Schedule, language: Language): string {
  const texts = language.texts.digest;
  const clock = [Math.floor(atMinutes / 60), atMinutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return every === 'day'
    ? texts.everyDay(clock, timeZone)
    : texts.everyWeek(weekdayName(weekday, language), clock, timeZone);
}

/** `Nov 20, 18:00 – Nov 21, 18:00`, by the wall clock of the schedule's zone. */
function periodWords({ schedule: { timeZone }, period, language: { tag } }: DigestText): string {
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat(tag, { ...parts, timeZone });
  return format.formatRange(period.fromSeconds * 1000, period.toSeconds * 1000);
}

function headLines({ period, wallets, language }: DigestText, busy: readonly WalletFigures[]): string[] {
  const { total } = language.texts.digest;
  const [from, to] = [`<t:${period.fromSeconds}:f>`, `<t:${period.toSeconds}:f>`];
  const count = counted(wallets.length, language);
  const isCut = !wallets.every(isComplete);
  const areNew = wallets.some(({ watchedSinceSeconds }) => watchedSinceSeconds !== null);
  if (busy.length === 0) {
    return [isCut || areNew ? total.nothingKnown(from, to, ...count) : total.nothing(from, to, ...count)];
  }
  const { volume, net, realized, ...all } = totalFigures(wallets);
  return [
    present(
      total.volume(usdc(volume, language)),
      realized === null ? undefined : total.realized(signed(realized, language.format.roundUsdc)),
      total.netFlow(signed(net, language.format.roundUsdc)),
      areNew ? total.sinceWatched : undefined,
      isCut ? total.notAllKnown : undefined,
    ),
    ...smallPrint(total.wallets(...count), ...happenings(all, language)),
  ];
}

/** Each wallet, with its largest trade where that leaves room for all; beyond, the least are counted. */
function walletLines(busy: readonly WalletFigures[], room: number, text: DigestText): string[] {
  const { language } = text;
  const all = [1, 0].map((trades) => ['', ...busy.flatMap((wallet) => walletBlock(wallet, trades, text))]);
  const fitting = all.find((lines) => length(lines) <= room);
  if (fitting !== undefined) return fitting;
  const lines: string[] = [''];
  let shown = 0;
  for (const wallet of busy) {
    const block = walletBlock(wallet, 0, text);
    if (length([...lines, ...block]) > room) break;
    lines.push(...block);
    shown += 1;
  }
  const { volume, net, realized } = totalFigures(busy.slice(shown));
  const { rest } = language.texts.digest;
  return [
    ...lines,
    '',
    present(
      rest.volume(...counted(busy.length - shown, language), usdc(volume, language)),
      rest.netFlow(signed(net, language.format.roundUsdc)),
      realized === null ? undefined : rest.realized(signed(realized, language.format.roundUsdc)),
    ),
  ];
}

function walletBlock(wallet: WalletFigures, trades: number, { links, period, language }: DigestText): string[] {
  return [
    walletLine(wallet, period, language),
    ...wallet.largest.slice(0, trades).map((trade) => tradeLine(trade, links, language)),
  ];
}

/** `**Whale** · volume **$14,285** · realized **+$2,300**`: what there is of it, or how often something happened. */
function walletLine(wallet: WalletFigures, { toSeconds }: Period, language: Language): string {
  const texts = language.texts.digest.wallet;
  const { realized, sold, redeemed, deposited, withdrawn, tradesSinceSeconds, record } = wallet;
  const volume = volumeOf(wallet);
  // Of a time of which no trade is known nothing is said of trades.
  const isKnown = tradesSinceSeconds === null || tradesSinceSeconds < toSeconds;
  const hasRealized = realized !== null && [sold, redeemed, realized].some((figure) => !figure.isZero());
  const hasMoved = !deposited.isZero() || !withdrawn.isZero();
  return present(
    `**${walletName(wallet.wallet, wallet.label)}**`,
    isKnown && !volume.isZero() ? texts.volume(usdc(volume, language)) : undefined,
    isKnown && hasRealized ? texts.realized(signed(realized, language.format.roundUsdc)) : undefined,
    hasMoved ? texts.netFlow(signed(netFlow(wallet), language.format.roundUsdc)) : undefined,
    ...(volume.isZero() ? happenings(wallet, language) : []),
    record === null ? undefined : shortRecord(record.since, language),
  );
}

/** How often something happened. */
function happenings({ trades, transfers }: Pick<WalletFigures, 'trades' | 'transfers'>, language: Language): string[] {
  const texts = language.texts.digest.wallet;
  return [
    ...(trades === 0 ? [] : [texts.trades(...counted(trades, language))]),
    ...(transfers === 0 ? [] : [texts.transfers(...counted(transfers, language))]),
  ];
}

/** What of the period is not known of wallets, or not counted, in small print: a line for those of which the same is said. */
function unknownLines(busy: readonly WalletFigures[], language: Language): string[] {
  const { watch } = language.texts;
  const bySaid = groupBy(busy, (wallet) => unknownParts(wallet, language).join(SEPARATOR));
  bySaid.delete('');
  const lines = [...bySaid].slice(0, UNKNOWN_SHOWN).flatMap(([said, wallets]) => {
    const names = wallets.slice(0, UNKNOWN_SHOWN).map(({ wallet, label }) => walletName(wallet, label));
    const shown = names.join(watch.comma);
    const more = wallets.length - names.length;
    return smallPrint(more === 0 ? shown : watch.andMore(shown, more), said);
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

/** What of the period is not known of the wallet, or not counted. */
function unknownParts(wallet: WalletFigures, language: Language): string[] {
  const { watchedSinceSeconds, tradesSinceSeconds, transfersSinceSeconds } = wallet;
  const texts = language.texts.digest.wallet;
  return [
    ...(watchedSinceSeconds === null ? [] : [texts.watchedSince(`<t:${watchedSinceSeconds}:f>`)]),
    ...(tradesSinceSeconds === null ? [] : [texts.tradesSince(`<t:${tradesSinceSeconds}:f>`)]),
    ...(transfersSinceSeconds === 'never' ? [texts.transfersUnknown] : []),
    ...(typeof transfersSinceSeconds === 'number' ? [texts.transfersSince(`<t:${transfersSinceSeconds}:f>`)] : []),
  ];
}

function tradeLine(
  { action, side, usdc: size, priceCents, timeSeconds, ...market }: LargestTrade,
  links: Links,
  { texts, format }: Language,
): string {
  const { tradeBought, tradeBoughtAt, tradeSold, tradeSoldAt, unknownOutcome, noTitle } = texts.digest.wallet;
  const [say, sayAt] = action === 'Buy' ? [tradeBought, tradeBoughtAt] : [tradeSold, tradeSoldAt];
  const what = [format.roundUsdc(size), wordAmongFigures(side, SIDE_MAX, unknownOutcome)] as const;
  const url = shortLinks(links, URL_LIMIT).market(market);
  const trade = priceCents === null ? say(...what) : sayAt(...what, format.cents(priceCents));
  const title = maskedLink(market.title || market.marketSlug, url, TITLE_MAX, noTitle);
  return `• ${[trade, title, `<t:${timeSeconds}:t>`].join(SEPARATOR)}`;
}

function quietLines(quiet: readonly WalletFigures[], { texts, format }: Language): string[] {
  if (quiet.length === 0) return [];
  const names = quiet.slice(0, QUIET_NAMED).map(({ wallet, label }) => walletName(wallet, label));
  const more = quiet.length - names.length;
  return ['', more === 0 ? texts.digest.quiet(names) : texts.digest.quietAndMore(names, format.quantity(more))];
}

/** What ends a digest: the three wallets with the best records. @returns no field if no wallet is ranked yet, see `rankWallets` */
export function scoresFields(wallets: readonly WalletScore[], everRanked: number, language: Language): APIEmbedField[] {
  const { ranked } = rankWallets(wallets, everRanked);
  if (ranked.length === 0) return [];
  const { all, best } = language.texts.scores.digest;
  const lines = ranked.slice(0, RANKED_NAMED).map((wallet, index) => rankLine(wallet, index + 1, language));
  const name = ranked.length <= RANKED_NAMED ? all : best(language.format.quantity(ranked.length));
  return [{ name, value: lines.join('\n') }];
}

function byWeight(a: WalletFigures, b: WalletFigures): number {
  return volumeOf(b).comparedTo(volumeOf(a)) || b.redeemed.comparedTo(a.redeemed) || (a.wallet < b.wallet ? -1 : 1);
}

function usdc(value: Exact, { format }: Language): string {
  return format.roundUsdc(value.toNumber());
}

/** A number as it is written, and the number itself, on which the words beside it depend. */
function counted(number: number, { format }: Language): [figure: string, count: number] {
  return [format.quantity(number), number];
}

function length(lines: readonly string[]): number {
  return textLength(lines.join('\n')) + 2;
}
