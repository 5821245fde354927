import type { RESTOptions } from 'discord.js';
import * as z from 'zod';
import { TokenRefused } from '../../delivery/failures.ts';

const ANSWER_LIMIT_MS = 10_000;
/** The codes with which Discord refuses a token; 0 is the one of "401: Unauthorized". */
const TOKEN_CODES: readonly number[] = [0, 40001, 50014];
const refusalSchema = z.object({ code: z.int() });

/** A 401 without Discord's confirmation that it refuses the token: the request may work later. */
export class UnconfirmedRefusal extends Error {
  constructor(request: string) {
    super(`${request} was answered with 401, but Discord does not confirm that it refuses the bot's token.`);
    this.name = 'UnconfirmedRefusal';
  }
}

type MakeRequest = RESTOptions['makeRequest'];

/**
 * The same requests, except that a 401 to the bot's token is confirmed before it counts: a proxy between the bot and
 * Discord may answer 401 too. It asks `GET /users/@me`; several 401s at the same time ask once.
 *
 * discord.js never sees such a 401, at which it would throw its token away.
 *
 * @param meUrl of `/users/@me`
 * @throws {TokenRefused} when Discord confirms it
 * @throws {UnconfirmedRefusal} when it does not, or cannot be asked
 */
export function withTokenCheck(request: MakeRequest, meUrl: string): MakeRequest {
  let confirming: Promise<boolean> | null = null;
  const confirm = async (headers: Record<string, string>): Promise<boolean> => {
    try {
      const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
      const answer = await request(meUrl, { method: 'GET', headers, signal });
      return isTokenRefusal(answer.status, await answer.text());
    } catch {
      return false;
    }
  };
  return async (url, init) => {
    const response = await request(url, init);
    const sent = new Headers(init.headers as Record<string, string>);
    const authorization = sent.get('authorization');
    if (response.status !== 401 || authorization === null) return response;
    // Frees the connection.
    await response.arrayBuffer();
    confirming ??= confirm({ authorization, 'user-agent': sent.get('user-agent') ?? '' }).finally(() => {
      confirming = null;
    });
    const what = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
    if (await confirming) throw new TokenRefused(new Error(`${what} was answered with 401, GET /users/@me too.`));
    throw new UnconfirmedRefusal(what);
  };
}

/** Whether an answer of `GET /users/@me` says, in Discord's own form, that the token is refused. */
export function isTokenRefusal(status: number, body: string): boolean {
  if (status !== 401) return false;
  try {
    const refusal = refusalSchema.safeParse(JSON.parse(body));
    return refusal.success && TOKEN_CODES.includes(refusal.data.code);
  } catch {
    return false;
  }
}
