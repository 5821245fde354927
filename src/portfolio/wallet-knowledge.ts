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
  giveUpMarkets,
  settlePositions,
  type Updated,
} from './results/alerted-positions.ts';
import type { TradeContext } from './trade-context.ts';
import { addActivity, addTransfers, type ItemMeaning } from './update.ts';

/**
 * Knowledge of a wallet beside its detection state; stored in the same document, in the same write.
 */
export const knowledgeSchema = z.object({
  portfolio: portfolioSchema,
  /** Purchases of the wallet in which a consensus may be found, oldest first. */
  entries: z.array(entrySchema),
  /** Alerted purchases that are not sold yet. */
  alertedPositions: alertedPositionsSchema,
  unannounced: unannouncedSchema,
  record: walletRecordSchema,
  /**
   * Fills counted in the record since `beforeSeconds` (Unix seconds), while what was before has not
   * been read back: an earlier purchase changes what is a market's first. Null once it has been, or
   * never will be.
   */
  unread: z.object({ beforeSeconds: z.number(), fills: z.array(recordFillSchema) }).nullable(),
  /** Consensus alerts that one of its purchases caused. */
  announcedConsensus: z.array(announcedConsensusSchema),
  questions: z.array(openQuestionSchema).readonly(),
  /** Markets of which no answer is to be had, the newest last. */
  refusedMarkets: z.array(z.string()).readonly(),
  /**
   * Markets of which nothing can be worked out any more, the newest last: the wallet did something
   * there that the interface does not describe.
   */
  givenUpMarkets: z.array(z.string()).readonly().default([]),
});
export type WalletKnowledge = z.infer<typeof knowledgeSchema>;

/** Trades that are kept until what was before has been read; with more it is never read. */
const UNREAD_LIMIT = 1_000;
/** Most markets kept as ones for which it is no use to ask. */
const REFUSED_LIMIT = 300;

/** A polled page, with what `detect` found to be new in it. */
export interface DetectedPage<Item> {
  /** All that the page holds, newest first. */
  readonly items: readonly Item[];
  /** New items of the page, oldest first; duplicate records as items of their own. */
  readonly fresh: readonly Item[];
  /** Items of the page that were counted before. */
  readonly known: readonly Item[];
  /** True if the venue has older records than these, or some on the page could not be read. */
  readonly isCut: boolean;
  /** Unix seconds: nothing earlier counts as new. On the first page, what is earlier is history. */
  readonly sinceSeconds: number;
  /** True if it is the first page of this endpoint since the wallet is watched. */
  readonly isFirst: boolean;
  /** Unix seconds at which rooms began to watch the wallet. */
  readonly boundaries: readonly number[];
  /** Unix seconds of the end of a gap before these items; null if there is none. */
  readonly gapEndSeconds: number | null;
  /**
   * Time of which records may be missing, as the channels are told of it; null or left out if there
   * is none.
   */
  readonly gap?: GapSpan | null;
  /** The venue's clock, Unix seconds. */
  readonly nowSeconds: number;
}

/**
 * Adds a page of trades and redemptions. After a gap no position is known; profits and volume of
 * before stay.
 * @param before undefined if nothing is known yet
 * @returns what the fresh items mean, and what was done before all watches, as far as the first
 *   page shows it
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
    // Only transfers are known of it. It begins with the oldest item, or the first trade if the
    // page is not cut.
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
      // Nobody knows what was sold of them, or bought since a question.
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
 * The record with what was read back from before the first page: first purchases of all that is
 * known. As before where that page is another one by now: the wallet was removed, and added again.
 *
 * @param history oldest first, all before `beforeSeconds`
 * @param boundaries Unix seconds at which rooms began
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
  // The venue has told everything about these markets.
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
 * The knowledge once a wallet has done something that cannot be worked out: of the markets that are
 * concerned no position, result, record or sum is left.
 *
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
    alertedPositions: giveUpMarkets(knowledge.alertedPositions, markets),
    entries: knowledge.entries.map((entry) => (isKept(entry) ? entry : { ...entry, sold: null })),
    questions: knowledge.questions.filter(isKept),
  };
}

/**
 * Closes what these settlements end, in the record and of what was alerted: `results`.
 *
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 * @returns null if nothing changes with them
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
  // For the accounts alone there is no write: what is said of them takes up what the bot has been
  // told.
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

/** Answer to a question, with the question as it was when it was asked. */
export interface Answer {
  readonly question: OpenQuestion;
  readonly history: Awaited<ReturnType<typeof readHistory>>;
}

/**
 * The knowledge with what the venue has answered: with what the records mean that waited for it, by
 * alert, and the results that follow. An answer to a question that is not open any more counts for
 * nothing.
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
 * detected. Where nobody tells how much was sold, the market's purchases are given up.
 *
 * @param contexts what is known of the records, by alert; left out: nothing
 */
export function addSales(
  before: AlertedPositions,
  { live }: OpenQuestion,
  contexts?: ReadonlyMap<string, TradeContext>,
): Updated {
  // One that is listed late sold nothing of what was bought after it.
  const inOrder = live.toSorted((a, b) => compareRecords(a.item, b.item));
  const firstSale = inOrder.findIndex(({ item }) => item.action !== 'Buy');
  const results: Updated['results'][number][] = [];
  let alertedPositions = before;
  for (const { alertId, item } of firstSale < 0 ? [] : inOrder.slice(firstSale)) {
    const context = contexts?.get(alertId);
    // A purchase after a sale would count as sold by it.
    if (item.action === 'Buy' || context === undefined) {
      return { alertedPositions: giveUp(before, entryKeys(item).market), results: [] };
    }
    const updated = addSale(alertedPositions, item, context);
    alertedPositions = updated.alertedPositions;
    results.push(...updated.results);
  }
  return { alertedPositions, results };
}

/** The portfolio once nobody knows what was done before a time, Unix seconds. */
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

/** The portfolio with the page's gap, if it has one. */
function withGap(
  portfolio: Portfolio,
  endpoint: EndpointName,
  { gap = null, nowSeconds }: Pick<DetectedPage<unknown>, 'gap' | 'nowSeconds'>,
): Portfolio {
  if (gap === null) return portfolio;
  const { fromSeconds, toSeconds } = gap;
  const gaps = addGap(portfolio.gaps, { endpoint, fromSeconds, toSeconds }, nowSeconds);
  return { ...portfolio, gaps };
}

/**
 * Adds a page of deposits and withdrawals.
 *
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

/** Items of the first page from before the watch, oldest first. */
export function historyOf<Item extends { readonly time: number }>({
  items,
  sinceSeconds,
}: Pick<DetectedPage<Item>, 'items' | 'sinceSeconds'>): Item[] {
  const newestFirst = items.filter(({ time }) => time < sinceSeconds);
  return newestFirst.toReversed().toSorted((a, b) => a.time - b.time);
}

/** Returns the fills that the record counts of these items; none of markets that are given up. */
function fillsOf(items: readonly ActivityItem[], givenUp: ReadonlySet<string>) {
  const fills = items.flatMap((item) => recordFill(item) ?? []);
  return fills.filter(({ market }) => !givenUp.has(market));
}

function oldestSeconds({ items, sinceSeconds }: DetectedPage<{ readonly time: number }>): number {
  return items.reduce((oldest, { time }) => Math.min(oldest, time), sinceSeconds);
}
