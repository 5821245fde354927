import { createHash } from 'node:crypto';
import {
  type BucketName,
  type Counters,
  type RateRule,
  type Taken,
  tooManyEdits,
  tooManyRequests,
} from './ratelimit.ts';
import type { Match } from './routes.ts';

/**
 * Window in which 401, 403 and 429 responses are counted; Cloudflare bans an address with too many
 * (topics/rate-limits.mdx).
 */
const INVALID_RULE_WINDOW_MS = 600_000;

export interface LimitsDeps {
  readonly now: () => number;
  readonly counters: Counters;
  readonly limits: Readonly<Record<BucketName, RateRule>>;
  readonly globalLimit: RateRule;
  readonly webhookMinuteLimit: number;
  readonly invalidRequestLimit: number;
  readonly channelOfToken: (interactionToken: string) => string | null;
  readonly isAnnouncementChannel: (channelId: string) => boolean;
}

interface CountedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Limits = ReturnType<typeof createLimits>;

/**
 * Creates the rate limits of routes, of the bot as a whole and of webhooks, and the ban for invalid
 * requests.
 */
export function createLimits(deps: LimitsDeps) {
  const { now, counters } = deps;
  let invalidSinceMs = 0;
  let invalidCount = 0;

  function headersOf(name: string, taken: Taken): Record<string, string> {
    return {
      'X-RateLimit-Limit': String(taken.limit),
      'X-RateLimit-Remaining': String(taken.remaining),
      'X-RateLimit-Reset': (taken.resetAtMs / 1000).toFixed(3),
      'X-RateLimit-Reset-After': (Math.max(0, taken.resetAtMs - now()) / 1000).toFixed(3),
      'X-RateLimit-Bucket': createHash('md5').update(name).digest('hex'),
    };
  }

  /**
   * Counts a reply or follow-up in the channel's minute, and returns the delay if there are too
   * many; otherwise null.
   */
  function webhookRetryAfterMs({ route, params }: Match): number | null {
    if (route.bucket !== 'webhook' || route.method !== 'POST') return null;
    const channelId = deps.channelOfToken(params.get('token') ?? '');
    if (channelId === null) return null;
    const rule = { limit: deps.webhookMinuteLimit, windowMs: 60_000 };
    return counters.take(`webhook minute ${channelId}`, rule).retryAfterMs;
  }

  /**
   * Counts an edit in an announcement channel, and returns the delay if there are too many;
   * otherwise null.
   */
  function editRetryAfterMs({ route, params }: Match): number | null {
    const channelId = params.get('channel') ?? '';
    if (route.bucket !== 'message.edit' || !deps.isAnnouncementChannel(channelId)) return null;
    return counters.take(`announcement.edit ${channelId}`, deps.limits['announcement.edit'])
      .retryAfterMs;
  }

  return {
    /** Counts the request, and returns the headers of its response, or the 429. */
    take(match: Match) {
      const { route, params } = match;
      if (route.auth === 'bot') {
        const { retryAfterMs } = counters.take('global', deps.globalLimit);
        if (retryAfterMs !== null) {
          return { headers: {}, refusal: tooManyRequests('global', retryAfterMs) };
        }
      }
      const major = params.get('channel') ?? params.get('guild') ?? params.get('token') ?? '';
      const name = route.bucket === 'other' ? `${route.method} ${route.pattern}` : route.bucket;
      const taken = counters.take(`${name} ${major}`, deps.limits[route.bucket]);
      const headers = headersOf(name, taken);
      const sharedMs = taken.retryAfterMs === null ? webhookRetryAfterMs(match) : null;
      const retryAfterMs = taken.retryAfterMs ?? sharedMs;
      if (retryAfterMs !== null) {
        const answer = tooManyRequests(sharedMs === null ? 'user' : 'shared', retryAfterMs);
        return { headers, refusal: { ...answer, headers: { ...headers, ...answer.headers } } };
      }
      const editMs = editRetryAfterMs(match);
      if (editMs === null) return { headers, refusal: null };
      const answer = tooManyEdits(20028, editMs);
      return { headers, refusal: { ...answer, headers: { ...headers, ...answer.headers } } };
    },

    /** Counts a 401, 403 or 429 response. */
    countAnswer({ status, headers }: CountedAnswer): void {
      const isShared = headers?.['X-RateLimit-Scope'] === 'shared';
      if ([401, 403, 429].includes(status) && !isShared) invalidCount += 1;
    },

    isShutOut(): boolean {
      if (now() - invalidSinceMs >= INVALID_RULE_WINDOW_MS) {
        invalidSinceMs = now();
        invalidCount = 0;
      }
      return invalidCount >= deps.invalidRequestLimit;
    },

    invalidRequests: () => invalidCount,
  };
}
