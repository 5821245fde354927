import type { APIEmbed } from 'discord.js';
import type { Alert } from '../alerts/alert.ts';
import type { Language } from '../language/language.ts';
import { Exact, quotient } from '../lib/exact.ts';
import type { ConsensusNews, MarketName, ResultNews } from '../portfolio/news.ts';
import { shortAddress } from '../venue/address.ts';
import { signedPercent, signedUsdc } from './context-lines.ts';
import { COLOURS, fitUrls, footer, lines, marketName, present, type RenderContext, walletName } from './embed-parts.ts';
import { escapeText, maskedLink } from './escape.ts';
import { type Links, shortLinks } from './links.ts';

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
  const { stakes, opposing, hedged, rule } = news;
  const { language } = context;
  const { format } = language;
  const texts = language.texts.news.consensus;
  const side = sideName(news.side, language);
  const [marketUrl, ...urls] = fitUrls(
    URL_ROOM,
    context.links.market(news.market),
    ...[...stakes.slice(0, NAMED), ...opposing.slice(0, NAMED)].map(({ wallet }) => context.links.wallet(wallet)),
  );
  const opposingUrls = urls.slice(Math.min(NAMED, stakes.length));
  return {
    title: consensusTitle(news, language),
    description: lines(
      `**${marketLink(news.market, marketUrl, language)}**`,
      texts.side(side, weight(stakes, language)),
      ...named(stakes, urls, context),
      ...(opposing.length > 0
        ? [texts.side(oneSide(opposing, language) ?? texts.otherOutcomes, weight(opposing, language))]
        : []),
      ...named(opposing, opposingUrls, context),
      ...(hedged === 0 ? [] : [texts.hedged(format.quantity(hedged), hedged)]),
      texts.bought(`<t:${news.fromSeconds}:f>`, `<t:${news.toSeconds}:f>`),
    ),
    color: COLOURS.consensus,
    footer: footer(alert, texts.rule(format.quantity(rule.wallets), format.duration(rule.hours * 3_600))),
  };
}

function consensusTitle({ stakes, opposing, side, isEscalation }: ConsensusNews, language: Language): string {
  const { texts, format } = language;
  const { took, nowTook, disagree } = texts.news.consensus;
  const [count, name] = [format.quantity(stakes.length), sideName(side, language)];
  if (opposing.length === 0) return isEscalation ? nowTook(count, name) : took(count, name);
  return disagree(count, name, format.quantity(opposing.length), oneSide(opposing, language));
}

/** The embed that answers an alert with what became of its purchase. */
export function resultEmbed(alert: Alert, news: ResultNews, { links, label, language }: RenderContext): APIEmbed {
  const { gain, share } = outcomeOf(news, language);
  const { format, texts } = language;
  const { result } = texts.news;
  const { openedSeconds, closedSeconds } = news;
  const [marketUrl] = fitUrls(URL_ROOM, links.market(news.market));
  const fees = new Exact(news.fees);
  return {
    title: result.title(walletName(alert.wallet, label), texts.news.gain(signedUsdc(gain, format), share)),
    description: lines(
      `**${marketLink(news.market, marketUrl, language)}**`,
      present(
        result.paid(usdc(new Exact(news.paid), language)),
        result.received(usdc(new Exact(news.got), language)),
        fees.isZero() ? result.noFees : result.fees(usdc(fees, language)),
      ),
      result.held(`<t:${openedSeconds}:f>`, `<t:${closedSeconds}:f>`, format.duration(closedSeconds - openedSeconds)),
      ...(news.score === null ? [] : [scoreLine(news.score, language)]),
    ),
    color: gain.isNegative() ? COLOURS.sell : COLOURS.buy,
    footer: footer(alert, result.footer),
  };
}

/** A wallet's record in the room, in one line. */
export function scoreLine(score: NonNullable<ResultNews['score']>, { texts: { news }, format }: Language): string {
  const texts = news.score;
  const oldest = score.oldestOpenSeconds === null ? undefined : `<t:${score.oldestOpenSeconds}:d>`;
  const open = score.open === 0 ? undefined : texts.open(format.quantity(score.open), score.open, oldest);
  const givenUp = score.givenUp === 0 ? undefined : texts.givenUp(format.quantity(score.givenUp), score.givenUp);
  if (score.markets === 0) return present(texts.noneClosed, open, givenUp);
  const won = format.quantity(Math.round(score.won * score.markets));
  const [low = '', high = ''] = [score.wonFrom, score.wonTo].map((share) => format.quantity(Math.round(share * 100)));
  const error = score.perDollarError === null ? undefined : format.quantity(tenths(score.perDollarError * 100));
  return present(
    texts.won(won, format.quantity(score.markets), score.markets, low, high),
    texts.perDollar(signedPercent(new Exact(score.perDollar), format), error),
    score.isSmall ? texts.smallSample : undefined,
    open,
    givenUp,
  );
}

/** One line for a list or a compact room. */
export function newsLine(
  event: Extract<Alert['event'], { kind: 'consensus' | 'result' }>,
  links: Links,
  language: Language,
): string {
  const { format, texts } = language;
  const short = shortLinks(links, LINE_URL_LIMIT);
  if (event.kind === 'result') {
    const { result } = event;
    const { gain, share } = outcomeOf(result, language);
    return present(
      `<t:${result.closedSeconds}:R> ${texts.news.result.line(signedUsdc(gain, format), share)}`,
      marketLink(result.market, short.market(result.market), language),
    );
  }
  const { agreeLine, disagreeLine, against } = texts.news.consensus;
  const { stakes, opposing, market, side, toSeconds } = event.consensus;
  const [count, name] = [format.quantity(stakes.length), sideName(side, language)];
  const [amount, opposed] = [stakes, opposing].map((some) => usdc(total(some).usdc, language));
  return present(
    `<t:${toSeconds}:R> ${
      opposing.length === 0
        ? agreeLine(count, name)
        : disagreeLine(count, name, format.quantity(opposing.length), oneSide(opposing, language))
    }`,
    opposing.length === 0 ? amount : against(amount ?? '', opposed ?? ''),
    marketLink(market, short.market(market), language),
  );
}

function named(
  stakes: readonly Stake[],
  urls: readonly (string | undefined)[],
  { labelOf, language }: Pick<RenderContext, 'labelOf' | 'language'>,
): string[] {
  const texts = language.texts.news.consensus;
  const rows = stakes.slice(0, NAMED).map((stake, index) => {
    const address = shortAddress(stake.wallet);
    const name = maskedLink(labelOf(stake.wallet) ?? address, urls[index], NAME_MAX, address);
    const { shares, usdc: sum } = total([stake]);
    return `• ${texts.stake(name, usdc(sum, language), average(sum, shares, language))}`;
  });
  const left = stakes.length - NAMED;
  return left > 0 ? [...rows, texts.more(language.format.quantity(left), left)] : rows;
}

function weight(stakes: readonly Stake[], language: Language): string {
  const { usdc: sum, shares } = total(stakes);
  const held = language.format.shares(shares.toNumber());
  return language.texts.news.consensus.weight(usdc(sum, language), held, average(sum, shares, language));
}

function total(stakes: readonly Stake[]): { readonly usdc: Exact; readonly shares: Exact } {
  const sum = (format: readonly string[]) => format.reduce((all, figure) => all.plus(figure), new Exact(0));
  return { usdc: sum(stakes.map((stake) => stake.usdc)), shares: sum(stakes.map((stake) => stake.shares)) };
}

function average(sum: Exact, shares: Exact, { format }: Language): string | undefined {
  return shares.isZero() ? undefined : format.cents(quotient(sum, shares).times(100).toNumber());
}

function outcomeOf(
  { paid, got }: ResultNews,
  { format }: Language,
): { readonly gain: Exact; readonly share: string | undefined } {
  const gain = new Exact(got).minus(paid);
  return { gain, share: new Exact(paid).lte(0) ? undefined : signedPercent(quotient(gain, paid), format) };
}

function sideName(side: string, { texts }: Language): string {
  return escapeText(side, SIDE_MAX, texts.news.consensus.unknownSide);
}

/** The outcome that all of them took; undefined if it was not one. */
function oneSide(stakes: readonly Stake[], language: Language): string | undefined {
  const sides = new Set(stakes.map(({ side }) => side));
  const [side] = sides;
  return sides.size === 1 && side !== undefined ? sideName(side, language) : undefined;
}

function marketLink({ title, marketSlug }: MarketName, url: string | undefined, language: Language): string {
  return marketName({ marketTitle: title, marketSlug }, url, language);
}

function usdc(sum: Exact, { format }: Language): string {
  return format.usdc(sum.toNumber());
}

function tenths(percent: number): number {
  return Math.round(percent * 10) / 10;
}
