import { pino } from 'pino';
import { createAlertBuilder } from '../alerts/build.ts';
import { createIntake, resetWallet } from '../alerts/intake.ts';
import { createOutbox } from '../alerts/outbox.ts';
import type { PageSink, PolledPage } from '../feed/polled-page.ts';
import { createQuarantine } from '../store/quarantine.ts';
import { openStore } from '../store/store.ts';
import type { WalletAddress } from '../venue/address.ts';
import type { Ledger } from '../venue-server/ledger.ts';
import { createChannelSettings } from '../watches/channel-settings.ts';
import { createRegistry } from '../watches/registry.ts';
import { announcingFrom, type Watch } from '../watches/watch.ts';
import { DEFAULT_SETTINGS } from '../watches/watch-settings.ts';

/** New records of a page: more than in life, where each is a poll, to be quicker. And known ones behind them. */
const NEW_RECORDS = 200;
const KNOWN_RECORDS = 50;

export interface PastOptions {
  /** Of the bot, which does not run yet. */
  readonly storeUrl: string;
  readonly ledger: Ledger;
  readonly watches: readonly Pick<Watch, 'ownerId' | 'channelId' | 'wallet' | 'label' | 'addedBy'>[];
  /** Unix seconds: the watches began then; the ledger has nothing older. */
  readonly beganSeconds: number;
  readonly nowSeconds: () => number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/**
 * Gives the bot's store what it would hold if the bot had polled the venue from the beginning of the watches until now, with
 * all of them muted, and they were unmuted now: it has seen all that the ledger has, and nothing of it was announced.
 *
 * @returns Unix seconds: what happens from then on is announced
 * @throws once `signal` is aborted; the store is closed in any case
 */
export async function rememberPast(options: PastOptions): Promise<number> {
  const { ledger, watches, beganSeconds, nowSeconds, signal } = options;
  signal.throwIfAborted();
  const log = pino({ level: 'silent' });
  const store = await openStore(options.storeUrl);
  try {
    const registry = createRegistry({ store, log });
    const alertBuilder = createAlertBuilder({
      registry,
      channelSettings: createChannelSettings(store),
      isGone: () => false,
      venueNowSeconds: nowSeconds,
      log,
    });
    // Each page changes the document of its wallet: only the last one of them is written.
    const documents = new Map<string, unknown>();
    const outbox = createOutbox({
      store: {
        get: async (key) => documents.get(key),
        set: async (key, document) => void documents.set(key, document),
        delete: async (key) => void documents.delete(key),
      },
      log,
      onFailpoint: () => {},
      onDelivered: alertBuilder.onDelivered,
      resetDocument: (wallet) => resetWallet(wallet, registry.ofWallet(wallet), nowSeconds() * 1000),
    });
    const intake = createIntake({ registry, alertBuilder, outbox, putAside: createQuarantine(store, log), log });
    const muted = { sinceSeconds: beganSeconds, knownIdentities: [], pause: { untilSeconds: null } };
    for (const watch of watches) await registry.add({ version: 1, settings: DEFAULT_SETTINGS, ...watch, ...muted });
    for (const wallet of registry.wallets()) {
      signal.throwIfAborted();
      await showAll(wallet, ledger, intake);
    }
    for (const [key, document] of documents) await store.set(key, document);
    const sinceSeconds = Math.floor(nowSeconds());
    for (const watch of [...registry.wallets()].flatMap(registry.ofWallet)) {
      await registry.update({ ...announcingFrom(watch, sinceSeconds), pause: null });
    }
    return sinceSeconds;
  } finally {
    await store.close();
  }
}

/** Takes the pages that the polls of a wallet would have shown. */
async function showAll(wallet: WalletAddress, ledger: Ledger, intake: PageSink): Promise<void> {
  for (const page of pagesOf(wallet, await ledger.allActivity(wallet))) {
    await intake.takePage({ endpoint: 'activity', ...page });
  }
  for (const page of pagesOf(wallet, await ledger.allTransfers(wallet))) {
    await intake.takePage({ endpoint: 'deposits-withdrawals', ...page });
  }
}

/** First pages of a list as it grew; each reaches back to the one before. @param all newest first */
function* pagesOf<Item extends { readonly time: number }>(
  wallet: WalletAddress,
  all: readonly Item[],
): Generator<PolledPage<Item>> {
  let seen = all.length;
  while (seen > 0) {
    const atSeconds = all[Math.max(0, seen - NEW_RECORDS)]?.time ?? 0;
    // What has the same time is shown together, as are the fills of a transaction.
    const newest = all.findIndex(({ time }) => time === atSeconds);
    yield {
      wallet,
      pollId: atSeconds * 1000,
      items: all.slice(newest, seen + KNOWN_RECORDS),
      hasMore: seen + KNOWN_RECORDS < all.length,
      unreadable: [],
      fromSeconds: null,
      venueSeconds: atSeconds,
      earliestSeconds: atSeconds,
      latestSeconds: atSeconds,
    };
    seen = newest;
  }
}
