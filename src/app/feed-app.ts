import { connectNats } from '../feed/nats/connection.ts';
import { createFeedServer } from '../feed/nats/feed-server.ts';
import { isFeedKey } from '../feed/stored.ts';
import { EXIT_CONFIG } from '../lib/error.ts';
import { quarantine } from '../store/quarantine.ts';
import { createFence } from '../store/store.ts';
import type { AppContext, StopSteps } from './context.ts';
import { createLocalFeed } from './feed-half.ts';
import { addFeedGauges } from './gauges.ts';

/** Starts the feed half alone. It polls for bots that request it over NATS. */
export async function startFeed(context: AppContext): Promise<StopSteps> {
  const { config, log, onFatal, ops, store } = context;
  let isConnected = true;
  if (config.NATS_URL === null) throw new TypeError('A feed needs NATS.');
  const server = createFeedServer(context, {
    connection: await connectNats(config.NATS_URL, 'walletbell feed', log, (isUp) => {
      isConnected = isUp;
    }),
    feedFor: (watchers) => createLocalFeed(context, watchers),
    fence: createFence(context, store.prove),
    onRival(reason) {
      log.fatal({ event: 'feed.rival', reason });
      onFatal(EXIT_CONFIG);
    },
  });
  const { feed } = server;
  const damaged: [string, unknown][] = [];
  // Documents that are not the feed's are left alone, because the store may have been a bot's.
  for await (const [key, document] of store.entries()) {
    if (isFeedKey(key) && !feed.load(key, document)) damaged.push([key, document]);
  }
  for (const [key, document] of damaged) {
    await quarantine(store, log, key, document);
    await store.delete(key);
  }
  log.info({ event: 'store.loaded', damaged: damaged.length });
  await ops.activate({
    gateway: { isUp: () => true, isTokenShared: () => false, shards: () => [] },
    budget: feed.budget,
    store,
    feed: {
      ...feed,
      trouble: () =>
        isConnected ? null : () => 'There is no connection to NATS. It is being made.',
    },
    isIdle: () => feed.walletCount() === 0,
  });
  addFeedGauges(ops.metrics, feed, feed.walletCount);
  await server.start();
  return [ops.stop, server.stop];
}
