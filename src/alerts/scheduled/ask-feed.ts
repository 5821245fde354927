import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem } from '../../domain/records.ts';
import type { Settlement } from '../../domain/settlement.ts';
import {
  type ActivityFilters,
  type Feed,
  mayAskBeside,
  VenueError,
  type VenuePage,
} from '../../feed/interface.ts';
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

/** Pause between two looks whether there is something to ask, or whether it may be asked now. */
const LOOK_EVERY_MS = 1_000;

/** Markets that are asked for in one request. */
const MARKETS_LIMIT = 10;
/** Pages that are read of them together. */
const PAGES_LIMIT = 5;
/** Pages that are read of a single market: two thousand trades. */
const LONG_PAGES_LIMIT = 20;
/** Wallets that are asked for at a time. */
const WALLETS_LIMIT = 4;
/**
 * A wallet that the venue could not be asked for is tried again so much later; until then no alert
 * waits for it.
 */
const RETRY_MS = 10_000;
/**
 * Alerts wait so long at the most for what the venue is asked about them, from when they were seen.
 */
const HOLD_MS = 1_500;
/**
 * Answers in a row that are no page after which a wallet's questions wait until their markets are
 * met again.
 */
const TRIES_LIMIT = 3;

/** Pages that are read back of one wallet at the most: a thousand records. */
const PAST_PAGES_LIMIT = 10;
/** Part of the rate limit that reading back may take. */
const PAST_SHARE = 1 / 50;
/** A wallet whose past cannot be read now is tried again so much later. */
const PAST_RETRY_MS = 60_000;

/**
 * Seconds after the full hour from which a process asks: some time from the first of these to the
 * second.
 */
const ASKS_AFTER_SECONDS = [60, 240] as const;
/**
 * Interval at which the clock is read: it may be set, and a machine may sleep. A request that
 * failed is repeated then.
 */
const CLOCK_EVERY_MS = 60_000;
/** Pause between two questions, so that a round of many holds nothing up. */
const PAUSE_MS = 10;

/** Parts with which the feed is asked in the background, and where its answers go. */
export interface FeedQuestions {
  readonly feed: Pick<Feed, 'availability' | 'budget' | 'lookUps' | 'settlements'>;
  readonly registry: Registry;
  readonly walletIndex: WalletIndex;
  readonly outbox: Outbox;
  readonly signal: AbortSignal;
}

/**
 * Asks the venue what wallets did in markets that are not followed, so that alerts can say what a
 * trade means for a position: of new alerts at once, else as soon as the rate limit has room. An
 * answer is a write of its own. New alerts wait a moment for it before they are sent; other alerts
 * of their channels go first.
 */
export function createPositionAsker(
  { sleep, monotonicMs, onFailpoint, log }: Machine,
  { feed, registry, walletIndex, outbox, signal }: FeedQuestions,
) {
  const { budget, lookUps, availability } = feed;
  const asking = new Set<WalletAddress>();
  const resting = new Set<WalletAddress>();
  const badAnswers = new Map<WalletAddress, number>();

  const read = (wallet: WalletAddress, questions: readonly OpenQuestion[]) => {
    const pagesLimit = questions.length === 1 ? LONG_PAGES_LIMIT : PAGES_LIMIT;
    return readMarkets(questions, budget.venueNowMs() / 1000, pagesLimit, async (filters) => {
      while (!signal.aborted && !mayAskBeside(budget.snapshot())) {
        await sleep(LOOK_EVERY_MS, signal);
      }
      onFailpoint('positions.asked');
      return lookUps.activity(wallet, filters, { priority: 'background', signal });
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
      resting.add(wallet);
      void sleep(RETRY_MS, signal).then(() => resting.delete(wallet));
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
      if (resting.has(wallet) || asking.has(wallet) || registry.ofWallet(wallet).length === 0) {
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
     * Time that an alert still waits for what the venue may answer about it, ms: 0 if it does not
     * wait.
     */
    heldMs({ wallet, id, seenAtMs }: Alert): number {
      const leftMs = HOLD_MS - Math.abs(budget.venueNowMs() - seenAtMs);
      if (leftMs <= 0 || resting.has(wallet) || availability.trouble('activity') !== null) return 0;
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
 * Reads back what wallets did before they were watched, one after the other, for their records: ten
 * pages at most, by background requests, a fiftieth of the rate limit. What was read of a wallet is
 * one write; nothing is kept before. A wallet that cannot be read goes to the end of the line. Runs
 * until `signal` is aborted; never rejects.
 */
export async function readBackWallets(
  { sleep, log }: Machine,
  { feed, registry, walletIndex, outbox, signal }: FeedQuestions,
): Promise<void> {
  const { budget, lookUps, availability } = feed;
  const resting = new Set<WalletAddress>();
  /** Ends when the next request keeps to the share. */
  let spacing: Promise<void> = Promise.resolve();

  const isGone = (wallet: WalletAddress) =>
    signal.aborted || registry.ofWallet(wallet).length === 0;
  const mayAsk = () => availability.trouble('activity') === null && mayAskBeside(budget.snapshot());

  /**
   * Asks as soon as it may, again where others were quicker.
   *
   * @returns null if nobody watches the wallet any more
   */
  const readPage = async (
    wallet: WalletAddress,
    filters: ActivityFilters,
  ): Promise<VenuePage<ActivityItem> | null> => {
    for (;;) {
      await spacing;
      while (!isGone(wallet) && !mayAsk()) await sleep(LOOK_EVERY_MS, signal);
      if (isGone(wallet)) return null;
      const { allowance, windowMs } = budget.snapshot();
      spacing = sleep((windowMs ?? 0) / ((allowance ?? 1) * PAST_SHARE), signal);
      try {
        return await lookUps.activity(wallet, filters, { priority: 'background', signal });
      } catch (error) {
        if (!(error instanceof VenueError && error.kind === 'budgetExhausted')) throw error;
      }
    }
  };

  while (!signal.aborted) {
    const next = walletIndex.unread(resting);
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
      resting.add(wallet);
      void sleep(PAST_RETRY_MS, signal).then(() => resting.delete(wallet));
    }
  }
}

/**
 * Asks the feed how open markets ended, at the start and then hourly, until `signal` is aborted;
 * never rejects. What follows for a wallet, record entries that close and answers to alerts, is one
 * write: a crash before it repeats the question. What is said of positions alone takes the answers
 * from memory.
 */
export async function settleMarkets(
  { random, sleep, log }: Machine,
  { feed, registry, walletIndex, outbox, signal }: FeedQuestions,
): Promise<void> {
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

  let askedTurn: number | null = null;
  while (!signal.aborted) {
    const turn = turnNow();
    try {
      if (turn !== askedTurn) await askAll();
      askedTurn = turn;
    } catch (error) {
      if (!signal.aborted) log.warn({ event: 'markets.not_settled', err: error });
    }
    await sleep(CLOCK_EVERY_MS, signal);
  }
}
