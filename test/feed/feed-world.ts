import { once } from 'node:events';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { createLocalFeed } from '../../src/app/feed-half.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import type { AnyPolledPage, Committed, Feed } from '../../src/feed/interface.ts';
import { connectNats } from '../../src/feed/nats/connection.ts';
import { createFeedServer } from '../../src/feed/nats/feed-server.ts';
import { createRemoteFeed } from '../../src/feed/nats/remote-feed.ts';
import { SETTLEMENTS_PREFIX } from '../../src/feed/settlements/settlements.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { accountOf } from '../support/accounts.ts';
import { type HostileVenue, startHostileVenue } from '../support/hostile-venue.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { sampleTrade } from '../support/records.ts';
import { type DatabaseServer, PASSWORD, startNats } from '../support/servers.ts';
import { temporaryFolder } from '../support/temp.ts';

/** The one of a server that `startNats` starts without a configuration. */
const NATS_USER = 'bell';

const NOW_SECONDS = Math.floor(Date.now() / 1000);

/** Where the feed is, as the bot half sees it. */
export type Place = 'in its own process' | 'over NATS';

/** A feed that polls a venue, and what a bot half has taken of it. */
export interface FeedWorld {
  readonly venue: HostileVenue;
  /** As the bot half has it now. */
  readonly feed: Feed;
  /** Pages that were taken, in their order. */
  readonly pages: AnyPolledPage[];
  /** How a page is taken: may reject. */
  take: (page: AnyPolledPage) => Promise<{ readonly isOpen: boolean; readonly pollId?: number }>;
  /** When an endpoint was last said to be unchanged, as `wallet:endpoint`. */
  readonly unchanged: Map<string, number>;
  readonly lines: Record<string, unknown>[];
  /** Ends both halves and starts them again; what was taken is known, or what is said here. */
  restart(watched: readonly WalletAddress[], committed?: Committed): Promise<void>;
  /** Waits until a page is there that fits. */
  page(fits: (page: AnyPolledPage) => boolean): Promise<AnyPolledPage>;
  /** Ends the bot half, does something, and starts it again; what was taken is known. */
  whileBotIsAway(watched: readonly WalletAddress[], work: () => Promise<unknown>): Promise<void>;
  /**
   * Ends the feed, does something, and starts it again on its store. Only over NATS, as all that
   * follows.
   */
  whileFeedIsAway(work: () => Promise<unknown>): Promise<void>;
  /** Whether the feed cannot prove that its store is its own. */
  isStoreLost: boolean;
  /** Until it resolves, the feed's store does not answer. */
  storeAnswers: Promise<void>;
  /** Wallets that the feed polls. */
  polled(): number;
  /** A second feed with a store of its own; its caller ends it. */
  startOtherFeed(): Promise<RunningFeed>;
  /** A connection to NATS of the test's own. */
  intruder(): Promise<NatsConnection>;
  /** Why the bot half cannot work with the feed. */
  readonly unusable: string[];
}

/** A feed as a process of its own would be. */
export interface RunningFeed {
  /** Why it had to end because of another one. */
  readonly rivals: readonly string[];
  wallets(): number;
  stop(): Promise<void>;
}

const NO_WATCHERS = {
  ownersOf: () => new Set<string>(),
  walletsOf: () => [],
  owners: () => [],
  accountOf,
};

export interface FeedWorldOptions {
  /** Users of the NATS server, where the two halves have their own. */
  readonly natsUsers?: { readonly feed: string; readonly bot: string };
  /** How far the bot's clock is ahead of the feed's, ms. */
  readonly botClockOffsetMs?: number;
  /** The bot's clock that never jumps, ms. */
  readonly botMonotonicMs?: () => number;
  /** The NATS server; one of its own if left out. */
  readonly natsServer?: DatabaseServer;
}

export async function openFeedWorld(
  place: Place,
  {
    botClockOffsetMs = 0,
    botMonotonicMs = () => performance.now(),
    natsServer,
    natsUsers = { feed: NATS_USER, bot: NATS_USER },
  }: FeedWorldOptions = {},
): Promise<FeedWorld> {
  const venue = await startHostileVenue();
  onTestFinished(venue.close);
  const nats = place === 'over NATS' ? (natsServer ?? (await startNats())) : null;
  if (nats !== null && natsServer === undefined) onTestFinished(nats.stop);
  const { log, lines } = collectingLog();
  const folder = temporaryFolder();
  const config = readConfig({
    ROLE: 'feed',
    NATS_URL: 'nats://unused',
    VENUE_BASE_URL: venue.url,
    VENUE_API_KEY: 'key-of-the-world',
    POLL_CRON: '* * * * * *',
    WALLETBELL_TEST_POLL_MIN_SECONDS: '0.1',
  });
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const { signal } = stopping;
  const context = { ...testMachine({ log }), config, signal, ops: { polled() {}, ticked() {} } };
  const unusable: string[] = [];

  const joinNats = async (server: DatabaseServer, user: string) => {
    const url = new URL(await server.newStore());
    url.username = user;
    return connectNats({ urls: [url.href], files: {} }, 'test', log);
  };

  const startServer = async (server: DatabaseServer, storeName: string): Promise<RunningFeed> => {
    const store = await openStore(`sqlite://${join(folder, storeName)}.sqlite`);
    const rivals: string[] = [];
    const served = createFeedServer(context, {
      feedFor: () => createLocalFeed({ ...context, store }, NO_WATCHERS),
      connection: await joinNats(server, natsUsers.feed),
      fence: async () => {
        await world.storeAnswers;
        if (world.isStoreLost) throw new Error('The store is another one’s.');
      },
      onRival: (reason) => rivals.push(reason),
    });
    await loadSettlements(store, served.feed);
    await served.start();
    return {
      rivals,
      wallets: served.feed.walletCount,
      async stop() {
        await served.stop();
        await store.close();
      },
    };
  };

  const startRemote = async (server: DatabaseServer) =>
    createRemoteFeed(
      testMachine({ nowMs: () => Date.now() + botClockOffsetMs, monotonicMs: botMonotonicMs, log }),
      {
        connection: await joinNats(server, natsUsers.bot),
        bot: 'the-bot',
        shards: null,
        watchersOf: () => [accountOf('100000000000000001')],
        onUnusable: (reason) => unusable.push(reason),
      },
    );

  const startLocal = async (): Promise<Feed> => {
    const store = await openStore(`sqlite://${join(folder, 'feed')}.sqlite`);
    const feed = createLocalFeed({ ...context, store }, NO_WATCHERS);
    await loadSettlements(store, feed);
    const stop = async () => {
      await feed.stop();
      await store.close();
    };
    return { ...feed, stop };
  };

  let server = nats === null ? null : await startServer(nats, 'feed');
  /** The feed as the bot half has it. */
  const startFeed = () => (nats === null ? startLocal() : startRemote(nats));
  let feed = await startFeed();
  onTestFinished(async () => {
    await feed.stop();
    await server?.stop();
  });
  const listeners = new Set<() => void>();
  const committed = new Map<WalletAddress, Committed>();
  const pages: AnyPolledPage[] = [];
  const unchanged = new Map<string, number>();
  const open = new Set<string>();
  const begin = () =>
    feed.start({
      async takePage(page) {
        const taken = await world.take(page);
        open[taken.isOpen ? 'add' : 'delete'](`${page.wallet}:${page.endpoint}`);
        pages.push(page);
        committed.set(page.wallet, { ...committed.get(page.wallet), [page.endpoint]: page.pollId });
        for (const listener of listeners) listener();
        return { pollId: page.pollId, ...taken };
      },
      unchanged(wallet, endpoint, seconds) {
        unchanged.set(`${wallet}:${endpoint}`, seconds);
        return !open.has(`${wallet}:${endpoint}`);
      },
      abandon: async () => {},
    });
  await begin();
  const beginAgain = async (watched: readonly WalletAddress[], known?: Committed) => {
    feed = await startFeed();
    for (const wallet of watched) {
      feed.watch(wallet);
      feed.noteTaken(wallet, known ?? committed.get(wallet) ?? {});
    }
    await begin();
  };

  const world: FeedWorld = {
    venue,
    get feed() {
      return feed;
    },
    pages,
    take: async () => ({ isOpen: false }),
    unchanged,
    lines,
    unusable,
    isStoreLost: false,
    storeAnswers: Promise.resolve(),
    async restart(watched, known) {
      await feed.stop();
      await server?.stop();
      server = nats === null ? null : await startServer(nats, 'feed');
      await beginAgain(watched, known);
    },
    async whileBotIsAway(watched, work) {
      await feed.stop();
      await work();
      await beginAgain(watched);
    },
    async whileFeedIsAway(work) {
      await server?.stop();
      await work();
      server = await startServer(needed(nats), 'feed');
    },
    polled: () => server?.wallets() ?? 0,
    startOtherFeed: () => startServer(needed(nats), 'other'),
    async page(fits) {
      const signal = AbortSignal.timeout(20_000);
      for (;;) {
        const found = pages.find(fits);
        if (found !== undefined) return found;
        const heard = new EventTarget();
        const listener = () => heard.dispatchEvent(new Event('page'));
        listeners.add(listener);
        await once(heard, 'page', { signal });
        listeners.delete(listener);
      }
    },
    async intruder() {
      const connection = await connectTo(needed(nats));
      onTestFinished(() => connection.close());
      return connection;
    },
  };
  return world;
}

/** A trade of some seconds ago, by its number, which is its quantity. */
export const traded = (number: number) => ({
  ...sampleTrade(),
  time: NOW_SECONDS - 100 + number,
  quantity: number,
});
export const quantities = ({ items }: Pick<AnyPolledPage, 'items'>) =>
  items.map((item) => ('quantity' in item ? item.quantity : null));
/** Of a page that shows the trade of this number. */
export const shows = (number: number) => (page: AnyPolledPage) => quantities(page).includes(number);

/** A NATS server of the test's own, and a connection to it. */
export async function openNats(settings: readonly string[] = []) {
  const nats = await startNats(settings);
  onTestFinished(nats.stop);
  const connection = await connectTo(nats);
  onTestFinished(() => connection.close());
  return { nats, connection };
}

/** A connection of its own, which the caller ends. */
export async function connectTo(nats: DatabaseServer, user = NATS_USER): Promise<NatsConnection> {
  const servers = new URL(await nats.newStore()).host;
  return connect({ servers, user, pass: PASSWORD });
}

/** Watches a wallet, and waits until each of its endpoints has shown a page. */
export async function watch(
  { feed, page, pages }: FeedWorld,
  wallet: WalletAddress,
): Promise<void> {
  const before = pages.length;
  feed.watch(wallet);
  for (const endpoint of ENDPOINT_NAMES) {
    const isOwn = (each: AnyPolledPage) => each.wallet === wallet && each.endpoint === endpoint;
    await page((each) => isOwn(each) && pages.indexOf(each) >= before);
  }
  const whole = pages.slice(before).filter((each) => each.fromSeconds === null);
  expect(whole.length).toBeGreaterThanOrEqual(2);
}

async function loadSettlements(store: Store, feed: Pick<Feed, 'load'>): Promise<void> {
  for await (const [key, document] of store.entries()) {
    if (key.startsWith(SETTLEMENTS_PREFIX)) expect(feed.load(key, document)).toBe(true);
  }
}

function needed(nats: DatabaseServer | null): DatabaseServer {
  if (nats === null) throw new Error('There is no NATS.');
  return nats;
}
