import { reasonOf } from '../lib/error.ts';
import type { ListenAddress } from '../lib/listen.ts';
import type { Machine } from '../lib/machine.ts';
import { openKept } from './kept.ts';
import { createPace } from './pace.ts';
import { createPages } from './pages.ts';
import { type ServerStats, startServer } from './server.ts';
import type { PolymarketSettings } from './settings.ts';
import { createSource } from './source.ts';

/** Interval between checks of how late the source is, and between log lines, in ms. */
const REPORTED_EVERY_MS = 60_000;
/** Lateness of lists from which the log mentions it, in seconds. */
const LATE_SECONDS = 5;

export interface GatewayOptions extends PolymarketSettings, ListenAddress {
  /** Key that requests must carry. */
  readonly key: string;
  /** SQLite file of the gateway's data. */
  readonly file: string;
}

/**
 * Serves the venue's interface from Polymarket's public Data API.
 *
 * @throws {OperatorError} if the file cannot be opened or the address cannot be bound
 */
export async function startGateway(machine: Machine, options: GatewayOptions) {
  const { log } = machine;
  const kept = await openKept(machine, options.file);
  const pace = createPace(machine, options.requestsPerMinute);
  const source = createSource(machine, { ...options, pace });
  let lagSeconds = 0;
  const lateSeconds = () => Math.max(lagSeconds, source.ageSeconds());

  const metrics = ({ requests, failures, unchanged }: ServerStats) => {
    const { limit } = pace.state();
    return [
      ['polymarket_requests_total', 'counter', 'Requests for pages', requests],
      [
        'polymarket_failures_total',
        'counter',
        'Requests that Polymarket left without a page',
        failures,
      ],
      ['polymarket_unchanged_total', 'counter', 'Pages that Polymarket sent as before', unchanged],
      ['polymarket_requests_per_minute', 'gauge', 'Requests allowed in a minute', limit],
      ['polymarket_late_seconds', 'gauge', 'Seconds by which lists are late', lateSeconds()],
    ]
      .map(
        ([name, type, help, value]) =>
          `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`,
      )
      .join('');
  };

  const server = await startServer(machine, {
    ...options,
    pages: createPages(machine, { source, kept, pace }),
    pace,
    proxyOf: source.proxyOf,
    lateSeconds,
    metrics,
  }).catch(async (error: unknown) => {
    await Promise.all([source.close(), kept.close()]);
    throw error;
  });

  const report = async () => {
    try {
      lagSeconds = (await source.lagSeconds()) ?? 0;
    } catch (error) {
      log.debug({ event: 'polymarket.status_unknown', reason: reasonOf(error) });
    }
    const { requests, failures } = server.stats();
    const late = lateSeconds();
    log.info({
      event: 'polymarket.minute',
      requests,
      failures,
      requestsPerMinute: pace.state().limit,
      ...(late > LATE_SECONDS && { lateSeconds: Math.round(late) }),
    });
  };
  void report();
  const timer = setInterval(() => void report(), REPORTED_EVERY_MS);

  return {
    url: server.url,
    /** Seconds by which lists are late, as far as known. */
    lateSeconds,
    async close(): Promise<void> {
      clearInterval(timer);
      await server.close();
      await source.close();
      await kept.close();
    },
  };
}
