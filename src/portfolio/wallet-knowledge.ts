import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { ActivityItem, EndpointName, TransferItem } from '../domain/records.ts';
import type { Settlement } from '../domain/settlement.ts';
import { notWhole } from './accounts/account.ts';
import { addToAccounts, NO_ACCOUNTS, replaceAccounts } from './accounts/accounts.ts';
import { addEntries, announcedConsensusSchema, entrySchema } from './consensus.ts';
import { addGap, type GapSpan } from './gaps.ts';
import { addGivenUp, marketsGivenUp } from './given-up.ts';
import { entryKeys } from './market.ts';
import { newPortfolio, type Portfolio, portfolioSchema } from './portfolio.ts';
import { compareRecords } from './positions/position.ts';
import {
  answerQuestion,
  type OpenQuestion,
  openQuestionSchema,
  type readHistory,
} from './positions/question.ts';
import { unannouncedSchema } from './positions/unannounced.ts';
import { recordFillSchema } from './record/first-purchase.ts';
import {
  addToRecord,
  EMPTY_RECORD,
  isNewMarket,
  recordFill,
  walletRecordSchema,
} from './record/record.ts';
import {
  type AlertedPositions,
  addSale,
  alertedPositionsSchema,
  giveUp,
  settlePositions,
  type Updated,
} from './results/alerted-positions.ts';
import type { TradeContext } from './trade-context.ts';
import { addActivity, addTransfers, type ItemMeaning } from './update.ts';

/**
 * Knowledge about a wallet in addition to its detection state, stored in the same document and in
 * the same write.
 */
export const knowledgeSchema = z.object({
  portfolio: portfolioSchema,
  /** The wallet's purchases in which a consensus may be found, oldest first. */
  entries: z.array(entrySchema),
  /** Alerted purchases that are not sold yet. */
  alertedPositions: alertedPositionsSchema,
  unannounced: unannouncedSchema,
  record: walletRecordSchema,
  /**
   * Fills counted in the track record since `beforeSeconds` (Unix seconds), kept until earlier
   * records have been read back, because an earlier purchase changes which one is a market's first.
   * Null once they have been, or never will be.
   */
  unread: z.object({ beforeSeconds: z.number(), fills: z.array(recordFillSchema) }).nullable(),
  /** Consensus alerts that one of its purchases triggered. */
  announcedConsensus: z.array(announcedConsensusSchema),
  questions: z.array(openQuestionSchema).readonly(),
  /** Markets for which there is no answer, the newest last. */
  refusedMarkets: z.array(z.string()).readonly(),
  /**
   * Markets that can no longer be computed, the newest last, because the wallet did something there
   * that the API does not describe.
   */
  givenUpMarkets: z.array(z.string()).readonly().default([]),
});
export type WalletKnowledge = z.infer<typeof knowledgeSchema>;

/**
 * Maximum number of trades kept until earlier records have been read. With more, these are never
 * read.
 */
const UNREAD_LIMIT = 1_000;
/** Maximum number of markets remembered as not worth asking about. */
const REFUSED_LIMIT = 300;

/** A polled page, with the items that `detect` found to be new. */
export interface DetectedPage<Item> {
  /** All items of the page, newest first. */
  readonly items: readonly Item[];
  /** New items of the page, oldest first; duplicate records as separate items. */
  readonly fresh: readonly Item[];
  /** Items of the page that were counted before. */
  readonly known: readonly Item[];
  /** True if the venue has older records than these, or some on the page could not be read. */
  readonly isCut: boolean;
  /** Unix seconds. Nothing earlier counts as new. Earlier items on the first page are history. */
  readonly sinceSeconds: number;
  /** True if it is the first page of this endpoint since the wallet has been watched. */
  readonly isFirst: boolean;
  /** Times at which channels began to watch the wallet, in Unix seconds. */
  readonly boundaries: readonly number[];
  /** End of a gap before these items, in Unix seconds; null if there is none. */
  readonly gapEndSeconds: number | null;
  /**
   * Period in which records may be missing, as announced to the channels; null or left out if there
   * is none.
   */
  readonly gap?: GapSpan | null;
  /** The venue's clock, in Unix seconds. */
  readonly nowSeconds: number;
}

/**
 * Adds a page of trades and redemptions. After a gap, no position is known; earlier profits and
 * volume remain.
 * @param before undefined if nothing is known yet
 * @returns the meanings of the fresh items, and what was done before all watches if the first page
 *   shows it
 */
export function addActivityPage(
  before: WalletKnowledge | undefined,
  page: DetectedPage<ActivityItem>,
) {
  const { nowSeconds, fresh, known, boundaries } = page;
  let past: readonly { readonly item: ActivityItem; readonly meaning: ItemMeaning | undefined }[] =
    [];
  const history = page.isFirst ? historyOf(page) : [];
  let knowledge = withGivenUp(before ?? newKnowledge(newPortfolio(page.sinceSeconds, false)), [
    ...history,
    ...fresh,
  ]);
  const givenUp = new Set(knowledge.givenUpMarkets);
  if (page.isFirst) {
    // So far, only transfers are known. The portfolio begins with the oldest item, or with the
    // wallet's first trade if the page is not cut.
    const sinceSeconds = page.isCut ? oldestSeconds(page) : 0;
    const empty = { ...knowledge.portfolio, sinceSeconds, isWhole: !page.isCut };
    const added = addActivity(empty, history, nowSeconds, { boundaries, givenUp });
    past = history.map((item, index) => ({ item, meaning: added.meanings[index] }));
    knowledge = {
      ...knowledge,
      portfolio: added.portfolio,
      record: addToRecord(knowledge.record, fillsOf(history, givenUp), boundaries),
      unread: page.isCut ? { beforeSeconds: page.sinceSeconds, fills: [] } : null,
    };
  }
  if (page.gapEndSeconds !== null) {
    const sinceSeconds = Math.max(knowledge.portfolio.sinceSeconds, page.gapEndSeconds);
    knowledge = {
      ...knowledge,
      portfolio: withGap(afterGap(knowledge.portfolio, sinceSeconds), 'activity', page),
      // It is unknown how many of them were sold, and what was bought since a question was asked.
      alertedPositions: giveUp(knowledge.alertedPositions),
      questions: [],
      entries: knowledge.entries.map((entry) => ({ ...entry, sold: null })),
    };
  }
  const { record, unread } = knowledge;
  const fills = fillsOf(fresh, givenUp);
  const later = unread && [...unread.fills, ...fills];
  const { portfolio, meanings } = addActivity(knowledge.portfolio, fresh, nowSeconds, {
    isNew: (market) => isNewMarket(record, market),
    boundaries,
    matureToSeconds: record.matureToSeconds,
    givenUp,
  });
  return {
    knowledge: {
      ...knowledge,
      portfolio,
      entries: addEntries(knowledge.entries, fresh, nowSeconds, known),
      record: addToRecord(record, fills, boundaries),
      unread: unread && later && later.length <= UNREAD_LIMIT ? { ...unread, fills: later } : null,
    },
    meanings,
    past,
  };
}

/**
 * Returns the knowledge with records read back from before the first page: the first purchases are
 * now those of all known records. Unchanged if the first page is another one by now, because the
 * wallet was removed and added again.
 * @param history oldest first, all before `beforeSeconds`
 * @param boundaries times at which channels began to watch, in Unix seconds
 */
export function withReadBack(
  knowledge: WalletKnowledge,
  beforeSeconds: number,
  history: readonly ActivityItem[],
  boundaries: readonly number[],
): WalletKnowledge {
  if (knowledge.unread?.beforeSeconds !== beforeSeconds) return knowledge;
  const markets = marketsGivenUp(knowledge, history);
  const givenUpMarkets = addGivenUp(knowledge.givenUpMarkets, markets);
  const givenUp = new Set(givenUpMarkets);
  const kept = knowledge.unread.fills.filter(({ market }) => !givenUp.has(market));
  const fills = [...fillsOf(history, givenUp), ...kept];
  const record = addToRecord(EMPTY_RECORD, fills, boundaries);
  // The venue has returned everything about these markets.
  const whole = knowledge.portfolio.accounts.markets.filter(
    ({ isWhole, market }) => isWhole && !givenUp.has(market),
  );
  const read = addToAccounts(NO_ACCOUNTS, fills, record.matureToSeconds, boundaries);
  const accounts = replaceAccounts(read, whole);
  return {
    ...knowledge,
    record,
    portfolio: { ...knowledge.portfolio, accounts },
    unread: null,
    givenUpMarkets,
  };
}

/**
 * Returns the knowledge after a wallet did something that cannot be computed. For the affected
 * markets, no position, result, record or sum is left.
 * @param items records of a page, oldest first
 */
function withGivenUp(knowledge: WalletKnowledge, items: readonly ActivityItem[]): WalletKnowledge {
  const markets = marketsGivenUp(knowledge, items);
  if (markets.size === 0) return knowledge;
  const { record, unread } = knowledge;
  const isKept = ({ market }: { readonly market: string }) => !markets.has(market);
  return {
    ...knowledge,
    givenUpMarkets: addGivenUp(knowledge.givenUpMarkets, markets),
    record: { ...record, markets: record.markets.filter(isKept) },
    unread: unread && { ...unread, fills: unread.fills.filter(isKept) },
    alertedPositions: giveUp(knowledge.alertedPositions, markets),
    entries: knowledge.entries.map((entry) => (isKept(entry) ? entry : { ...entry, sold: null })),
    questions: knowledge.questions.filter(isKept),
  };
}

/**
 * Closes markets that these settlements end, in the track record and among the alerted positions
 * (`results`).
 * @param boundaries times at which channels began to watch the wallet, in Unix seconds
 * @returns null if nothing changes
 */
export function withSettlements(
  knowledge: WalletKnowledge,
  settlements: readonly Settlement[],
  boundaries: readonly number[],
) {
  // In markets with an open question, sales before the settlement are not counted yet.
  const asked = new Set(knowledge.questions.map(({ market }) => market));
  const ofAlerted = new Map<string, Settlement>();
  for (const each of settlements) if (!asked.has(each.market)) ofAlerted.set(each.market, each);
  const { alertedPositions, results } = settlePositions(knowledge.alertedPositions, ofAlerted);
  const record = addToRecord(knowledge.record, settlements, boundaries);
  const { record: before, alertedPositions: open } = knowledge;
  // Nothing is stored if only the accounts would change, because their totals use the settlements
  // in memory.
  if (isDeepStrictEqual([record.markets, alertedPositions], [before.markets, open])) return null;
  const accounts = addToAccounts(
    knowledge.portfolio.accounts,
    settlements,
    record.matureToSeconds,
    boundaries,
  );
  const portfolio = { ...knowledge.portfolio, accounts };
  return { knowledge: { ...knowledge, alertedPositions, record, portfolio }, results };
}

/** Answer to a question, with the question as it was asked. */
export interface Answer {
  readonly question: OpenQuestion;
  readonly history: Awaited<ReturnType<typeof readHistory>>;
}

/**
 * Returns the knowledge with the venue's answers, the contexts of the records that waited for them,
 * by alert, and the results they bring. An answer to a question that is no longer open is ignored.
 */
export function withAnswers(before: WalletKnowledge, answers: readonly Answer[]) {
  let knowledge = before;
  const contexts = new Map<string, TradeContext>();
  const results: Updated['results'][number][] = [];
  for (const { question: asked, history } of answers) {
    const { questions, refusedMarkets, portfolio, alertedPositions } = knowledge;
    const question = questions.find(
      ({ market, boundarySeconds }) =>
        market === asked.market && boundarySeconds === asked.boundarySeconds,
    );
    if (question === undefined) continue;
    const answered =
      typeof history === 'string' ? null : answerQuestion(asked, question.live, history);
    const others = portfolio.positions.filter(({ market }) => market !== asked.market);
    const sold = addSales(alertedPositions, question, answered?.contexts);
    knowledge = {
      ...knowledge,
      questions: questions.filter((open) => open !== question),
      refusedMarkets:
        history === 'never'
          ? [...refusedMarkets, asked.market].slice(-REFUSED_LIMIT)
          : refusedMarkets,
      portfolio: answered
        ? {
            ...portfolio,
            positions: [...others, ...answered.positions],
            accounts: replaceAccounts(portfolio.accounts, [answered.account]),
          }
        : portfolio,
      alertedPositions: sold.alertedPositions,
    };
    for (const [alertId, context] of answered?.contexts ?? []) contexts.set(alertId, context);
    results.push(...sold.results);
  }
  return { knowledge, contexts, results };
}

/**
 * Adds the sales and redemptions that waited for an answer. Purchases were added when they were
 * detected. If it remains unknown how much was sold, the market's purchases are given up.
 * @param contexts contexts of the records, by alert; left out if none are known
 */
export function addSales(
  before: AlertedPositions,
  { live }: OpenQuestion,
  contexts?: ReadonlyMap<string, TradeContext>,
): Updated {
  // A sale that is listed late sold nothing of what was bought after it.
  const inOrder = live.toSorted((a, b) => compareRecords(a.item, b.item));
  const firstSale = inOrder.findIndex(({ item }) => item.action !== 'Buy');
  const results: Updated['results'][number][] = [];
  let alertedPositions = before;
  for (const { alertId, item } of firstSale < 0 ? [] : inOrder.slice(firstSale)) {
    const context = contexts?.get(alertId);
    // A purchase after a sale would count as sold by it.
    if (item.action === 'Buy' || context === undefined) {
      return { alertedPositions: giveUp(before, new Set([entryKeys(item).market])), results: [] };
    }
    const updated = addSale(alertedPositions, item, context);
    alertedPositions = updated.alertedPositions;
    results.push(...updated.results);
  }
  return { alertedPositions, results };
}

/** Returns the portfolio when everything before a time, in Unix seconds, is unknown. */
function afterGap(portfolio: Portfolio, sinceSeconds: number): Portfolio {
  const markets = portfolio.accounts.markets.map(notWhole);
  const accounts = { ...portfolio.accounts, markets };
  return {
    ...portfolio,
    sinceSeconds,
    seenSinceSeconds: portfolio.seenSinceSeconds ?? portfolio.sinceSeconds,
    isWhole: false,
    positions: [],
    accounts,
    lostMarkets: [],
  };
}

/** Returns the portfolio with the page's gap added, if there is one. */
function withGap(
  portfolio: Portfolio,
  endpoint: EndpointName,
  { gap = null, nowSeconds }: DetectedPage<unknown>,
): Portfolio {
  if (gap === null) return portfolio;
  const { fromSeconds, toSeconds } = gap;
  const gaps = addGap(portfolio.gaps, { endpoint, fromSeconds, toSeconds }, nowSeconds);
  return { ...portfolio, gaps };
}

/**
 * Adds a page of deposits and withdrawals.
 * @param before undefined if nothing is known yet
 */
export function addTransfersPage(
  before: WalletKnowledge | undefined,
  page: DetectedPage<TransferItem>,
): WalletKnowledge {
  const knowledge = before ?? newKnowledge(newPortfolio(page.sinceSeconds, false));
  const isFirst = knowledge.portfolio.transfersSinceSeconds === null;
  const items = [...page.fresh];
  if (isFirst) items.unshift(...historyOf(page));
  const sinceSeconds = page.isCut ? oldestSeconds(page) : 0;
  const portfolio = addTransfers(
    knowledge.portfolio,
    items,
    sinceSeconds,
    page.nowSeconds,
    page.boundaries,
  );
  return { ...knowledge, portfolio: withGap(portfolio, 'deposits-withdrawals', page) };
}

export function newKnowledge(portfolio: Portfolio): WalletKnowledge {
  return {
    portfolio,
    entries: [],
    alertedPositions: [],
    unannounced: [],
    record: EMPTY_RECORD,
    unread: null,
    announcedConsensus: [],
    questions: [],
    refusedMarkets: [],
    givenUpMarkets: [],
  };
}

/** Returns items of the first page from before the watch, oldest first. */
export function historyOf<Item extends { readonly time: number }>({
  items,
  sinceSeconds,
}: DetectedPage<Item>): Item[] {
  const newestFirst = items.filter(({ time }) => time < sinceSeconds);
  return newestFirst.toReversed().toSorted((a, b) => a.time - b.time);
}

/** Returns the fills of these items that the track record counts, without given-up markets. */
function fillsOf(items: readonly ActivityItem[], givenUp: ReadonlySet<string>) {
  const fills = items.flatMap((item) => recordFill(item) ?? []);
  return fills.filter(({ market }) => !givenUp.has(market));
}

function oldestSeconds({ items, sinceSeconds }: DetectedPage<{ readonly time: number }>): number {
  return items.reduce((oldest, { time }) => Math.min(oldest, time), sinceSeconds);
}
