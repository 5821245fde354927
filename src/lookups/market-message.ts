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
const ROW_TITLE_MAX = 80;
/** Characters of a URL in a list. */
const URL_MAX = 200;
/** Code points of what stands above the small print. */
const LIST_MAX = 2_500;
const NAMES_SHOWN = 5;
const MARKETS_SHOWN = 10;

type Named = Pick<Watch, 'wallet' | 'label'>;

export interface MarketBook {
  /** Null where no wallet has a name of it. */
  readonly market: Market | null;
  readonly marketId: string;
  readonly known: readonly { readonly watch: Named; readonly positions: readonly Position[] }[];
  /** Wallets of which it is not known what they hold, and why, a sentence each. */
  readonly unknown: ReadonlyMap<string, readonly Named[]>;
  readonly settlement: Settlement | undefined;
  readonly paused: number;
}

/**
 * Who holds what of a market, since when, and its result; sums by outcome, settlement, of whom
 * nothing is known.
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
  const nothing = standings
    .filter(({ lastSeconds }) => lastSeconds === 0)
    .map(({ watch }) => watch);
  const bySide = sumsBySide(holders.map(({ held }) => held));
  // What the market's end pays for the outcomes that wallets hold.
  const settled = bySide.flatMap(({ side, own: [{ payout }] }) =>
    payout === undefined || book.settlement === undefined || !isComplete(book.settlement.payouts)
      ? []
      : [texts.news.result.settled(sideName(side, language), format.cents(payout * 100))],
  );
  const sums = bySide.map(({ side, own, wallets, shares, cost }) => {
    const average = format.cents(quotient(sum(own.map(({ entry }) => entry)), shares).toNumber());
    return present(
      `${sideName(side, language)} **${format.usdc(cost.toNumber())}**`,
      texts.news.alsoHere.at(format.shares(shares.toNumber()), average),
      words.wallets(format.quantity(wallets), wallets),
    );
  });
  const rows = [...holders, ...out].map((standing) =>
    standingRow(standing, standing.watch, links, language),
  );
  const body = [...settled, ...sums, ...(rows.length === 0 ? [words.nobody] : rows)];
  const { text, left } = joinFitting(body, LIST_MAX);
  const url = book.market === null ? undefined : links.market(book.market);
  const title = book.market === null ? '' : marketNameOf(book.market);
  return {
    title: escapeText(title, TITLE_MAX, words.withId(escapeText(book.marketId, NAME_MAX, '?'))),
    ...(url === undefined ? {} : { url }),
    color: EMBED_COLOURS.answer,
    description: [
      text,
      ...smallPrint(left === 0 ? undefined : texts.lists.didNotFit(format.quantity(left))),
      ...smallPrint(nothing.length === 0 ? undefined : words.nothing(names(nothing, language))),
      ...[...book.unknown].flatMap(([why, of]) => [
        `⚠️ ${words.unknown(names(of, language))}`,
        `-# ${why}`,
      ]),
      ...smallPrint(book.paused === 0 ? undefined : words.paused(format.quantity(book.paused))),
    ].join('\n'),
  };
}

/** `• Shark 3,100 Yes at 55¢ · since 1 May · 1,200 of 4,300 sold · +$24.80 (+5.6%)`. */
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
  const outcomes = held.map(({ side, shares, entry, sinceSeconds, bought, sold }) =>
    present(
      holdingText(
        { side, shares: toDecimalText(shares), entryCents: quotient(entry, shares).toNumber() },
        language,
      ),
      words.since(`<t:${sinceSeconds}:d>`),
      sold.isZero()
        ? undefined
        : words.sold(format.quantity(sold.toNumber()), format.quantity(bought.toNumber())),
    ),
  );
  return present(
    `${name} ${held.length === 0 ? words.out(`<t:${lastSeconds}:R>`) : outcomes.join(' + ')}`,
    gainCost.isZero() ? undefined : gainText(gain, gainCost, language),
  );
}

export interface HeldTogether {
  readonly key: string;
  readonly market: Market;
  /** Of each wallet that holds some. */
  readonly held: HeldOutcome[][];
}

/**
 * The markets that most of a channel's wallets hold, these first. @param ended how many settled
 * ones were left out
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
    const url = shortLinks(links, URL_MAX).market(market);
    const title = maskedLink(
      marketNameOf(market),
      url,
      ROW_TITLE_MAX,
      texts.alerts.marketWithoutTitle,
    );
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
    color: EMBED_COLOURS.answer,
    description: [
      rows.length === 0 ? words.none : text,
      ...smallPrint(
        left === 0 ? undefined : texts.news.consensus.more(format.quantity(left), left),
      ),
      ...smallPrint(rows.length === 0 ? undefined : words.only),
      ...smallPrint(ended === 0 ? undefined : words.ended(format.quantity(ended))),
      ...smallPrint(paused === 0 ? undefined : words.paused(format.quantity(paused))),
    ].join('\n'),
  };
}

function names(of: readonly Named[], language: Language): string {
  const shown = of.slice(0, NAMES_SHOWN).map(({ label, wallet }) => walletName(wallet, label));
  return listedOf(shown, of.length, language);
}
