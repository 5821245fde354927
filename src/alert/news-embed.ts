import type { APIEmbed } from 'discord.js';
import { Exact } from '../book/exact.ts';
import type { BetNews, ConsensusNews, MarketName } from '../book/news.ts';
import { shortAddress, type WalletAddress } from '../venue/address.ts';
import type { Alert } from './alert.ts';
import { signedUsdc } from './context-lines.ts';
import { COLOURS, footer, type RenderContext, walletName } from './embed.ts';
import { formatCents, formatDuration, formatQuantity, formatShares, formatUsdc } from './format.ts';
import { type Links, shortLinks } from './links.ts';
import { escapeText, maskedLink } from './text.ts';

const SIDE_MAX = 40;
const TITLE_MAX = 200;
const NAME_MAX = 60;
/** Wallets that are named on each side. */
const NAMED = 10;
/** With ten links of wallets and one of a market a description stays below its limit. */
const URL_LIMIT = 150;
const CONSENSUS_COLOUR = 0xf39c12;

/** The embed of a consensus: who, how much, at what average price, and who stands on the other side. */
export function consensusEmbed(alert: Alert, news: ConsensusNews, context: RenderContext): APIEmbed {
  const side = escapeText(news.side, SIDE_MAX, 'one outcome');
  const count = news.stakes.length;
  const isOpposed = news.opposing.length > 0;
  const others = total(news.opposing);
  const own = total(news.stakes);
  const title = isOpposed
    ? `Watched wallets disagree: ${count} on ${side}, ${news.opposing.length} against`
    : `${count} watched wallets took ${side}${news.isEscalation ? ', one more than before' : ''}`;
  return {
    title,
    description: [
      `**${market(news.market, context.links)}**`,
      `${side}: **${formatUsdc(own.usdc.toNumber())}** · ${formatShares(own.shares.toNumber())}${average(own)}`,
      ...named(news.stakes, context),
      ...(isOpposed
        ? [`Against: **${formatUsdc(others.usdc.toNumber())}** · ${formatShares(others.shares.toNumber())}`]
        : []),
      ...named(news.opposing, context),
      ...(news.hedged === 0 ? [] : [`${news.hedged} more bought both sides and count on neither`]),
      `From <t:${news.fromSeconds}:f> to <t:${news.toSeconds}:f>`,
    ].join('\n'),
    color: CONSENSUS_COLOUR,
    footer: footer(alert, `${news.rule.wallets} wallets within ${formatDuration(news.rule.hours * 3_600)}`),
  };
}

/** The embed that answers an alert with what became of its purchase. */
export function resultEmbed(alert: Alert, news: BetNews, context: RenderContext): APIEmbed {
  const gain = new Exact(news.got).minus(news.paid);
  const perDollar = new Exact(news.paid).lte(0) ? null : gain.div(news.paid);
  return {
    title: `${walletName(alert.wallet, context.label)}: what was alerted is closed, ${signedUsdc(gain)}`,
    description: [
      `**${market(news.market, context.links)}**`,
      `Paid ${formatUsdc(new Exact(news.paid).toNumber())} · received ${formatUsdc(new Exact(news.got).toNumber())} · fees ${formatUsdc(new Exact(news.fees).toNumber())}${perDollar === null ? '' : ` · ${signedPercent(perDollar.toNumber())} per dollar`}`,
      `Held ${formatDuration(news.closedSeconds - news.openedSeconds)}, until <t:${news.closedSeconds}:f>`,
      ...(news.score === null ? [] : [scoreLine(news.score)]),
    ].join('\n'),
    color: gain.isNegative() ? COLOURS.sell : COLOURS.buy,
    footer: footer(alert, 'Result at the alerted prices'),
  };
}

/** A wallet's record in the room, in one line. */
export function scoreLine(score: NonNullable<BetNews['score']>): string {
  const open = score.open === 0 ? '' : `, ${score.open} still open${oldest(score.oldestOpenSeconds)}`;
  if (score.markets === 0) return `Alerts here: none closed yet${open}`;
  const error = score.perDollarError === null ? '' : ` ± ${formatQuantity(round(score.perDollarError * 100))}`;
  const won = Math.round(score.won * score.markets);
  return (
    [
      `Alerts here: ${won} of ${score.markets} closed ${score.markets === 1 ? 'market' : 'markets'} won`,
      `${signedPercent(score.perDollar)}${error} % per dollar`.replace(' % % ', ' % '),
      ...(score.isSmall ? ['a small sample'] : []),
    ].join(', ') +
    open +
    (score.givenUp === 0 ? '' : `, ${score.givenUp} lost from sight`)
  );
}

/** One line for a list or a compact room. */
export function newsLine(event: Extract<Alert['event'], { kind: 'consensus' | 'result' }>, links: Links): string {
  if (event.kind === 'result') {
    const { result } = event;
    const gain = signedUsdc(new Exact(result.got).minus(result.paid));
    return `<t:${result.closedSeconds}:R> **Alerted purchases closed, ${gain}** · ${market(result.market, links)}`;
  }
  const { consensus } = event;
  const side = escapeText(consensus.side, SIDE_MAX, 'one outcome');
  const against = consensus.opposing.length === 0 ? '' : `, ${consensus.opposing.length} against`;
  const own = total(consensus.stakes);
  return `<t:${consensus.toSeconds}:R> **${consensus.stakes.length} watched wallets on ${side}${against}** · ${formatUsdc(own.usdc.toNumber())} · ${market(consensus.market, links)}`;
}

type Stake = ConsensusNews['stakes'][number];

function named(stakes: readonly Stake[], { labelOf, links }: RenderContext): string[] {
  const short = shortLinks(links, URL_LIMIT);
  const rows = stakes.slice(0, NAMED).map((stake) => {
    const side = total([stake]);
    return `• ${maskedLink(labelOf(stake.wallet) ?? shortAddress(stake.wallet), walletUrl(short, stake.wallet), NAME_MAX, shortAddress(stake.wallet))} ${formatUsdc(side.usdc.toNumber())}${average(side)}`;
  });
  return stakes.length > NAMED ? [...rows, `… and ${stakes.length - NAMED} more`] : rows;
}

function walletUrl(links: Links, wallet: WalletAddress): string | undefined {
  return links.wallet(wallet);
}

function total(stakes: readonly Stake[]): { readonly usdc: Exact; readonly shares: Exact } {
  const sum = (figures: readonly string[]) => figures.reduce((all, figure) => all.plus(figure), new Exact(0));
  return { usdc: sum(stakes.map(({ usdc }) => usdc)), shares: sum(stakes.map(({ shares }) => shares)) };
}

function average({ usdc, shares }: { readonly usdc: Exact; readonly shares: Exact }): string {
  return shares.isZero() ? '' : ` at ${formatCents(usdc.div(shares).times(100).toNumber())} on average`;
}

function market(name: MarketName, links: Links): string {
  const short = shortLinks(links, 2 * URL_LIMIT);
  return maskedLink(name.title || name.marketSlug, short.market(name), TITLE_MAX, 'Market without a title');
}

function signedPercent(share: number): string {
  const sign = share > 0 ? '+' : share < 0 ? '−' : '';
  return `${sign}${formatQuantity(round(Math.abs(share) * 100))} %`;
}

function round(percent: number): number {
  return Math.round(percent * 10) / 10;
}

function oldest(seconds: number | null): string {
  return seconds === null ? '' : `, the oldest since <t:${seconds}:d>`;
}
