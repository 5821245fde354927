import { present, SEPARATOR, walletName } from '../embeds/embed-parts.ts';
import { type Links, shortLinks } from '../embeds/links.ts';
import { linkedName, OWN_LINE_EMS } from '../embeds/named-lines.ts';
import { listed, verdictLine } from '../embeds/record-lines.ts';
import { wordAmongFigures } from '../embeds/text/escape.ts';
import { joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Market } from '../portfolio/market.ts';
import { listedOf } from '../watches/settings/only-except.ts';
import type { WalletFigures } from './stats.ts';

/** Maximum code points of the lines of one kind, because a list of wallets follows. */
const LINES_MAX = 1_000;
const MARKETS_SHOWN = 5;
const NAMED_A_SIDE = 3;
const SIDES_SHOWN = 3;
const SIDE_MAX = 30;
const URL_LIMIT = 150;

type Wallets = readonly WalletFigures[];

/** Wallets of a digest that traded an outcome, and its payout in USDC per share. */
interface Side {
  readonly payout: number;
  readonly names: string[];
}

/**
 * Returns the markets that were settled in the period: those to show, sorted by the number of
 * wallets that traded in them, and the total number.
 */
export function settledMarkets(wallets: Wallets) {
  const traded = wallets.flatMap(({ wallet, label, settled }) => {
    const name = walletName(wallet, label);
    return settled.map((market) => ({ ...market, name }));
  });
  const byMarket = groupBy(traded, ({ key }) => key);
  const named: { market: Market; wallets: number; sides: ReturnType<typeof sidesOf> }[] = [];
  for (const own of byMarket.values()) {
    const market = own.find((one) => one.market !== null)?.market ?? null;
    if (market !== null) named.push({ market, wallets: own.length, sides: sidesOf(own) });
  }
  const shown = named.toSorted((a, b) => b.wallets - a.wallets).slice(0, MARKETS_SHOWN);
  return { shown, count: byMarket.size };
}

/**
 * Returns settled markets: `• Will it rain? · **Yes** won · Whale / **No** lost · Minnow`. Empty if
 * there are none.
 *
 * @param nameIn returns a market's name at a width in ems
 */
export function settledLines(
  { shown, count }: ReturnType<typeof settledMarkets>,
  nameIn: (market: Market, ems: number) => string,
  links: Links,
  language: Language,
): string[] {
  if (count === 0) return [];
  const { texts, format } = language;
  const row = ({ market, sides }: (typeof shown)[number]) => {
    const url = shortLinks(links, URL_LIMIT).market(market);
    const name = nameIn(market, OWN_LINE_EMS);
    const title = linkedName(name, url, texts.alerts.marketWithoutTitle);
    return `• ${present(title, sideTexts(sides, language).join(' / '))}`;
  };
  const { text, included } = joinFitting(shown, LINES_MAX, row);
  const more = count - included;
  const title = texts.digest.settled.title(format.quantity(count), count);
  const lines = [`**${title}**`];
  if (included > 0) lines.push(text);
  if (included > 0 && more > 0) lines.push(texts.scores.more(format.quantity(more)));
  return lines;
}

/** Returns the wallets whose verdict began or ended in the period, with the present verdict. */
export function verdictLines(wallets: Wallets, language: Language): string[] {
  const { texts } = language;
  const rows = wallets.flatMap(({ wallet, label, record, verdictChange }) => {
    if (record === null || verdictChange === null) return [];
    const verdict = verdictLine(record, language);
    const verdictText = texts.digest.verdicts[verdictChange](verdict);
    return `**${walletName(wallet, label)}**${SEPARATOR}${verdictText}`;
  });
  return rows.length === 0 ? [] : listed(rows.length, LINES_MAX, rows, language);
}

function sidesOf(own: readonly (WalletFigures['settled'][number] & { readonly name: string })[]) {
  const sides = new Map<string, Side>();
  for (const { name, sides: traded } of own) {
    for (const { side, payout } of traded) {
      const known = sides.get(side) ?? { payout, names: [] };
      known.names.push(name);
      sides.set(side, known);
    }
  }
  return [...sides].sort(([, a], [, b]) => b.payout - a.payout);
}

function sideTexts(sides: ReturnType<typeof sidesOf>, language: Language): string[] {
  const { digest, alerts } = language.texts;
  const { won, lost, paid } = digest.settled;
  return sides.slice(0, SIDES_SHOWN).map(([name, { payout, names }]) => {
    const { unknownOutcome } = alerts.headline;
    const side = `**${wordAmongFigures(name, SIDE_MAX, unknownOutcome, language)}**`;
    const by = listedOf(names.slice(0, NAMED_A_SIDE), names.length, language);
    if (payout === 1) return won(side, by);
    if (payout === 0) return lost(side, by);
    return paid(side, language.format.cents(payout * 100), by);
  });
}
