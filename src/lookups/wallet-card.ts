import type { APIEmbed, APIEmbedField } from 'discord.js';
import type { WalletAddress } from '../domain/address.ts';
import { gainText, signed } from '../embeds/context-lines.ts';
import { smallPrint, walletName } from '../embeds/embed-parts.ts';
import { createLinks, type Links, shortLinks } from '../embeds/links.ts';
import { fullRecord } from '../embeds/record-lines.ts';
import { maskedLink, wordAmongFigures } from '../embeds/text/escape.ts';
import { embedSize } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { Exact, quotient, sum } from '../lib/exact.ts';
import { isAllKnown, openPositions, type Portfolio, realizedTotals } from '../portfolio/portfolio.ts';
import { averageEntryCents } from '../portfolio/positions/position.ts';
import type { RoomRecord } from '../portfolio/record/standing.ts';
import { SIZES_NEEDED, usualSizes } from '../portfolio/trades/trades.ts';
import { volumeBetween } from '../portfolio/trades/volume.ts';
import { LABEL_LIMIT } from '../watches/watch.ts';
import { coveragePhrase, mergeEqual, type ScanCoverage, WINDOWS } from './list-summary.ts';

const COLOUR = 0x5865f2;
const TITLE_LIMIT = 18;
const SIDE_LIMIT = 30;
const URL_LIMIT = 150;
/** More would push the list off a phone; a field takes half of it. */
const CARD_LIMIT = 2_000;
const FOOTER_LIMIT = 40;
const POSITIONS_SHOWN = 3;
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
 * @param maxCodePoints that the message has left for it; positions are left out first, then fields from the last on
 */
export function walletCardEmbed(card: WalletCard, maxCodePoints: number): APIEmbed {
  const { texts, format } = card.language;
  const frame = {
    title: walletName(card.wallet, card.label, LABEL_LIMIT),
    description: `-# ${knownLine(card)}`,
    color: COLOUR,
    ...(card.scannedFromSeconds === null ? {} : { timestamp: new Date(card.scannedFromSeconds * 1000).toISOString() }),
  };
  const limit = Math.min(CARD_LIMIT, maxCodePoints - FOOTER_LIMIT);
  const figures = [
    ...realizedField(card),
    ...sizeField(card),
    ...volumeField(card),
    ...transferFields(card),
    ...recordField(card),
  ];
  const fits = (fields: APIEmbedField[]) => embedSize({ ...frame, fields }) <= limit;
  // Links may be long, and fewer positions are better than none.
  const choices = [
    positionsField(card, POSITIONS_SHOWN, shortLinks(card.links, URL_LIMIT)),
    positionsField(card, POSITIONS_SHOWN, NO_LINKS),
    positionsField(card, 0, NO_LINKS),
  ].map((positions) => [...figures, ...positions]);
  const whole = choices.find(fits);
  if (whole !== undefined) return { ...frame, fields: whole };
  const [all = []] = choices;
  const shown = figures.findLastIndex((_, index) => fits(figures.slice(0, index + 1))) + 1;
  const left = all.length - shown;
  return {
    ...frame,
    fields: figures.slice(0, shown),
    footer: { text: texts.card.didNotFit(format.quantity(left), left) },
  };
}

/** From when on what is known, and who takes: in small print. */
function knownLine(card: WalletCard): string {
  const { portfolio, coverage, language } = card;
  const { fromList, knownFromFirst, knownSince } = language.texts.card;
  const known = portfolio.isWhole ? knownFromFirst : knownSince(`<t:${portfolio.sinceSeconds}:f>`);
  const basis = coverage === null ? known : fromList(coveragePhrase(coverage, language));
  return [basis, ...takerPart(card)].join(' · ');
}

/** Of the times of which all trades are known. */
function volumeField({ portfolio, nowSeconds, language }: WalletCard): APIEmbedField[] {
  const { texts, format } = language;
  const { windows } = texts.lists.totals;
  // Three do not fit in a line of a phone.
  const shown = WINDOWS.filter(([name]) => name !== 'week');
  const known = shown.filter(([, length]) => portfolio.isWhole || portfolio.sinceSeconds < nowSeconds - length);
  const volumes = known.map(([name, length]): [string, string] => {
    const { bought, sold } = volumeBetween(portfolio.volume, nowSeconds - length);
    return [windows[name], format.roundUsdc(bought.plus(sold).toNumber())];
  });
  const parts = mergeEqual(volumes, language).map(([names, sum]) => texts.card.volumeIn(names, `**${sum}**`));
  return parts.length === 0 ? [] : [{ name: texts.card.names.volume, value: parts.join(' · ') }];
}

function realizedField({ portfolio, language }: WalletCard): APIEmbedField[] {
  if (!isAllKnown(portfolio)) return [];
  const { texts, format } = language;
  const { names, won, onOpen } = texts.card;
  const { closed, open } = realizedTotals(portfolio);
  return figure(
    names.realized,
    ...(closed.count === 0
      ? []
      : [
          gainText(closed.realized, closed.cost, language, format.roundUsdc),
          won(format.quantity(closed.won), format.quantity(closed.count), closed.count),
        ]),
    ...(open.isZero() ? [] : [onOpen(signed(open, format.roundUsdc))]),
  );
}

function takerPart({ portfolio, nowSeconds, language: { texts, format } }: WalletCard): string[] {
  const { maker, taker } = volumeBetween(portfolio.volume, nowSeconds - MONTH);
  const all = maker.plus(taker);
  return all.isZero() ? [] : [texts.card.taker(format.percent(quotient(taker, all).times(100).toNumber()))];
}

function sizeField({ portfolio: { sizes }, language: { texts, format } }: WalletCard): APIEmbedField[] {
  const usual = usualSizes(sizes.map(([, usdc]) => usdc));
  if (usual === null) return [];
  const { names, ofFew, upTo } = texts.card;
  const trades = format.quantity(sizes.length);
  const basis = sizes.length < SIZES_NEEDED ? ofFew(trades, sizes.length) : upTo(format.roundUsdc(usual.p95));
  return figure(names.usual, `**${format.roundUsdc(usual.median)}**`, basis);
}

function transferFields({ portfolio, language: { texts, format } }: WalletCard): APIEmbedField[] {
  const { card } = texts;
  const since = portfolio.transfersSinceSeconds;
  if (since === null) return [];
  const day = `<t:${since}:d>`;
  const said = (last: Portfolio['lastDeposit']) => {
    if (last === null) return [since === 0 ? `**${card.noTransfer}**` : `**${card.noTransfer}** ${card.since(day)}`];
    const isBeforeGap = last.timeSeconds < since;
    return [
      `**${format.roundUsdc(last.amount)}** <t:${last.timeSeconds}:R>`,
      ...(isBeforeGap ? [card.completeSince(day)] : []),
    ];
  };
  return [
    ...figure(card.names.lastDeposit, ...said(portfolio.lastDeposit)),
    ...figure(card.names.lastWithdrawal, ...said(portfolio.lastWithdrawal)),
  ];
}

function recordField({ record, language }: WalletCard): APIEmbedField[] {
  if (record === null) return [];
  const [first = '', ...others] = fullRecord(record, language);
  const value = [first, ...others.flatMap((line) => smallPrint(line))].join('\n');
  return [{ name: language.texts.card.names.record, value }];
}

function positionsField({ portfolio, language }: WalletCard, shown: number, links: Links): APIEmbedField[] {
  const { texts, format } = language;
  const { names, positions } = texts.card;
  const open = isAllKnown(portfolio) ? openPositions(portfolio) : [];
  if (open.length === 0) return [];
  const cost = format.roundUsdc(sum(open.map(({ held }) => held.cost)).toNumber());
  const rows = open.slice(0, shown).map((position) => {
    const { held } = position;
    const title = position.title || position.marketSlug;
    const market = maskedLink(title, links.market(position), TITLE_LIMIT, positions.withoutTitle);
    const side = wordAmongFigures(position.side, SIDE_LIMIT, positions.withoutSide);
    const paid = `**${side} ${format.roundUsdc(new Exact(held.cost).toNumber())}**`;
    const entry = averageEntryCents(held);
    return [entry === null ? paid : positions.at(paid, format.cents(entry)), market].join(' · ');
  });
  const all = positions.all(format.quantity(open.length), open.length, cost);
  const rest = rows.length === 0 ? [all] : rows;
  return [{ name: rows.length === 0 ? names.positions : `${names.positions}: ${all}`, value: rest.join('\n') }];
}

/** A field beside others: a figure, and what it rests on. None without a line. */
function figure(name: string, ...lines: readonly string[]): APIEmbedField[] {
  return lines.length === 0 ? [] : [{ name, value: lines.join('\n'), inline: true }];
}
