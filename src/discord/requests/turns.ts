import type { RESTOptions } from 'discord.js';
import { AddressBanned, NotAsked } from '../../delivery/failures.ts';
import type { Account, AccountOf } from '../../lib/fair-shares/account.ts';
import { createTurns, type Waiter } from '../../lib/fair-shares/turns.ts';
import type { Machine } from '../../lib/machine.ts';
import { createPace } from './pace.ts';
import { placeIn } from './place.ts';

type MakeRequest = RESTOptions['makeRequest'];

/**
 * Longest wait of a request for its turn, in ms. Discord recognizes a repeated message by its nonce
 * for only a few minutes.
 */
export const TURN_LIMIT_MS = 60_000;
/**
 * Account of requests that belong to no server and no person, such as the registration of commands.
 */
const OWN_ACCOUNT: Account = { payer: '', owner: '', weight: 1 };

interface Waiting extends Waiter {
  readonly sinceMs: number;
  /** @param refusal why it is not sent; null if it is its turn */
  readonly end: (refusal: NotAsked | null) => void;
}

export type RequestTurns = ReturnType<typeof createRequestTurns>;

/**
 * Creates turns for Discord requests, for all REST clients of a process together: payers take
 * turns, then the servers of a payer, then the channels of a server. A payer that is alone can use
 * everything. A turn ends when the request is sent, not when the response comes.
 *
 * A turn is taken where discord.js passes a request to the network. If it were taken earlier, a
 * request that then waits for its channel's limit would use its turn long before it is sent, and
 * many could be sent at once; and requests that discord.js repeats by itself would need no turn.
 *
 * @param parts `ownerOf`: returns a channel's owner of watches; null if unknown. `perSecond`: a
 *   whole number, at least 1. `signal` aborts when the process stops; all waiting requests are then
 *   refused
 */
export function createRequestTurns(
  machine: Machine,
  parts: {
    readonly accountOf: AccountOf;
    readonly ownerOf: (channelId: string) => string | null;
    readonly perSecond: number;
    readonly signal: AbortSignal;
    /** Called when a request of the account is sent to Discord. */
    readonly onTurn: (account: Account) => void;
  },
) {
  const { monotonicMs, sleep } = machine;
  const { accountOf, ownerOf, perSecond, signal, onTurn } = parts;
  const pace = createPace(machine, perSecond);
  const turns = createTurns<Waiting>();
  /** All requests waiting in `turns`, in order of arrival. */
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

  /** Grants turns until no request waits. */
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

  /** @throws {NotAsked} if it gets no turn */
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
     * Wraps requests so that each waits for its turn. Responses to interactions, which carry no
     * token, are sent at once, because Discord does not count them.
     *
     * @throws {NotAsked} from a request that gets no turn: within a minute, or before the address
     *   is banned
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
          if (isForAll) pace.throttle(1_000 * Number(response.headers.get('retry-after')));
          return response;
        } catch (error) {
          // The requests waiting behind it would prolong the ban.
          if (error instanceof AddressBanned) refuse(error.message, () => true);
          throw error;
        }
      };
    },
    /** Number of requests waiting for their turn. */
    get waiting(): number {
      return waiting.size;
    },
  };
}
