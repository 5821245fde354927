import type { RESTOptions } from 'discord.js';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
import { parseJson } from '../../lib/text/json.ts';

type MakeRequest = RESTOptions['makeRequest'];

/** URL of the first response to an interaction; the group is the interaction's id. */
const FIRST_ANSWER = /\/interactions\/(\d+)\/[^/]+\/callback/;
/** Number of interactions whose responses are remembered. */
const INTERACTIONS_LIMIT = 5_000;
/** Time for which another process is reported after it has answered an interaction, in ms. */
const REPORTED_MS = 10 * 60_000;
/** Discord's code for an interaction that was already answered. */
export const ALREADY_ANSWERED = 40060;
const ADVICE =
  'Another process uses this token, and answers commands in place of this one, with a store of its ' +
  'own. End it, or give one of the two another token (developer portal, Bot page, Reset Token).';

const refusalSchema = z.object({ code: z.literal(ALREADY_ANSWERED) });

export type TokenUse = ReturnType<typeof createTokenUse>;

/**
 * Creates the detection of another process that uses the bot's token: Discord reports as answered
 * an interaction that this process has not answered yet. A response that is sent again, because it
 * is unknown whether the first one arrived, proves nothing.
 */
export function createTokenUse(machine: Machine) {
  const { monotonicMs } = machine;
  const answered = new LRUCache<string, true>({ max: INTERACTIONS_LIMIT });
  const trouble = createTroubleLog(machine, 'error', { event: 'discord.token_shared' });
  let sharedMs: number | null = null;

  return {
    /** Wraps requests, and checks Discord's response to the first answer of each interaction. */
    watching(request: MakeRequest): MakeRequest {
      return async (url, init) => {
        const id = FIRST_ANSWER.exec(url)?.[1];
        const isFirst = id !== undefined && !answered.has(id);
        if (id !== undefined) answered.set(id, true);
        const response = await request(url, init);
        if (!isFirst || response.status !== 400) return response;
        const text = await response.text();
        if (refusalSchema.safeParse(parseJson(text)).success) {
          sharedMs = monotonicMs();
          trouble.failed('token', { interaction: id, advice: ADVICE });
        }
        const { status, statusText, headers } = response;
        return new Response(text, { status, statusText, headers: [...headers.entries()] });
      };
    },
    /** Whether another process has answered an interaction within the last ten minutes. */
    isShared: (): boolean => sharedMs !== null && monotonicMs() - sharedMs < REPORTED_MS,
  };
}
