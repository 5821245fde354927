import type { BudgetSnapshot } from '../../src/venue/rate-limit/budget.ts';
import { NO_REQUESTS } from '../../src/venue/rate-limit/priority-share.ts';

/** Of a budget that knows nothing. */
export const SNAPSHOT: BudgetSnapshot = {
  known: false,
  limit: null,
  allowance: null,
  remaining: null,
  resetAtMs: null,
  windowMs: null,
  inFlight: 0,
  waiting: NO_REQUESTS,
  used: NO_REQUESTS,
  skewMs: null,
  last429AtMs: null,
  blockedUntilMs: null,
  pause: null,
};
