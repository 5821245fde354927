import type { WalletAddress } from '../../domain/address.ts';
import type { Settlement } from '../../domain/settlement.ts';
import { type ActivityFilters, type Feed, mayAskBeside, VenueError } from '../../feed/interface.ts';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_SECONDS } from '../../lib/time.ts';
import { readMarkets, readPages } from '../../lookups/read-pages.ts';
import { type OpenQuestion, readHistory } from '../../portfolio/positions/question.ts';
import {
  type Answer,
  withAnswers,
  withReadBack,
  withSettlements,
} from '../../portfolio/wallet-knowledge.ts';
import type { Registry } from '../../watches/registry.ts';
import type { Alert } from '../alert.ts';
import type { Learn } from '../builder/build.ts';
import type { Outbox } from '../outbox.ts';
import type { WalletIndex } from '../wallets/wallet-index.ts';
import { onceATurn } from './once-a-turn.ts';

/**
 * Interval between checks for whether there is a question, or whether it may be sent now, in ms.
 */
const LOOK_EVERY_MS = 1_000;

/** Maximum number of markets in one request. */
const MARKETS_LIMIT = 10;
/** Maximum number of pages read for several markets together. */
const PAGES_LIMIT = 5;
/** Maximum number of pages read for a single market: two thousand trades. */
const LONG_PAGES_LIMIT = 20;
/** Maximum number of wallets queried at a time. */
const WALLETS_LIMIT = 4;
/**
 * Delay before retrying a wallet for which the request to the venue failed, in ms. No alert waits
 * for it until then.
 */
const RETRY_MS = 10_000;
/** Maximum time that an alert waits for the venue's answer after it was seen, in ms. */
const ANSWER_WAIT_MS = 1_500;
/**
 * Number of malformed answers in a row after which a wallet's questions wait until their markets
 * appear again.
 */
const TRIES_LIMIT = 3;

/** Maximum number of past pages read for one wallet: a thousand records. */
const PAST_PAGES_LIMIT = 10;
/** Share of the rate limit used for reading past records. */
const PAST_SHARE = 1 / 50;
/** Delay before retrying a wallet whose past could not be read, in ms. */
const PAST_RETRY_MS = 60_000;

/** Range of the random delay after each full hour before a process asks, in seconds. */
const ASKS_AFTER_SECONDS = [60, 240] as const;
/** Pause between two questions, in ms, so that many of them do not block other work. */
const PAUSE_MS = 10;

/** Parts needed to ask the feed in the background, and destinations of its answers. */
export interface FeedQuestions {
  readonly feed: Pick<Feed, 'availability' | 'budget' | 'lookups' | 'settlements'>;
  readonly registry: Registry;
  readonly walletIndex: WalletIndex;
  readonly outbox: Outbox;
  readonly signal: AbortSignal;
}

/**
 * Asks the venue what wallets did in markets whose positions are not tracked, so that alerts can
 * say what a trade means for a position. Questions about new alerts are sent at once, others as
 * soon as the rate limit allows. An answer is a write of its own. New alerts wait briefly for it
 * before they are sent; other alerts in their channels go first.
 */
export function createPositionAsker(
  { sleep, monotonicMs, onFailpoint, log }: Machine,
  { feed, registry, walletIndex, outbox, signal }: FeedQuestions,
) {
  const { budget, lookups, availability } = feed;
  const asking = new Set<WalletAddress>();
  const backingOff = new Set<WalletAddress>();
  const badAnswers = new Map<WalletAddress, number>();

  const read = (wallet: WalletAddress, questions: readonly OpenQuestion[]) => {
    const pagesLimit = questions.length === 1 ? LONG_PAGES_LIMIT : PAGES_LIMIT;
    return readMarkets(questions, budget.venueNowMs() / 1000, pagesLimit, async (filters) => {
      while (!signal.aborted && !mayAskBeside(budget.snapshot())) {
        await sleep(LOOK_EVERY_MS, signal);
      }
      onFailpoint('positions.asked');
      return lookups.activity(wallet, filters, { priority: 'background', signal });
    });
  };

  const answersTo = async (
    wallet: WalletAddress,
    questions: readonly OpenQuestion[],
  ): Promise<readonly Answer[]> => {
    const together = await read(wallet, questions);
    const answers: Answer[] = [];
    for (const question of questions) {
      const answer =
        together === 'never' && questions.length > 1 ? await read(wallet, [question]) : together;
      answers.push({ question, history: await readHistory(question, answer) });
    }
    return answers;
  };

  const ask = async (wallet: WalletAddress): Promise<void> => {
    const questions = walletIndex.questions(wallet).slice(0, MARKETS_LIMIT);
    const beganMs = monotonicMs();
    try {
      const answers = await answersTo(wallet, questions).catch((error: unknown) => {
        const count = (badAnswers.get(wallet) ?? 0) + 1;
        if (!(error instanceof VenueError && error.kind === 'badResponse')) throw error;
        badAnswers.set(wallet, count);
        if (count < TRIES_LIMIT) throw error;
        return questions.map((question): Answer => ({ question, history: 'unusable' }));
      });
      badAnswers.delete(wallet);
      onFailpoint('positions.answered');
      await outbox.learn(wallet, (knowledge) => withAnswers(knowledge, answers));
      onFailpoint('positions.stored');
      const tookMs = Math.round(monotonicMs() - beganMs);
      log.debug({
        event: 'positions.answered',
        wallet,
        markets: questions.length,
        tookMs,
      });
    } catch (error) {
      if (signal.aborted) return;
      backingOff.add(wallet);
      void sleep(RETRY_MS, signal).then(() => backingOff.delete(wallet));
      outbox.reconsider(wallet);
      log.warn({
        event: 'positions.not_answered',
        wallet,
        markets: questions.length,
        err: error,
      });
    }
  };

  const isFree = () => asking.size < WALLETS_LIMIT && mayAskBeside(budget.snapshot());

  const look = () => {
    for (const wallet of walletIndex.askers()) {
      if (signal.aborted || !isFree()) return;
      if (backingOff.has(wallet) || asking.has(wallet) || registry.ofWallet(wallet).length === 0) {
        continue;
      }
      asking.add(wallet);
      void ask(wallet).finally(() => {
        asking.delete(wallet);
        look();
      });
    }
  };

  outbox.listen(() => setImmediate(look));
  return {
    /**
     * Returns how much longer an alert waits for the venue's answer about it, in ms; 0 if it does
     * not wait.
     */
    awaitingAnswerMs({ wallet, id, seenAtMs }: Alert): number {
      const leftMs = ANSWER_WAIT_MS - Math.abs(budget.venueNowMs() - seenAtMs);
      if (leftMs <= 0 || backingOff.has(wallet) || availability.trouble('activity') !== null)
        return 0;
      const isAsked = walletIndex
        .questions(wallet)
        .some(({ live }) => live.some(({ alertId }) => alertId === id));
      return isAsked && (asking.has(wallet) || isFree()) ? leftMs : 0;
    },
    /** Asks until the signal is aborted. Never rejects. */
    async run(): Promise<void> {
      while (!signal.aborted) {
        look();
        await sleep(LOOK_EVERY_MS, signal);
      }
    },
  };
}

/**
 * Reads what wallets did before they were watched, one wallet after another, for their track
 * records: at most ten pages each, in background requests, with a fiftieth of the rate limit. What
 * was read of a wallet is stored in one write, and nothing before that. A wallet that cannot be
 * read moves to the end of the line. Runs until `signal` is aborted; never rejects.
 */
export async function readBackWallets(
  { sleep, log }: Machine,
  { feed, registry, walletIndex, outbox, signal }: FeedQuestions,
): Promise<void> {
  const { budget, lookups, availability } = feed;
  const backingOff = new Set<WalletAddress>();
  /** Resolves when the next request stays within the share. */
  let spacing: Promise<void> = Promise.resolve();

  const isGone = (wallet: WalletAddress) =>
    signal.aborted || registry.ofWallet(wallet).length === 0;
  const mayAsk = () => availability.trouble('activity') === null && mayAskBeside(budget.snapshot());

  /**
   * Sends the request as soon as allowed, and repeats it if other requests used up the budget
   * first.
   * @returns null if the wallet is no longer watched
   */
  const readPage = async (wallet: WalletAddress, filters: ActivityFilters) => {
    for (;;) {
      await spacing;
      while (!isGone(wallet) && !mayAsk()) await sleep(LOOK_EVERY_MS, signal);
      if (isGone(wallet)) return null;
      const { allowance, windowMs } = budget.snapshot();
      spacing = sleep((windowMs ?? 0) / ((allowance ?? 1) * PAST_SHARE), signal);
      try {
        return await lookups.activity(wallet, filters, { priority: 'background', signal });
      } catch (error) {
        if (!(error instanceof VenueError && error.kind === 'budgetExhausted')) throw error;
      }
    }
  };

  while (!signal.aborted) {
    const next = walletIndex.unread(backingOff);
    if (next === undefined) {
      await sleep(LOOK_EVERY_MS, signal);
      continue;
    }
    const { wallet, beforeSeconds } = next;
    try {
      const { items, end } = await readPages(PAST_PAGES_LIMIT, (paging) =>
        readPage(wallet, { toTimestampSeconds: beforeSeconds - 1, ...paging }),
      );
      if (end === 'stopped') {
        walletIndex.evict(wallet);
        continue;
      }
      const history = items.filter(({ time }) => time < beforeSeconds).toReversed();
      const learn: Learn = (known, since) => ({
        knowledge: withReadBack(known, beforeSeconds, history, since),
      });
      await outbox.learn(wallet, learn);
      log.info({ event: 'wallet.read_back', wallet, records: history.length });
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ event: 'wallet.not_read_back', wallet, err: error });
      walletIndex.readLater(wallet);
      backingOff.add(wallet);
      void sleep(PAST_RETRY_MS, signal).then(() => backingOff.delete(wallet));
    }
  }
}

/**
 * Asks the feed how open markets ended, at the start and then hourly, until `signal` is aborted;
 * never rejects. The consequences for a wallet, such as closed entries of its track record and
 * answers for alerts, are one write: a crash before it repeats the question. Code that only
 * describes positions uses the answers in memory.
 */
export async function settleMarkets(
  machine: Machine,
  { feed, registry, walletIndex, outbox, signal }: FeedQuestions,
): Promise<void> {
  const { random, sleep, log } = machine;
  const [least, most] = ASKS_AFTER_SECONDS;
  const afterSeconds = least + random() * (most - least);
  const turnNow = () => Math.floor((feed.budget.venueNowMs() / 1000 - afterSeconds) / HOUR_SECONDS);

  const learn = async (wallet: WalletAddress, settled: readonly Settlement[]) => {
    if (settled.length === 0 || registry.ofWallet(wallet).length === 0) return;
    const isChanged = await outbox.learn(wallet, (known, boundaries) =>
      withSettlements(known, settled, boundaries),
    );
    if (isChanged) log.info({ event: 'markets.settled', wallet, markets: settled.length });
  };

  const askAll = async () => {
    const known = new Map<string, Settlement>();
    for (const { markets, wallets } of walletIndex.openMarkets()) {
      const found = await feed.settlements(markets);
      const settled = new Map(found.map((settlement) => [settlement.market, settlement]));
      for (const settlement of found) known.set(settlement.market, settlement);
      for (const [wallet, own] of wallets) {
        if (signal.aborted) return;
        await learn(
          wallet,
          own.flatMap((market) => settled.get(market) ?? []),
        );
      }
      await sleep(PAUSE_MS, signal);
    }
    walletIndex.keepSettlements(known);
  };

  await onceATurn(machine, turnNow, askAll, { event: 'markets.not_settled' }, signal);
}
