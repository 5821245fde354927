import type { APIEmbed, APIEmbedField } from 'discord.js';
import { signed } from '../embeds/context-lines.ts';
import { alertReference, present, SEPARATOR, smallPrint, timestamp, walletName } from '../embeds/embed-parts.ts';
import { type Links, shortLinks } from '../embeds/links.ts';
import { shortRecord } from '../embeds/record-lines.ts';
import { maskedLink, textLength, wordAmongFigures } from '../embeds/text/escape.ts';
import { EMBED_LIMITS, joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import type { Exact } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import type { LargestTrade } from '../portfolio/trades/trades.ts';
import { rankLine } from '../scores/embed.ts';
import { rankWallets, type WalletScore } from '../scores/ranking.ts';
import { listedOf } from '../watches/settings/only-except.ts';
import { type Schedule, weekdayName } from './schedule.ts';
import { isQuiet, netFlow, type Period, totalFigures, volumeOf, type WalletFigures } from './stats.ts';

const COLOUR = 0x1abc9c;
/** For the line that says how many more there are, and those that are empty. */
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
  /** What it is recognised by in the channel's history. */
  readonly reference: string;
  readonly links: Links;
  /** The name of the attached picture; null if there is none. */
  readonly picture: string | null;
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
  const room = EMBED_LIMITS.description - textLength([...head, ...tail].join('\n')) - REST_ROOM;
  const list = busy.length === 0 ? [] : walletLines(busy, room, text);
  return {
    title: `${language.texts.digest.title[schedule.every]}${SEPARATOR}${periodWords(text)}`,
    description: [...head, ...list, ...tail].join('\n'),
    color: COLOUR,
    ...(text.picture === null ? {} : { image: { url: `attachment://${text.picture}` } }),
    fields: scoresFields(wallets, language),
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
  const isCut = wallets.some(
    ({ tradesSinceSeconds, transfersSinceSeconds }) => tradesSinceSeconds !== null || transfersSinceSeconds !== null,
  );
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
  const joined = (hasTrade: boolean) => joinFitting(busy, room, (wallet) => walletBlock(wallet, hasTrade, text));
  const whole = joined(true);
  const shown = whole.included === busy.length ? whole : joined(false);
  const left = busy.slice(shown.included);
  if (left.length === 0) return ['', shown.text];
  const { volume, net, realized } = totalFigures(left);
  const { rest } = language.texts.digest;
  return [
    '',
    shown.text,
    '',
    present(
      rest.volume(...counted(left.length, language), usdc(volume, language)),
      rest.netFlow(signed(net, language.format.roundUsdc)),
      realized === null ? undefined : rest.realized(signed(realized, language.format.roundUsdc)),
    ),
  ];
}

/** `**Whale** · volume **$14,285** · realized **+$2,300**`: what there is of it, or how often something happened. */
function walletBlock(wallet: WalletFigures, hasTrade: boolean, { links, period, language }: DigestText): string {
  const texts = language.texts.digest.wallet;
  const { realized, sold, redeemed, deposited, withdrawn, tradesSinceSeconds, record, largest } = wallet;
  const volume = volumeOf(wallet);
  // Of a time of which no trade is known nothing is said of trades.
  const isKnown = tradesSinceSeconds === null || tradesSinceSeconds < period.toSeconds;
  const hasRealized = realized !== null && [sold, redeemed, realized].some((figure) => !figure.isZero());
  const hasMoved = !deposited.isZero() || !withdrawn.isZero();
  const line = present(
    `**${walletName(wallet.wallet, wallet.label)}**`,
    isKnown && !volume.isZero() ? texts.volume(usdc(volume, language)) : undefined,
    isKnown && hasRealized ? texts.realized(signed(realized, language.format.roundUsdc)) : undefined,
    hasMoved ? texts.netFlow(signed(netFlow(wallet), language.format.roundUsdc)) : undefined,
    ...(volume.isZero() ? happenings(wallet, language) : []),
    record === null ? undefined : shortRecord(record.since, language),
  );
  return hasTrade && largest !== undefined ? `${line}\n${tradeLine(largest, links, language)}` : line;
}

function happenings({ trades, transfers }: Pick<WalletFigures, 'trades' | 'transfers'>, language: Language): string[] {
  const texts = language.texts.digest.wallet;
  return [
    ...(trades === 0 ? [] : [texts.trades(...counted(trades, language))]),
    ...(transfers === 0 ? [] : [texts.transfers(...counted(transfers, language))]),
  ];
}

/** What of the period is not known or not counted, in small print: a line for wallets of which the same is said. */
function unknownLines(busy: readonly WalletFigures[], language: Language): string[] {
  const bySaid = groupBy(busy, (wallet) => unknownParts(wallet, language).join(SEPARATOR));
  bySaid.delete('');
  const lines = [...bySaid].slice(0, UNKNOWN_SHOWN).flatMap(([said, wallets]) => {
    const names = wallets.slice(0, UNKNOWN_SHOWN).map(({ wallet, label }) => walletName(wallet, label));
    return smallPrint(listedOf(names, wallets.length, language), said);
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

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

function tradeLine(largest: LargestTrade, links: Links, { texts, format }: Language): string {
  const { action, side, usdc: size, priceCents, timeSeconds, ...market } = largest;
  const { tradeBought, tradeBoughtAt, tradeSold, tradeSoldAt, unknownOutcome, noTitle } = texts.digest.wallet;
  const [say, sayAt] = action === 'Buy' ? [tradeBought, tradeBoughtAt] : [tradeSold, tradeSoldAt];
  const what = [format.roundUsdc(size), wordAmongFigures(side, SIDE_MAX, unknownOutcome)] as const;
  const url = shortLinks(links, URL_LIMIT).market(market);
  const trade = priceCents === null ? say(...what) : sayAt(...what, format.cents(priceCents));
  const title = maskedLink(market.marketTitle || market.marketSlug, url, TITLE_MAX, noTitle);
  return `• ${[trade, title, `<t:${timeSeconds}:t>`].join(SEPARATOR)}`;
}

function quietLines(quiet: readonly WalletFigures[], { texts, format }: Language): string[] {
  if (quiet.length === 0) return [];
  const names = quiet.slice(0, QUIET_NAMED).map(({ wallet, label }) => walletName(wallet, label));
  const more = quiet.length - names.length;
  return ['', more === 0 ? texts.digest.quiet(names) : texts.digest.quietAndMore(names, format.quantity(more))];
}

/** What ends a digest: the three best records. @returns no field if no wallet is ranked yet, see `rankWallets` */
export function scoresFields(wallets: readonly WalletScore[], language: Language): APIEmbedField[] {
  const { ranked } = rankWallets(wallets);
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
