import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { shownSharding } from '../discord/gateway/shards.ts';
import { shownNats } from '../feed/nats/address.ts';
import { readFailpoint } from '../lib/failpoints.ts';
import { createMachine, type Machine } from '../lib/machine.ts';
import { RELEASE } from '../lib/release.ts';
import { HOUR_MS } from '../lib/time.ts';
import { createOps, type Ops } from '../ops/ops.ts';
import { sqlitePath, storeKind } from '../store/address.ts';
import type { StartRule } from '../store/conversion.ts';
import { deleteOldCopies } from '../store/copy-before.ts';
import type { StoreError } from '../store/error.ts';
import { awaitStore, type OpenOptions, openStore, type Store } from '../store/store.ts';
import type { Config } from './config.ts';
import type { Given } from './context.ts';

/** Interval of checks for outdated copies of the store, in ms. */
const COPIES_EVERY_MS = HOUR_MS;

/**
 * Starts the process that the configuration describes. A feed loads no Discord code.
 *
 * @returns a function that stops each part; if some fail to stop, it rejects with an AggregateError
 *   after all have been tried
 */
export async function startApp(given: Given): Promise<() => Promise<void>> {
  const { config, log, redact, onFatal } = given;
  const { STORE_URL: url } = config;
  const isFeed = config.ROLE === 'feed';
  const stopping = new AbortController();
  const identity = {
    role: config.ROLE,
    shards: isFeed ? '' : shownSharding(config.sharding),
    installation: installationOf(config),
  };
  const machine = { ...createMachine(log), onFailpoint: readFailpoint() };
  const ops = createOps(machine, { config, identity, redact });
  if (config.STANDBY) await ops.start();
  const start: StartRule = {
    log,
    nowMs: Date.now,
    release: RELEASE,
    // A feed loads the bot's schemas only if it has to read the bot's documents.
    loadFaultsOf: async () => (await import('./documents/kinds.ts')).faultsOf,
    ...given.conversion,
  };
  const options = {
    start,
    shards: config.sharding,
    onWarning: (reason: string) => log.warn({ event: 'store.warning', reason }),
    onLost(error: StoreError) {
      log.fatal({ event: 'store.lost', err: error });
      onFatal(1);
    },
  };
  const opening = config.STANDBY ? standBy(given, ops, options) : openStore(url, options);
  const store = ops.measured(await opening);
  keepCopiesForAWhile(url, log);
  const gateway = await startGatewayOf(machine, config, stopping.signal);
  const context = {
    ...given,
    ...machine,
    config: gateway.config,
    ops,
    store,
    signal: stopping.signal,
  };
  const steps = isFeed
    ? await (await import('./feed-app.ts')).startFeed(context)
    : await (await import('./bot-app.ts')).startBot(context);
  return async () => {
    stopping.abort();
    const errors: unknown[] = [];
    for (const step of [...steps, gateway.stop, store.close]) {
      await Promise.resolve()
        .then(step)
        .catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, 'A part could not be stopped in order.');
    }
  };
}

/**
 * Starts the gateway to Polymarket if that is the venue, and adds its address and key to the
 * configuration.
 */
async function startGatewayOf(machine: Machine, config: Config, signal: AbortSignal) {
  if (config.polymarket === null) return { config, stop: () => {} };
  const { startGatewayProcess } = await import('./gateway-process.ts');
  const { STORE_URL: url } = config;
  const data = storeKind(url) === 'sqlite' ? dirname(sqlitePath(url)) : 'data';
  const folder = join(data, 'polymarket');
  const gateway = await startGatewayProcess(machine, config.polymarket, folder, signal);
  return {
    config: { ...config, VENUE_BASE_URL: gateway.url, VENUE_API_KEY: gateway.key },
    stop: gateway.stop,
  };
}

/** Deletes copies made before a conversion of the store once they are old enough. */
function keepCopiesForAWhile(url: string, log: Logger): void {
  const sweep = () => {
    try {
      for (const file of deleteOldCopies(url, Date.now())) {
        log.info({ event: 'store.copy_deleted', file });
      }
    } catch (error) {
      log.error({ event: 'store.copy_not_deleted', err: error });
    }
  };
  sweep();
  setInterval(sweep, COPIES_EVERY_MS).unref();
}

/**
 * Waits for the store, and reports in the meantime whether this process could take over.
 *
 * @throws as `awaitStore`
 */
async function standBy(given: Given, ops: Ops, options: OpenOptions): Promise<Store> {
  const { createStandby } = await import('./standby.ts');
  const standby = createStandby(given, ops, options);
  try {
    return await awaitStore(given.config.STORE_URL, options, given.log, undefined, standby.begin);
  } finally {
    standby.stop();
  }
}

/**
 * Returns the name of the installation that a process and its standby share: the bot's id or, for a
 * feed, its NATS servers. A token begins with the bot's id in base64, which is public.
 */
function installationOf({ ROLE: role, DISCORD_TOKEN: token, NATS_URL: nats }: Config): string {
  if (role === 'feed') return nats === null ? '' : shownNats(nats);
  const [id = ''] = token.split('.');
  const digits = Buffer.from(id, 'base64').toString();
  return /^\d{15,20}$/.test(digits) ? digits : '';
}
