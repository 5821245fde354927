import { EXIT_CONFIG, OperatorError } from '../lib/error.ts';
import { parseUrl, withoutEndSlashes } from '../lib/text/url.ts';

const DATA_URL = 'https://data-api.polymarket.com';
const GAMMA_URL = 'https://gamma-api.polymarket.com';
/**
 * Half of the rate that Polymarket's documentation allows for activity with combos (200 requests in
 * ten seconds, October 2026).
 */
const REQUESTS_PER_MINUTE = 600;
const REQUESTS_MOST = 6_000;

/** Settings of the gateway from the environment. */
export interface PolymarketSettings {
  readonly dataUrl: string;
  readonly gammaUrl: string;
  readonly requestsPerMinute: number;
}

/**
 * Reads POLYMARKET_DATA_URL, POLYMARKET_GAMMA_URL and POLYMARKET_REQUESTS_PER_MINUTE. An empty
 * variable counts as unset. Each fault begins with the variable's name.
 */
export function readPolymarket(
  environment: NodeJS.ProcessEnv,
): { readonly settings: PolymarketSettings } | { readonly faults: readonly string[] } {
  const faults: string[] = [];
  const address = (name: string, usual: string) => {
    const text = environment[name]?.trim() || usual;
    const url = parseUrl(text);
    const isPlain =
      url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      `${url.username}${url.password}${url.search}${url.hash}` === '';
    if (!isPlain) {
      faults.push(
        `${name} is not a web address without user name and query. Accepted: ${usual}, or the address of a proxy.`,
      );
    }
    return withoutEndSlashes(text);
  };
  const dataUrl = address('POLYMARKET_DATA_URL', DATA_URL);
  const gammaUrl = address('POLYMARKET_GAMMA_URL', GAMMA_URL);
  const rate = environment['POLYMARKET_REQUESTS_PER_MINUTE']?.trim() || String(REQUESTS_PER_MINUTE);
  const requestsPerMinute = Number(rate);
  if (!/^\d{1,5}$/.test(rate) || requestsPerMinute < 1 || requestsPerMinute > REQUESTS_MOST) {
    faults.push(
      `POLYMARKET_REQUESTS_PER_MINUTE is not a number for this. Accepted: a whole number from 1 to ${REQUESTS_MOST}, such as ${REQUESTS_PER_MINUTE}.`,
    );
  }
  return faults.length > 0 ? { faults } : { settings: { dataUrl, gammaUrl, requestsPerMinute } };
}

/**
 * Returns the settings.
 *
 * @throws {OperatorError} with all faults at once, and exit code 78
 */
export function polymarketSettings(environment: NodeJS.ProcessEnv): PolymarketSettings {
  const read = readPolymarket(environment);
  if ('settings' in read) return read.settings;
  const list = read.faults.map((fault) => `  - ${fault}`).join('\n');
  throw new SettingsFault(`The configuration has faults:\n${list}`);
}

class SettingsFault extends OperatorError {
  override readonly exitCode = EXIT_CONFIG;
}
