import type { Logger } from 'pino';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import { LEARNING_PREFIX } from '../feed/learning.ts';
import { connectNats } from '../feed/nats/connection.ts';
import { createFeedServer } from '../feed/nats/feed-server.ts';
import { POLL_LIST_PREFIX } from '../feed/nats/stored-list.ts';
import { SETTLEMENTS_PREFIX } from '../feed/settlements/settlements.ts';
import type { LocalizedText } from '../language/language.ts';
import { createOps } from '../ops/ops.ts';
import { createFence } from '../store/fence.ts';
import { createQuarantine } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import { type Config, EXIT_CONFIG } from './config.ts';
import { monotonicMs, nowMs, type Running, stopInOrder, takeStore } from './context.ts';
import { createLocalFeed, type LocalFeedHalf } from './feed-half.ts';
import { addFeedGauges } from './gauges.ts';

/** Starts the feed half alone: it polls for the bots that ask it to over NATS. */
export async function startFeed(
  config: Config,
  log: Logger,
  redact: (text: string) => string,
  onFatal: (exitCode: number) => void,
): Promise<Running> {
  let isConnected = true;
  const ops = createOps({
    ...config,
    identity: { role: config.role, shards: '' },
    redact,
    nowMs,
    monotonicMs,
    log,
  });
  if (config.isStandby) await ops.start();
  const store = ops.measured(await takeStore({ config, log, onFatal }));
  if (config.nats === null) throw new TypeError('A feed needs NATS.');
  const connection = await connectNats(config.nats, 'walletbell feed', log, (isUp) => {
    isConnected = isUp;
  });
  const half = createLocalFeed(
    store,
    sharesOf(() => server.shares),
    { config, log, ops },
  );
  const server = createFeedServer({
    connection,
    feed: half.feed,
    budget: half.budget,
    venueStats: half.client.stats,
    store,
    fence: createFence({ prove: store.prove, nowMs, monotonicMs }),
    lastPollMs: ops.readiness.lastPollMs,
    nowMs,
    monotonicMs,
    log,
    onRival(reason) {
      log.fatal({ event: 'feed.rival', reason });
      onFatal(EXIT_CONFIG);
    },
  });
  await loadFeed(store, half, server, log);
  if (!config.isStandby) await ops.start();
  ops.activate({
    gateway: { isUp: () => true, shards: () => [] },
    budget: half.budget,
    store,
    venueTroubles: () => ENDPOINT_NAMES.map((name) => half.feed.availability.trouble(name)),
    isIdle: () => server.wallets() === 0,
    feedTrouble: () => (isConnected ? null : NATS_AWAY),
    polledElsewhereMs: null,
  });
  addFeedGauges(ops.metrics, half.budget, half.client, server.wallets);
  await server.start();
  return {
    async stop() {
      await stopInOrder([ops.stop, server.stop, half.client.close, store.close]);
    },
  };
}

const NATS_AWAY: LocalizedText = () => 'There is no connection to NATS. It is being made.';

/** The shares are known once the server is made, which needs the feed. */
function sharesOf(shares: () => ReturnType<typeof createFeedServer>['shares']) {
  return {
    guildsOf: (...args: Parameters<ReturnType<typeof shares>['guildsOf']>) => shares().guildsOf(...args),
    walletsOf: (...args: Parameters<ReturnType<typeof shares>['walletsOf']>) => shares().walletsOf(...args),
    guilds: () => shares().guilds(),
  };
}

/** Reads the feed's documents. What is not the feed's is left alone: the store may have been a bot's. */
async function loadFeed(
  store: Store,
  { feed }: LocalFeedHalf,
  server: ReturnType<typeof createFeedServer>,
  log: Logger,
): Promise<void> {
  const putAside = createQuarantine(store, log);
  const lists: [string, unknown][] = [];
  const damaged: [string, unknown][] = [];
  for await (const [key, document] of store.entries()) {
    const isFeeds = key.startsWith(LEARNING_PREFIX) || key.startsWith(SETTLEMENTS_PREFIX);
    if (isFeeds && !feed.load(key, document)) damaged.push([key, document]);
    if (key.startsWith(POLL_LIST_PREFIX)) lists.push([key, document]);
  }
  // What was learned of a wallet must be there before the wallet is.
  for (const [key, document] of lists) if (!server.load(key, document)) damaged.push([key, document]);
  for (const [key, document] of damaged) {
    await putAside(key, document);
    await store.delete(key);
  }
  log.info({ event: 'store.loaded', wallets: server.wallets(), damaged: damaged.length });
}
