import type { APIEmbed } from 'discord.js';
import { shortAddress } from '../domain/address.ts';
import { isComplete, type Settlement } from '../domain/settlement.ts';
import { gainText, holdingText } from '../embeds/context-lines.ts';
import { lines, marketNameOf, named, present, sideName, smallPrint, walletName } from '../embeds/embed-parts.ts';
import { type Links, shortLinks } from '../embeds/links.ts';
import { escapeText, maskedLink } from '../embeds/text/escape.ts';
import { joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { quotient, stored, sum } from '../lib/exact.ts';
import type { Market } from '../portfolio/market.ts';
import { type HeldMarket, type MarketStanding, standingIn, sumsBySide } from '../portfolio/positions/held-markets.ts';
import type { Position } from '../portfolio/positions/position.ts';
import type { Watch } from '../watches/watch.ts';

const COLOUR = 0x5865f2;
const NAME_MAX = 60;
const TITLE_MAX = 250;
const ROW_TITLE_MAX = 80;
/** Characters of a URL in a list. */
const URL_MAX = 200;
/** Code points of what stands above the small print. */
const LIST_MAX = 2_500;
const NAMES_SHOWN = 5;
const MARKETS_SHOWN = 10;

type Named = Pick<Watch, 'wallet' | 'label'>;

/** What is shown of a market in a channel. */
export interface MarketBook {
  /** Null where no wallet has a name of it. */
  readonly market: Market | null;
  readonly marketId: string;
  readonly known: readonly { readonly watch: Named; readonly positions: readonly Position[] }[];
  /** Wallets of which it is not known what they hold, and why, a sentence each. */
  readonly unknown: ReadonlyMap<string, readonly Named[]>;
  readonly settlement: Settlement | undefined;
  /** How many watches are paused. */
  readonly paused: number;
}

/** Who holds what of a market, since when, and what came of it; sums of each outcome, how it was settled, and of whom nothing is known. */
export function marketEmbed(book: MarketBook, links: Links, language: Language): APIEmbed {
  const { texts, format } = language;
  const words = texts.lists.market;
  const standings = book.known.map(({ watch, positions }) => ({ watch, ...standingIn(positions, book.settlement) }));
  const holders = standings.filter(({ held }) => held.length > 0).sort((a, b) => b.cost.comparedTo(a.cost));
  const out = standings
    .filter(({ held, lastSeconds }) => held.length === 0 && lastSeconds > 0)
    .sort((a, b) => b.lastSeconds - a.lastSeconds);
  const nothing = standings.filter(({ lastSeconds }) => lastSeconds === 0).map(({ watch }) => watch);
  const sums = sumsBySide(holders.map(({ held }) => held)).map(({ side, own, wallets, shares, cost }) => {
    const average = format.cents(quotient(sum(own.map(({ entry }) => entry)), shares).toNumber());
    return present(
      `${sideName(side, language)} **${format.usdc(cost.toNumber())}**`,
      texts.news.alsoHere.at(format.shares(shares.toNumber()), average),
      words.wallets(format.quantity(wallets), wallets),
    );
  });
  const rows = [...holders, ...out].map((standing) => standingRow(standing, links, language));
  const body = [...settledLines(book, standings, language), ...sums, ...(rows.length === 0 ? [words.nobody] : rows)];
  const { text, left } = joinFitting(body, LIST_MAX);
  const url = book.market === null ? undefined : links.market(named(book.market));
  const title = book.market === null ? '' : marketNameOf(named(book.market));
  return {
    title: escapeText(title, TITLE_MAX, words.withId(escapeText(book.marketId, NAME_MAX, '?'))),
    ...(url === undefined ? {} : { url }),
    color: COLOUR,
    description: lines(
      text,
      ...smallPrint(left === 0 ? undefined : texts.lists.didNotFit(format.quantity(left))),
      ...smallPrint(nothing.length === 0 ? undefined : words.nothing(names(nothing, language))),
      ...[...book.unknown].flatMap(([why, of]) => [`⚠️ ${words.unknown(names(of, language))}`, `-# ${why}`]),
      ...pausedLine(book.paused, language),
    ),
  };
}

/** `• Shark 3,100 Yes at 55¢ · since 1 May · 1,200 of 4,300 sold · +$24.80 (+5.6%)`. */
function standingRow(
  { watch: { wallet, label }, held, gain, gainCost, lastSeconds }: MarketStanding & { readonly watch: Named },
  links: Links,
  language: Language,
): string {
  const { texts, format } = language;
  const words = texts.lists.market;
  const url = shortLinks(links, URL_MAX).wallet(wallet);
  const name = `• **${maskedLink(label ?? '', url, NAME_MAX, shortAddress(wallet))}**`;
  const outcomes = held.map(({ side, shares, entry, sinceSeconds, bought, sold }) =>
    present(
      holdingText({ side, shares: stored(shares), entryCents: quotient(entry, shares).toNumber() }, language),
      words.since(`<t:${sinceSeconds}:d>`),
      sold.isZero() ? undefined : words.sold(format.quantity(sold.toNumber()), format.quantity(bought.toNumber())),
    ),
  );
  return present(
    `${name} ${held.length === 0 ? words.out(`<t:${lastSeconds}:R>`) : outcomes.join(' + ')}`,
    gainCost.isZero() ? undefined : gainText(gain, gainCost, language),
  );
}

/** What the market's end pays for the outcomes that wallets hold. */
function settledLines(
  { settlement }: MarketBook,
  standings: readonly MarketStanding[],
  language: Language,
): readonly string[] {
  if (settlement === undefined || !isComplete(settlement.payouts)) return [];
  const paid = new Map(
    standings.flatMap(({ held }) => held.flatMap(({ side, payout }) => (payout === undefined ? [] : [[side, payout]]))),
  );
  const { result } = language.texts.news;
  return [...paid].map(([side, payout]) =>
    result.settled(sideName(side, language), language.format.cents(payout * 100)),
  );
}

/** A market that wallets of a channel hold. */
export type HeldTogether = Pick<HeldMarket, 'key' | 'market'> & {
  /** Of each wallet that holds some. */
  readonly held: HeldMarket['held'][];
};

/**
 * The markets that most of a channel's wallets hold.
 *
 * @param markets those of most wallets first @param ended how many were left out because they are settled
 */
export function heldEmbed(
  markets: readonly HeldTogether[],
  { ended, paused }: { readonly ended: number; readonly paused: number },
  links: Links,
  language: Language,
): APIEmbed {
  const { texts, format } = language;
  const words = texts.lists.market;
  const rows = markets.slice(0, MARKETS_SHOWN).map(({ market, held }) => {
    const url = shortLinks(links, URL_MAX).market(named(market));
    const title = maskedLink(marketNameOf(named(market)), url, ROW_TITLE_MAX, texts.alerts.marketWithoutTitle);
    const sums = sumsBySide(held).map(({ side, cost, wallets }, _, { length }) => {
      const ofThem = length === 1 ? '' : ` (${format.quantity(wallets)})`;
      return `${sideName(side, language)} **${format.roundUsdc(cost.toNumber())}**${ofThem}`;
    });
    return `• ${present(words.wallets(format.quantity(held.length), held.length), ...sums, title)}`;
  });
  const { text, left: unfit } = joinFitting(rows, LIST_MAX);
  const left = markets.length - rows.length + unfit;
  return {
    title: words.title,
    color: COLOUR,
    description: lines(
      rows.length === 0 ? words.none : text,
      ...smallPrint(left === 0 ? undefined : texts.news.consensus.more(format.quantity(left), left)),
      ...smallPrint(rows.length === 0 ? undefined : words.only),
      ...smallPrint(ended === 0 ? undefined : words.ended(format.quantity(ended))),
      ...pausedLine(paused, language),
    ),
  };
}

function pausedLine(paused: number, { texts, format }: Language): string[] {
  return smallPrint(paused === 0 ? undefined : texts.lists.market.paused(format.quantity(paused)));
}

function names(of: readonly Named[], { texts: { watch: words } }: Language): string {
  const shown = of
    .slice(0, NAMES_SHOWN)
    .map(({ label, wallet }) => walletName(wallet, label))
    .join(words.comma);
  return of.length > NAMES_SHOWN ? words.andMore(shown, of.length - NAMES_SHOWN) : shown;
}
