import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import {
  type ActivityFilters,
  type Budget,
  type Feed,
  mayAskBeside,
  VenueError,
  type VenuePage,
} from '../feed/interface.ts';
import type { Machine } from '../lib/machine.ts';
import { readPages } from '../lookups/read-pages.ts';
import { withReadBack } from '../portfolio/wallet-knowledge.ts';
import type { Registry } from '../watches/registry.ts';
import type { AlertBuilder } from './build.ts';
import type { Outbox } from './outbox.ts';

/** Pages that are read of one wallet at the most: a thousand records. */
const PAGES_LIMIT = 10;
/** Of a window of the rate limit. */
const SHARE = 1 / 50;
/** How often it is seen whether there is something to read, and whether it may be. */
const LOOK_EVERY_MS = 1_000;
/** A wallet that cannot be read now is tried again so much later. */
const RETRY_MS = 60_000;

/** What reading back works with. */
export interface ReadBackParts {
  readonly feed: {
    readonly lookUps: Pick<Feed['lookUps'], 'activity'>;
    readonly availability: Pick<Feed['availability'], 'trouble'>;
  };
  readonly budget: Pick<Budget, 'snapshot'>;
  readonly registry: Pick<Registry, 'ofWallet'>;
  readonly alertBuilder: Pick<AlertBuilder, 'unread' | 'readLater' | 'evictWallet'>;
  readonly outbox: Pick<Outbox, 'learn'>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Reads back what wallets did before they were watched, one after the other, for their records: ten pages at most, by background
 * requests, a fiftieth of the rate limit. What was read of a wallet is one write; until then nothing is kept. A wallet that cannot be
 * read goes to the end of the line.
 *
 * @returns resolves when `signal` is aborted; never rejects
 */
export async function readBackWallets(
  { sleep, log }: Pick<Machine, 'sleep' | 'log'>,
  { feed, alertBuilder, registry, budget, outbox, signal }: ReadBackParts,
): Promise<void> {
  /** Wallets that could not be read a short while ago. */
  const resting = new Set<WalletAddress>();
  /** Until the next request keeps to the share. */
  let spacing: Promise<void> = Promise.resolve();

  const isGone = (wallet: WalletAddress) => signal.aborted || registry.ofWallet(wallet).length === 0;
  const mayAsk = () => feed.availability.trouble('activity') === null && mayAskBeside(budget.snapshot());

  /** Asks as soon as it may, again where others were quicker. @returns null if nobody watches the wallet any more */
  const readPage = async (wallet: WalletAddress, filters: ActivityFilters): Promise<VenuePage<ActivityItem> | null> => {
    for (;;) {
      await spacing;
      while (!isGone(wallet) && !mayAsk()) await sleep(LOOK_EVERY_MS, signal);
      if (isGone(wallet)) return null;
      const { allowance, windowMs } = budget.snapshot();
      spacing = sleep((windowMs ?? 0) / ((allowance ?? 1) * SHARE), signal);
      try {
        return await feed.lookUps.activity(wallet, filters, { priority: 'background', signal });
      } catch (error) {
        if (!(error instanceof VenueError && error.kind === 'budgetExhausted')) throw error;
      }
    }
  };

  while (!signal.aborted) {
    const next = alertBuilder.unread(resting);
    if (next === undefined) {
      await sleep(LOOK_EVERY_MS, signal);
      continue;
    }
    const { wallet, beforeSeconds } = next;
    try {
      const { items, end } = await readPages(PAGES_LIMIT, (paging) =>
        readPage(wallet, { toTimestampSeconds: beforeSeconds - 1, ...paging }),
      );
      if (end === 'stopped') {
        alertBuilder.evictWallet(wallet);
        continue;
      }
      const history = items.filter(({ time }) => time < beforeSeconds).toReversed();
      await outbox.learn(wallet, (known, boundaries) => ({ knowledge: withReadBack(known, history, boundaries) }));
      log.info({ event: 'wallet.read_back', wallet, records: history.length });
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ event: 'wallet.not_read_back', wallet, err: error });
      alertBuilder.readLater(wallet);
      resting.add(wallet);
      void sleep(RETRY_MS, signal).then(() => resting.delete(wallet));
    }
  }
}
