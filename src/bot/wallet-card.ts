import type { APIEmbed } from 'discord.js';
import { signedUsdc } from '../alert/context-lines.ts';
import { formatCents, formatDuration, formatQuantity, formatShares, formatUsdc } from '../alert/format.ts';
import { joinFitting } from '../alert/join-fitting.ts';
import { createLinks, type Links, shortLinks } from '../alert/links.ts';
import { EMBED_LIMITS } from '../alert/pack.ts';
import { escapeText, maskedLink, textLength } from '../alert/text.ts';
import { Exact } from '../book/exact.ts';
import { averageEntryCents } from '../book/holding.ts';
import type { Book } from '../book/schema.ts';
import type { Score } from '../book/score.ts';
import { percentile, SIZES_NEEDED } from '../book/sizes.ts';
import { openPositions, realizedTotals } from '../book/totals.ts';
import { volumeBetween } from '../book/volume.ts';
import { ENGLISH } from '../language/language.ts';
import { count } from '../look/words.ts';
import { shortAddress, type WalletAddress } from '../venue/address.ts';

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
const WINDOWS: readonly (readonly [name: string, seconds: number])[] = [
  ['24 h', DAY],
  ['7 d', 7 * DAY],
  ['30 d', MONTH],
];
const NO_LINKS = createLinks({});

/** What a card tells of a wallet. */
export interface WalletCard {
  /** What the server calls the wallet. */
  readonly label: string | null;
  readonly wallet: WalletAddress;
  readonly book: Book;
  /** How far the walk reaches that the book was written from, a sentence; null: it was kept poll by poll. */
  readonly walked: string | null;
  /** The record of this server's alerts; null if none has rung. */
  readonly score: Score | null;
  readonly links: Links;
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
    ...(left === 0 ? {} : { footer: { text: `${count(left, 'line')} did not fit` } }),
    ...(card.lookedSeconds === null ? {} : { timestamp: new Date(card.lookedSeconds * 1000).toISOString() }),
  };
}

/** What a message has left beside an embed of this size. */
export function roomBeside(size: number): number {
  return EMBED_LIMITS.totalPerMessage - size;
}

function knownLine({ book, walked }: WalletCard): string {
  if (walked !== null) return `From the list: ${walked.charAt(0).toLowerCase()}${walked.slice(1)}`;
  const since = book.isWhole ? 'from its first on' : `since <t:${book.sinceSeconds}:f>`;
  const seen = count(book.seen, 'trade or redemption', 'trades and redemptions');
  return `All trades known ${since} · ${seen} seen`;
}

function volumeLine({ book, nowSeconds }: WalletCard): string {
  const parts = WINDOWS.map(([name, length]) => {
    const fromSeconds = nowSeconds - length;
    const { sums } = volumeBetween(book.volume, fromSeconds);
    const isAll = book.isWhole || book.sinceSeconds < fromSeconds;
    return `${name} ${isAll ? '' : 'at least '}${money(sums.bought.plus(sums.sold))}`;
  });
  return `**Volume** ${parts.join(' · ')}`;
}

function realizedLine({ book }: WalletCard): string[] {
  const { closed, others } = realizedTotals(book);
  const parts = [
    ...(closed.count === 0
      ? []
      : [
          `${signedUsdc(closed.realized, ENGLISH.figures)}${gainOf(closed.realized, closed.cost)} on ${count(closed.count, 'closed position')}, ${closed.won} won (${percent(closed.won / closed.count)})`,
        ]),
    ...(others.isZero() ? [] : [`${signedUsdc(others, ENGLISH.figures)} on what is known of others`]),
  ];
  return parts.length === 0 ? [] : [`**Realized** ${parts.join(' · ')}`];
}

function rolesLine({ book, nowSeconds }: WalletCard): string[] {
  const { maker, taker } = volumeBetween(book.volume, nowSeconds - MONTH).counts;
  const all = maker + taker;
  if (all === 0) return [];
  return [
    `**Maker** ${percent(maker / all)} · **taker** ${percent(taker / all)} of ${count(all, 'fill')} seen in 30 d`,
  ];
}

function sizeLine({ book: { sizes } }: WalletCard): string[] {
  const [median, p95] = [percentile(sizes, 50), percentile(sizes, 95)];
  if (median === null || p95 === null) return [];
  const usual = `**Usual trade** median ${formatUsdc(median)}`;
  if (sizes.length < SIZES_NEEDED) return [`${usual} of only ${count(sizes.length, 'trade')}`];
  return [`${usual}, 95 % up to ${formatUsdc(p95)}, of the last ${sizes.length} trades`];
}

function transfersLine({ book }: WalletCard): string[] {
  const since = book.transfersSinceSeconds;
  if (since === null) return [];
  const words = (last: Book['lastDeposit']) => {
    if (last === null) return since === 0 ? 'none' : `none since <t:${since}:d>`;
    const isBeforeGap = last.timeSeconds < since;
    return `${formatUsdc(last.amount)} <t:${last.timeSeconds}:R>${isBeforeGap ? ` (all known since <t:${since}:d>)` : ''}`;
  };
  return [`**Last deposit** ${words(book.lastDeposit)} · **last withdrawal** ${words(book.lastWithdrawal)}`];
}

function scoreLines({ score, nowSeconds }: WalletCard): string[] {
  if (score === null) return [];
  const won = Math.round(score.won * score.markets);
  const interval = `${percent(score.wonFrom)} to ${percent(score.wonTo)}`;
  const error = score.perDollarError === null ? '' : ` ± ${percent(score.perDollarError)}`;
  const waits = [
    ...(score.oldestOpenSeconds === null
      ? []
      : [`${score.open} still open, the oldest for ${formatDuration(nowSeconds - score.oldestOpenSeconds)}`]),
    ...(score.givenUp === 0 ? [] : [`${score.givenUp} given up unseen`]),
  ];
  if (score.markets === 0) return [`**Alerts here** no market closed yet${waits.map((part) => ` · ${part}`).join('')}`];
  return [
    `**Alerts here** ${count(score.markets, 'closed market')}, ${won} won (${percent(score.won)}; 95 % interval ${interval})`,
    `${signedPercent(score.perDollar)}${error} per dollar at the alert’s price, after fees${score.isSmall ? ' · a small sample' : ''}`,
    ...(waits.length === 0 ? [] : [waits.join(' · ')]),
  ];
}

function positionLines({ book }: WalletCard, shown: number, links: Links): string[] {
  const open = openPositions(book);
  const all = open.length + book.folded.count;
  if (all === 0) return [];
  const cost = open.reduce((sum, { holding }) => sum.plus(holding.cost), new Exact(book.folded.cost));
  const rows = open.slice(0, shown).map(({ position, holding }) => {
    const market = maskedLink(
      position.title || position.marketSlug,
      links.market(position),
      TITLE_LIMIT,
      'Market without a title',
    );
    const entry = averageEntryCents(holding);
    return [
      `• ${market} ${escapeText(position.side, SIDE_LIMIT, 'shares')}`,
      `${formatShares(new Exact(holding.shares).toNumber())}${entry === null ? '' : ` at ${formatCents(entry)}`}`,
      `cost ${money(new Exact(holding.cost))}`,
    ].join(' · ');
  });
  const left = all - rows.length;
  return [
    `**Open positions** ${formatQuantity(all)} · cost ${money(cost)}`,
    ...rows,
    ...(rows.length === 0 || left === 0 ? [] : [`… and ${formatQuantity(left)} more`]),
  ];
}

function gainOf(realized: Exact, cost: Exact): string {
  return cost.lte(0) ? '' : ` (${signedPercent(realized.div(cost).toNumber())})`;
}

/** A share of one, in per cent with one decimal. */
function percent(share: number): string {
  return `${formatQuantity(Math.round(share * 1_000) / 10)} %`;
}

function signedPercent(share: number): string {
  return `${share > 0 ? '+' : share < 0 ? '−' : ''}${percent(Math.abs(share))}`;
}

function money(usdc: Exact): string {
  return formatUsdc(usdc.toNumber());
}
