import * as z from 'zod';
import { gainText } from '../../embeds/context-lines.ts';
import {
  EMBED_COLOURS,
  present,
  sideName,
  smallPrint,
  walletLink,
} from '../../embeds/embed-parts.ts';
import type { Language } from '../../language/language.ts';
import type { NumberFormat } from '../../language/number-format.ts';
import { Exact, sum } from '../../lib/exact.ts';
import { type ResultNews, resultNewsSchema } from '../../portfolio/results/alerted-positions.ts';
import { type AlertKind, type AnyEvent, countOf, spaced } from './kind.ts';

/** Maximum length of the wallet's URL, in characters. A description has 4,096. */
const URL_MAX = 1_300;
export const LOSS_EMOJI = '📉';

const schema = z.object({ kind: z.literal('result'), result: resultNewsSchema });
type ResultEvent = z.infer<typeof schema>;

/**
 * Result of a position that the channel was alerted to. It replies to the alert of the purchase.
 */
export const resultKind: AlertKind<ResultEvent> = {
  schema,
  seconds: ({ result }) => [result.closedSeconds, result.closedSeconds],
  endpoint: () => 'activity',
  /** Says what a closed position has gained, or what it was worth once its market was settled. */
  headline({ event: { result } }, language) {
    const { closed, won, lost } = language.texts.alerts.headline;
    const gain = gainOf(result);
    const isLoss = gain.isNegative();
    const [held, ...others] = result.settled;
    const say = () => {
      if (held === undefined) {
        const [side, ...otherSides] = result.sides ?? [];
        const isOne = side !== undefined && otherSides.length === 0;
        const gained = resultGain(result, language, language.format.roundUsdc);
        return closed(gained, isOne ? sideName(side, language) : undefined);
      }
      const outcome = others.length > 0 ? undefined : sideName(held.side, language);
      const amount = `**${language.format.roundUsdc(gain.abs().toNumber())}**`;
      if (isLoss) return lost(amount, outcome);
      return won(amount, outcome);
    };
    const sentence = say();
    return {
      emoji: isLoss ? LOSS_EMOJI : '📈',
      says: (wallet) => spaced(wallet, sentence),
      market: result.market,
    };
  },
  rest: ({ event: { result } }, { language, isAbove }) =>
    isAbove ? [amountsOf(result, language)] : [],
  embed({ event: { result }, alerts: [alert] }, context) {
    const { language, links, late, firstAlert } = context;
    return {
      description: [
        amountsOf(result, language),
        ...result.settled.map(({ side, payout }) =>
          language.texts.news.result.settled(
            sideName(side, language),
            language.format.cents(payout * 100),
          ),
        ),
        ...smallPrint(
          walletLink(alert.wallet, links, URL_MAX),
          ...resultNotes(result, language),
          firstAlert,
          late,
        ),
      ].join('\n'),
      color: gainOf(result).isNegative() ? EMBED_COLOURS.loss : EMBED_COLOURS.gain,
    };
  },
  looks: ({ result }) => [{ market: result.market }, 'activity'],
  sumText: countOf('results'),
};

export function resultsOf(alerts: readonly { readonly event: AnyEvent }[]): ResultNews[] {
  const isResult = (event: AnyEvent): event is ResultEvent => event.kind === 'result';
  return alerts.flatMap(({ event }) => (isResult(event) ? [event.result] : []));
}

/**
 * True if a result may make a sound: it is at least one dollar, and at least a hundredth of the
 * amount paid.
 */
export function isLargeResult(news: ResultNews): boolean {
  const size = gainOf(news).abs();
  return size.gte(1) && size.times(100).gte(news.paid);
}

/**
 * Returns the first line of several results: `📈 6 positions closed: **+$697** (+51.9%) · 5 of 6
 * gained`.
 */
export function resultsHeadline(results: readonly ResultNews[], language: Language): string {
  const gains = results.map(gainOf);
  const total = sum(gains);
  const { severalClosed, gained } = language.texts.news.result;
  const gain = gainText(
    total,
    sum(results.map(({ paid }) => paid)),
    language,
    language.format.roundUsdc,
  );
  const sentence = present(
    severalClosed(language.format.quantity(results.length), gain),
    gained(
      language.format.quantity(gains.filter((one) => one.gt(0)).length),
      language.format.quantity(results.length),
    ),
  );
  return `${total.isNegative() ? LOSS_EMOJI : '📈'} ${sentence}`;
}

/**
 * Returns the gain of a closed position, with its percentage of the amount paid: `**+$96.75**
 * (+65.9%)`.
 * @param amount as in `gainText`
 */
export function resultGain(
  news: ResultNews,
  language: Language,
  amount?: NumberFormat['usdc'],
): string {
  return gainText(gainOf(news), news.paid, language, amount);
}

/** `Paid $2,000.50 · received $2,600.50`. */
export function amountsOf({ settled, paid, received }: ResultNews, language: Language): string {
  const texts = language.texts.news.result;
  const cameBack = settled.length > 0 ? texts.cameTo : texts.received;
  return present(texts.paid(usdc(paid, language)), cameBack(usdc(received, language)));
}

/**
 * `position **+$96.75** (+65.9%) · paid $146.88`: the result of a position closed by a sale or
 * redemption, and the amount received if the trade's own line does not show it. If the channel was
 * alerted to only a part of the position: `of $146.88 alerted here: **+$96.75** (+65.9%)`.
 * @param tradedUsdc what the sale or redemption paid
 */
export function resultCost(news: ResultNews, tradedUsdc: Exact, language: Language): string {
  const { paid, received, isPart } = news;
  const { cost, received: back } = language.texts.news.result;
  return present(
    resultGainText(news, language),
    !isPart && cost(usdc(paid, language)),
    !isPart && !tradedUsdc.eq(received) && back(usdc(received, language)),
  );
}

/** `position **+$96.75** (+65.9%)`, or the result of the part that the channel was alerted to. */
export function resultGainText(news: ResultNews, language: Language): string {
  const { position, ofAlerted } = language.texts.news.result;
  const gain = resultGain(news, language, language.format.roundUsdc);
  return news.isPart ? ofAlerted(usdc(news.paid, language), gain) : position(gain);
}

/**
 * Returns how long a closed position was held, in whole minutes, and the fees, if there were any.
 */
export function resultNotes(news: ResultNews, language: Language) {
  return [heldText(news, language), feesText(news, language)];
}

/** `held 2 min`. */
export function heldText({ openedSeconds, closedSeconds }: ResultNews, language: Language): string {
  const seconds = closedSeconds - openedSeconds;
  const { duration } = language.format;
  const sentence = seconds < 60 ? `< ${duration(60)}` : duration(seconds - (seconds % 60));
  return language.texts.news.result.held(sentence);
}

/** `fees $1.20`; undefined if there were none. */
export function feesText({ fees }: ResultNews, language: Language): string | undefined {
  if (new Exact(fees).isZero()) return undefined;
  return language.texts.news.result.fees(usdc(fees, language));
}

/** Returns the gain of a closed position, negative for a loss. */
export function gainOf({ paid, received }: ResultNews): Exact {
  return new Exact(received).minus(paid);
}

function usdc(figure: string, { format }: Language): string {
  return format.usdc(Number(figure));
}
