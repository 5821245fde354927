import { RateLimitError } from 'discord.js';
import { ENGLISH, type LocalizedText } from '../language/language.ts';
import type { Texts } from '../language/texts.ts';
import { ChannelClosed } from './reach.ts';

/** Discord rejects the token, and has confirmed it when asked again. Only another token helps. */
export class TokenRefused extends Error {
  constructor(cause: unknown) {
    super(
      'Discord refuses the bot’s token. Check DISCORD_TOKEN; a new one is made ' +
        'on the Bot page of the developer portal.',
      { cause },
    );
    this.name = 'TokenRefused';
  }
}

/**
 * Cloudflare answers instead of Discord, because this address has made too many requests. It is
 * banned for some time.
 */
export class AddressBanned extends Error {
  /** Length of the ban as stated in the answer, in ms; null if it is not stated. */
  readonly pauseMs: number | null;

  constructor(status: number, pauseMs: number | null) {
    super(`Discord turns the requests of this address away (${status} before it is read).`);
    this.name = 'AddressBanned';
    this.pauseMs = pauseMs;
  }
}

/** A request that was not made because it never got its turn in the rate limit. It may later. */
export class NotAsked extends Error {
  constructor(reason: string) {
    super(`Discord has not been asked. ${reason}`);
    this.name = 'NotAsked';
  }
}

/**
 * Longest rate limit that discord.js waits for, in ms. For a longer one, the worker waits; an edit
 * is given up.
 */
export const RATE_LIMIT_WAIT_MS = 10_000;

/** Causes for which messages to a channel are blocked, as given by Discord's code. */
export const BLOCK_CAUSES = ['permission', 'thread', 'directMessage', 'unknown'] as const;
type BlockCause = (typeof BLOCK_CAUSES)[number];

/**
 * Outcome of an attempt to send that did not fail. `taken`: Discord has accepted the message;
 * `answered`: it has sent another response; `unasked`: possibly no request was made.
 */
export type SendResult = 'taken' | 'answered' | 'unasked';

/** Meaning of a failed send for the alert and its channel. */
export type Failure =
  /**
   * May work later, with the same nonce. `status`: HTTP status of the response; 0 if there was none
   * or it is unknown. `pauseMs`: delay requested by Discord's rate limit; null if none.
   */
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly status: number;
      readonly pauseMs: number | null;
    }
  /**
   * Discord knows the message by its nonce or id, but it was deleted, so it must not be posted
   * again.
   */
  | { readonly kind: 'messageGone' }
  /** Discord will never accept this message. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /**
   * Messages cannot be posted to the channel until someone changes something. `isGone`: Discord
   * does not know the channel; `mayBeOutage`: Discord may answer this way for any channel during an
   * outage.
   */
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      readonly cause: BlockCause;
      readonly isGone: boolean;
      readonly mayBeOutage: boolean;
    }
  /** Nothing was sent, because the gateway's cache shows the channel as closed by now. */
  | { readonly kind: 'closed' }
  /**
   * Discord has banned this address for some time, and for longer if requests continue. `pauseMs`:
   * as stated; null if it is not.
   */
  | { readonly kind: 'banned'; readonly reason: string; readonly pauseMs: number | null }
  /** Discord rejects the bot's token, and has confirmed it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Failure because messages cannot be posted to the channel. */
export type Blocked = Extract<Failure, { kind: 'blocked' }>;

const ARCHIVED = 50_083;
const BLOCKED: Readonly<Record<number, (texts: Texts['watch']['status']['delivery']) => string>> = {
  50001: ({ noAccess }) => noAccess,
  50013: ({ noWriting }) => noWriting,
  50006: ({ noEmbeds }) => noEmbeds,
  160002: ({ noReplies }) => noReplies,
  40058: ({ noMessages }) => noMessages(40058),
  50008: ({ noMessages }) => noMessages(50008),
  50024: ({ noMessages }) => noMessages(50024),
  160005: ({ threadLocked }) => threadLocked,
  [ARCHIVED]: ({ threadArchived }) => threadArchived,
  50007: ({ dmClosed }) => dmClosed,
  50278: ({ noSharedServer }) => noSharedServer,
  10003: ({ channelGone }) => channelGone,
  10004: ({ serverGone }) => serverGone,
};
const CAUSES: Readonly<Record<number, BlockCause>> = {
  50001: 'permission',
  50013: 'permission',
  50006: 'permission',
  160002: 'permission',
  160005: 'thread',
  [ARCHIVED]: 'thread',
  50007: 'directMessage',
  50278: 'directMessage',
};
const GONE = new Set([10003, 10004]);
const NO_ACCESS = 50_001;
const REJECTED = new Set([50035, 50109, 40005, 50045, 30015, 200000, 200001, 240000]);
/**
 * Limits and outages of single parts, and codes about the token, which say nothing about the
 * message.
 */
const LATER = new Set([20028, 20029, 40003, 40062, 130000, 40001, 50014]);
const BANNED = 40333;
const UNKNOWN_MESSAGE = 10008;
/** Lowest code that names a cause. 0 means "general error", and other codes are not Discord's. */
const CODES_FROM = 10_000;
const ENGLISH_WORDS = ENGLISH.texts.watch.status.delivery;

/**
 * Classifies an error of discord.js. The codes are those of Discord's table of JSON error codes
 * (topics/opcodes-and-status-codes). Only Discord's own answer is final: an answer without one of
 * its codes may come from a proxy in between, and a 401 counts only once confirmed.
 */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof TokenRefused) return { kind: 'refused', reason: error.message };
  if (error instanceof ChannelClosed) return { kind: 'closed' };
  if (error instanceof AddressBanned) {
    return { kind: 'banned', reason: error.message, pauseMs: error.pauseMs };
  }
  if (error instanceof RateLimitError) return rateLimited(error);
  const { code, status, method, message } = shapeOf(error);
  if (code === UNKNOWN_MESSAGE) return { kind: 'messageGone' };
  // An archived thread accepts no edits but does accept a new message, which reopens it.
  if (code === ARCHIVED && method === 'PATCH') {
    return { kind: 'rejected', reason: ENGLISH_WORDS.threadArchived };
  }
  const blocked = BLOCKED[code];
  const cause = CAUSES[code] ?? 'unknown';
  const isGone = GONE.has(code);
  const mayBeOutage = status === 403 || isGone || code === NO_ACCESS;
  if (blocked !== undefined) {
    return { kind: 'blocked', reason: blocked(ENGLISH_WORDS), cause, isGone, mayBeOutage };
  }
  if (code === BANNED || (status === 403 && code === 0)) {
    return { kind: 'banned', reason: new AddressBanned(status, null).message, pauseMs: null };
  }
  const isFinal = code !== 0 && !LATER.has(code) && ![401, 408, 429].includes(status);
  if (isFinal && status === 403 && !REJECTED.has(code)) {
    return {
      kind: 'blocked',
      reason: ENGLISH_WORDS.forbidden(code, message),
      cause,
      isGone,
      mayBeOutage,
    };
  }
  if (REJECTED.has(code) || (isFinal && status >= 400 && status < 500)) {
    return { kind: 'rejected', reason: ENGLISH_WORDS.rejected(code, message) };
  }
  return {
    kind: 'retry',
    reason: status === 0 ? message : `${message} (${status})`,
    status,
    pauseMs: null,
  };
}

function rateLimited(error: RateLimitError): Failure {
  const reason = `Discord’s rate limit asks for ${Math.ceil(error.retryAfter / 1_000)} s.`;
  const throttledMs = editThrottledMs(error);
  // The message accepts no further edits.
  if (throttledMs !== null) return { kind: 'rejected', reason };
  // It is unknown whether a request was made, because the limit may have been known before.
  return { kind: 'retry', reason, status: 0, pauseMs: error.retryAfter };
}

/**
 * Returns how long Discord's rate limit delays an edit, in ms; null if the error is not of an edit,
 * or the delay is short enough to wait for.
 */
export function editThrottledMs(error: unknown): number | null {
  if (!(error instanceof RateLimitError) || error.method !== 'PATCH') return null;
  return error.retryAfter > RATE_LIMIT_WAIT_MS ? error.retryAfter : null;
}

/**
 * Translates a reason of `classifyFailure`, stored in English, into any language. Any other text is
 * returned unchanged.
 */
export function sayFailure(reason: string): LocalizedText {
  return ({ texts }) => {
    const { delivery } = texts.watch.status;
    const code = Number(/\((\d+)\)/.exec(reason)?.[1] ?? 0);
    for (const kind of ['rejected', 'forbidden'] as const) {
      const beginning = ENGLISH_WORDS[kind](code, '');
      if (reason.startsWith(beginning)) return delivery[kind](code, reason.slice(beginning.length));
    }
    const known = BLOCKED[code];
    return known?.(ENGLISH_WORDS) === reason ? known(delivery) : reason;
  };
}

/**
 * Returns code, status and request method of a discord.js error. The code is 0 if there is none or
 * it names no cause; the status is 0 if there is none.
 */
export function shapeOf(error: unknown) {
  if (typeof error !== 'object' || error === null) {
    return { code: 0, status: 0, method: '', message: String(error) };
  }
  const fields: { code?: unknown; status?: unknown; method?: unknown; message?: unknown } = error;
  return {
    code: typeof fields.code === 'number' && fields.code >= CODES_FROM ? fields.code : 0,
    status: typeof fields.status === 'number' ? fields.status : 0,
    method: fields.method,
    message: (typeof fields.message === 'string' ? fields.message : String(error)).slice(0, 500),
  };
}
