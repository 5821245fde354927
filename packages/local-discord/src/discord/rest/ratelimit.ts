/** Most requests in a window, which begins with the first of them. */
export interface RateRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** Kinds of requests that share a limit, each counted per channel, server or interaction token. */
export type BucketName =
  | 'message.create'
  | 'message.edit'
  | 'announcement.edit'
  | 'message.delete'
  | 'message.read'
  | 'webhook'
  | 'other';

/** Values observed with Discord but not documented; clients have to obey the headers. */
export const USUAL_LIMITS: Readonly<Record<BucketName, RateRule>> = {
  'message.create': { limit: 5, windowMs: 5000 },
  'message.edit': { limit: 5, windowMs: 5000 },
  // Edits in an announcement channel, in addition to the limit of edits; no header shows it
  // (discord-api-docs #2258, #6109).
  'announcement.edit': { limit: 3, windowMs: 3_600_000 },
  'message.delete': { limit: 5, windowMs: 1000 },
  'message.read': { limit: 5, windowMs: 1000 },
  webhook: { limit: 5, windowMs: 2000 },
  other: { limit: 50, windowMs: 1000 },
};

export interface Taken {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
  /** Null if the request is allowed. */
  readonly retryAfterMs: number | null;
}

export type Counters = ReturnType<typeof createCounters>;

/** Creates counters of requests in fixed windows. */
export function createCounters(now: () => number) {
  const windows = new Map<string, { startMs: number; used: number }>();
  return {
    take(key: string, rule: RateRule): Taken {
      const nowMs = now();
      let window = windows.get(key);
      if (!window || nowMs - window.startMs >= rule.windowMs) {
        window = { startMs: nowMs, used: 0 };
        windows.delete(key);
        windows.set(key, window);
        if (windows.size > 10_000) windows.delete(windows.keys().next().value ?? '');
      }
      const resetAtMs = window.startMs + rule.windowMs;
      const isOver = window.used >= rule.limit;
      if (!isOver) window.used += 1;
      return {
        limit: rule.limit,
        remaining: Math.max(0, rule.limit - window.used),
        resetAtMs,
        retryAfterMs: isOver ? resetAtMs - nowMs : null,
      };
    },
  };
}

/** Returns the response to a request that exceeds a rate limit (topics/rate-limits.mdx). */
export function tooManyRequests(scope: 'user' | 'global' | 'shared', retryAfterMs: number) {
  return {
    status: 429,
    headers: {
      'Retry-After': String(Math.ceil(retryAfterMs / 1000)),
      'X-RateLimit-Scope': scope,
      ...(scope === 'global' ? { 'X-RateLimit-Global': 'true' } : {}),
    },
    body: {
      message: 'You are being rate limited.',
      retry_after: retryAfterMs / 1000,
      global: scope === 'global',
    },
  };
}

/**
 * Error codes with which Discord limits writes in a channel, and edits of messages in an
 * announcement channel.
 */
export const EDIT_LIMIT_MESSAGES = {
  20022: 'This message cannot be edited due to announcement rate limits.',
  20028: 'The write action you are performing on the channel has hit the write rate limit.',
} as const;

/**
 * Returns the response to an edit that exceeds a limit. Its header says one second whatever the
 * body says (discord-api-docs #6109).
 */
export function tooManyEdits(code: keyof typeof EDIT_LIMIT_MESSAGES, retryAfterMs: number) {
  return {
    status: 429,
    headers: { 'Retry-After': '1', 'X-RateLimit-Scope': 'shared' },
    body: {
      message: EDIT_LIMIT_MESSAGES[code],
      code,
      retry_after: retryAfterMs / 1000,
      global: false,
    },
  };
}
