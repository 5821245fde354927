import type { APIEmbed } from 'discord.js';
import type { Alert } from '../alerts/alert.ts';
import { shortAddress } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { Exact, quotient, sum } from '../lib/exact.ts';
import type { Market } from '../portfolio/market.ts';
import type { ConsensusNews, ResultNews } from '../portfolio/news.ts';
import { signedPercent, signedUsdc } from './context-lines.ts';
import {
  EMBED_COLOURS,
  fitUrls,
  footer,
  lines,
  marketName,
  present,
  type RenderContext,
  walletName,
} from './embed-parts.ts';
import { escapeText, maskedLink } from './escape.ts';
import { type Links, shortLinks } from './links.ts';

const SIDE_MAX = 40;
const NAME_MAX = 60;
/** Wallets that are listed on each side. */
const NAMED = 8;
/** Characters of a description (4,096) for URLs: the text beside them takes fewer than 2,700 code points. */
const URL_ROOM = 1_300;
const LINE_URL_LIMIT = 300;

type Stake = ConsensusNews['stakes'][number];

/** The embed of a consensus: who bought how much at what average price, and who bought another outcome. */
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
    color: EMBED_COLOURS.consensus,
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

/** The embed of a result, which answers the alert of the purchase. */
export function resultEmbed(alert: Alert, news: ResultNews, { links, label, language }: RenderContext): APIEmbed {
  const { gain, share } = gainOf(news, language);
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
        result.paid(money(new Exact(news.paid), language)),
        result.received(money(new Exact(news.received), language)),
        fees.isZero() ? result.noFees : result.fees(money(fees, language)),
      ),
      result.held(`<t:${openedSeconds}:f>`, `<t:${closedSeconds}:f>`, format.duration(closedSeconds - openedSeconds)),
      ...(news.score === null ? [] : [scoreLine(news.score, language)]),
    ),
    color: gain.isNegative() ? EMBED_COLOURS.sell : EMBED_COLOURS.buy,
    footer: footer(alert, result.footer),
  };
}

/** The score of a wallet's alerts in a channel, in one line. */
export function scoreLine(score: NonNullable<ResultNews['score']>, { texts: { news }, format }: Language): string {
  const texts = news.score;
  const oldest = score.oldestOpenSeconds === null ? undefined : `<t:${score.oldestOpenSeconds}:d>`;
  const open = score.open === 0 ? undefined : texts.open(format.quantity(score.open), score.open, oldest);
  const givenUp = score.abandoned === 0 ? undefined : texts.givenUp(format.quantity(score.abandoned), score.abandoned);
  if (score.markets === 0) return present(texts.noneClosed, open, givenUp);
  const won = format.quantity(Math.round(score.winRate * score.markets));
  const [low = '', high = ''] = [score.winRateLow, score.winRateHigh].map((share) =>
    format.quantity(Math.round(share * 100)),
  );
  const error = score.perDollarError === null ? undefined : format.quantity(tenths(score.perDollarError * 100));
  return present(
    texts.won(won, format.quantity(score.markets), score.markets, low, high),
    texts.perDollar(signedPercent(new Exact(score.perDollar), format), error),
    score.isSmall ? texts.smallSample : undefined,
    open,
    givenUp,
  );
}

/** A consensus or a result in one line, for lists and for channels with the compact view. */
export function newsLine(
  event: Extract<Alert['event'], { kind: 'consensus' | 'result' }>,
  links: Links,
  language: Language,
): string {
  const { format, texts } = language;
  const short = shortLinks(links, LINE_URL_LIMIT);
  if (event.kind === 'result') {
    const { result } = event;
    const { gain, share } = gainOf(result, language);
    return present(
      `<t:${result.closedSeconds}:R> ${texts.news.result.line(signedUsdc(gain, format), share)}`,
      marketLink(result.market, short.market(result.market), language),
    );
  }
  const { agreeLine, disagreeLine, against } = texts.news.consensus;
  const { stakes, opposing, market, side, toSeconds } = event.consensus;
  const [count, name] = [format.quantity(stakes.length), sideName(side, language)];
  const [amount, opposed] = [stakes, opposing].map((some) => money(total(some).usdc, language));
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
    const { shares, usdc } = total([stake]);
    return `• ${texts.stake(name, money(usdc, language), averageCents(usdc, shares, language))}`;
  });
  const left = stakes.length - NAMED;
  return left > 0 ? [...rows, texts.more(language.format.quantity(left), left)] : rows;
}

/** All stakes of one side in a phrase: USDC, shares, average price. */
function weight(stakes: readonly Stake[], language: Language): string {
  const { usdc, shares } = total(stakes);
  const held = language.format.shares(shares.toNumber());
  return language.texts.news.consensus.weight(money(usdc, language), held, averageCents(usdc, shares, language));
}

function total(stakes: readonly Stake[]): { readonly usdc: Exact; readonly shares: Exact } {
  return { usdc: sum(stakes.map((stake) => stake.usdc)), shares: sum(stakes.map((stake) => stake.shares)) };
}

/** The average price of shares, in cents; undefined without shares. */
function averageCents(usdc: Exact, shares: Exact, { format }: Language): string | undefined {
  return shares.isZero() ? undefined : format.cents(quotient(usdc, shares).times(100).toNumber());
}

/** What a closed position has gained, in USDC, and as a percentage of what was paid. */
function gainOf(
  { paid, received }: ResultNews,
  { format }: Language,
): { readonly gain: Exact; readonly share: string | undefined } {
  const gain = new Exact(received).minus(paid);
  return { gain, share: new Exact(paid).lte(0) ? undefined : signedPercent(quotient(gain, paid), format) };
}

function sideName(side: string, { texts }: Language): string {
  return escapeText(side, SIDE_MAX, texts.news.consensus.unknownSide);
}

/** The outcome that all of them bought, escaped; undefined if they bought several. */
function oneSide(stakes: readonly Stake[], language: Language): string | undefined {
  const sides = new Set(stakes.map(({ side }) => side));
  const [side] = sides;
  return sides.size === 1 && side !== undefined ? sideName(side, language) : undefined;
}

function marketLink({ title, marketSlug }: Market, url: string | undefined, language: Language): string {
  return marketName({ marketTitle: title, marketSlug }, url, language);
}

function money(usdc: Exact, { format }: Language): string {
  return format.usdc(usdc.toNumber());
}

function tenths(percent: number): number {
  return Math.round(percent * 10) / 10;
}
