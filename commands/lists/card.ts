import type { APIEmbed, APIEmbedField } from 'discord.js';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { cameBackText } from '../../src/embeds/came-back-lines.ts';
import { EMBED_COLOURS, present, walletName } from '../../src/embeds/embed-parts.ts';
import { type Links, shortLinks } from '../../src/embeds/links.ts';
import { emsBeside, linkedName, type NamedLine, writeLines } from '../../src/embeds/named-lines.ts';
import { recordLines } from '../../src/embeds/record-lines.ts';
import { textLength, wordAmongFigures } from '../../src/embeds/text/escape.ts';
import { EMBED_LIMITS, embedSize } from '../../src/embeds/text/limits.ts';
import type { Language } from '../../src/language/language.ts';
import { inTurns } from '../../src/lib/async/turns.ts';
import { sum } from '../../src/lib/exact.ts';
import { coveragePhrase, mergeEqual, WINDOWS } from '../../src/lookups/list-summary.ts';
import { FIRST_RECORDS, isWhole, type PageScan } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import {
  type AccountsQuestion,
  type CameBack,
  cameBackOf,
  type Open,
  openOf,
} from '../../src/portfolio/came-back.ts';
import { newPortfolio, openPositions, type Portfolio } from '../../src/portfolio/portfolio.ts';
import { isKnown, type Position } from '../../src/portfolio/positions/position.ts';
import type { ChannelRecord } from '../../src/portfolio/record/channel-record.ts';
import { EMPTY_RECORD } from '../../src/portfolio/record/record.ts';
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

/** Width of one line of a field on a phone (390 px), and of two lines, in ems. */
const LINES_EMS = [18, 33];
const SIDE_LIMIT = 30;
const URL_LIMIT = 150;
/**
 * Maximum length of a card in code points, because more would push the list off a phone's screen. A
 * field may use half of it.
 */
const CARD_LIMIT = 2_000;
const FOOTER_LIMIT = 40;
const POSITIONS_SHOWN = 3;
/**
 * Age of a card's data from which on the card shows it, in seconds. Normally, it has been polled
 * more recently.
 */
const OLD_SECONDS = 600;

/** Renders a card in at most `space` code points. */
export type CardIn = (space: number) => APIEmbed;

/**
 * Returns a function that renders a wallet's card for a server. It uses the stored portfolio if
 * this server watches the wallet and its whole history is known, otherwise only the list. Data seen
 * for another server is not revealed to this one: a portfolio that begins before its own watch is
 * not used.
 * @returns null if nothing is known
 */
export async function readCard(
  context: CommandContext,
  { wallet, typed, asOfSeconds }: Pick<Pager, 'wallet' | 'typed' | 'asOfSeconds'>,
  scan: PageScan<ActivityItem>,
): Promise<CardIn | null> {
  const { recordFor, accountsFor, links, language } = context;
  const watches = context.watchesForAll(wallet);
  const joined = joinedBy(watches);
  const kept = watches.length === 0 ? undefined : await context.knowledge(wallet);
  // The channel that has watched it longest.
  const [oldest] = watches.toSorted((a, b) => beganSecondsOf(a) - beganSecondsOf(b));
  const record = oldest === undefined ? null : recordFor(kept, oldest);
  const accounts = oldest === undefined || kept === undefined ? null : accountsFor(kept, oldest);
  const cameBack = accounts === null ? null : cameBackOf(accounts).cameBack;
  const common = {
    label: context.labelOf(wallet, typed),
    wallet,
    links,
    language,
    record,
    cameBack,
  };
  const scannedFromSeconds =
    kept === undefined ? null : context.feed.lastSeconds({ wallet, name: 'activity' });
  const beganSeconds = Math.min(...watches.map(seenSinceOf));
  // A partly stored history, or one from before this server's own first poll, would reveal who came
  // first. The list is read instead, for everyone alike.
  if (
    kept === undefined ||
    accounts === null ||
    scannedFromSeconds === null ||
    scannedFromSeconds < beganSeconds ||
    !kept.portfolio.isWhole ||
    !knowsAll(joined, kept.portfolio)
  ) {
    if (scan.items.length === 0 || !scan.isFromTop) return null;
    const list = await cardList(scan, asOfSeconds, accounts ?? undefined);
    const card = {
      ...common,
      ...list,
      nowSeconds: asOfSeconds,
      scannedFromSeconds: asOfSeconds,
    };
    return (space) => walletCardEmbed(card, space);
  }
  const { portfolio } = kept;
  if (portfolio.sizes.length + portfolio.volume.length === 0) return null;
  const card = {
    ...common,
    portfolio,
    open: openOf(accounts),
    coverage: null,
    nowSeconds: Math.floor(context.venueNowSeconds()),
    scannedFromSeconds,
  };
  return (space) => walletCardEmbed(card, space);
}

/**
 * Returns the figures that a card takes from a list: what is held, traded and usual according to
 * its newest records, and the period these cover. It uses as many records as the first page reads,
 * however far someone has paged.
 * @param scan from the top of the list, without filters
 * @param question for the channel that watches the wallet; left out if none does
 */
export async function cardList(
  scan: PageScan<ActivityItem>,
  nowSeconds: number,
  question: Omit<AccountsQuestion, 'accounts'> = unwatched(nowSeconds),
) {
  const items = scan.items.slice(0, FIRST_RECORDS);
  const oldest = items.at(-1);
  const isCut = oldest !== undefined && items.length < scan.items.length;
  // The scan grows when someone turns the page, but the data that a card was computed from stays
  // the same.
  const coverage = { ...scan, items };
  if (isCut) {
    coverage.scanned = items.length;
    coverage.oldestSeconds = oldest.time;
    coverage.cursor = undefined;
  }
  const isAll = isWhole(coverage) && coverage.skipped === 0;
  // An unreadable record may be from any time.
  const sinceSeconds = coverage.skipped > 0 ? nowSeconds : coverage.oldestSeconds;
  // Comparing reads each record, so that the times are read in turns first.
  const timed: { readonly seconds: number; readonly item: ActivityItem }[] = [];
  for await (const piece of inTurns(items.toReversed())) {
    for (const item of piece) timed.push({ seconds: item.time, item });
  }
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
  return {
    coverage,
    portfolio: { ...portfolio, sizes: [...trades.values()].slice(-SIZES_KEPT) },
    open: isAll ? openOf({ ...question, accounts: portfolio.accounts }) : null,
  };
}

/**
 * Returns the question for a wallet that no channel watches, for which it is unknown how its
 * markets ended.
 */
function unwatched(nowSeconds: number): Omit<AccountsQuestion, 'accounts'> {
  return {
    record: EMPTY_RECORD,
    fromSeconds: 0,
    nowSeconds,
    settlementOf: () => undefined,
  };
}

export interface WalletCard extends Pick<CommandContext, 'links' | 'language'> {
  readonly label: string | null;
  readonly wallet: WalletAddress;
  readonly portfolio: Portfolio;
  /**
   * Part of the list from which the portfolio was computed; null if it was updated with every poll
   * from the first.
   */
  readonly coverage: PageScan<unknown> | null;
  /**
   * The wallet's track record for the owner's channel that has watched it longest; null if none
   * watches it.
   */
  readonly record: ChannelRecord | null;
  /** Result for the same channel; null if it is not available yet. */
  readonly cameBack: CameBack | null;
  /** Null if not all trades are known. */
  readonly open: Open | null;
  /** The venue's clock, in Unix seconds. */
  readonly nowSeconds: number;
  /** Time of the newest poll or lookup of the wallet, in Unix seconds; null if unknown. */
  readonly scannedFromSeconds: number | null;
}

/**
 * Returns the embed above the list of `/activity`: the verdict, what was returned, what is open,
 * and how the wallet trades. Unknown parts are left out.
 * @param maxCodePoints space that the message has left for it; positions are left out first, then
 *   fields from the last to the first
 */
export function walletCardEmbed(card: WalletCard, maxCodePoints: number): APIEmbed {
  const { texts, format } = card.language;
  const frame: APIEmbed = {
    title: walletName(card.wallet, card.label, LABEL_LIMIT),
    description: [...verdictLines(card), ...coverageLines(card)].join('\n'),
    color: EMBED_COLOURS.answer,
  };
  const { scannedFromSeconds, nowSeconds } = card;
  if (scannedFromSeconds !== null && nowSeconds - scannedFromSeconds > OLD_SECONDS) {
    frame.timestamp = new Date(scannedFromSeconds * 1000).toISOString();
  }
  const limit = Math.min(CARD_LIMIT, maxCodePoints - FOOTER_LIMIT);
  const fits = (fields: APIEmbedField[]) =>
    embedSize({ ...frame, fields }) <= limit &&
    fields.every(({ value }) => textLength(value) <= EMBED_LIMITS.fieldValue);
  const withOpen = (shown: number, links: Links) => [
    ...cameBackField(card),
    ...openField(card, shown, links),
    ...tradesField(card),
  ];
  const whole = withOpen(POSITIONS_SHOWN, shortLinks(card.links, URL_LIMIT));
  // Links may be long, and fewer positions are better than none.
  const withoutRows = withOpen(0, card.links);
  const shorter = [withOpen(POSITIONS_SHOWN, shortLinks(card.links, 0)), withoutRows];
  const { length } = withoutRows;
  const fewer = withoutRows.map((_, left) => withoutRows.slice(0, length - left));
  const fields = [whole, ...shorter, ...fewer].find(fits) ?? [];
  const left = whole.length - fields.length;
  if (left === 0) return { ...frame, fields };
  return {
    ...frame,
    fields,
    footer: { text: texts.card.didNotFit(format.quantity(left), left) },
  };
}

/** Returns the verdict, then its basis in small print. Nothing if no channel watches the wallet. */
function verdictLines({ record, cameBack, language }: WalletCard): string[] {
  if (record === null) return [];
  const [verdict = '', ...others] = recordLines(record, language, cameBack !== null);
  return [verdict, ...others.map((line) => `-# ${line}`)];
}

/** Returns how far back the card's records reach, unless they are all of the wallet's records. */
function coverageLines({ coverage, language }: WalletCard): string[] {
  if (coverage === null) return [];
  return [`-# ${language.texts.card.fromList(coveragePhrase(coverage, language))}`];
}

/**
 * Returns the field with the wallet's usual trade size and its volume: `Usual trade · $121`, and
 * below it `95% up to $200 · Volume 30 d $11,244`.
 */
function tradesField(card: WalletCard): APIEmbedField[] {
  const { names } = card.language.texts.card;
  const usual = usualTexts(card);
  const volume = volumeText(card);
  if (usual === null) {
    if (volume === null) return [];
    return [{ name: names.volume, value: volume }];
  }
  const value = present(usual.basis, volume !== null && `${names.volume} ${volume}`);
  return [{ name: present(names.usual, usual.median), value }];
}

/** Returns the volumes of the periods in which all trades are known; null if there are none. */
function volumeText({ portfolio, nowSeconds, language }: WalletCard): string | null {
  const { texts, format } = language;
  const { windows } = texts.lists.totals;
  // Three do not fit in a line on a phone.
  const shown = WINDOWS.filter(([name]) => name !== 'week');
  const known = shown.filter(
    ([, length]) => portfolio.isWhole || portfolio.sinceSeconds < nowSeconds - length,
  );
  const volumes: [window: string, usdc: string][] = [];
  for (const [name, length] of known) {
    const { bought, sold } = volumeBetween(portfolio.volume, nowSeconds - length);
    const volume = bought.plus(sold);
    if (!volume.isZero()) volumes.push([windows[name], format.roundUsdc(volume.toNumber())]);
  }
  const parts = mergeEqual(volumes, language).map(([names, sum]) =>
    texts.card.volumeIn(names, `**${sum}**`),
  );
  return parts.length === 0 ? null : present(...parts);
}

function cameBackField({ record, cameBack, language }: WalletCard): APIEmbedField[] {
  if (record === null) return [];
  const { names, cameBack: words } = language.texts.card;
  if (cameBack === null) return [{ name: names.cameBack, value: words.tooEarly }];
  const { sum, lines } = cameBackText(cameBack, language);
  return [{ name: present(names.cameBack, sum), value: lines.join('\n') }];
}

/** Returns the median of its trades, and `95% up to $200`; null if no trade is known. */
function usualTexts({ portfolio: { sizes }, language: { texts, format } }: WalletCard) {
  const usual = usualSizes(sizes.map(([, usdc]) => usdc));
  if (usual === null) return null;
  const { ofFew, upTo } = texts.card;
  const trades = format.quantity(sizes.length);
  const basis =
    sizes.length < SIZES_NEEDED ? ofFew(trades, sizes.length) : upTo(format.roundUsdc(usual.p95));
  return { median: format.roundUsdc(usual.median), basis };
}

function openField(
  { portfolio, open, language }: WalletCard,
  shown: number,
  links: Links,
): APIEmbedField[] {
  if (open === null || open.markets === 0) return [];
  const { texts, format } = language;
  const { names, positions } = texts.card;
  const paid = format.roundUsdc(Number(open.paidUsdc));
  const all = positions.all(format.quantity(open.markets), open.markets, paid);
  const named = openPositions(portfolio)
    .filter((position) => open.held.has(position.market) && isKnown(position))
    .slice(0, shown)
    .map((position) => positionLine(position, links, language));
  const rows = writeLines(named);
  if (rows.length === 0) return [{ name: names.open, value: all }];
  return [{ name: present(names.open, all), value: rows.join('\n') }];
}

/** `**Yes $727** · Will it rain in Paris… June 15?`: one or two lines on a phone. */
function positionLine(position: Position, links: Links, language: Language): NamedLine {
  const { texts, format } = language;
  const { positions } = texts.card;
  const side = wordAmongFigures(position.side, SIDE_LIMIT, positions.withoutSide, language);
  const paid = `**${side} ${format.roundUsdc(Number(position.held.cost))}**`;
  const url = links.market(position);
  return {
    market: position,
    ems: emsBeside(position, paid, LINES_EMS),
    write: (name) => present(paid, linkedName(name, url, positions.withoutTitle)),
  };
}
