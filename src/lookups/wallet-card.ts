import type { APIEmbed } from 'discord.js';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import { signedPercent, signedUsdc } from '../embeds/context-lines.ts';
import { createLinks, type Links, shortLinks } from '../embeds/links.ts';
import { fullRecord } from '../embeds/record-lines.ts';
import { escapeText, maskedLink, textLength, wordAmongFigures } from '../embeds/text/escape.ts';
import { joinFitting } from '../embeds/text/join-fitting.ts';
import { EMBED_LIMITS } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import type { NumberFormat } from '../language/number-format.ts';
import { Exact, quotient, sum } from '../lib/exact.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { averageEntryCents } from '../portfolio/positions/holding.ts';
import { isAllKnown } from '../portfolio/positions/known-markets.ts';
import { openPositions, realizedTotals } from '../portfolio/positions/totals.ts';
import type { RoomRecord } from '../portfolio/record/room-record.ts';
import { SIZES_NEEDED, usualSizes } from '../portfolio/trades/sizes.ts';
import { volumeBetween } from '../portfolio/trades/volume.ts';
import { coveragePhrase, mergeEqual, type ScanCoverage, WINDOWS } from './list-summary.ts';

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

/** What a wallet card shows. */
export interface WalletCard {
  /** The owner's label of the wallet. */
  readonly label: string | null;
  readonly wallet: WalletAddress;
  readonly portfolio: Portfolio;
  /** The part of the list from which the portfolio was worked out; null if it was kept poll by poll. */
  readonly coverage: ScanCoverage | null;
  /** The wallet's record for the owner's channel that has watched it for the longest time; null if none watches it. */
  readonly record: RoomRecord | null;
  readonly links: Links;
  readonly language: Language;
  /** The venue's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** Unix seconds of the newest poll or look-up of the wallet; null if unknown. */
  readonly scannedFromSeconds: number | null;
}

/**
 * The embed above the list of `/activity`: what is known of a wallet, and since when. Unknown parts are left out.
 *
 * @param maxCodePoints that the message has left for it; positions are left out first, then lines from the last on
 */
export function walletCardEmbed(card: WalletCard, maxCodePoints: number): APIEmbed {
  const { texts, format } = card.language;
  const title = escapeText(card.label ?? '', LABEL_LIMIT, shortAddress(card.wallet));
  const limit = Math.min(CARD_LIMIT, maxCodePoints - textLength(title) - FOOTER_LIMIT);
  const lines = [
    ...realizedLine(card),
    ...recordLines(card),
    ...volumeLine(card),
    ...sizeLine(card),
    ...rolesLine(card),
    ...transfersLine(card),
    `-# ${knownLine(card)}`,
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

function knownLine({ portfolio, coverage, language }: WalletCard): string {
  const { texts, format } = language;
  const { fromList, knownFromFirst, knownSince, seen } = texts.card;
  if (coverage !== null) return fromList(coveragePhrase(coverage, language));
  const known = portfolio.isWhole ? knownFromFirst : knownSince(`<t:${portfolio.sinceSeconds}:f>`);
  return `${known} · ${seen(format.quantity(portfolio.seen), portfolio.seen)}`;
}

/** Of the times of which all trades are known. */
function volumeLine({ portfolio, nowSeconds, language }: WalletCard): string[] {
  const { texts, format } = language;
  const { windows } = texts.lists.totals;
  const known = WINDOWS.filter(([, length]) => portfolio.isWhole || portfolio.sinceSeconds < nowSeconds - length);
  const volumes = known.map(([name, length]): [string, string] => {
    const { sums } = volumeBetween(portfolio.volume, nowSeconds - length);
    return [windows[name], money(sums.bought.plus(sums.sold), format)];
  });
  const parts = mergeEqual(volumes, language).map(([names, sum]) => texts.card.volumeIn(names, sum));
  return parts.length === 0 ? [] : [texts.card.volume(parts.join(' · '))];
}

function realizedLine({ portfolio, language: { texts, format } }: WalletCard): string[] {
  if (!isAllKnown(portfolio)) return [];
  const { realized, onClosed, onOpen } = texts.card;
  const { closed, open } = realizedTotals(portfolio);
  const gain = `${signedUsdc(closed.realized, format)}${gainOf(closed.realized, closed.cost, format)}`;
  const won = format.percent((closed.won / closed.count) * 100);
  const parts = [
    ...(closed.count === 0
      ? []
      : [onClosed(gain, format.quantity(closed.count), closed.count, format.quantity(closed.won), won)]),
    ...(open.isZero() ? [] : [onOpen(signedUsdc(open, format))]),
  ];
  return parts.length === 0 ? [] : [realized(parts.join(' · '))];
}

function rolesLine({ portfolio, nowSeconds, language: { texts, format } }: WalletCard): string[] {
  const { maker, taker } = volumeBetween(portfolio.volume, nowSeconds - MONTH).counts;
  const all = maker + taker;
  if (all === 0) return [];
  const taken = texts.card.taker(format.percent((taker / all) * 100), format.quantity(all), all);
  return [`${texts.card.maker(format.percent((maker / all) * 100))} · ${taken}`];
}

function sizeLine({ portfolio: { sizes }, language: { texts, format } }: WalletCard): string[] {
  const usual = usualSizes(sizes.map(([, usdc]) => usdc));
  if (usual === null) return [];
  const [median, p95] = [format.usdc(usual.median), format.usdc(usual.p95)];
  const trades = format.quantity(sizes.length);
  if (sizes.length < SIZES_NEEDED) return [texts.card.usualOfFew(median, trades, sizes.length)];
  return [texts.card.usual(median, p95, trades)];
}

function transfersLine({ portfolio, language: { texts, format } }: WalletCard): string[] {
  const { card } = texts;
  const since = portfolio.transfersSinceSeconds;
  if (since === null) return [];
  const day = `<t:${since}:d>`;
  const describe = (last: Portfolio['lastDeposit']) => {
    if (last === null) return since === 0 ? card.noTransfer : card.noTransferSince(day);
    const [usdc, time] = [format.usdc(last.amount), `<t:${last.timeSeconds}:R>`];
    return last.timeSeconds < since ? card.transferBeforeGap(usdc, time, day) : card.transfer(usdc, time);
  };
  return [
    `${card.lastDeposit(describe(portfolio.lastDeposit))} · ${card.lastWithdrawal(describe(portfolio.lastWithdrawal))}`,
  ];
}

function recordLines({ record, language }: WalletCard): string[] {
  if (record === null) return [];
  const [first = '', ...others] = fullRecord(record, language);
  return [language.texts.card.record(first), ...others];
}

function positionLines({ portfolio, language: { texts, format } }: WalletCard, shown: number, links: Links): string[] {
  const { positions } = texts.card;
  const open = isAllKnown(portfolio) ? openPositions(portfolio) : [];
  if (open.length === 0) return [];
  const cost = sum(open.map(({ held }) => held.cost));
  const rows = open.slice(0, shown).map((position) => {
    const { held } = position;
    const title = position.title || position.marketSlug;
    const market = maskedLink(title, links.market(position), TITLE_LIMIT, positions.withoutTitle);
    const entry = averageEntryCents(held);
    const shares = format.shares(new Exact(held.shares).toNumber());
    return [
      `• ${market} ${wordAmongFigures(position.side, SIDE_LIMIT, positions.withoutSide)}`,
      entry === null ? shares : positions.at(shares, format.cents(entry)),
      positions.cost(money(new Exact(held.cost), format)),
    ].join(' · ');
  });
  const left = open.length - rows.length;
  return [
    `${positions.open(format.quantity(open.length))} · ${positions.cost(money(cost, format))}`,
    ...rows,
    ...(rows.length === 0 || left === 0 ? [] : [positions.more(format.quantity(left))]),
  ];
}

function gainOf(realized: Exact, cost: Exact, format: NumberFormat): string {
  return cost.lte(0) ? '' : ` (${signedPercent(quotient(realized, cost), format)})`;
}

function money(usdc: Exact, format: NumberFormat): string {
  return format.usdc(usdc.toNumber());
}
