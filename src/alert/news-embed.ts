import type { APIEmbed } from 'discord.js';
import { Exact } from '../book/exact.ts';
import type { BetNews, ConsensusNews, MarketName } from '../book/news.ts';
import { ENGLISH, type Language } from '../language/language.ts';
import { shortAddress } from '../venue/address.ts';
import type { Alert } from './alert.ts';
import { signedPercent, signedUsdc } from './context-lines.ts';
import { COLOURS, fitUrls, footer, lines, marketName, present, type RenderContext, walletName } from './embed-parts.ts';
import { formatCents, formatDuration, formatQuantity, formatShares, formatUsdc } from './format.ts';
import { type Links, shortLinks } from './links.ts';
import { escapeText, maskedLink } from './text.ts';

const SIDE_MAX = 40;
const NAME_MAX = 60;
/** Wallets that are named on each side. */
const NAMED = 8;
/** Room for URLs in a description of 4,096: the words beside them take less than 2,700. */
const URL_ROOM = 1_300;
const LINE_URL_LIMIT = 300;

type Stake = ConsensusNews['stakes'][number];

/** The embed of a consensus: who, how much, at what average price, and who stands on the other side. */
export function consensusEmbed(alert: Alert, news: ConsensusNews, context: RenderContext): APIEmbed {
  const { stakes, opposing, hedged } = news;
  const side = sideName(news.side);
  const against = oneSide(opposing);
  const [marketUrl, ...urls] = fitUrls(
    URL_ROOM,
    context.links.market(news.market),
    ...[...stakes.slice(0, NAMED), ...opposing.slice(0, NAMED)].map(({ wallet }) => context.links.wallet(wallet)),
  );
  const count = `${stakes.length} watched wallets`;
  const opposingUrls = urls.slice(Math.min(NAMED, stakes.length));
  return {
    title:
      opposing.length > 0
        ? `Watched wallets disagree: ${stakes.length} on ${side}, ${opposing.length} ${against === undefined ? 'against' : `on ${against}`}`
        : `${news.isEscalation ? `Now ${count}` : count} took ${side}`,
    description: lines(
      `**${marketLink(news.market, marketUrl)}**`,
      `${side}: ${weight(stakes)}`,
      ...named(stakes, urls, context),
      ...(opposing.length > 0 ? [`${against ?? 'Other outcomes'}: ${weight(opposing)}`] : []),
      ...named(opposing, opposingUrls, context),
      ...(hedged === 0 ? [] : [`${hedged} more bought both sides and ${hedged === 1 ? 'counts' : 'count'} on neither`]),
      `Bought between <t:${news.fromSeconds}:f> and <t:${news.toSeconds}:f>`,
    ),
    color: COLOURS.consensus,
    footer: footer(
      alert,
      `Purchases of ${news.rule.wallets} or more wallets within ${formatDuration(news.rule.hours * 3_600)}`,
    ),
  };
}

/** The embed that answers an alert with what became of its purchase. */
export function resultEmbed(alert: Alert, news: BetNews, context: RenderContext): APIEmbed {
  const { gain, share } = outcomeOf(news);
  const [marketUrl] = fitUrls(URL_ROOM, context.links.market(news.market));
  const fees = new Exact(news.fees);
  return {
    title: `${walletName(alert.wallet, context.label)} closed what rang here: ${signedUsdc(gain, ENGLISH.figures)}${share === null ? '' : ` (${share})`}`,
    description: lines(
      `**${marketLink(news.market, marketUrl)}**`,
      present(
        `Paid ${usdc(new Exact(news.paid))}`,
        `received ${usdc(new Exact(news.got))}`,
        fees.isZero() ? 'no fees' : `fees of ${usdc(fees)} counted`,
      ),
      `From <t:${news.openedSeconds}:f> to <t:${news.closedSeconds}:f>, ${formatDuration(news.closedSeconds - news.openedSeconds)}`,
      ...(news.score === null ? [] : [scoreLine(news.score, ENGLISH)]),
    ),
    color: gain.isNegative() ? COLOURS.sell : COLOURS.buy,
    footer: footer(alert, 'Result of the purchases that rang here'),
  };
}

/** A wallet's record in the room, in one line. */
export function scoreLine(score: NonNullable<BetNews['score']>, { figures }: Language): string {
  const open =
    score.open === 0
      ? undefined
      : `${score.open} still open${score.oldestOpenSeconds === null ? '' : `, the oldest since <t:${score.oldestOpenSeconds}:d>`}`;
  const givenUp = score.givenUp === 0 ? undefined : `${score.givenUp} given up unseen`;
  if (score.markets === 0) return present('Alerts here: none closed yet', open, givenUp);
  const won = Math.round(score.won * score.markets);
  const [from, to] = [score.wonFrom, score.wonTo].map((share) => Math.round(share * 100));
  const error = score.perDollarError === null ? '' : ` ± ${formatQuantity(tenths(score.perDollarError * 100))} %`;
  return present(
    `Alerts here: ${won} of ${score.markets} closed ${score.markets === 1 ? 'market' : 'markets'} won (95 % interval ${from} to ${to} %)`,
    `${signedPercent(new Exact(score.perDollar), figures)}${error} per dollar`,
    score.isSmall ? '**small sample**' : undefined,
    open,
    givenUp,
  );
}

/** One line for a list or a compact room. */
export function newsLine(event: Extract<Alert['event'], { kind: 'consensus' | 'result' }>, links: Links): string {
  const short = shortLinks(links, LINE_URL_LIMIT);
  if (event.kind === 'result') {
    const { result } = event;
    const { gain, share } = outcomeOf(result);
    return present(
      `<t:${result.closedSeconds}:R> **Closed what rang here, ${signedUsdc(gain, ENGLISH.figures)}**${share === null ? '' : ` (${share})`}`,
      marketLink(result.market, short.market(result.market)),
    );
  }
  const { stakes, opposing, market, side, toSeconds } = event.consensus;
  const against = opposing.length === 0 ? '' : `, ${opposing.length} on ${oneSide(opposing) ?? 'other outcomes'}`;
  return present(
    `<t:${toSeconds}:R> **${stakes.length} watched wallets on ${sideName(side)}${against}**`,
    usdc(total(stakes).usdc) + (opposing.length === 0 ? '' : ` against ${usdc(total(opposing).usdc)}`),
    marketLink(market, short.market(market)),
  );
}

function named(
  stakes: readonly Stake[],
  urls: readonly (string | undefined)[],
  { labelOf }: Pick<RenderContext, 'labelOf'>,
): string[] {
  const rows = stakes.slice(0, NAMED).map((stake, index) => {
    const address = shortAddress(stake.wallet);
    const name = maskedLink(labelOf(stake.wallet) ?? address, urls[index], NAME_MAX, address);
    const { shares, usdc: sum } = total([stake]);
    return `• ${name} ${usdc(sum)}${average(sum, shares)}`;
  });
  return stakes.length > NAMED ? [...rows, `… and ${stakes.length - NAMED} more`] : rows;
}

function weight(stakes: readonly Stake[]): string {
  const { usdc: sum, shares } = total(stakes);
  return `**${usdc(sum)}** for ${formatShares(shares.toNumber())}${average(sum, shares)}`;
}

function total(stakes: readonly Stake[]): { readonly usdc: Exact; readonly shares: Exact } {
  const sum = (figures: readonly string[]) => figures.reduce((all, figure) => all.plus(figure), new Exact(0));
  return { usdc: sum(stakes.map((stake) => stake.usdc)), shares: sum(stakes.map((stake) => stake.shares)) };
}

function average(sum: Exact, shares: Exact): string {
  return shares.isZero() ? '' : `, ${formatCents(sum.div(shares).times(100).toNumber())} on average`;
}

function outcomeOf({ paid, got }: BetNews): { readonly gain: Exact; readonly share: string | null } {
  const gain = new Exact(got).minus(paid);
  return { gain, share: new Exact(paid).lte(0) ? null : signedPercent(gain.div(paid), ENGLISH.figures) };
}

function sideName(side: string): string {
  return escapeText(side, SIDE_MAX, 'one outcome');
}

/** The outcome that all of them took; undefined if it was not one. */
function oneSide(stakes: readonly Stake[]): string | undefined {
  const sides = new Set(stakes.map(({ side }) => side));
  const [side] = sides;
  return sides.size === 1 && side !== undefined ? sideName(side) : undefined;
}

function marketLink({ title, marketSlug }: MarketName, url: string | undefined): string {
  return marketName({ marketTitle: title, marketSlug }, url);
}

function usdc(sum: Exact): string {
  return formatUsdc(sum.toNumber());
}

function tenths(percent: number): number {
  return Math.round(percent * 10) / 10;
}
