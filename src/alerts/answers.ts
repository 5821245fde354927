import { shortHash } from '../portfolio/market.ts';
import { answerQuestion, type MarketHistory, type OpenQuestion } from '../portfolio/positions/question.ts';
import {
  type AlertedPositions,
  addSale,
  type MarketResult,
  withoutMarket,
} from '../portfolio/results/alerted-positions.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';

/** Of so many markets it is kept that asking for them is no use. */
const REFUSED_LIMIT = 300;

/** What became of a question. */
export interface Answer extends Pick<OpenQuestion, 'market' | 'boundarySeconds'> {
  /** `unusable`: it was no history of the market; `endless`: it has more pages than are read. */
  readonly history: MarketHistory | 'unusable' | 'endless';
}

export interface WithAnswers {
  readonly knowledge: WalletKnowledge;
  /** What the records mean that waited for it, by alert. */
  readonly contexts: ReadonlyMap<string, TradeContext>;
  readonly results: readonly MarketResult[];
}

/**
 * The knowledge with what the venue has answered. An answer to a question that is not open any more counts for nothing.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 */
export function withAnswers(
  before: WalletKnowledge,
  answers: readonly Answer[],
  nowSeconds: number,
  boundaries: readonly number[],
): WithAnswers {
  return answers.reduce<WithAnswers>((so, answer) => withAnswer(so, answer, nowSeconds, boundaries), {
    knowledge: before,
    contexts: new Map(),
    results: [],
  });
}

function withAnswer(
  before: WithAnswers,
  { market, boundarySeconds, history }: Answer,
  nowSeconds: number,
  boundaries: readonly number[],
): WithAnswers {
  const { knowledge } = before;
  const question = knowledge.questions.find(
    (open) => open.market === market && open.boundarySeconds === boundarySeconds,
  );
  if (question === undefined) return before;
  const questions = knowledge.questions.filter((open) => open !== question);
  const isRefused = history === 'endless' || (history !== 'unusable' && history.positions === null);
  const refusedMarkets = isRefused
    ? [...knowledge.refusedMarkets, shortHash(market)].slice(-REFUSED_LIMIT)
    : knowledge.refusedMarkets;
  const answered =
    typeof history === 'string' ? null : answerQuestion(knowledge.portfolio, question, history, nowSeconds, boundaries);
  if (answered === null) {
    const alertedPositions = withoutUnanswered(knowledge.alertedPositions, [question]);
    return { ...before, knowledge: { ...knowledge, questions, refusedMarkets, alertedPositions } };
  }
  const { contexts, portfolio } = answered;
  const sold = addSales(knowledge.alertedPositions, question, contexts);
  return {
    knowledge: { ...knowledge, questions, refusedMarkets, portfolio, alertedPositions: sold.alertedPositions },
    contexts: new Map([
      ...before.contexts,
      ...[...contexts].flatMap(([id, context]) => (context ? [[id, context] as const] : [])),
    ]),
    results: [...before.results, ...sold.results],
  };
}

/** The followed purchases without those of which something was sold, and nobody will tell how much. */
export function withoutUnanswered(
  alertedPositions: AlertedPositions,
  questions: readonly OpenQuestion[],
): AlertedPositions {
  return questions
    .flatMap(({ live }) => live.find(({ item }) => item.action !== 'Buy') ?? [])
    .reduce((followed, { item }) => withoutMarket(followed, item), alertedPositions);
}

/** Adds the sales and redemptions that waited for the answer. Purchases were added when they were detected. */
function addSales(
  before: AlertedPositions,
  { live }: OpenQuestion,
  contexts: ReadonlyMap<string, TradeContext | null>,
): { readonly alertedPositions: AlertedPositions; readonly results: readonly MarketResult[] } {
  const firstSale = live.findIndex(({ item }) => item.action !== 'Buy');
  if (firstSale < 0) return { alertedPositions: before, results: [] };
  const later = live.slice(firstSale);
  const results: MarketResult[] = [];
  let alertedPositions = before;
  for (const { alertId, item } of later) {
    const context = contexts.get(alertId) ?? null;
    // What was bought after a sale would count as sold by it.
    if (item.action === 'Buy' || context === null) {
      return { alertedPositions: withoutMarket(before, item), results: [] };
    }
    const updated = addSale(alertedPositions, item, context);
    alertedPositions = updated.alertedPositions;
    results.push(...updated.results);
  }
  return { alertedPositions, results };
}
