import { pino } from 'pino';
import type { Config } from '../../app/config.ts';
import type { WatchPlace } from '../../app/documents/kinds.ts';
import { createMachine } from '../../lib/machine.ts';
import { startGateway } from '../../polymarket/gateway.ts';
import type { PolymarketSettings } from '../../polymarket/settings.ts';
import type { LearnedLimits } from '../../venue/rate-limit/window-length.ts';
import { type Finding, ok, warn } from './finding.ts';
import { checkVenue } from './venue.ts';

/** Lateness of lists from which there is a warning, in seconds. */
const LATE_SECONDS = 5;

/**
 * Checks Polymarket like `checkVenue`, through a gateway that exists only during the check and
 * stores nothing.
 */
export async function checkPolymarket(
  config: Config,
  settings: PolymarketSettings,
  watches: readonly WatchPlace[],
  limits: LearnedLimits | null,
): Promise<readonly Finding[]> {
  const gateway = await startGateway(createMachine(pino({ level: 'silent' })), {
    ...settings,
    key: 'doctor',
    host: '127.0.0.1',
    port: 0,
    file: ':memory:',
  });
  try {
    const found = await checkVenue(
      { ...config, VENUE_BASE_URL: gateway.url, VENUE_API_KEY: 'doctor' },
      watches,
      limits,
    );
    const late = Math.round(gateway.lateSeconds());
    const lateness =
      late > LATE_SECONDS
        ? warn('polymarket', `its lists are ${late} s late at the moment; so are alerts.`)
        : ok('polymarket', 'its lists are up to date, as far as it says.');
    const unknown =
      'whether a wallet is a proxy address is not checked: any address is answered with an empty list. ' +
      'Programs at this internet address share the limit.';
    return [...found, lateness, ok('polymarket', unknown)];
  } finally {
    await gateway.close();
  }
}
