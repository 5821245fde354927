import { shortHash } from '../portfolio/market.ts';
import { answerQuestion, type OpenQuestion, type readHistory } from '../portfolio/positions/question.ts';
import {
  type AlertedPositions,
  addSale,
  type ChannelResult,
  type Updated,
  withoutMarket,
} from '../portfolio/results/alerted-positions.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';

/** Of so many markets it is kept that asking for them is no use. */
const REFUSED_LIMIT = 300;

/** What became of a question, as it was when it was asked. */
export interface Answer {
  readonly question: OpenQuestion;
  readonly history: Awaited<ReturnType<typeof readHistory>>;
}

/**
 * The knowledge with what the venue has answered: with what the records mean that waited for it, by alert, and the results that
 * follow. An answer to a question that is not open any more counts for nothing.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 */
export function withAnswers(
  before: WalletKnowledge,
  answers: readonly Answer[],
  nowSeconds: number,
  boundaries: readonly number[],
) {
  let knowledge = before;
  const contexts = new Map<string, TradeContext>();
  const results: ChannelResult[] = [];
  for (const { question: asked, history } of answers) {
    const { questions, refusedMarkets, portfolio, alertedPositions } = knowledge;
    const question = questions.find(
      ({ market, boundarySeconds }) => market === asked.market && boundarySeconds === asked.boundarySeconds,
    );
    if (question === undefined) continue;
    const answered =
      typeof history === 'string'
        ? null
        : answerQuestion(portfolio, asked, question.live, history, nowSeconds, boundaries);
    const sold = addSales(alertedPositions, question, answered?.contexts);
    knowledge = {
      ...knowledge,
      questions: questions.filter((open) => open !== question),
      refusedMarkets:
        history === 'never' ? [...refusedMarkets, shortHash(asked.market)].slice(-REFUSED_LIMIT) : refusedMarkets,
      portfolio: answered?.portfolio ?? portfolio,
      alertedPositions: sold.alertedPositions,
    };
    for (const [alertId, context] of answered?.contexts ?? []) contexts.set(alertId, context);
    results.push(...sold.results);
  }
  return { knowledge, contexts, results };
}

/**
 * Adds the sales and redemptions that waited for an answer. Purchases were added when they were detected. Where nobody tells how
 * much was sold, the market's purchases are not followed any more.
 *
 * @param contexts what is known of the records, by alert; left out: nothing
 */
export function addSales(
  before: AlertedPositions,
  { live }: OpenQuestion,
  contexts?: ReadonlyMap<string, TradeContext>,
): Updated {
  const firstSale = live.findIndex(({ item }) => item.action !== 'Buy');
  const results: ChannelResult[] = [];
  let alertedPositions = before;
  for (const { alertId, item } of firstSale < 0 ? [] : live.slice(firstSale)) {
    const context = contexts?.get(alertId);
    // What was bought after a sale would count as sold by it.
    if (item.action === 'Buy' || context === undefined) {
      return { alertedPositions: withoutMarket(before, item), results: [] };
    }
    const updated = addSale(alertedPositions, item, context);
    alertedPositions = updated.alertedPositions;
    results.push(...updated.results);
  }
  return { alertedPositions, results };
}
