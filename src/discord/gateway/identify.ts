import { type ClientOptions, SimpleIdentifyThrottler } from 'discord.js';

/** Waits for a turn that all processes of the token share. @param bucket shard id modulo Discord's max_concurrency */
export type AwaitIdentify = (bucket: number, signal: AbortSignal) => Promise<void>;

/**
 * How shards log in where other processes have others: each waits for its turn among all of them, and keeps to discord.js's own
 * limit within this process, which is all there is where nobody answers.
 */
export function sharedIdentify(
  awaitTurn: AwaitIdentify,
): NonNullable<NonNullable<ClientOptions['ws']>['buildIdentifyThrottler']> {
  return async (manager) => {
    const { session_start_limit: limit } = await manager.fetchGatewayInformation();
    const own = new SimpleIdentifyThrottler(limit.max_concurrency);
    return {
      async waitForIdentify(shardId, signal) {
        await awaitTurn(shardId % limit.max_concurrency, signal);
        await own.waitForIdentify(shardId, signal);
      },
    };
  };
}
