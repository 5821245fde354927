import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { createLocalFeed } from '../../src/app/feed-half.ts';
import type { Committed, Feed } from '../../src/feed/feed.ts';
import { createFeedServer } from '../../src/feed/nats/feed-server.ts';
import { createRemoteFeed } from '../../src/feed/nats/remote-feed.ts';
import type { AnyPolledPage } from '../../src/feed/polled-page.ts';
import type { Telemetry } from '../../src/ops/telemetry.ts';
import { openStore } from '../../src/store/store.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { ENDPOINT_NAMES } from '../../src/venue/schema.ts';
import { type HostileVenue, startHostileVenue } from '../support/hostile-venue.ts';
import { collectingLog } from '../support/log.ts';
import { type DatabaseServer, PASSWORD, startNats } from '../support/servers.ts';
import { temporaryFolder } from '../support/temp.ts';

const SILENT: Telemetry = {
  ticked() {},
  polled() {},
  gapFound() {},
  sent() {},
  arrived() {},
  stored() {},
  commanded() {},
};

const monotonicMs = () => performance.now();

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
  take: (page: AnyPolledPage) => Promise<{ readonly isOpen: boolean }>;
  /** When an endpoint was last said to be unchanged, as `wallet:endpoint`. */
  readonly unchanged: Map<string, number>;
  readonly lines: Record<string, unknown>[];
  /** Ends both halves and starts them again; what was taken is known, or what is said here. */
  restart(watched: readonly WalletAddress[], committed?: Committed): Promise<void>;
  /** Waits until a page is there that fits. */
  page(fits: (page: AnyPolledPage) => boolean): Promise<AnyPolledPage>;
  /** A connection to NATS of the test's own. Only over NATS. */
  intruder(): Promise<NatsConnection>;
  /** Why the bot half cannot work with the feed. */
  readonly unusable: string[];
}

export async function openFeedWorld(place: Place): Promise<FeedWorld> {
  const venue = await startHostileVenue();
  onTestFinished(venue.close);
  const nats = place === 'over NATS' ? await startNats() : null;
  if (nats !== null) onTestFinished(nats.stop);
  const { log, lines } = collectingLog();
  const folder = temporaryFolder();
  const config = readConfig({
    ROLE: 'feed',
    NATS_URL: 'nats://unused',
    VENUE_BASE_URL: venue.url,
    VENUE_API_KEY: 'key-of-the-world',
    POLL_CRON: '* * * * * *',
    POLL_MIN_SECONDS: '0.1',
  });
  const context = {
    config,
    log,
    redact: (text: string) => text,
    onFatal() {},
    telemetry: SILENT,
    onFailpoint() {},
    signal: new AbortController().signal,
  };
  const unusable: string[] = [];

  /** @returns the feed as the bot half has it, and what ends both halves */
  const start = async (): Promise<{ readonly feed: Feed; stop(): Promise<void> }> => {
    const store = await openStore(`sqlite://${join(folder, 'feed.sqlite')}`);
    const shares = { guildsOf: () => new Set<string>(), walletsOf: () => [], guildCount: () => 0 };
    const half = createLocalFeed(store, shares, context);
    const end = async () => {
      await half.client.close();
      await store.close();
    };
    if (nats === null) {
      const stop = async () => {
        await half.feed.stop();
        await end();
      };
      return { feed: half.feed, stop };
    }
    const server = createFeedServer({
      ...{ feed: half.feed, budget: half.budget, venueStats: half.client.stats, store, log, monotonicMs },
      connection: await connectTo(nats),
      fence: async () => {},
      lastPollMs: () => null,
      nowMs: Date.now,
      onRival() {},
    });
    await server.start();
    const feed = createRemoteFeed({
      connection: await connectTo(nats),
      bot: 'the-bot',
      shards: null,
      guildsOf: () => ['100000000000000001'],
      onUnusable: (reason) => unusable.push(reason),
      nowMs: Date.now,
      monotonicMs,
      random: Math.random,
      sleep: (delayMs, signal) => delay(delayMs, undefined, { signal }).catch(() => {}),
      log,
    });
    const stop = async () => {
      await feed.stop();
      await server.stop();
      await end();
    };
    return { feed, stop };
  };

  let running = await start();
  onTestFinished(() => running.stop());
  const listeners = new Set<() => void>();
  const committed = new Map<WalletAddress, Committed>();
  const pages: AnyPolledPage[] = [];
  const unchanged = new Map<string, number>();
  const begin = () =>
    running.feed.start({
      async takePage(page) {
        const taken = await world.take(page);
        pages.push(page);
        committed.set(page.wallet, { ...committed.get(page.wallet), [page.endpoint]: page.pollId });
        for (const listener of listeners) listener();
        return taken;
      },
      unchanged: (wallet, endpoint, seconds) => void unchanged.set(`${wallet}:${endpoint}`, seconds),
      abandon: async () => {},
    });
  await begin();

  const world: FeedWorld = {
    venue,
    get feed() {
      return running.feed;
    },
    pages,
    take: async () => ({ isOpen: false }),
    unchanged,
    lines,
    unusable,
    async restart(watched, known) {
      await running.stop();
      running = await start();
      for (const wallet of watched) running.feed.watch(wallet, known ?? committed.get(wallet) ?? {});
      await begin();
    },
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
      if (nats === null) throw new Error('There is no NATS.');
      const connection = await connectTo(nats);
      onTestFinished(() => connection.close());
      return connection;
    },
  };
  return world;
}

/** A connection of its own, which the caller ends. */
export async function connectTo(nats: DatabaseServer): Promise<NatsConnection> {
  const servers = new URL(await nats.newStore()).host;
  return connect({ servers, user: 'bell', pass: PASSWORD });
}

/** Waits until each endpoint of a wallet has shown a page. */
export async function firstPages({ page, pages }: FeedWorld, wallet: WalletAddress): Promise<void> {
  const before = pages.length;
  for (const endpoint of ENDPOINT_NAMES) {
    await page((each) => each.wallet === wallet && each.endpoint === endpoint && pages.indexOf(each) >= before);
  }
  expect(pages.slice(before).filter((each) => each.fromSeconds === null).length).toBeGreaterThanOrEqual(2);
}
