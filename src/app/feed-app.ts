import type { Logger } from 'pino';
import { LEARNING_PREFIX } from '../feed/learning.ts';
import { connectNats } from '../feed/nats/connection.ts';
import { createFeedServer } from '../feed/nats/feed-server.ts';
import { POLL_LIST_PREFIX } from '../feed/nats/poll-lists.ts';
import { SETTLEMENTS_PREFIX } from '../feed/settlements/settlements.ts';
import { EXIT_CONFIG } from '../lib/error.ts';
import { createFence } from '../store/fence.ts';
import { createQuarantine } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import type { AppContext, StopSteps } from './context.ts';
import { createLocalFeed } from './feed-half.ts';
import { addFeedGauges } from './gauges.ts';

/** Starts the feed half alone: it polls for the bots that ask it to over NATS. */
export async function startFeed(context: AppContext): Promise<StopSteps> {
  const { config, log, onFatal, ops, store } = context;
  let isConnected = true;
  if (config.nats === null) throw new TypeError('A feed needs NATS.');
  const server = createFeedServer(context, {
    connection: await connectNats(config.nats, 'walletbell feed', log, (isUp) => {
      isConnected = isUp;
    }),
    feedFor: (shares) => createLocalFeed(context, shares),
    store,
    fence: createFence(context, store.prove),
    onRival(reason) {
      log.fatal({ event: 'feed.rival', reason });
      onFatal(EXIT_CONFIG);
    },
  });
  const { feed } = server;
  await loadFeed(store, server, log);
  await ops.activate({
    gateway: { isUp: () => true, shards: () => [] },
    budget: feed.budget,
    store,
    feed: { ...feed, trouble: () => (isConnected ? null : () => 'There is no connection to NATS. It is being made.') },
    isIdle: () => server.wallets() === 0,
    isPolledElsewhere: false,
  });
  addFeedGauges(ops.metrics, feed, server.wallets);
  await server.start();
  return [ops.stop, server.stop];
}

/** Reads the feed's documents. What is not the feed's is left alone: the store may have been a bot's. */
async function loadFeed(
  store: Store,
  { feed, load, wallets }: ReturnType<typeof createFeedServer>,
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
  damaged.push(...lists.filter(([key, document]) => !load(key, document)));
  for (const [key, document] of damaged) {
    await putAside(key, document);
    await store.delete(key);
  }
  log.info({ event: 'store.loaded', wallets: wallets(), damaged: damaged.length });
}
