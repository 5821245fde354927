import type { WalletAddress } from '../domain/address.ts';
import { createCronTimer } from '../feed/cron-timer.ts';
import { createFeed, type LocalFeed } from '../feed/feed.ts';
import type { Feed } from '../feed/interface.ts';
import { EXIT_CONFIG } from '../lib/error.ts';
import { createBusiestPayers } from '../lib/fair-shares/busiest-payers.ts';
import type { Machine } from '../lib/machine.ts';
import type { Ops } from '../ops/ops.ts';
import { createFairSchedule, type Watchers } from '../poll-policy/fair-schedule.ts';
import { createSchedule } from '../poll-policy/schedule.ts';
import { createVenueClient } from '../venue/client.ts';
import { createBudget } from '../venue/rate-limit/budget.ts';
import type { Payers } from '../watches/payers.ts';
import type { Registry } from '../watches/registry.ts';
import type { AppContext } from './context.ts';

/** Creates a feed in this process, with the venue's key. */
export function createLocalFeed(
  context: Machine &
    Pick<AppContext, 'config' | 'store' | 'signal' | 'scheduleFor'> & {
      readonly ops: Pick<Ops, 'polled' | 'ticked'>;
    },
  watchers: Watchers,
): LocalFeed {
  const { config, ops, store, signal } = context;
  const { pollMinSeconds, VENUE_BASE_URL: baseUrl, VENUE_API_KEY: apiKey } = config;
  const pollMinMs = pollMinSeconds * 1000;
  const busiest = createBusiestPayers(context, { event: 'poll.busiest_payers' });
  void busiest.run(signal);
  const schedule =
    context.scheduleFor?.(pollMinSeconds) ??
    createFairSchedule(createSchedule({ pollMinSeconds }), watchers, busiest.count);
  const budget = createBudget(context, { share: config.BUDGET_SHARE });
  return createFeed(context, {
    client: createVenueClient(context, { baseUrl, apiKey, budget, pollMinMs }),
    budget,
    schedule,
    store,
    cronTimer: createCronTimer(context, config.POLL_CRON),
    pollMinMs,
    ops,
  });
}

/**
 * Opens the feed for the bot half, wherever it runs.
 *
 * @throws {NatsError} if it runs elsewhere and NATS cannot be used
 */
export async function openFeed(
  context: AppContext,
  registry: Registry,
  { accountOf }: Payers,
): Promise<Feed> {
  const { config, log, onFatal, store } = context;
  const { sharding } = config;
  const ownersOf = (wallet: WalletAddress) => [
    ...new Set(registry.ofWallet(wallet).map(({ ownerId }) => ownerId)),
  ];
  if (config.NATS_URL === null) {
    const walletsOf = (ownerId: string) => registry.ofOwner(ownerId).map(({ wallet }) => wallet);
    return createLocalFeed(context, { ownersOf, walletsOf, owners: registry.owners, accountOf });
  }
  // The NATS client is loaded only if it is used.
  const [{ connectNats }, { createRemoteFeed }] = await Promise.all([
    import('../feed/nats/connection.ts'),
    import('../feed/nats/remote-feed.ts'),
  ]);
  return createRemoteFeed(context, {
    connection: await connectNats(config.NATS_URL, `walletbell bot ${store.id}`, log),
    bot: store.id,
    shards: sharding === 'auto' ? null : { ids: [...sharding.ids], count: sharding.count },
    watchersOf: (wallet) => ownersOf(wallet).map(accountOf),
    onUnusable(reason) {
      log.fatal({ event: 'feed.unusable', reason });
      onFatal(EXIT_CONFIG);
    },
  });
}
