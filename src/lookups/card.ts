import type { APIEmbed } from 'discord.js';
import { signedUsdc } from '../embeds/context-lines.ts';
import { escapeText, maskedLink, textLength } from '../embeds/escape.ts';
import { joinFitting } from '../embeds/join-fitting.ts';
import { EMBED_LIMITS } from '../embeds/limits.ts';
import { createLinks, type Links, shortLinks } from '../embeds/links.ts';
import type { NumberFormat } from '../language/figures.ts';
import type { Language } from '../language/language.ts';
import { Exact, quotient } from '../lib/exact.ts';
import { averageEntryCents } from '../portfolio/holding.ts';
import type { Portfolio } from '../portfolio/schema.ts';
import type { Score } from '../portfolio/score.ts';
import { percentile, SIZES_NEEDED } from '../portfolio/sizes.ts';
import { openPositions, realizedTotals } from '../portfolio/totals.ts';
import { volumeBetween } from '../portfolio/volume.ts';
import { shortAddress, type WalletAddress } from '../venue/address.ts';
import { type Reach, reachPhrase, WINDOWS } from './words.ts';

const COLOUR = 0x5865f2;
const LABEL_LIMIT = 64;
const TITLE_LIMIT = 60;
const SIDE_LIMIT = 30;
const URL_LIMIT = 150;
/** More would push the list off a phone. */
const CARD_LIMIT = 2_000;
const FOOTER_LIMIT = 40;
const POSITIONS_SHOWN = 5;
const DAY = 86_400;
const MONTH = 30 * DAY;
const NO_LINKS = createLinks({});

/** What a card tells of a wallet. */
export interface WalletCard {
  /** What the server calls the wallet. */
  readonly label: string | null;
  readonly wallet: WalletAddress;
  readonly portfolio: Portfolio;
  /** The walk that the book was written from; null: it was kept poll by poll. */
  readonly walked: Reach | null;
  /** The record of this server's alerts; null if none has rung. */
  readonly score: Score | null;
  readonly links: Links;
  readonly language: Language;
  /** The venue's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** When the wallet was looked at last, Unix seconds; null if that is not known. */
  readonly scannedFromSeconds: number | null;
}

/**
 * The embed above the list: what is known of a wallet, and since when. What is not known is left out. Volume is counted by
 * the hour, beyond two days by the UTC day.
 *
 * @param room code points that the message has left for it; positions, then lines from the last on, give way
 */
export function walletCardEmbed(card: WalletCard, room: number): APIEmbed {
  const { texts, format } = card.language;
  const title = escapeText(card.label ?? '', LABEL_LIMIT, shortAddress(card.wallet));
  const limit = Math.min(CARD_LIMIT, room - textLength(title) - FOOTER_LIMIT);
  const lines = [
    knownLine(card),
    volumeLine(card),
    ...realizedLine(card),
    ...rolesLine(card),
    ...sizeLine(card),
    ...transfersLine(card),
    ...scoreLines(card),
  ];
  // Links may be long, and fewer positions are better than none.
  const choices = [
    positionLines(card, POSITIONS_SHOWN, shortLinks(card.links, URL_LIMIT)),
    positionLines(card, POSITIONS_SHOWN, NO_LINKS),
    positionLines(card, 2, NO_LINKS),
    positionLines(card, 0, NO_LINKS),
  ].map((positions) => joinFitting([...lines, ...positions], limit));
  const { text, left } = choices.find((choice) => choice.left === 0) ?? joinFitting(lines, limit);
  return {
    title,
    description: text,
    color: COLOUR,
    ...(left === 0 ? {} : { footer: { text: texts.card.didNotFit(format.quantity(left), left) } }),
    ...(card.scannedFromSeconds === null ? {} : { timestamp: new Date(card.scannedFromSeconds * 1000).toISOString() }),
  };
}

/** What a message has left beside an embed of this size. */
export function spaceBeside(size: number): number {
  return EMBED_LIMITS.totalPerMessage - size;
}

function knownLine({ portfolio, walked, language }: WalletCard): string {
  const { texts, format } = language;
  const { fromList, knownFromFirst, knownSince, seen } = texts.card;
  if (walked !== null) return fromList(reachPhrase(walked, language));
  const known = portfolio.isWhole ? knownFromFirst : knownSince(`<t:${portfolio.sinceSeconds}:f>`);
  return `${known} · ${seen(format.quantity(portfolio.seen), portfolio.seen)}`;
}

function volumeLine({ portfolio, nowSeconds, language: { texts, format } }: WalletCard): string {
  const { volume, volumeIn, volumeAtLeast } = texts.card;
  const parts = WINDOWS.map(([name, length]) => {
    const fromSeconds = nowSeconds - length;
    const { sums } = volumeBetween(portfolio.volume, fromSeconds);
    const isAll = portfolio.isWhole || portfolio.sinceSeconds < fromSeconds;
    const say = isAll ? volumeIn : volumeAtLeast;
    return say(texts.lists.totals.windows[name], money(sums.bought.plus(sums.sold), format));
  });
  return volume(parts.join(' · '));
}

function realizedLine({ portfolio, language: { texts, format } }: WalletCard): string[] {
  const { realized, onClosed, onOthers } = texts.card;
  const { closed, others } = realizedTotals(portfolio);
  const gain = `${signedUsdc(closed.realized, format)}${gainOf(closed.realized, closed.cost, format)}`;
  const won = percent(closed.won / closed.count, format);
  const parts = [
    ...(closed.count === 0
      ? []
      : [onClosed(gain, format.quantity(closed.count), closed.count, format.quantity(closed.won), won)]),
    ...(others.isZero() ? [] : [onOthers(signedUsdc(others, format))]),
  ];
  return parts.length === 0 ? [] : [realized(parts.join(' · '))];
}

function rolesLine({ portfolio, nowSeconds, language: { texts, format } }: WalletCard): string[] {
  const { maker, taker } = volumeBetween(portfolio.volume, nowSeconds - MONTH).counts;
  const all = maker + taker;
  if (all === 0) return [];
  const taken = texts.card.taker(percent(taker / all, format), format.quantity(all), all);
  return [`${texts.card.maker(percent(maker / all, format))} · ${taken}`];
}

function sizeLine({ portfolio: { sizes }, language: { texts, format } }: WalletCard): string[] {
  const [median, p95] = [percentile(sizes, 50), percentile(sizes, 95)];
  if (median === null || p95 === null) return [];
  const trades = format.quantity(sizes.length);
  if (sizes.length < SIZES_NEEDED) return [texts.card.usualOfFew(format.usdc(median), trades, sizes.length)];
  return [texts.card.usual(format.usdc(median), format.usdc(p95), trades)];
}

function transfersLine({ portfolio, language: { texts, format } }: WalletCard): string[] {
  const { card } = texts;
  const since = portfolio.transfersSinceSeconds;
  if (since === null) return [];
  const day = `<t:${since}:d>`;
  const say = (last: Portfolio['lastDeposit']) => {
    if (last === null) return since === 0 ? card.noTransfer : card.noTransferSince(day);
    const [usdc, time] = [format.usdc(last.amount), `<t:${last.timeSeconds}:R>`];
    return last.timeSeconds < since ? card.transferBeforeGap(usdc, time, day) : card.transfer(usdc, time);
  };
  return [`${card.lastDeposit(say(portfolio.lastDeposit))} · ${card.lastWithdrawal(say(portfolio.lastWithdrawal))}`];
}

function scoreLines({ score, nowSeconds, language: { texts, format } }: WalletCard): string[] {
  if (score === null) return [];
  const say = texts.card.alerts;
  const won = format.quantity(Math.round(score.won * score.markets));
  const error = score.perDollarError === null ? '' : ` ± ${percent(score.perDollarError, format)}`;
  const waits = [
    ...(score.oldestOpenSeconds === null
      ? []
      : [say.open(format.quantity(score.open), format.duration(nowSeconds - score.oldestOpenSeconds))]),
    ...(score.givenUp === 0 ? [] : [say.givenUp(format.quantity(score.givenUp))]),
  ];
  if (score.markets === 0) return [[say.noneClosed, ...waits].join(' · ')];
  const share = percent(score.won, format);
  const [from, to] = [percent(score.wonFrom, format), percent(score.wonTo, format)];
  const perDollar = say.perDollar(`${signedPercent(score.perDollar, format)}${error}`);
  return [
    say.closed(format.quantity(score.markets), score.markets, won, share, from, to),
    [perDollar, ...(score.isSmall ? [say.smallSample] : [])].join(' · '),
    ...(waits.length === 0 ? [] : [waits.join(' · ')]),
  ];
}

function positionLines({ portfolio, language: { texts, format } }: WalletCard, shown: number, links: Links): string[] {
  const say = texts.card.positions;
  const open = openPositions(portfolio);
  const all = open.length + portfolio.folded.count;
  if (all === 0) return [];
  const cost = open.reduce((sum, { holding }) => sum.plus(holding.cost), new Exact(portfolio.folded.cost));
  const rows = open.slice(0, shown).map(({ position, holding }) => {
    const title = position.title || position.marketSlug;
    const market = maskedLink(title, links.market(position), TITLE_LIMIT, say.withoutTitle);
    const entry = averageEntryCents(holding);
    const shares = format.shares(new Exact(holding.shares).toNumber());
    return [
      `• ${market} ${escapeText(position.side, SIDE_LIMIT, say.withoutSide)}`,
      entry === null ? shares : say.at(shares, format.cents(entry)),
      say.cost(money(new Exact(holding.cost), format)),
    ].join(' · ');
  });
  const left = all - rows.length;
  return [
    `${say.open(format.quantity(all))} · ${say.cost(money(cost, format))}`,
    ...rows,
    ...(rows.length === 0 || left === 0 ? [] : [say.more(format.quantity(left))]),
  ];
}

function gainOf(realized: Exact, cost: Exact, format: NumberFormat): string {
  return cost.lte(0) ? '' : ` (${signedPercent(quotient(realized, cost).toNumber(), format)})`;
}

/** A share of one, in per cent with one decimal. */
function percent(share: number, format: NumberFormat): string {
  return `${format.quantity(Math.round(share * 1_000) / 10)} %`;
}

function signedPercent(share: number, format: NumberFormat): string {
  return `${share > 0 ? '+' : share < 0 ? '−' : ''}${percent(Math.abs(share), format)}`;
}

function money(usdc: Exact, format: NumberFormat): string {
  return format.usdc(usdc.toNumber());
}
