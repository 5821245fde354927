import { SimpleShardingStrategy } from 'discord.js';
import { backOffMs } from '../../lib/async/backoff.ts';
import type { Machine } from '../../lib/machine.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** A connection that lasted this long was no failure, ms. */
const STEADY_MS = 60_000;

/** The manager of @discordjs/ws, which discord.js hands to whoever builds the strategy. */
export type GatewayManager = ConstructorParameters<typeof SimpleShardingStrategy>[0];

/** Outcome of a shard's connections so far. */
interface Attempts {
  /** Connections in a row that were closed before they had lasted. */
  failures: number;
  /** Time since which it has a session, monotonic ms; null while it has none. */
  upSinceMs: number | null;
  /** True if its connection was closed, and it has not tried again since. */
  isClosed: boolean;
}

/**
 * Lets shards wait longer each time a connection is closed soon after it was opened, with jitter,
 * up to a minute: discord.js itself tries again after half a second, for ever.
 *
 * @param signal aborted when the bot stops: then no shard connects again
 */
export function patientStrategy(
  machine: Pick<Machine, 'monotonicMs' | 'sleep' | 'random'>,
  signal: AbortSignal,
) {
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
    // discord.js has an enumeration of its own under the name of the one that has these.
    for (const event of ['ready', 'resumed']) Reflect.apply(manager.on, manager, [event, onUp]);
    Reflect.apply(manager.on, manager, ['closed', onClosed]);

    const waitAfterClose = async (shardId: number): Promise<void> => {
      const own = attemptsOf(shardId);
      if (!own.isClosed) return;
      own.isClosed = false;
      own.failures += 1;
      // A connection that was closed once is opened again at once, as after each of Discord's own
      // restarts.
      if (own.failures === 1) return;
      await sleep(backOffMs(own.failures - 2, RETRY_FIRST_MS, RETRY_LIMIT_MS, random), signal);
      // Nobody waits for it any more.
      if (signal.aborted) await new Promise(() => {});
    };

    // A shard asks for its session before it opens a connection.
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
