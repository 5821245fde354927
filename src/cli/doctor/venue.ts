import { pino } from 'pino';
import type { Config } from '../../app/config.ts';
import type { WatchPlace } from '../../app/documents/kinds.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../../domain/records.ts';
import { createMachine } from '../../lib/machine.ts';
import { createVenueClient, type Lookups, lookupOf } from '../../venue/client.ts';
import { VenueError, type VenueErrorKind } from '../../venue/errors.ts';
import { type BudgetSnapshot, createBudget } from '../../venue/rate-limit/budget.ts';
import { allowanceOf } from '../../venue/rate-limit/window.ts';
import type { LearnedLimits } from '../../venue/rate-limit/window-length.ts';
import { clockFinding, type Finding, fail, ok, warn } from './finding.ts';

/**
 * Number of wallets to try. If one gets an odd response, a second one shows whether the cause is
 * the wallet.
 */
const WALLETS_ASKED = 2;
/** Duration of a round of polls from which the doctor warns, in minutes. */
const ROUND_WARN_MINUTES = 2;
/** Minimum assumed length of a window, in ms, because one response cannot prove a shorter one. */
const LEAST_WINDOW_MS = 60_000;
const CHECK_ADDRESS = 'Check that VENUE_BASE_URL is the API itself.';
const NOBODY = `0x${'0'.repeat(40)}` as WalletAddress;
/** Others, such as the bot itself, have used up the window; it will be available again. */
const USED_UP: readonly VenueErrorKind[] = ['rateLimited', 'budgetExhausted'];
const UNANSWERED: readonly VenueErrorKind[] = ['unreachable', 'budgetExhausted'];
/** Errors that the other endpoint would return too. */
const OF_ALL: readonly VenueErrorKind[] = [...USED_UP, ...UNANSWERED, 'unauthorized'];

/**
 * Requests both endpoints once for a watched wallet, or for any wallet, and for a second one after
 * an odd response: is the key known, are both endpoints in its plan, and what is the limit?
 *
 * @param limits as a bot or feed with this store learned them; they count unless a response
 *   contradicts them
 */
export async function checkVenue(
  config: Pick<
    Config,
    | 'VENUE_BASE_URL'
    | 'VENUE_API_KEY'
    | 'BUDGET_SHARE'
    | 'pollMinSeconds'
    | 'CATCH_UP_AFTER_MINUTES'
  >,
  watches: readonly WatchPlace[],
  limits: LearnedLimits | null,
): Promise<readonly Finding[]> {
  const { VENUE_BASE_URL: baseUrl, VENUE_API_KEY: apiKey, pollMinSeconds } = config;
  const machine = createMachine(pino({ level: 'silent' }));
  const budget = createBudget(machine, { share: config.BUDGET_SHARE });
  if (limits !== null) budget.restoreLimits(limits);
  const client = createVenueClient(machine, { baseUrl, apiKey, budget, retries: { person: 0 } });
  const wallets = new Set(watches.map((watch) => watch.wallet));
  const asked = wallets.size === 0 ? [NOBODY] : [...wallets].slice(0, WALLETS_ASKED);
  const findings: Finding[] = [];
  let hasAnswered = false;
  let served = 0;
  let isOddOnly = true;
  try {
    for (const endpoint of ENDPOINT_NAMES) {
      const { isServed, errors } = await askFor(client, endpoint, asked);
      if (isServed) findings.push(ok('venue', `${endpoint} answers (200).`));
      for (const error of errors) findings.push(errorFinding(error, isServed));
      hasAnswered ||= isServed || errors.some(({ kind }) => !UNANSWERED.includes(kind));
      if (isServed) served += 1;
      isOddOnly &&= errors.every(({ kind }) => kind === 'badResponse');
      if (errors.some(({ kind }) => OF_ALL.includes(kind))) break;
    }
    const { allowance, skewMs } = budget.snapshot();
    if (served === 0 && isOddOnly) {
      const text = `nothing answers with a page, of whatever wallet. ${CHECK_ADDRESS}`;
      findings.push(fail('venue', `${text} A path in it counts: ${pathOf(baseUrl)}.`));
    }
    const learned = budget.learnedLimits();
    findings.push(...limitFindings(budget.snapshot(), learned, hasAnswered));
    const endpoints = wallets.size * served;
    if (endpoints > 0) findings.push(paceFinding(endpoints, pollMinSeconds));
    const window = windowLength(budget.snapshot(), learned);
    if (endpoints > 0 && allowance !== null && window !== null) {
      const perMs = allowance / window.lengthMs;
      const perMinute = 60_000 * Math.min(perMs, fasterPerMs(learned, config.BUDGET_SHARE));
      const lateMinutes = config.CATCH_UP_AFTER_MINUTES;
      findings.push(roundFinding(endpoints, perMinute, lateMinutes, window.isAssumed));
    }
    if (hasAnswered) findings.push(clockFinding('the venue', skewMs));
  } finally {
    await client.close();
  }
  return findings;
}

/** Returns the rate limit by the venue's headers. */
function limitFindings(
  { limit, allowance, remaining }: BudgetSnapshot,
  learned: LearnedLimits | null,
  hasAnswered: boolean,
): readonly Finding[] {
  if (limit !== null) {
    // If there are two limits, a response shows only one.
    const left = (learned?.faster ?? null) === null ? `, ${remaining ?? 'unknown'} left` : '';
    const used = `the bot uses up to ${allowance} (BUDGET_SHARE).`;
    return [ok('limit', `${limit} requests per window${lengthText(learned)}${left}; ${used}`)];
  }
  if (!hasAnswered) return [];
  const text = 'no X-RateLimit headers: the bot feels its way and is slower.';
  return [warn('limit', `${text} ${CHECK_ADDRESS}`)];
}

/**
 * Returns the length of the window, if a bot has learned it, and the other limit, if there is one.
 */
function lengthText(learned: LearnedLimits | null): string {
  if (learned === null) return '';
  const { windowMs, faster } = learned;
  const other = faster === null ? '' : `, and ${faster.limit} in ${secondsText(faster.windowMs)}`;
  return ` of ${secondsText(windowMs)}${other}, as the bot has learned`;
}

function secondsText(lengthMs: number): string {
  return `${Math.round(lengthMs / 1000)} s`;
}

/**
 * Returns the requests per millisecond that the faster of two limits allows; infinite if there is
 * none.
 */
function fasterPerMs(learned: LearnedLimits | null, share: number): number {
  const faster = learned?.faster ?? null;
  if (faster === null) return Number.POSITIVE_INFINITY;
  return allowanceOf(faster.limit, share) / faster.windowMs;
}

/** Returns which path a URL has. */
function pathOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname === '/' ? 'it has none' : `it has ${pathname}`;
}

/**
 * Requests a page of each of these wallets in turn, until one is served or an error concerns all of
 * them.
 */
async function askFor(client: Lookups, endpoint: EndpointName, wallets: readonly WalletAddress[]) {
  const page = lookupOf(client, endpoint);
  const errors: VenueError[] = [];
  for (const wallet of wallets) {
    const error = await page(wallet, { limit: 1 }, { priority: 'person' }).then(
      () => null,
      venueErrorOf,
    );
    if (error === null) return { isServed: true, errors };
    errors.push(error);
    // Only an odd response may concern a single wallet.
    if (error.kind !== 'badResponse') break;
  }
  return { isServed: false, errors };
}

/** @param isServed whether another wallet is served; the problem is then this wallet's */
function errorFinding({ kind, message }: VenueError, isServed: boolean): Finding {
  const isMild = isServed || USED_UP.includes(kind);
  return isMild ? warn('venue', message) : fail('venue', message);
}

/** @throws any other error */
function venueErrorOf(error: unknown): VenueError {
  if (error instanceof VenueError) return error;
  throw error;
}

/**
 * Returns the length of the venue's window, which no response states: as a bot learned it, or else
 * the remaining time in the response. A window depends on the venue's clock, so only seconds of a
 * minute may be left although nothing was used.
 *
 * @returns null if it is unknown; `isAssumed`: less than a minute was left, and a minute is assumed
 */
export function windowLength(
  { windowMs }: Pick<BudgetSnapshot, 'windowMs'>,
  learned: Pick<LearnedLimits, 'windowMs'> | null,
) {
  if (learned !== null) return { lengthMs: learned.windowMs, isAssumed: false };
  if (windowMs === null) return null;
  return {
    lengthMs: Math.max(windowMs, LEAST_WINDOW_MS),
    isAssumed: windowMs < LEAST_WINDOW_MS,
  };
}

/**
 * Evaluates the duration of a round of all endpoints at the rate that the key allows. Records later
 * than `lateMinutes` become catch-up messages.
 */
export function roundFinding(
  endpoints: number,
  perMinute: number,
  lateMinutes: number,
  isAssumed: boolean,
): Finding {
  const minutes = endpoints / perMinute;
  const length = minutes < 2 ? `${Math.ceil(minutes * 60)} s` : `${Math.round(minutes)} min`;
  const rate = Math.floor(perMinute * 10) / 10;
  const pace = `${length} at ${rate} requests a minute`;
  const assumed = isAssumed ? ', if the limit is one of a minute: one look does not show it' : '';
  const text = `a round of all ${endpoints} endpoints takes ${pace}${assumed}.`;
  if (minutes < ROUND_WARN_MINUTES) return ok('pace', text);
  const advice = 'Ask the venue for a higher limit, or watch fewer wallets.';
  if (minutes < lateMinutes) {
    return warn('pace', `${text} Alerts come so late at the most. ${advice}`);
  }
  return fail(
    'pace',
    `${text} Alerts come as catch-up messages (CATCH_UP_AFTER_MINUTES). ${advice}`,
  );
}

/** Returns the maximum share of the rate limit that polls can use, whatever the limit is. */
function paceFinding(endpoints: number, pollMinSeconds: number): Finding {
  const perMinute = Math.floor((60 * endpoints) / pollMinSeconds);
  const counted = `${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'} of watched wallets`;
  const most = `up to ${perMinute} requests a minute. What the limit allows beyond stays unspent.`;
  return ok('pace', `${counted}, each polled at most once in ${pollMinSeconds} s: ${most}`);
}
