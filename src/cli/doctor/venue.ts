import type { Logger } from 'pino';
import { monotonicMs, nowMs, random, sleep } from '../../app/context.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../../domain/records.ts';
import { createVenueClient, type VenueClient } from '../../venue/client.ts';
import { VenueError } from '../../venue/errors.ts';
import { createBudget } from '../../venue/rate-limit/budget.ts';
import { clockFinding, type Finding, fail, ok, warn } from './finding.ts';

export interface VenueCheck {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly budgetShare: number;
  readonly pollMinSeconds: number;
  /** Wallets that are watched. */
  readonly wallets: number;
  /** A wallet to ask for. */
  readonly wallet: WalletAddress;
  readonly log: Logger;
}

/** Asks both endpoints once: is the key known, does its plan cover them, and what does the rate limit say? */
export async function checkVenue({
  baseUrl,
  apiKey,
  budgetShare,
  pollMinSeconds,
  wallets,
  wallet,
  log,
}: VenueCheck): Promise<readonly Finding[]> {
  const machine = { log, nowMs, monotonicMs, random, sleep, onFailpoint: () => {} };
  const budget = createBudget(machine, { share: budgetShare });
  const client = createVenueClient(machine, { baseUrl, apiKey, budget, retries: { person: 0 } });
  const findings: Finding[] = [];
  let hasAnswered = false;
  let served = 0;
  try {
    for (const endpoint of ENDPOINT_NAMES) {
      const trial = await tryEndpoint(client, endpoint, wallet);
      findings.push(trial.finding);
      if (trial.hasAnswered) hasAnswered = true;
      if (trial.isServed) served += 1;
      if (trial.isForAll) break;
    }
    const { limit, allowance, remaining, skewMs } = budget.snapshot();
    if (limit !== null) findings.push(limitFinding(limit, remaining, allowance));
    else if (hasAnswered) findings.push(noLimitFinding());
    if (wallets * served > 0) findings.push(paceFinding(wallets * served, pollMinSeconds));
    if (hasAnswered) findings.push(clockFinding('the venue', skewMs));
  } finally {
    await client.close();
  }
  return findings;
}

interface EndpointTrial {
  readonly finding: Finding;
  /** Whether the venue has answered, be it with an error. */
  readonly hasAnswered: boolean;
  readonly isServed: boolean;
  /** Whether the other endpoint would say the same. */
  readonly isForAll: boolean;
}

/** Asks an endpoint once. */
async function tryEndpoint(client: VenueClient, endpoint: EndpointName, wallet: WalletAddress): Promise<EndpointTrial> {
  const page = endpoint === 'activity' ? client.activity : client.transfers;
  try {
    await page(wallet, { limit: 1 }, { priority: 'person' });
    return { finding: ok('venue', `${endpoint} answers (200).`), hasAnswered: true, isServed: true, isForAll: false };
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
    // Others, such as the bot itself, have used the window up: it is a matter of time.
    const hasAnswered = error.kind !== 'unreachable' && error.kind !== 'budgetExhausted';
    const isUsedUp = error.kind === 'rateLimited' || error.kind === 'budgetExhausted';
    return {
      finding: (isUsedUp ? warn : fail)('venue', error.message),
      hasAnswered,
      isServed: false,
      isForAll: !hasAnswered || error.kind === 'unauthorized' || isUsedUp,
    };
  }
}

function limitFinding(limit: number, remaining: number | null, allowance: number | null): Finding {
  return ok(
    'limit',
    `${limit} requests per window, ${remaining ?? 'unknown'} left; the bot uses up to ${allowance} (BUDGET_SHARE).`,
  );
}

function noLimitFinding(): Finding {
  return warn(
    'limit',
    'no X-RateLimit headers: the bot feels its way and is slower. Check that VENUE_BASE_URL is the API itself.',
  );
}

/** The most that polls can take of the rate limit, whatever it is. */
function paceFinding(endpoints: number, pollMinSeconds: number): Finding {
  const perMinute = Math.floor((60 * endpoints) / pollMinSeconds);
  const counted = `${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'} of watched wallets`;
  return ok(
    'pace',
    `${counted}, each polled at most once in ${pollMinSeconds} s (POLL_MIN_SECONDS): up to ${perMinute} requests a minute. What the limit allows beyond stays unspent.`,
  );
}
