import type { APIEmbed } from 'discord.js';
import { signedUsdc } from '../embeds/context-lines.ts';
import { escapeText, maskedLink, textLength } from '../embeds/escape.ts';
import { joinFitting } from '../embeds/join-fitting.ts';
import { EMBED_LIMITS } from '../embeds/limits.ts';
import { createLinks, type Links, shortLinks } from '../embeds/links.ts';
import type { Figures } from '../language/figures.ts';
import type { Language } from '../language/language.ts';
import { Exact } from '../portfolio/exact.ts';
import { averageEntryCents } from '../portfolio/holding.ts';
import type { Book } from '../portfolio/schema.ts';
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
  readonly book: Book;
  /** The walk that the book was written from; null: it was kept poll by poll. */
  readonly walked: Reach | null;
  /** The record of this server's alerts; null if none has rung. */
  readonly score: Score | null;
  readonly links: Links;
  readonly language: Language;
  /** The venue's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** When the wallet was looked at last, Unix seconds; null if that is not known. */
  readonly lookedSeconds: number | null;
}

/**
 * The embed above the list: what is known of a wallet, and since when. What is not known is left out. Volume is counted by
 * the hour, beyond two days by the UTC day.
 *
 * @param room code points that the message has left for it; positions, then lines from the last on, give way
 */
export function walletCardEmbed(card: WalletCard, room: number): APIEmbed {
  const { words, figures } = card.language;
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
    ...(left === 0 ? {} : { footer: { text: words.card.didNotFit(figures.quantity(left), left) } }),
    ...(card.lookedSeconds === null ? {} : { timestamp: new Date(card.lookedSeconds * 1000).toISOString() }),
  };
}

/** What a message has left beside an embed of this size. */
export function roomBeside(size: number): number {
  return EMBED_LIMITS.totalPerMessage - size;
}

function knownLine({ book, walked, language }: WalletCard): string {
  const { words, figures } = language;
  const { fromList, knownFromFirst, knownSince, seen } = words.card;
  if (walked !== null) return fromList(reachPhrase(walked, language));
  const known = book.isWhole ? knownFromFirst : knownSince(`<t:${book.sinceSeconds}:f>`);
  return `${known} · ${seen(figures.quantity(book.seen), book.seen)}`;
}

function volumeLine({ book, nowSeconds, language: { words, figures } }: WalletCard): string {
  const { volume, volumeIn, volumeAtLeast } = words.card;
  const parts = WINDOWS.map(([name, length]) => {
    const fromSeconds = nowSeconds - length;
    const { sums } = volumeBetween(book.volume, fromSeconds);
    const isAll = book.isWhole || book.sinceSeconds < fromSeconds;
    const say = isAll ? volumeIn : volumeAtLeast;
    return say(words.lists.totals.windows[name], money(sums.bought.plus(sums.sold), figures));
  });
  return volume(parts.join(' · '));
}

function realizedLine({ book, language: { words, figures } }: WalletCard): string[] {
  const { realized, onClosed, onOthers } = words.card;
  const { closed, others } = realizedTotals(book);
  const gain = `${signedUsdc(closed.realized, figures)}${gainOf(closed.realized, closed.cost, figures)}`;
  const won = percent(closed.won / closed.count, figures);
  const parts = [
    ...(closed.count === 0
      ? []
      : [onClosed(gain, figures.quantity(closed.count), closed.count, figures.quantity(closed.won), won)]),
    ...(others.isZero() ? [] : [onOthers(signedUsdc(others, figures))]),
  ];
  return parts.length === 0 ? [] : [realized(parts.join(' · '))];
}

function rolesLine({ book, nowSeconds, language: { words, figures } }: WalletCard): string[] {
  const { maker, taker } = volumeBetween(book.volume, nowSeconds - MONTH).counts;
  const all = maker + taker;
  if (all === 0) return [];
  const taken = words.card.taker(percent(taker / all, figures), figures.quantity(all), all);
  return [`${words.card.maker(percent(maker / all, figures))} · ${taken}`];
}

function sizeLine({ book: { sizes }, language: { words, figures } }: WalletCard): string[] {
  const [median, p95] = [percentile(sizes, 50), percentile(sizes, 95)];
  if (median === null || p95 === null) return [];
  const trades = figures.quantity(sizes.length);
  if (sizes.length < SIZES_NEEDED) return [words.card.usualOfFew(figures.usdc(median), trades, sizes.length)];
  return [words.card.usual(figures.usdc(median), figures.usdc(p95), trades)];
}

function transfersLine({ book, language: { words, figures } }: WalletCard): string[] {
  const { card } = words;
  const since = book.transfersSinceSeconds;
  if (since === null) return [];
  const day = `<t:${since}:d>`;
  const say = (last: Book['lastDeposit']) => {
    if (last === null) return since === 0 ? card.noTransfer : card.noTransferSince(day);
    const [usdc, time] = [figures.usdc(last.amount), `<t:${last.timeSeconds}:R>`];
    return last.timeSeconds < since ? card.transferBeforeGap(usdc, time, day) : card.transfer(usdc, time);
  };
  return [`${card.lastDeposit(say(book.lastDeposit))} · ${card.lastWithdrawal(say(book.lastWithdrawal))}`];
}

function scoreLines({ score, nowSeconds, language: { words, figures } }: WalletCard): string[] {
  if (score === null) return [];
  const say = words.card.alerts;
  const won = figures.quantity(Math.round(score.won * score.markets));
  const error = score.perDollarError === null ? '' : ` ± ${percent(score.perDollarError, figures)}`;
  const waits = [
    ...(score.oldestOpenSeconds === null
      ? []
      : [say.open(figures.quantity(score.open), figures.duration(nowSeconds - score.oldestOpenSeconds))]),
    ...(score.givenUp === 0 ? [] : [say.givenUp(figures.quantity(score.givenUp))]),
  ];
  if (score.markets === 0) return [[say.noneClosed, ...waits].join(' · ')];
  const share = percent(score.won, figures);
  const [from, to] = [percent(score.wonFrom, figures), percent(score.wonTo, figures)];
  const perDollar = say.perDollar(`${signedPercent(score.perDollar, figures)}${error}`);
  return [
    say.closed(figures.quantity(score.markets), score.markets, won, share, from, to),
    [perDollar, ...(score.isSmall ? [say.smallSample] : [])].join(' · '),
    ...(waits.length === 0 ? [] : [waits.join(' · ')]),
  ];
}

function positionLines({ book, language: { words, figures } }: WalletCard, shown: number, links: Links): string[] {
  const say = words.card.positions;
  const open = openPositions(book);
  const all = open.length + book.folded.count;
  if (all === 0) return [];
  const cost = open.reduce((sum, { holding }) => sum.plus(holding.cost), new Exact(book.folded.cost));
  const rows = open.slice(0, shown).map(({ position, holding }) => {
    const title = position.title || position.marketSlug;
    const market = maskedLink(title, links.market(position), TITLE_LIMIT, say.withoutTitle);
    const entry = averageEntryCents(holding);
    const shares = figures.shares(new Exact(holding.shares).toNumber());
    return [
      `• ${market} ${escapeText(position.side, SIDE_LIMIT, say.withoutSide)}`,
      entry === null ? shares : say.at(shares, figures.cents(entry)),
      say.cost(money(new Exact(holding.cost), figures)),
    ].join(' · ');
  });
  const left = all - rows.length;
  return [
    `${say.open(figures.quantity(all))} · ${say.cost(money(cost, figures))}`,
    ...rows,
    ...(rows.length === 0 || left === 0 ? [] : [say.more(figures.quantity(left))]),
  ];
}

function gainOf(realized: Exact, cost: Exact, figures: Figures): string {
  return cost.lte(0) ? '' : ` (${signedPercent(realized.div(cost).toNumber(), figures)})`;
}

/** A share of one, in per cent with one decimal. */
function percent(share: number, figures: Figures): string {
  return `${figures.quantity(Math.round(share * 1_000) / 10)} %`;
}

function signedPercent(share: number, figures: Figures): string {
  return `${share > 0 ? '+' : share < 0 ? '−' : ''}${percent(Math.abs(share), figures)}`;
}

function money(usdc: Exact, figures: Figures): string {
  return figures.usdc(usdc.toNumber());
}
