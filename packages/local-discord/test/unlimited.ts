import { USUAL_LIMITS } from '../src/discord/rest/ratelimit.ts';

const UNLIMITED = { limit: 100_000, windowMs: 1000 };

/** Options of a fake Discord without any rate limit, for tests that send many requests. */
export const NO_RATE_LIMITS = {
  globalLimit: UNLIMITED,
  rateLimits: Object.fromEntries(Object.keys(USUAL_LIMITS).map((name) => [name, UNLIMITED])),
  webhookMinuteLimit: UNLIMITED.limit,
};
