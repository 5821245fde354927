import { type EDIT_LIMIT_MESSAGES, tooManyEdits, tooManyRequests } from './rest/ratelimit.ts';

/**
 * Selects the requests that a fault affects: a substring of `POST /channels/:channel/messages` or
 * of the route with the real ids, or a pattern.
 */
export type RouteFilter = string | RegExp;

export interface FaultOptions {
  /** Number of affected requests; the default is 1. `Infinity` lasts until removed. */
  readonly times?: number;
  /** Default: every route. */
  readonly route?: RouteFilter;
  /** Affects only requests with files. */
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
 * `before`: Discord never saw the request. `after`: Discord executed it, and only the response is
 * affected.
 */
export type FaultStage = 'before' | 'after';

/** Removes a fault before it has been used up. */
export type RemoveFault = () => void;

export interface RestFaults {
  /** Answers with this status. `body` is sent as JSON, or as HTML if it is a string. */
  refuseRest(
    options: FaultOptions & {
      status: number;
      code?: number;
      message?: string;
      body?: unknown;
      headers?: Record<string, string>;
    },
  ): RemoveFault;
  /**
   * Answers 429 with a scope. `headers: 'none'` leaves out everything that tells a client how long
   * to wait.
   */
  rateLimit(
    options: FaultOptions & {
      scope: 'user' | 'global' | 'shared';
      retryAfterMs: number;
      headers?: 'usual' | 'none';
    },
  ): RemoveFault;
  /**
   * Delays an edit by this time: the exact value is in the body, the header says one second. By
   * default it affects the next Edit Message, with code 20028.
   */
  limitEdits(
    options: FaultOptions & { retryAfterMs: number; code?: keyof typeof EDIT_LIMIT_MESSAGES },
  ): RemoveFault;
  delayRest(ms: number, options?: FaultOptions & { afterAccept?: boolean }): RemoveFault;
  /**
   * Executes the request but cuts the connection before the response. By default it affects the
   * next Create Message.
   */
  cutAfterAccept(options?: FaultOptions): RemoveFault;
  /**
   * Cuts the connection before the request is executed. By default it affects the next Create
   * Message.
   */
  cutBeforeAccept(options?: FaultOptions): RemoveFault;
  /** Never answers. By default the request is not executed. */
  hang(options?: FaultOptions & { afterAccept?: boolean }): RemoveFault;
  /** Removes all REST faults. */
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

/** Creates the store of pending faults; `take` uses one up. */
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
