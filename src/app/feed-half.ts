import type { AwaitIdentify } from '../discord/gateway/identify.ts';
import type { WalletAddress } from '../domain/address.ts';
import { createCronTimer } from '../feed/cron-timer.ts';
import { createFeed, type Feed, type LocalFeed } from '../feed/feed.ts';
import type { NatsAddress } from '../feed/nats/address.ts';
import type { VenueView } from '../feed/nats/remote-feed.ts';
import type { LocalizedText } from '../language/language.ts';
import type { Ops } from '../ops/ops.ts';
import { createFairShare, type FairShareDeps } from '../poll-policy/fair-share.ts';
import { createSchedule } from '../poll-policy/schedule.ts';
import type { Store } from '../store/store.ts';
import { createVenueClient, type VenueClient } from '../venue/client.ts';
import { type Budget, createBudget } from '../venue/rate-limit/budget.ts';
import { fairGroupOf } from '../watches/owner.ts';
import type { Registry } from '../watches/registry.ts';
import { EXIT_CONFIG } from './config.ts';
import { type AppContext, monotonicMs, nowMs, random, sleep } from './context.ts';

/** For the bench alone: `round-robin` polls without the schedule. */
const SCHEDULE_SWITCH = 'WALLETBELL_TEST_SCHEDULE';

/** A feed with the venue's key. */
export interface LocalFeedHalf {
  readonly feed: LocalFeed;
  readonly budget: Budget;
  readonly client: VenueClient;
}

/** The feed half in this process. @param shares whom polls are shared between */
export function createLocalFeed(
  store: Store,
  shares: Omit<FairShareDeps, 'groupOf'>,
  { config, log, ops }: Pick<AppContext, 'config' | 'log'> & { readonly ops: Pick<Ops, 'polled' | 'ticked'> },
): LocalFeedHalf {
  const { pollMinSeconds, venueBaseUrl: baseUrl, venueApiKey: apiKey } = config;
  const pollMinMs = pollMinSeconds * 1000;
  const budget = createBudget({ share: config.budgetShare, nowMs, monotonicMs, random, groupOf: fairGroupOf });
  const isInTurn = process.env[SCHEDULE_SWITCH] === 'round-robin';
  const inOrder = createSchedule({ pollMinSeconds, isInTurn });
  const schedule = isInTurn ? inOrder : createFairShare(inOrder, { ...shares, groupOf: fairGroupOf });
  const client = createVenueClient({ baseUrl, apiKey, budget, log, random, nowMs, pollMinMs });
  const feed = createFeed({
    client,
    budget,
    schedule,
    store,
    cronTimer: createCronTimer({ pattern: config.pollCron, nowMs, monotonicMs, log }),
    pollMinMs,
    nowMs,
    monotonicMs,
    sleep,
    log,
    onOutcome: ops.polled,
    onTick: ops.ticked,
  });
  return { feed, budget, client };
}

/** The feed half as the bot half has it, wherever it runs. */
export interface FeedHalf {
  readonly feed: Feed;
  readonly venue: VenueView;
  /** The servers that watch a wallet may be others now. */
  readonly watchersChanged: (wallet: WalletAddress) => void;
  /** Waits for this process's turn to log a shard in, where other processes have others; null if there are none. */
  readonly awaitIdentify: AwaitIdentify | null;
  /** Resolves once the feed works with this process: before, it must not log in to Discord nor send. */
  readonly taken: Promise<void>;
  /** Why a feed of another process cannot be heard, or has not taken us; null if it is well, or is this process. */
  readonly trouble: () => LocalizedText | null;
  /** When a feed of another process last polled with success, epoch ms; null where that is not known. */
  lastPollMs(): number | null;
  close(): Promise<void>;
}

/** @throws {NatsError} if the feed is another process's and NATS cannot be used */
export async function createFeedHalf(store: Store, registry: Registry, context: AppContext): Promise<FeedHalf> {
  const { config } = context;
  const guildsOf = (wallet: WalletAddress) => new Set(registry.ofWallet(wallet).map(({ ownerId }) => ownerId));
  if (config.nats === null) {
    const { feed, budget, client } = createLocalFeed(
      store,
      {
        guildsOf,
        walletsOf: (guildId) => registry.ofOwner(guildId).map(({ wallet }) => wallet),
        guilds: registry.owners,
      },
      context,
    );
    const venue: VenueView = {
      ...budget,
      get skewKnown() {
        return budget.skewKnown;
      },
      stats: client.stats,
    };
    return {
      feed,
      venue,
      watchersChanged: () => {},
      taken: Promise.resolve(),
      trouble: () => null,
      awaitIdentify: null,
      lastPollMs: () => null,
      close: client.close,
    };
  }
  return joinFeed(config.nats, store, guildsOf, context);
}

/** The client of NATS is loaded only where it is used. */
async function joinFeed(
  address: NatsAddress,
  store: Store,
  guildsOf: (wallet: WalletAddress) => Iterable<string>,
  { config, log, onFatal }: AppContext,
): Promise<FeedHalf> {
  const [{ connectNats }, { createRemoteFeed, feedAwayText }] = await Promise.all([
    import('../feed/nats/connection.ts'),
    import('../feed/nats/remote-feed.ts'),
  ]);
  const connection = await connectNats(address, `walletbell bot ${store.id}`, log);
  const feed = createRemoteFeed({
    connection,
    bot: store.id,
    shards: config.sharding === 'auto' ? null : { ids: [...config.sharding.ids], count: config.sharding.count },
    guildsOf: (wallet) => [...guildsOf(wallet)],
    onUnusable(reason) {
      log.fatal({ event: 'feed.unusable', reason });
      onFatal(EXIT_CONFIG);
    },
    nowMs,
    monotonicMs,
    random,
    sleep,
    log,
  });
  let isTaken = false;
  void feed.taken.then(() => {
    isTaken = true;
  });
  return {
    feed,
    venue: feed.venue,
    watchersChanged: feed.changed,
    awaitIdentify: feed.awaitIdentify,
    taken: feed.taken,
    trouble() {
      if (!isTaken) return () => notTaken(feed.refusal());
      const sinceMs = feed.awaySinceMs();
      return sinceMs === null ? null : feedAwayText(sinceMs);
    },
    lastPollMs: feed.lastPollMs,
    close: async () => {},
  };
}

/** For /readyz alone: nobody can ask in Discord before the bot has logged in. */
function notTaken(refusal: string | null): string {
  return `The bot logs in to Discord and sends once the feed has taken it. ${refusal ?? 'The feed has not answered yet.'}`;
}
