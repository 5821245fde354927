import type { APIEmbed } from 'discord.js';
import { signed } from '../embeds/context-lines.ts';
import {
  alertReference,
  present,
  SEPARATOR,
  smallPrint,
  walletName,
} from '../embeds/embed-parts.ts';
import { type Links, shortLinks } from '../embeds/links.ts';
import { linkedName, namesOf, OWN_LINE_EMS } from '../embeds/named-lines.ts';
import { textLength, wordAmongFigures } from '../embeds/text/escape.ts';
import { EMBED_LIMITS, joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { clockWords } from '../lib/clock.ts';
import type { Exact } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import type { GapSpan } from '../portfolio/gaps.ts';
import type { LargestTrade } from '../portfolio/trades/trades.ts';
import { listedOf } from '../watches/settings/only-except.ts';
import { settledLines, settledMarkets, verdictLines } from './news-lines.ts';
import { type Schedule, weekdayName } from './schedule.ts';
import {
  isQuiet,
  largestOf,
  netFlow,
  type Period,
  totalFigures,
  volumeOf,
  type WalletFigures,
} from './stats.ts';

const MINUTE_SECONDS = 60;
const COLOUR = 0x1abc9c;
/** Space for the line with the number of further wallets, and for empty lines. */
const REST_MAX = 200;
const SIDE_MAX = 30;
const URL_LIMIT = 150;
const QUIET_NAMED = 8;
const UNKNOWN_SHOWN = 3;

export interface DigestText {
  readonly schedule: Schedule;
  readonly period: Period;
  /** Wallets that were watched in the period. */
  readonly wallets: readonly WalletFigures[];
  /** Reference by which it is recognized in the channel's history. */
  readonly reference: string;
  readonly links: Links;
  /** Name of the attached picture; null if there is none. */
  readonly picture: string | null;
  readonly language: Language;
}

/** A digest, and the names of its markets at given widths. */
interface NamingText extends DigestText {
  readonly nameIn: ReturnType<typeof namesOf>;
}

/**
 * Returns the embed of a digest, within Discord's limits whatever the labels and titles contain.
 */
export function digestEmbed(digest: DigestText): APIEmbed {
  const { schedule, wallets, language } = digest;
  const busy = wallets.filter((wallet) => !isQuiet(wallet)).toSorted(byWeight);
  const settledHere = settledMarkets(wallets);
  const text = { ...digest, nameIn: namesIn(busy, settledHere.shown) };
  const behind = wallets.filter(({ isBehind }) => isBehind).length;
  const head = headLines(text, busy);
  if (behind > 0) {
    const areBehind = language.texts.digest.behind(...counted(behind, language));
    head.unshift(`⚠️ ${areBehind}`);
  }
  const settled = settledLines(settledHere, text.nameIn, text.links, language);
  const verdicts = verdictLines(wallets, language);
  for (const news of [settled, verdicts]) if (news.length > 0) head.push('', ...news);
  // The small print ends the head, but not after news.
  if (settled.length + verdicts.length > 0) head.push('');
  const list: string[] = [];
  if (busy.length > 0) {
    const spaceBelow = (lines: readonly string[]) =>
      EMBED_LIMITS.description - textLength([...head, ...lines].join('\n')) - REST_MAX;
    const unknown = unknownLines(busy, language);
    const shorter = unknown.map((_, index) => unknown.slice(0, unknown.length - index));
    const whole = [...quietLines(wallets.filter(isQuiet), language), ...unknown];
    // With long labels the quiet wallets are left out first. The head says that not all is known.
    const tail = [whole, ...shorter].find((lines) => spaceBelow(lines) >= 0) ?? [];
    list.push(...walletLines(busy, spaceBelow(tail), text), ...tail);
  }
  const name = language.texts.digest.title[schedule.every];
  const footer = [scheduleWords(schedule, language), alertReference(text.reference)];
  const embed = {
    title: `${name}${SEPARATOR}${periodWords(text)}`,
    description: [...head, ...list].join('\n'),
    color: COLOUR,
    footer: { text: footer.join(SEPARATOR) },
  };
  if (text.picture === null) return embed;
  return { ...embed, image: { url: `attachment://${text.picture}` } };
}

/** @param settled the markets whose settlement is shown */
function namesIn(
  busy: readonly WalletFigures[],
  settled: ReturnType<typeof settledMarkets>['shown'],
): NamingText['nameIn'] {
  const wanted = settled.map(({ market }) => ({ market, ems: OWN_LINE_EMS }));
  const headline = largestOf(busy)?.trade;
  if (headline !== undefined) wanted.push({ market: headline, ems: OWN_LINE_EMS });
  return namesOf(wanted);
}

/** Returns `Every day at 18:00 (Europe/Berlin)`. */
export function scheduleWords(
  { every, atMinutes, weekday, timeZone }: Schedule,
  language: Language,
): string {
  const texts = language.texts.digest;
  const clock = clockWords(atMinutes);
  if (every === 'day') return texts.everyDay(clock, timeZone);
  return texts.everyWeek(weekdayName(weekday, language), clock, timeZone);
}

/** Returns `Nov 20, 18:00 – Nov 21, 18:00`, in the wall-clock time of the schedule's zone. */
function periodWords({ schedule: { timeZone }, period, language: { tag } }: DigestText): string {
  const parts = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  const format = new Intl.DateTimeFormat(tag, { ...parts, timeZone });
  return format.formatRange(period.fromSeconds * 1000, period.toSeconds * 1000);
}

function headLines(text: NamingText, busy: readonly WalletFigures[]): string[] {
  const { period, wallets, language } = text;
  const { total } = language.texts.digest;
  const from = `<t:${period.fromSeconds}:f>`;
  const to = `<t:${period.toSeconds}:f>`;
  const count = counted(wallets.length, language);
  const isCut = wallets.some(
    ({ tradesSinceSeconds, transfersSinceSeconds, tradesGap, transfersGap }) =>
      [tradesSinceSeconds, transfersSinceSeconds, tradesGap, transfersGap].some(
        (unknown) => unknown !== null,
      ),
  );
  const areNew = wallets.some(({ watchedSinceSeconds }) => watchedSinceSeconds !== null);
  if (busy.length === 0) {
    const nothing = isCut || areNew ? total.nothingKnown : total.nothing;
    return [nothing(from, to, ...count)];
  }
  const { volume, net, ...all } = totalFigures(wallets);
  const largest = largestOf(wallets);
  const moved = happenings({ ...all, net }, language);
  const ofWallets = total.wallets(...count);
  const caveats = [areNew && total.sinceWatched, isCut && total.notAllKnown];
  if (all.trades === 0) return [`**${present(...moved)}**`, ...smallPrint(ofWallets, ...caveats)];
  const traded = language.format.compactUsdc(volume.toNumber());
  const lead = [total.lead(...counted(all.trades, language), traded)];
  if (largest !== undefined) {
    const trade = tradeText(largest.trade, text);
    lead.push(total.largest(nameOf(largest.trader), trade));
  }
  return [present(...lead), ...smallPrint(ofWallets, ...moved, ...caveats)];
}

/** Returns the lines of as many wallets as fit; the smallest others are only counted. */
function walletLines(
  busy: readonly WalletFigures[],
  maxCodePoints: number,
  text: DigestText,
): string[] {
  const { language } = text;
  const shown = joinFitting(busy, maxCodePoints, (wallet) => walletLine(wallet, text));
  const left = busy.slice(shown.included);
  if (left.length === 0) return [shown.text];
  const { volume, net } = totalFigures(left);
  const { rest } = language.texts.digest;
  const volumeOfRest = rest.volume(...counted(left.length, language), usdc(volume, language));
  const flowOfRest = rest.netFlow(signed(net, language.format.roundUsdc));
  return [shown.text, '', present(volumeOfRest, flowOfRest)];
}

/**
 * Returns `**Whale** · 31 trades, **$14,285**`, a line on a phone. Without trades it shows the
 * wallet's other activity.
 */
function walletLine(wallet: WalletFigures, { period, language }: DigestText): string {
  const { trades, tradesSinceSeconds, record } = wallet;
  // For a period without any known trades, nothing is said about trades.
  const isKnown = tradesSinceSeconds === null || tradesSinceSeconds < period.toSeconds;
  const name = `**${nameOf(wallet)}**`;
  const isBetter = record?.verdict === 'better' && language.texts.record.betterThanLuck;
  if (!isKnown || trades === 0) {
    const others = happenings({ ...wallet, net: netFlow(wallet) }, language);
    return present(name, isBetter, ...others);
  }
  const { traded } = language.texts.digest.wallet;
  const volume = usdc(volumeOf(wallet), language);
  return present(name, traded(...counted(trades, language), volume), isBetter);
}

/**
 * Returns `12 redemptions · 5 transfers · net deposits +$5,000`.
 *
 * @param net deposits minus withdrawals, in USDC
 */
function happenings(
  {
    redemptions,
    transfers,
    net,
  }: Pick<WalletFigures, 'redemptions' | 'transfers'> & { readonly net: Exact },
  language: Language,
): string[] {
  const { digest, alerts } = language.texts;
  const parts: string[] = [];
  if (redemptions > 0) parts.push(alerts.redemptions(...counted(redemptions, language)));
  if (transfers > 0) {
    const flow = signed(net, language.format.roundUsdc);
    parts.push(digest.wallet.transfers(...counted(transfers, language)));
    parts.push(digest.wallet.netFlow(flow));
  }
  return parts;
}

/**
 * Returns the parts of the period that are unknown or not counted, in small print: one line for all
 * wallets with the same words.
 */
function unknownLines(busy: readonly WalletFigures[], language: Language): string[] {
  const byReason = groupBy(busy, (wallet) => unknownParts(wallet, language).join(SEPARATOR));
  byReason.delete('');
  const lines = [...byReason].slice(0, UNKNOWN_SHOWN).flatMap(([reason, wallets]) => {
    const names = wallets.slice(0, UNKNOWN_SHOWN).map(nameOf);
    return smallPrint(listedOf(names, wallets.length, language), reason);
  });
  if (lines.length === 0) return [];
  return ['', ...lines];
}

function unknownParts(wallet: WalletFigures, language: Language): string[] {
  const { watchedSinceSeconds, tradesSinceSeconds, transfersSinceSeconds } = wallet;
  const { tradesGap, transfersGap } = wallet;
  const texts = language.texts.digest.wallet;
  const parts: string[] = [];
  if (watchedSinceSeconds !== null) parts.push(texts.watchedSince(`<t:${watchedSinceSeconds}:f>`));
  if (tradesSinceSeconds !== null) parts.push(texts.tradesSince(`<t:${tradesSinceSeconds}:f>`));
  if (transfersSinceSeconds === 'never') parts.push(texts.transfersUnknown);
  else if (transfersSinceSeconds !== null) {
    parts.push(texts.transfersSince(`<t:${transfersSinceSeconds}:f>`));
  }
  if (tradesGap !== null) parts.push(texts.tradesMissing(...minutesOf(tradesGap)));
  if (transfersGap !== null) parts.push(texts.transfersMissing(...minutesOf(transfersGap)));
  return parts;
}

/**
 * Returns the beginning and end of a gap, rounded outwards to full minutes, so that they always
 * differ.
 */
function minutesOf({ fromSeconds, toSeconds }: GapSpan): [from: string, to: string] {
  const from = Math.floor(fromSeconds / MINUTE_SECONDS);
  const to = Math.max(from + 1, Math.ceil(toSeconds / MINUTE_SECONDS));
  return [`<t:${from * MINUTE_SECONDS}:f>`, `<t:${to * MINUTE_SECONDS}:f>`];
}

/**
 * Returns `BUY **Yes $1,204** at 61.3¢ · Will it rain?`, as in its alert, with the amount paid
 * including fees.
 */
function tradeText(trade: LargestTrade, { links, language, nameIn }: NamingText): string {
  const { texts, format } = language;
  const { action, side, usdc: paid, priceCents } = trade;
  const { headline, marketWithoutTitle } = texts.alerts;
  const traded = headline.trade(
    action === 'Buy' ? headline.buy : headline.sell,
    wordAmongFigures(side, SIDE_MAX, headline.unknownOutcome, language),
    format.roundUsdc(paid),
    priceCents === null ? undefined : format.cents(priceCents),
  );
  const url = shortLinks(links, URL_LIMIT).market(trade);
  return present(traded, linkedName(nameIn(trade, OWN_LINE_EMS), url, marketWithoutTitle));
}

function quietLines(quiet: readonly WalletFigures[], { texts, format }: Language): string[] {
  if (quiet.length === 0) return [];
  const names = quiet.slice(0, QUIET_NAMED).map(nameOf);
  const more = quiet.length - names.length;
  if (more === 0) return ['', texts.digest.quiet(names)];
  return ['', texts.digest.quietAndMore(names, format.quantity(more))];
}

function nameOf({ wallet, label }: WalletFigures): string {
  return walletName(wallet, label);
}

function byWeight(a: WalletFigures, b: WalletFigures): number {
  return (
    volumeOf(b).comparedTo(volumeOf(a)) ||
    b.redeemed.comparedTo(a.redeemed) ||
    (a.wallet < b.wallet ? -1 : 1)
  );
}

function usdc(value: Exact, { format }: Language): string {
  return format.roundUsdc(value.toNumber());
}

/** Returns a formatted number and the number itself, on which the words next to it depend. */
function counted(number: number, { format }: Language): [figure: string, count: number] {
  return [format.quantity(number), number];
}
