import type { APIEmbed } from 'discord.js';
import { shortAddress } from '../domain/address.ts';
import { isComplete, type Settlement } from '../domain/settlement.ts';
import { gainText, holdingText } from '../embeds/context-lines.ts';
import {
  EMBED_COLOURS,
  marketNameOf,
  present,
  sideName,
  smallPrint,
  walletName,
} from '../embeds/embed-parts.ts';
import { type Links, shortLinks } from '../embeds/links.ts';
import { linkedName, type NamedLine, OWN_LINE_EMS, writeLines } from '../embeds/named-lines.ts';
import { escapeText, maskedLink } from '../embeds/text/escape.ts';
import { joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { quotient, sum, toDecimalText } from '../lib/exact.ts';
import type { Market } from '../portfolio/market.ts';
import {
  type HeldOutcome,
  type MarketStanding,
  standingIn,
  sumsBySide,
} from '../portfolio/positions/held-markets.ts';
import type { Position } from '../portfolio/positions/position.ts';
import { listedOf } from '../watches/settings/only-except.ts';
import type { Watch } from '../watches/watch.ts';

const NAME_MAX = 60;
const TITLE_MAX = 250;
/** Maximum characters of a URL in a list. */
const URL_MAX = 200;
/** Maximum code points above the small print. */
const LIST_MAX = 2_500;
const NAMES_SHOWN = 5;
const MARKETS_SHOWN = 10;

type Named = Pick<Watch, 'wallet' | 'label'>;

export interface MarketBook {
  /** Null if no wallet's data names the market. */
  readonly market: Market | null;
  readonly marketId: string;
  readonly known: readonly { readonly watch: Named; readonly positions: readonly Position[] }[];
  /** Wallets whose holdings are unknown, by the reason, which is a sentence. */
  readonly unknown: ReadonlyMap<string, readonly Named[]>;
  readonly settlement: Settlement | undefined;
  readonly paused: number;
}

/**
 * Returns an embed with the holders of a market with their shares, times and results; sums by
 * outcome; settlement; and the wallets with unknown holdings.
 */
export function marketEmbed(book: MarketBook, links: Links, language: Language): APIEmbed {
  const { texts, format } = language;
  const words = texts.lists.market;
  const standings = book.known.map(({ watch, positions }) => ({
    watch,
    ...standingIn(positions, book.settlement),
  }));
  const holders = standings
    .filter(({ held }) => held.length > 0)
    .sort((a, b) => b.cost.comparedTo(a.cost));
  const out = standings
    .filter(({ held, lastSeconds }) => held.length === 0 && lastSeconds > 0)
    .sort((a, b) => b.lastSeconds - a.lastSeconds);
  const without = standings
    .filter(({ lastSeconds }) => lastSeconds === 0)
    .map(({ watch }) => watch);
  const rows = [...holders, ...out].map((standing) =>
    standingRow(standing, standing.watch, links, language),
  );
  if (rows.length === 0) rows.push(words.nobody);
  const bySide = sumsBySide(holders.map(({ held }) => held));
  const settled = settledLines(bySide, book.settlement, language);
  const sums = bySide.map((side) => sideLine(side, language));
  const { text, left } = joinFitting([...settled, ...sums, ...rows], LIST_MAX);

  const lines = [
    text,
    ...smallPrint(left !== 0 && texts.lists.didNotFit(format.quantity(left))),
    ...smallPrint(without.length > 0 && words.nothing(names(without, language))),
  ];
  for (const [why, watches] of book.unknown) {
    lines.push(`⚠️ ${words.unknown(names(watches, language))}`, `-# ${why}`);
  }
  if (book.paused !== 0) {
    const paused = words.paused(format.quantity(book.paused));
    lines.push(...smallPrint(paused));
  }
  return {
    ...marketHeading(book, links, language),
    color: EMBED_COLOURS.answer,
    description: lines.join('\n'),
  };
}

/** Returns the market's name, linked to its page, or its id if no wallet's data names it. */
function marketHeading(
  { market, marketId }: MarketBook,
  links: Links,
  { texts }: Language,
): Pick<APIEmbed, 'title' | 'url'> {
  const fallback = texts.lists.market.withId(escapeText(marketId, NAME_MAX, '?'));
  if (market === null) return { title: fallback };
  const title = escapeText(marketNameOf(market), TITLE_MAX, fallback);
  const url = links.market(market);
  return url === undefined ? { title } : { title, url };
}

type SideSums = ReturnType<typeof sumsBySide<MarketStanding['held'][number]>>[number];

/**
 * Returns the market's settlement: a line for each outcome that wallets hold; empty until it is
 * complete.
 */
function settledLines(
  sides: readonly SideSums[],
  settlement: Settlement | undefined,
  language: Language,
): string[] {
  if (settlement === undefined || !isComplete(settlement.payouts)) return [];
  const { settled } = language.texts.news.result;
  const lines: string[] = [];
  for (const { side, own } of sides) {
    const { payout } = own[0];
    if (payout === undefined) continue;
    lines.push(settled(sideName(side, language), language.format.cents(payout * 100)));
  }
  return lines;
}

/** Returns `**Yes** **$1,400** · 3,100 shares at 45¢ · 2 wallets`. */
function sideLine({ side, own, wallets, shares, cost }: SideSums, language: Language): string {
  const { texts, format } = language;
  const entry = sum(own.map((outcome) => outcome.entry));
  const average = format.cents(quotient(entry, shares).toNumber());
  return present(
    `${sideName(side, language)} **${format.roundUsdc(cost.toNumber())}**`,
    texts.news.alsoHere.at(format.shares(shares.toNumber()), average),
    texts.lists.market.wallets(format.quantity(wallets), wallets),
  );
}

/**
 * Returns `• Shark **$1,705** Yes at 55¢ · since 1 May · 1,200 of 4,300 sold · +$24.80 (+5.6%)`.
 */
function standingRow(
  standing: MarketStanding,
  { wallet, label }: Named,
  links: Links,
  language: Language,
): string {
  const { held, gain, gainCost, lastSeconds } = standing;
  const { texts, format } = language;
  const words = texts.lists.market;
  const url = shortLinks(links, URL_MAX).wallet(wallet);
  const name = `• **${maskedLink(label ?? '', url, NAME_MAX, shortAddress(wallet))}**`;
  const outcomes = held.map(({ side, shares, entry, cost, sinceSeconds, bought, sold }) => {
    const entryCents = quotient(entry, shares).toNumber();
    const holding = { side, cost: toDecimalText(cost), entryCents };
    const row = [holdingText(holding, language), words.since(`<t:${sinceSeconds}:d>`)];
    if (!sold.isZero()) {
      const soldText = format.quantity(sold.toNumber());
      const boughtText = format.quantity(bought.toNumber());
      row.push(words.sold(soldText, boughtText));
    }
    return present(...row);
  });
  if (outcomes.length === 0) outcomes.push(words.out(`<t:${lastSeconds}:R>`));
  return present(
    `${name} ${outcomes.join(' + ')}`,
    !gainCost.isZero() && gainText(gain, gainCost, language),
  );
}

export interface HeldTogether {
  readonly market: Market;
  /** Returns the outcomes held, one list per holding wallet. */
  readonly held: () => readonly (readonly HeldOutcome[])[];
}

/**
 * Returns an embed with the markets that a channel's wallets hold.
 *
 * @param ended number of settled markets that are left out
 */
export function heldEmbed(
  markets: readonly HeldTogether[],
  { ended, paused }: { readonly ended: number; readonly paused: number },
  links: Links,
  language: Language,
): APIEmbed {
  const { texts, format } = language;
  const words = texts.lists.market;
  const named = markets
    .slice(0, MARKETS_SHOWN)
    .map((together) => heldTogetherRow(together, links, language));
  const rows = writeLines(named);
  const { text, left: unfit } = joinFitting(rows, LIST_MAX);
  const left = markets.length - rows.length + unfit;
  const small: string[] = [];
  if (left !== 0) small.push(words.moreMarkets(format.quantity(left), left));
  if (rows.length > 0) small.push(words.only);
  if (ended !== 0) small.push(words.ended(format.quantity(ended)));
  if (paused !== 0) small.push(words.paused(format.quantity(paused)));
  const lines = [rows.length === 0 ? words.none : text];
  for (const row of small) lines.push(...smallPrint(row));
  return {
    title: words.title,
    color: EMBED_COLOURS.answer,
    description: lines.join('\n'),
  };
}

/** Returns `• Rain in Paris? · **Yes** **$1,400** · **No** **$80** · 3 wallets`. */
function heldTogetherRow(
  { market, ...together }: HeldTogether,
  links: Links,
  language: Language,
): NamedLine {
  const { texts, format } = language;
  const held = together.held();
  const url = shortLinks(links, URL_MAX).market(market);
  const { marketWithoutTitle } = texts.alerts;
  const sums = sumsBySide(held).map(({ side, cost }) => {
    const amount = format.roundUsdc(cost.toNumber());
    return `${sideName(side, language)} **${amount}**`;
  });
  const count = texts.lists.market.wallets(format.quantity(held.length), held.length);
  return {
    market,
    ems: OWN_LINE_EMS,
    write: (name) => `• ${present(linkedName(name, url, marketWithoutTitle), ...sums, count)}`,
  };
}

function names(watches: readonly Named[], language: Language): string {
  const shown = watches.slice(0, NAMES_SHOWN).map(({ label, wallet }) => walletName(wallet, label));
  return listedOf(shown, watches.length, language);
}
