import { SimpleShardingStrategy } from 'discord.js';
import { backOffMs } from '../../lib/async/backoff.ts';
import type { Machine } from '../../lib/machine.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** Duration after which a connection no longer counts as a failure, in ms. */
const STEADY_MS = 60_000;

/** The manager of @discordjs/ws, which discord.js passes to `buildStrategy`. */
export type GatewayManager = ConstructorParameters<typeof SimpleShardingStrategy>[0];

/** History of a shard's connections. */
interface Attempts {
  /** Number of consecutive connections that were closed too soon. */
  failures: number;
  /** Start of its session, in monotonic ms; null while it has none. */
  upSinceMs: number | null;
  /** True if its connection was closed and it has not retried since. */
  isClosed: boolean;
}

/**
 * Returns a strategy whose shards wait longer each time a connection is closed soon after opening,
 * with jitter, up to a minute. discord.js itself retries after half a second, forever.
 *
 * @param signal aborted when the bot stops; no shard connects after that
 */
export function patientStrategy(machine: Machine, signal: AbortSignal) {
  const { monotonicMs, sleep, random } = machine;

  return (manager: GatewayManager): SimpleShardingStrategy => {
    const attempts = new Map<number, Attempts>();
    const attemptsOf = (shardId: number): Attempts => {
      const known = attempts.get(shardId) ?? { failures: 0, upSinceMs: null, isClosed: false };
      attempts.set(shardId, known);
      return known;
    };

    const onUp = ({ shardId }: { readonly shardId: number }) => {
      attemptsOf(shardId).upSinceMs = monotonicMs();
    };
    const onClosed = ({ shardId }: { readonly shardId: number }) => {
      const own = attemptsOf(shardId);
      const hasLasted = own.upSinceMs !== null && monotonicMs() - own.upSinceMs >= STEADY_MS;
      if (hasLasted) own.failures = 0;
      own.upSinceMs = null;
      own.isClosed = true;
    };
    // discord.js exports a different enumeration under the name of the one with these events.
    for (const event of ['ready', 'resumed']) Reflect.apply(manager.on, manager, [event, onUp]);
    Reflect.apply(manager.on, manager, ['closed', onClosed]);

    const waitAfterClose = async (shardId: number): Promise<void> => {
      const own = attemptsOf(shardId);
      if (!own.isClosed) return;
      own.isClosed = false;
      own.failures += 1;
      // After its first close a connection is reopened at once, as after each restart on Discord's
      // side.
      if (own.failures === 1) return;
      await sleep(backOffMs(own.failures - 2, RETRY_FIRST_MS, RETRY_LIMIT_MS, random), signal);
      // Nothing awaits it any more.
      if (signal.aborted) await new Promise(() => {});
    };

    // A shard retrieves its session before it opens a connection.
    const { retrieveSessionInfo } = manager.options;
    Object.assign(manager.options, {
      async retrieveSessionInfo(shardId: number) {
        await waitAfterClose(shardId);
        return retrieveSessionInfo(shardId);
      },
    });
    return new SimpleShardingStrategy(manager);
  };
}
