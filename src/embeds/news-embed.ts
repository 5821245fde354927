import type { APIEmbed } from 'discord.js';
import type { Alert } from '../alerts/alert.ts';
import { shortAddress } from '../domain/address.ts';
import type { Language } from '../language/language.ts';
import { Exact, quotient, sum } from '../lib/exact.ts';
import type { Market } from '../portfolio/market.ts';
import type { ConsensusNews, ResultNews } from '../portfolio/news.ts';
import { gainText, signedUsdc } from './context-lines.ts';
import {
  EMBED_COLOURS,
  fitUrls,
  footer,
  type Headline,
  lines,
  marketTitle,
  type NamedMarket,
  present,
  type RenderContext,
  smallPrint,
  timestamp,
  walletLink,
} from './embed-parts.ts';
import { maskedLink, wordAmongFigures } from './text/escape.ts';

const SIDE_MAX = 40;
const NAME_MAX = 60;
/** Wallets that are listed on each side. */
const NAMED = 5;
/** Characters of a description (4,096) for URLs: the text beside them takes fewer than 2,700 code points. */
const URL_ROOM = 1_300;

type Stake = ConsensusNews['stakes'][number];

/** The first line of a consensus: how many wallets bought what, and for how much. */
export function consensusHeadline(news: ConsensusNews, language: Language): Headline {
  const { stakes, opposing, side, isEscalation, market } = news;
  const { took, nowTook, disagree, against } = language.texts.news.consensus;
  const [count, name] = [language.format.quantity(stakes.length), sideName(side, language)];
  const [amount = '', opposed = ''] = [stakes, opposing].map((some) => roundMoney(total(some).usdc, language));
  const agreed = isEscalation ? nowTook(count, name) : took(count, name);
  const said =
    opposing.length === 0
      ? present(agreed, amount)
      : present(
          disagree(count, name, language.format.quantity(opposing.length), oneSide(opposing, language)),
          against(amount, opposed),
        );
  return { emoji: opposing.length === 0 ? '🤝' : '⚖️', says: () => said, market: named(market) };
}

/** The first line of a result: what a closed position has gained, or was worth once its market was settled. */
export function resultHeadline(news: ResultNews, language: Language): Headline {
  const { closed, won, lost } = language.texts.alerts.headline;
  const gain = gainOf(news);
  const amount = `**${signedUsdc(gain, language.format)}**`;
  const [held, ...others] = news.settled;
  const outcome = held === undefined || others.length > 0 ? undefined : sideName(held.side, language);
  const said =
    held === undefined ? closed(resultGain(news, language)) : (gain.isNegative() ? lost : won)(amount, outcome);
  const says = (wallet: string) => (wallet === '' ? said : `${wallet} ${said}`);
  return { emoji: gain.isNegative() ? '📉' : '📈', says, market: named(news.market) };
}

/** What a closed position has gained, and of what was paid: `**+$96.75** (+65.9%)`. */
export function resultGain(news: ResultNews, language: Language): string {
  return gainText(gainOf(news), new Exact(news.paid), language);
}

/** What was paid for a position that a redemption has closed; what came back where the redemption's own line does not say it. */
export function resultCost({ paid, received }: ResultNews, redeemedUsdc: Exact, language: Language): string {
  const { result } = language.texts.news;
  const isSaid = redeemedUsdc.eq(received);
  return present(
    result.cost(money(new Exact(paid), language)),
    isSaid ? undefined : result.received(money(new Exact(received), language)),
  );
}

/** How long a closed position was held, and the fees, if there were any. */
export function resultNotes({ openedSeconds, closedSeconds, fees }: ResultNews, language: Language) {
  const { result } = language.texts.news;
  const total = new Exact(fees);
  return [
    result.held(language.format.duration(closedSeconds - openedSeconds)),
    total.isZero() ? undefined : result.fees(money(total, language)),
  ];
}

/** The embed of a consensus: who bought how much at what average price, and who bought another outcome. */
export function consensusEmbed(alert: Alert, news: ConsensusNews, context: RenderContext): APIEmbed {
  const { stakes, opposing, hedged, rule, side, fromSeconds, toSeconds } = news;
  const { language } = context;
  const { format } = language;
  const texts = language.texts.news.consensus;
  const urls = fitUrls(
    URL_ROOM,
    ...[...stakes.slice(0, NAMED), ...opposing.slice(0, NAMED)].map(({ wallet }) => context.links.wallet(wallet)),
  );
  const opposingUrls = urls.slice(Math.min(NAMED, stakes.length));
  return {
    ...marketTitle(named(news.market), alert, context),
    description: lines(
      weight(sideName(side, language), stakes, language),
      ...rows(stakes, urls, context),
      ...(opposing.length > 0
        ? [weight(oneSide(opposing, language) ?? `**${texts.otherOutcomes}**`, opposing, language)]
        : []),
      ...rows(opposing, opposingUrls, context),
      ...smallPrint(hedged === 0 ? undefined : texts.hedged(format.quantity(hedged), hedged)),
    ),
    color: EMBED_COLOURS.consensus,
    footer: footer(
      alert,
      present(
        toSeconds > fromSeconds ? texts.within(format.duration(toSeconds - fromSeconds)) : undefined,
        texts.rule(format.quantity(rule.wallets), format.duration(rule.hours * 3_600)),
      ),
    ),
    ...timestamp(toSeconds),
  };
}

/** The embed of a result, which answers the alert of the purchase. */
export function resultEmbed(alert: Alert, news: ResultNews, context: RenderContext): APIEmbed {
  const { language, links } = context;
  const { result } = language.texts.news;
  const { settled } = news;
  const isSettled = settled.length > 0;
  return {
    ...marketTitle(named(news.market), alert, context),
    description: lines(
      present(
        result.paid(money(new Exact(news.paid), language)),
        (isSettled ? result.cameTo : result.received)(money(new Exact(news.received), language)),
      ),
      ...settled.map(({ side, payout }) =>
        result.settled(sideName(side, language), language.format.cents(payout * 100)),
      ),
      ...smallPrint(walletLink(alert.wallet, links, URL_ROOM), ...resultNotes(news, language)),
    ),
    color: gainOf(news).isNegative() ? EMBED_COLOURS.sell : EMBED_COLOURS.buy,
    footer: footer(alert, isSettled ? result.settledFooter : result.footer),
    ...timestamp(news.closedSeconds),
  };
}

function rows(
  stakes: readonly Stake[],
  urls: readonly (string | undefined)[],
  { labelOf, language }: Pick<RenderContext, 'labelOf' | 'language'>,
): string[] {
  const texts = language.texts.news.consensus;
  const shown = stakes.slice(0, NAMED).map((stake, index) => {
    const address = shortAddress(stake.wallet);
    const name = maskedLink(labelOf(stake.wallet) ?? address, urls[index], NAME_MAX, address);
    const { shares, usdc } = total([stake]);
    return `• ${texts.stake(name, money(usdc, language), averageCents(usdc, shares, language))}`;
  });
  const left = stakes.length - NAMED;
  return left > 0 ? [...shown, texts.more(language.format.quantity(left), left)] : shown;
}

/** All stakes of one side in a line: USDC, shares, average price. @param side bold already */
function weight(side: string, stakes: readonly Stake[], language: Language): string {
  const { usdc, shares } = total(stakes);
  const held = language.format.shares(shares.toNumber());
  return language.texts.news.consensus.weight(side, money(usdc, language), held, averageCents(usdc, shares, language));
}

function total(stakes: readonly Stake[]): { readonly usdc: Exact; readonly shares: Exact } {
  return { usdc: sum(stakes.map((stake) => stake.usdc)), shares: sum(stakes.map((stake) => stake.shares)) };
}

/** The average price of shares, in cents; undefined without shares. */
function averageCents(usdc: Exact, shares: Exact, { format }: Language): string | undefined {
  return shares.isZero() ? undefined : format.cents(quotient(usdc, shares).times(100).toNumber());
}

/** What a closed position has gained, USDC. */
function gainOf({ paid, received }: ResultNews): Exact {
  return new Exact(received).minus(paid);
}

/** Bold. */
function sideName(side: string, { texts }: Language): string {
  return `**${wordAmongFigures(side, SIDE_MAX, texts.news.consensus.unknownSide)}**`;
}

/** The outcome that all of them bought, as `sideName`; undefined if they bought several. */
function oneSide(stakes: readonly Stake[], language: Language): string | undefined {
  const sides = new Set(stakes.map(({ side }) => side));
  const [side] = sides;
  return sides.size === 1 && side !== undefined ? sideName(side, language) : undefined;
}

function named({ title, ...market }: Market): NamedMarket {
  return { ...market, marketTitle: title };
}

function money(usdc: Exact, { format }: Language): string {
  return format.usdc(usdc.toNumber());
}

function roundMoney(usdc: Exact, { format }: Language): string {
  return format.roundUsdc(usdc.toNumber());
}
