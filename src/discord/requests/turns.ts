import type { RESTOptions } from 'discord.js';
import { AddressBanned, NotAsked } from '../../delivery/failures.ts';
import type { Account, AccountOf } from '../../lib/fair-shares/account.ts';
import { createTurns, type Waiter } from '../../lib/fair-shares/turns.ts';
import type { Machine } from '../../lib/machine.ts';
import { createPace } from './pace.ts';
import { placeIn } from './place.ts';

type MakeRequest = RESTOptions['makeRequest'];

/**
 * Longer than this a request does not wait for its turn. Discord knows a repeat by its nonce for
 * some minutes.
 */
export const TURN_LIMIT_MS = 60_000;
/** Pays for what is no server's and no person's, such as the registration of commands. */
const OWN_ACCOUNT: Account = { payer: '', owner: '', weight: 1 };

interface Waiting extends Waiter {
  readonly sinceMs: number;
  /** @param refusal why it is not sent; null: it is its turn */
  readonly end: (refusal: NotAsked | null) => void;
}

export type RequestTurns = ReturnType<typeof createRequestTurns>;

/**
 * Discord's requests in turns, for all REST clients of a process together: payers, within a payer
 * its servers, within a server its channels. Whoever is alone has all. A turn ends when the request
 * is handed over, not when it is answered.
 *
 * It is taken where discord.js hands a request to the network. Taken any earlier, one that then
 * waits for the limit of its channel would have had its turn long before it goes, and many could go
 * at once; and what discord.js repeats by itself would have none.
 *
 * @param parts `ownerOf`: whose a channel is, as an owner of watches; null if that is not known.
 *   `perSecond`: a whole number ≥ 1. `signal` aborts when the process stops: then nobody waits any
 *   more
 */
export function createRequestTurns(
  { monotonicMs, sleep }: Pick<Machine, 'monotonicMs' | 'sleep'>,
  parts: {
    readonly accountOf: AccountOf;
    readonly ownerOf: (channelId: string) => string | null;
    readonly perSecond: number;
    readonly signal: AbortSignal;
    /** A request of the account goes to Discord. */
    readonly onTurn: (account: Account) => void;
  },
) {
  const { accountOf, ownerOf, perSecond, signal, onTurn } = parts;
  const pace = createPace({ monotonicMs }, perSecond);
  const turns = createTurns<Waiting>();
  /** Everything that waits in `turns`, in the order in which it came. */
  const waiting = new Set<Waiting>();
  let isServing = false;

  const waiterFor = (url: string): Waiter => {
    const { lane, ownerId } = placeIn(url, ownerOf);
    return { account: ownerId === null ? OWN_ACCOUNT : accountOf(ownerId), lane };
  };

  const refuse = (reason: string, isRefused: (waiter: Waiting) => boolean): void => {
    for (const waiter of waiting) {
      if (!isRefused(waiter)) return;
      waiter.end(new NotAsked(reason));
    }
  };

  /** Gives turns until nobody waits. */
  const serve = async (): Promise<void> => {
    isServing = true;
    while (waiting.size > 0) {
      const expiredMs = monotonicMs() - TURN_LIMIT_MS;
      refuse('It has waited too long for its turn.', ({ sinceMs }) => sinceMs <= expiredMs);
      const waitMs = pace.waitMs();
      if (waitMs === 0) {
        pace.take();
        turns.take()?.end(null);
      } else if (signal.aborted) refuse('The bot stops.', () => true);
      else await sleep(Math.min(waitMs, TURN_LIMIT_MS), signal);
    }
    isServing = false;
  };

  /** @throws {NotAsked} where it comes to no turn */
  const wait = (url: string, ending: AbortSignal | null): Promise<void> =>
    new Promise((resolve, reject) => {
      const onAbort = () => waiter.end(new NotAsked('It was given up.'));
      const waiter: Waiting = {
        ...waiterFor(url),
        sinceMs: monotonicMs(),
        end(refusal) {
          if (!waiting.delete(waiter)) return;
          turns.remove(waiter);
          ending?.removeEventListener('abort', onAbort);
          if (refusal !== null) return reject(refusal);
          if (waiter.account !== OWN_ACCOUNT) onTurn(waiter.account);
          resolve();
        },
      };
      waiting.add(waiter);
      turns.add(waiter);
      ending?.addEventListener('abort', onAbort, { once: true });
      if (ending?.aborted === true) onAbort();
      if (!isServing) void serve();
    });

  return {
    /**
     * Wraps requests so that each waits for its turn. Answers to interactions, which carry no
     * token, go at once: Discord does not count them.
     *
     * @throws {NotAsked} from one that comes to no turn: in a minute, or before the address is
     *   turned away
     */
    inTurns(request: MakeRequest): MakeRequest {
      return async (url, init) => {
        if (!new Headers(init.headers as Record<string, string>).has('authorization')) {
          return request(url, init);
        }
        await wait(url, init.signal ?? null);
        try {
          const response = await request(url, init);
          const isForAll = response.status === 429 && response.headers.has('x-ratelimit-global');
          if (isForAll) pace.hold(1_000 * Number(response.headers.get('retry-after')));
          return response;
        } catch (error) {
          // Those that wait behind it would make it longer.
          if (error instanceof AddressBanned) refuse(error.message, () => true);
          throw error;
        }
      };
    },
    /** Requests that wait for their turn. */
    get waiting(): number {
      return waiting.size;
    },
  };
}
