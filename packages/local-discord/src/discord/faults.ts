import { type EDIT_LIMIT_MESSAGES, tooManyEdits, tooManyRequests } from './rest/ratelimit.ts';

/**
 * Which requests a fault hits: a part of `POST /channels/:channel/messages` or of the same with the
 * real ids, or a pattern.
 */
export type RouteFilter = string | RegExp;

export interface FaultOptions {
  /** How many requests it hits; the default is 1, `Infinity` until removed. */
  readonly times?: number;
  /** Every route by default. */
  readonly route?: RouteFilter;
  /** Only requests that bring files. */
  readonly withFiles?: boolean;
}

export type FaultAction =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Record<string, string>;
      readonly body: unknown;
    }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'hang' };

/**
 * `before`: Discord never got to see the request. `after`: it has done what was asked, and only the
 * answer suffers.
 */
export type FaultStage = 'before' | 'after';

/** Takes a fault back before it has run out. */
export type RemoveFault = () => void;

export interface RestFaults {
  /** Answers with this status; `body` is JSON unless it is a string, then HTML. */
  refuseRest(
    options: FaultOptions & {
      status: number;
      code?: number;
      message?: string;
      body?: unknown;
      headers?: Record<string, string>;
    },
  ): RemoveFault;
  /** 429 of a scope. `headers: 'none'` leaves out everything a client could wait by. */
  rateLimit(
    options: FaultOptions & {
      scope: 'user' | 'global' | 'shared';
      retryAfterMs: number;
      headers?: 'usual' | 'none';
    },
  ): RemoveFault;
  /**
   * An edit is held back for so long: the body says it, the header a second. By default the next
   * Edit Message, and with 20028.
   */
  limitEdits(
    options: FaultOptions & { retryAfterMs: number; code?: keyof typeof EDIT_LIMIT_MESSAGES },
  ): RemoveFault;
  delayRest(ms: number, options?: FaultOptions & { afterAccept?: boolean }): RemoveFault;
  /** Done, but the connection is cut before the answer. By default the next Create Message. */
  cutAfterAccept(options?: FaultOptions): RemoveFault;
  /** The connection is cut before anything was done. By default the next Create Message. */
  cutBeforeAccept(options?: FaultOptions): RemoveFault;
  /** No answer, ever. By default the request has not been carried out. */
  hang(options?: FaultOptions & { afterAccept?: boolean }): RemoveFault;
  /** Forgets all faults of REST. */
  clear(): void;
}

interface Rule {
  readonly stage: FaultStage;
  readonly route: RouteFilter | null;
  readonly withFiles: boolean;
  readonly action: FaultAction;
  left: number;
}

const CREATE_MESSAGE = 'POST /channels/:channel/messages';
const EDIT_MESSAGE = 'PATCH /channels/:channel/messages/:message';

export interface FaultedRequest {
  readonly method: string;
  readonly pattern: string;
  readonly path: string;
  readonly hasFiles: boolean;
}

/** The faults that wait for a request; `take` uses one up. */
export function createRestFaults(): RestFaults & {
  take(stage: FaultStage, request: FaultedRequest): FaultAction | null;
} {
  const rules = new Set<Rule>();

  function add(
    stage: FaultStage,
    action: FaultAction,
    options: FaultOptions,
    route?: RouteFilter,
  ): RemoveFault {
    const { withFiles = false, times: left = 1 } = options;
    const rule: Rule = { stage, action, route: options.route ?? route ?? null, withFiles, left };
    rules.add(rule);
    return () => void rules.delete(rule);
  }

  return {
    take(stage, { method, pattern, path, hasFiles }) {
      const names = [`${method} ${pattern}`, `${method} ${path}`];
      for (const rule of rules) {
        const { route } = rule;
        const hits =
          rule.stage === stage &&
          (hasFiles || !rule.withFiles) &&
          (route === null ||
            names.some((name) =>
              typeof route === 'string' ? name.includes(route) : name.search(route) >= 0,
            ));
        if (!hits) continue;
        rule.left -= 1;
        if (rule.left <= 0) rules.delete(rule);
        return rule.action;
      }
      return null;
    },

    refuseRest(options) {
      const usual = {
        message: options.message ?? `Refused for a test (${options.status})`,
        code: options.code ?? 0,
      };
      const body = options.body === undefined ? usual : options.body;
      return add(
        'before',
        { kind: 'answer', status: options.status, headers: options.headers ?? {}, body },
        options,
      );
    },
    rateLimit(options) {
      const answer = tooManyRequests(options.scope, options.retryAfterMs);
      const headers = options.headers === 'none' ? {} : answer.headers;
      return add('before', { kind: 'answer', status: 429, headers, body: answer.body }, options);
    },
    limitEdits(options) {
      const answer = tooManyEdits(options.code ?? 20028, options.retryAfterMs);
      return add('before', { kind: 'answer', ...answer }, options, EDIT_MESSAGE);
    },
    delayRest: (ms, options = {}) =>
      add(options.afterAccept ? 'after' : 'before', { kind: 'delay', ms }, options),
    cutAfterAccept: (options = {}) => add('after', { kind: 'cut' }, options, CREATE_MESSAGE),
    cutBeforeAccept: (options = {}) => add('before', { kind: 'cut' }, options, CREATE_MESSAGE),
    hang: (options = {}) =>
      add(options.afterAccept ? 'after' : 'before', { kind: 'hang' }, options),
    clear: () => rules.clear(),
  };
}
