import type { APIEmbed, APIEmbedField } from 'discord.js';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { gainText, signed } from '../../src/embeds/context-lines.ts';
import { EMBED_COLOURS, present, walletName } from '../../src/embeds/embed-parts.ts';
import { type Links, shortLinks } from '../../src/embeds/links.ts';
import { fullRecord } from '../../src/embeds/record-lines.ts';
import { maskedLink, wordAmongFigures } from '../../src/embeds/text/escape.ts';
import { embedSize } from '../../src/embeds/text/limits.ts';
import { inTurns } from '../../src/lib/async/turns.ts';
import { Exact, quotient, sum } from '../../src/lib/exact.ts';
import { coveragePhrase, mergeEqual, WINDOWS } from '../../src/lookups/list-summary.ts';
import { FIRST_RECORDS, isWhole, type PageScan } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import {
  isAllKnown,
  newPortfolio,
  openPositions,
  type Portfolio,
  realizedTotals,
} from '../../src/portfolio/portfolio.ts';
import { averageEntryCents } from '../../src/portfolio/positions/position.ts';
import type { RoomRecord } from '../../src/portfolio/record/room-record.ts';
import {
  SIZES_KEPT,
  SIZES_NEEDED,
  tradeSizes,
  usualSizes,
} from '../../src/portfolio/trades/trades.ts';
import { volumeBetween } from '../../src/portfolio/trades/volume.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import {
  beganSecondsOf,
  joinedBy,
  knowsAll,
  LABEL_LIMIT,
  seenSinceOf,
} from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';

const TITLE_LIMIT = 18;
const SIDE_LIMIT = 30;
const URL_LIMIT = 150;
/** More would push the list off a phone; a field takes half of it. */
const CARD_LIMIT = 2_000;
const FOOTER_LIMIT = 40;
const POSITIONS_SHOWN = 3;
const DAY = 86_400;
const MONTH = 30 * DAY;

type CardContext = Pick<
  CommandContext,
  'watchesForAll' | 'labelOf' | 'knowledge' | 'recordFor' | 'links' | 'venueNowSeconds' | 'language'
> & { readonly feed: Pick<CommandContext['feed'], 'lastSeconds'> };

/** A card, rendered into so many code points. */
export type CardIn = (space: number) => APIEmbed;

/**
 * A wallet's card for a server: from the stored portfolio if this server watches the wallet and all
 * of its history is known, else from the list alone. What was seen for another server stays unknown
 * to this one: a portfolio that begins before its own watch is not used.
 *
 * @returns null if nothing is known
 */
export async function readCard(
  {
    watchesForAll,
    labelOf,
    knowledge,
    recordFor,
    feed,
    links,
    venueNowSeconds,
    language,
  }: CardContext,
  { wallet, typed, asOfSeconds }: Pick<Pager, 'wallet' | 'typed' | 'asOfSeconds'>,
  scan: PageScan<ActivityItem>,
): Promise<CardIn | null> {
  const watches = watchesForAll(wallet);
  const joined = joinedBy(watches);
  const kept = watches.length === 0 ? undefined : await knowledge(wallet);
  // The channel that has watched it for the longest time.
  const [oldest] = watches.toSorted((a, b) => beganSecondsOf(a) - beganSecondsOf(b));
  const nowSeconds = venueNowSeconds();
  const record = oldest === undefined ? null : recordFor(kept, oldest);
  const common = { label: labelOf(wallet, typed), wallet, links, language, record };
  const scannedFromSeconds =
    kept === undefined ? null : feed.lastSeconds({ wallet, name: 'activity' });
  const beganSeconds = Math.min(...watches.map(seenSinceOf));
  // What is stored of a part of the history, or before this server's own first poll, would tell who
  // came first: then the list, for everybody alike.
  if (
    kept === undefined ||
    scannedFromSeconds === null ||
    scannedFromSeconds < beganSeconds ||
    !kept.portfolio.isWhole ||
    !knowsAll(joined, kept.portfolio)
  ) {
    if (scan.items.length === 0 || !scan.isFromTop) return null;
    const list = await cardList(scan, asOfSeconds);
    const card = { ...common, ...list, nowSeconds: asOfSeconds, scannedFromSeconds: asOfSeconds };
    return (space) => walletCardEmbed(card, space);
  }
  const { portfolio } = kept;
  const { sizes, volume, lastDeposit, lastWithdrawal } = portfolio;
  if (sizes.length + volume.length === 0 && lastDeposit === null && lastWithdrawal === null)
    return null;
  const card = {
    ...common,
    portfolio,
    coverage: null,
    nowSeconds: Math.floor(nowSeconds),
    scannedFromSeconds,
  };
  return (space) => walletCardEmbed(card, space);
}

/**
 * What a card shows of a list: what is held, traded and usual by its newest records alone, and how
 * far these reach. They are as many as its first page reads, however far somebody has paged.
 *
 * @param scan from the top of the list, without filters
 */
export async function cardList(scan: PageScan<ActivityItem>, nowSeconds: number) {
  const items = scan.items.slice(0, FIRST_RECORDS);
  const oldest = items.at(-1);
  const isCut = oldest !== undefined && items.length < scan.items.length;
  const cut = isCut ? { scanned: items.length, oldestSeconds: oldest.time, cursor: undefined } : {};
  // The scan grows when somebody turns the page: what a card was computed from stays as it was.
  const coverage = { ...scan, items, ...cut };
  const isAll = isWhole(coverage) && coverage.skipped === 0;
  // A record that could not be read may have been of any time.
  const sinceSeconds = coverage.skipped > 0 ? nowSeconds : coverage.oldestSeconds;
  const timed: { readonly seconds: number; readonly item: ActivityItem }[] = [];
  for await (const piece of inTurns(items.toReversed()))
    timed.push(...piece.map((item) => ({ seconds: item.time, item })));
  timed.sort((a, b) => a.seconds - b.seconds);
  let portfolio = newPortfolio(isAll ? 0 : sinceSeconds, isAll);
  const trades = new Map<string, readonly [seconds: number, usdc: number]>();
  for await (const piece of inTurns(timed.map(({ item }) => item))) {
    ({ portfolio } = addActivity(portfolio, piece, nowSeconds));
    // The fills of one trade may be in two turns.
    for (const [id, [seconds, usdc]] of tradeSizes(piece)) {
      const [firstSeconds, before] = trades.get(id) ?? [seconds, 0];
      trades.set(id, [firstSeconds, sum([before, usdc]).toNumber()]);
    }
  }
  return { coverage, portfolio: { ...portfolio, sizes: [...trades.values()].slice(-SIZES_KEPT) } };
}

export interface WalletCard extends Pick<CommandContext, 'links' | 'language'> {
  readonly label: string | null;
  readonly wallet: WalletAddress;
  readonly portfolio: Portfolio;
  /**
   * The part of the list from which the portfolio was worked out; null if it was kept poll by poll
   * from the first.
   */
  readonly coverage: PageScan<unknown> | null;
  /**
   * The wallet's record for the owner's channel that has watched it for the longest time; null if
   * none watches it.
   */
  readonly record: RoomRecord | null;
  /** The venue's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** Unix seconds of the newest poll or look-up of the wallet; null if unknown. */
  readonly scannedFromSeconds: number | null;
}

/**
 * The embed above the list of `/activity`: what is known of a wallet, and since when. Unknown parts
 * are left out.
 *
 * @param maxCodePoints that the message has left for it; positions are left out first, then fields
 *   from the last on
 */
export function walletCardEmbed(card: WalletCard, maxCodePoints: number): APIEmbed {
  const { texts, format } = card.language;
  const frame = {
    title: walletName(card.wallet, card.label, LABEL_LIMIT),
    description: `-# ${knownLine(card)}`,
    color: EMBED_COLOURS.answer,
    ...(card.scannedFromSeconds === null
      ? {}
      : { timestamp: new Date(card.scannedFromSeconds * 1000).toISOString() }),
  };
  const limit = Math.min(CARD_LIMIT, maxCodePoints - FOOTER_LIMIT);
  const parts = [realizedField, sizeField, volumeField, transferFields, recordField];
  const figures = parts.flatMap((fieldsOf) => fieldsOf(card));
  const fits = (fields: APIEmbedField[]) => embedSize({ ...frame, fields }) <= limit;
  // Links may be long, and fewer positions are better than none.
  const positions = [
    positionsField(card, POSITIONS_SHOWN, shortLinks(card.links, URL_LIMIT)),
    positionsField(card, POSITIONS_SHOWN, shortLinks(card.links, 0)),
    positionsField(card, 0, card.links),
  ].map((shown) => [...figures, ...shown]);
  const fewer = figures.map((_, left) => figures.slice(0, figures.length - left));
  const fields = [...positions, ...fewer].find(fits) ?? [];
  const left = (positions[0]?.length ?? 0) - fields.length;
  const footer =
    left === 0 ? {} : { footer: { text: texts.card.didNotFit(format.quantity(left), left) } };
  return { ...frame, fields, ...footer };
}

/** From when on what is known, and who takes: in small print. */
function knownLine(card: WalletCard): string {
  const { portfolio, coverage, language, nowSeconds } = card;
  const { fromList, knownFromFirst, taker: takerPart } = language.texts.card;
  const basis = coverage === null ? knownFromFirst : fromList(coveragePhrase(coverage, language));
  const { maker, taker } = volumeBetween(portfolio.volume, nowSeconds - MONTH);
  const all = maker.plus(taker);
  if (all.isZero()) return basis;
  return present(
    basis,
    takerPart(language.format.percent(quotient(taker, all).times(100).toNumber())),
  );
}

/** Of the times of which all trades are known. */
function volumeField({ portfolio, nowSeconds, language }: WalletCard): APIEmbedField[] {
  const { texts, format } = language;
  const { windows } = texts.lists.totals;
  // Three do not fit in a line of a phone.
  const shown = WINDOWS.filter(([name]) => name !== 'week');
  const known = shown.filter(
    ([, length]) => portfolio.isWhole || portfolio.sinceSeconds < nowSeconds - length,
  );
  const volumes = known.map(([name, length]): [string, string] => {
    const { bought, sold } = volumeBetween(portfolio.volume, nowSeconds - length);
    return [windows[name], format.roundUsdc(bought.plus(sold).toNumber())];
  });
  const parts = mergeEqual(volumes, language).map(([names, sum]) =>
    texts.card.volumeIn(names, `**${sum}**`),
  );
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
          gainText(closed.realized, closed.costOfSold, language, format.roundUsdc),
          won(format.quantity(closed.won), format.quantity(closed.count), closed.count),
        ]),
    ...(open.isZero() ? [] : [onOpen(signed(open, format.roundUsdc))]),
  );
}

function sizeField({
  portfolio: { sizes },
  language: { texts, format },
}: WalletCard): APIEmbedField[] {
  const usual = usualSizes(sizes.map(([, usdc]) => usdc));
  if (usual === null) return [];
  const { names, ofFew, upTo } = texts.card;
  const trades = format.quantity(sizes.length);
  const basis =
    sizes.length < SIZES_NEEDED ? ofFew(trades, sizes.length) : upTo(format.roundUsdc(usual.p95));
  return figure(names.usual, `**${format.roundUsdc(usual.median)}**`, basis);
}

function transferFields({ portfolio, language: { texts, format } }: WalletCard): APIEmbedField[] {
  const { card } = texts;
  const since = portfolio.transfersSinceSeconds;
  if (since === null) return [];
  const day = `<t:${since}:d>`;
  const said = (last: Portfolio['lastDeposit']) => {
    if (last === null)
      return [since === 0 ? `**${card.noTransfer}**` : `**${card.noTransfer}** ${card.since(day)}`];
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
  const value = [first, ...others.map((line) => `-# ${line}`)].join('\n');
  return [{ name: language.texts.card.names.record, value }];
}

function positionsField(
  { portfolio, language }: WalletCard,
  shown: number,
  links: Links,
): APIEmbedField[] {
  const { texts, format } = language;
  const { names, positions } = texts.card;
  const open = isAllKnown(portfolio) ? openPositions(portfolio) : [];
  if (open.length === 0) return [];
  const cost = format.roundUsdc(sum(open.map(({ held }) => held.cost)).toNumber());
  const rows = open.slice(0, shown).map((position) => {
    const { held } = position;
    const title = position.marketTitle || position.marketSlug;
    const market = maskedLink(title, links.market(position), TITLE_LIMIT, positions.withoutTitle);
    const side = wordAmongFigures(position.side, SIDE_LIMIT, positions.withoutSide);
    const paid = `**${side} ${format.roundUsdc(new Exact(held.cost).toNumber())}**`;
    const entry = averageEntryCents(held);
    return present(entry === null ? paid : positions.at(paid, format.cents(entry)), market);
  });
  const all = positions.all(format.quantity(open.length), open.length, cost);
  const rest = rows.length === 0 ? [all] : rows;
  return [
    {
      name: rows.length === 0 ? names.positions : `${names.positions}: ${all}`,
      value: rest.join('\n'),
    },
  ];
}

/** A field beside others: a figure, and what it rests on. None without a line. */
function figure(name: string, ...lines: readonly string[]): APIEmbedField[] {
  return lines.length === 0 ? [] : [{ name, value: lines.join('\n'), inline: true }];
}
