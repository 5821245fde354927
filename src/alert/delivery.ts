/** What a failed send means for the alert and its channel. */
export type Failure =
  /** May work later, with the same nonce. */
  | { readonly kind: 'retry'; readonly reason: string }
  /** The message exists, or existed. */
  | { readonly kind: 'delivered' }
  /** Discord will never take this message. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The channel cannot be written until somebody changes something; `gone`: it will not come back. */
  | { readonly kind: 'blocked'; readonly reason: string; readonly gone: boolean }
  /** Discord turns everything from this address away for a while: going on would earn a longer ban. */
  | { readonly kind: 'banned'; readonly reason: string }
  /** Discord refuses the bot's token. */
  | { readonly kind: 'refused'; readonly reason: string };

const BLOCKED: Readonly<Record<number, string>> = {
  50001: 'The bot cannot see the channel (50001). Give it View Channel there, or invite it again.',
  50013: 'The bot may not write in the channel (50013). Give it Send Messages and Embed Links there.',
  50006: 'Discord took the embeds out of the message (50006). Give the bot Embed Links in the channel.',
  160002: 'The bot may not reply in the channel (160002). Give it Read Message History there.',
  40058: 'The channel does not take messages (40058). Choose a text channel.',
  50008: 'The channel does not take messages (50008). Choose a text channel.',
  50024: 'The channel does not take messages (50024). Choose a text channel.',
  160005: 'The thread is locked (160005). Unlock it, or choose another channel.',
  50083: 'The thread is archived (50083). Open it again, or choose another channel.',
};
const GONE: Readonly<Record<number, string>> = {
  10003: 'The channel no longer exists (10003).',
  10004: 'The server no longer exists, or the bot is not in it (10004).',
};
const REJECTED = new Set([50035, 50109, 40005, 50045, 30015, 200000, 200001, 240000]);
const REFUSED = new Set([40001, 50014]);
const BANNED = 40333;
const ALREADY_THERE = 10008;

/**
 * Reads an error of discord.js, by code and status alone. Which code means what follows Discord's table of JSON error
 * codes (topics/opcodes-and-status-codes).
 */
export function classifyFailure(error: unknown): Failure {
  const { code, status, message } = shape(error);
  if (code === ALREADY_THERE) return { kind: 'delivered' };
  const gone = GONE[code];
  if (gone !== undefined) return { kind: 'blocked', reason: gone, gone: true };
  const blocked = BLOCKED[code];
  if (blocked !== undefined) return { kind: 'blocked', reason: blocked, gone: false };
  if (REJECTED.has(code)) return { kind: 'rejected', reason: `Discord rejected the message (${code}): ${message}` };
  if (REFUSED.has(code) || status === 401 || /Expected token to be set/.test(message)) {
    return { kind: 'refused', reason: `Discord refuses the bot's token (${status || code}). Check DISCORD_TOKEN.` };
  }
  if (code === BANNED || (status === 403 && code === 0)) {
    return { kind: 'banned', reason: 'Discord turns the requests of this address away (403 before it is read).' };
  }
  if (status === 403) return { kind: 'blocked', reason: `Discord forbids it (${code}): ${message}`, gone: false };
  const isOurFault = status >= 400 && status < 500 && status !== 429 && status !== 408;
  if (isOurFault) return { kind: 'rejected', reason: `Discord rejected the message (${code || status}): ${message}` };
  return { kind: 'retry', reason: message };
}

function shape(error: unknown): { code: number; status: number; message: string } {
  if (typeof error !== 'object' || error === null) return { code: 0, status: 0, message: String(error) };
  const fields: { code?: unknown; status?: unknown; message?: unknown } = error;
  return {
    code: typeof fields.code === 'number' ? fields.code : 0,
    status: typeof fields.status === 'number' ? fields.status : 0,
    message: (typeof fields.message === 'string' ? fields.message : String(error)).slice(0, 500),
  };
}
