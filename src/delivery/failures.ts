import { RateLimitError } from 'discord.js';
import { ENGLISH, type LocalizedText } from '../language/language.ts';
import type { Texts } from '../language/texts.ts';
import { ChannelClosed } from './reach.ts';

/** Discord refuses the token, and has said so when asked again: nothing but another token helps. */
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
 * Cloudflare answers instead of Discord: this address has asked too much, and is turned away for a
 * while.
 */
export class AddressBanned extends Error {
  /** Length of the ban as the answer says, ms; null if it does not. */
  readonly pauseMs: number | null;

  constructor(status: number, pauseMs: number | null) {
    super(`Discord turns the requests of this address away (${status} before it is read).`);
    this.name = 'AddressBanned';
    this.pauseMs = pauseMs;
  }
}

/** A request that was not made: it has come to no turn among those of Discord's. It may later. */
export class NotAsked extends Error {
  constructor(reason: string) {
    super(`Discord has not been asked. ${reason}`);
    this.name = 'NotAsked';
  }
}

/**
 * A longer wait for one of Discord's rate limits is the worker's, not discord.js's; an edit is
 * given up for it.
 */
export const RATE_LIMIT_WAIT_MS = 10_000;

/** Causes that keep a channel from being written, as Discord's code says. */
export const BLOCK_CAUSES = ['permission', 'thread', 'directMessage', 'unknown'] as const;
type BlockCause = (typeof BLOCK_CAUSES)[number];

/**
 * Outcome of an attempt to send that did not fail. `taken`: Discord has taken the message;
 * `answered`: it has answered something else; `unasked`: it may not have been asked anything.
 */
export type SendResult = 'taken' | 'answered' | 'unasked';

/** Meaning of a failed send for the alert and its channel. */
export type Failure =
  /**
   * May work later, with the same nonce. `status` of the answer; 0: there was none, or nobody
   * knows. `pauseMs`: as Discord's rate limit asks; null if it does not.
   */
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly status: number;
      readonly pauseMs: number | null;
    }
  /**
   * Discord knows the message, by its nonce or its id, but somebody has deleted it: it must not
   * come again.
   */
  | { readonly kind: 'messageGone' }
  /** Discord will never take this message. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /**
   * The channel cannot be written until somebody changes something. `isGone`: Discord knows of
   * none; `isDoubtful`: in an outage Discord may answer so, whatever the channel.
   */
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      readonly cause: BlockCause;
      readonly isGone: boolean;
      readonly isDoubtful: boolean;
    }
  /** Nothing was sent: the gateway's cache has the channel closed by now. */
  | { readonly kind: 'closed' }
  /**
   * Discord turns this address away for a while, and longer if we go on. `pauseMs`: as stated; null
   * if it is not.
   */
  | { readonly kind: 'banned'; readonly reason: string; readonly pauseMs: number | null }
  /** Discord refuses the bot's token, and has confirmed it. */
  | { readonly kind: 'refused'; readonly reason: string };

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
 * Limits and outages of single parts; and the codes about the token, which say nothing of the
 * message.
 */
const LATER = new Set([20028, 20029, 40003, 40062, 130000, 40001, 50014]);
const BANNED = 40333;
const UNKNOWN_MESSAGE = 10008;
/** The codes that name a cause begin here; 0 says "general error", and others are not Discord's. */
const CODES_FROM = 10_000;
const ENGLISH_WORDS = ENGLISH.texts.watch.status.delivery;

/**
 * Reads an error of discord.js. Which code means what follows Discord's table of JSON error codes
 * (topics/opcodes-and-status-codes). Only Discord's own word is final: an answer without one of its
 * codes may come from whatever stands in between, and a 401 counts once it is confirmed.
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
  // An archived thread takes no edit, but a new message, which opens it again.
  if (code === ARCHIVED && method === 'PATCH') {
    return { kind: 'rejected', reason: ENGLISH_WORDS.threadArchived };
  }
  const blocked = BLOCKED[code];
  const cause = CAUSES[code] ?? 'unknown';
  const isGone = GONE.has(code);
  const isDoubtful = status === 403 || isGone || code === NO_ACCESS;
  if (blocked !== undefined) {
    return { kind: 'blocked', reason: blocked(ENGLISH_WORDS), cause, isGone, isDoubtful };
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
      isDoubtful,
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
  const heldMs = editHeldMs(error);
  // The message takes no edit any more.
  if (heldMs !== null) return { kind: 'rejected', reason };
  // Nobody knows whether Discord has been asked: the limit may have been known before.
  return { kind: 'retry', reason, status: 0, pauseMs: error.retryAfter };
}

/**
 * Time for which Discord holds an edit back, ms; null where that is no error of an edit, or it is
 * worth to wait for.
 */
export function editHeldMs(error: unknown): number | null {
  if (!(error instanceof RateLimitError) || error.method !== 'PATCH') return null;
  return error.retryAfter > RATE_LIMIT_WAIT_MS ? error.retryAfter : null;
}

/**
 * Says a reason of `classifyFailure`, stored in English, in any language; any other text as it is.
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
 * Code and status of a discord.js error, 0 where it has none or a code that names no cause; its
 * request's method.
 */
export function shapeOf(error: unknown): {
  code: number;
  status: number;
  method: unknown;
  message: string;
} {
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
