import type { RESTOptions } from 'discord.js';
import type { AccountOf } from '../../lib/fair-shares/account.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Machine } from '../../lib/machine.ts';
import { placeIn } from './place.ts';

type MakeRequest = RESTOptions['makeRequest'];

/** Refused requests in ten minutes for which Discord bans an address entirely. */
const ADDRESS_LIMIT = 10_000;
const WINDOW_MS = 10 * 60_000;
/** Share of the limit that a process that has just ended may have used. */
const USED_AT_START = 0.5;
/** A log line is written for each additional tenth of the limit. */
const LOGGED_EVERY = 0.1;
const REFUSALS: readonly number[] = [401, 403, 429];

interface Refusal {
  readonly atMs: number;
  readonly ownerId: string | null;
  readonly payer: string;
}

export type Refusals = ReturnType<typeof createRefusals>;

/**
 * Creates a counter of requests that Discord refuses, for all REST clients of a process, right
 * where they are sent: discord.js repeats a 429 internally, where other code cannot see it. A 429
 * with scope `shared` is not the bot's fault, and Discord does not count it either.
 *
 * @param parts `share`: the process's share of the address's limit, above 0 and at most 1.
 *   `ownerOf`: returns a channel's owner; null if unknown
 */
export function createRefusals(
  { monotonicMs, log }: Machine,
  parts: {
    readonly share: number;
    readonly accountOf: AccountOf;
    readonly ownerOf: (channelId: string) => string | null;
  },
) {
  const { share, accountOf, ownerOf } = parts;
  const limit = ADDRESS_LIMIT * share;
  const startEndsMs = monotonicMs() + WINDOW_MS;
  /** Refusals of the last ten minutes, oldest first. */
  const recent: Refusal[] = [];
  let total = 0;
  /** Tenths of the limit that were last logged. */
  let loggedTenths = 0;

  const forgetOld = () => {
    const fromMs = monotonicMs() - WINDOW_MS;
    while (recent[0] !== undefined && recent[0].atMs <= fromMs) recent.shift();
  };

  /** Refusals of the last ten minutes, including those that an earlier run may have caused. */
  const count = (): number => {
    forgetOld();
    return recent.length + (monotonicMs() < startEndsMs ? limit * USED_AT_START : 0);
  };

  const logNewTenths = () => {
    const tenths = Math.floor(recent.length / (limit * LOGGED_EVERY));
    if (tenths > loggedTenths) {
      const byPayer = groupBy(recent, ({ payer }) => payer);
      const [most = []] = [...byPayer.values()].sort((a, b) => b.length - a.length);
      const guild = most.at(-1)?.ownerId ?? null;
      const refused = recent.length;
      log.warn({ event: 'discord.refusals', refused, limit, guild, ofPayer: most.length });
    }
    loggedTenths = tenths;
  };

  const note = (url: string) => {
    const { ownerId } = placeIn(url, ownerOf);
    const payer = ownerId === null ? '' : accountOf(ownerId).payer;
    recent.push({ atMs: monotonicMs(), ownerId, payer });
    total += 1;
    forgetOld();
    logNewTenths();
  };

  return {
    /** Wraps requests so that refused ones are counted. */
    counting(request: MakeRequest): MakeRequest {
      return async (url, init) => {
        const response = await request(url, init);
        const isShared = response.headers.get('x-ratelimit-scope') === 'shared';
        if (REFUSALS.includes(response.status) && !isShared) note(url);
        return response;
      };
    },
    count,
    /** Maximum number of refusals in ten minutes. */
    limit,
    /** Returns the number of refusals of one owner's requests in the last ten minutes. */
    ofOwner(ownerId: string): number {
      forgetOld();
      return recent.filter((refusal) => refusal.ownerId === ownerId).length;
    },
    /** Returns the number of refusals since the start. */
    total: (): number => total,
  };
}
