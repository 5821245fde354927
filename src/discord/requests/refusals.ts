import type { RESTOptions } from 'discord.js';
import type { AccountOf } from '../../lib/fair-shares/account.ts';
import type { Machine } from '../../lib/machine.ts';
import { placeIn } from './place.ts';

type MakeRequest = RESTOptions['makeRequest'];

/** Refusals in ten minutes for which Discord bans an address, for everybody. */
const ADDRESS_LIMIT = 10_000;
const WINDOW_MS = 10 * 60_000;
/** A process that ended just now may have caused so much of them. */
const USED_AT_START = 0.5;
/** The log is told each time that another tenth of the limit is used up. */
const TOLD_EVERY = 0.1;
const REFUSALS: readonly number[] = [401, 403, 429];

interface Refusal {
  readonly atMs: number;
  readonly ownerId: string | null;
  readonly payer: string;
}

export type Refusals = ReturnType<typeof createRefusals>;

/**
 * Counts what Discord refuses, for all REST clients of a process, right where they send: discord.js
 * repeats a 429 inside itself, where nobody else sees it. A 429 of scope `shared` is not the bot's
 * fault, and Discord does not count it either.
 *
 * @param parts `share`: the process's part of what the address may have, above 0 and up to 1.
 *   `ownerOf`: whose a channel is; null if that is not known
 */
export function createRefusals(
  { monotonicMs, log }: Pick<Machine, 'monotonicMs' | 'log'>,
  parts: {
    readonly share: number;
    readonly accountOf: AccountOf;
    readonly ownerOf: (channelId: string) => string | null;
  },
) {
  const { share, accountOf, ownerOf } = parts;
  const limit = ADDRESS_LIMIT * share;
  const startEndsMs = monotonicMs() + WINDOW_MS;
  /** Those of the last ten minutes, oldest first. */
  const recent: Refusal[] = [];
  const byOwner = new Map<string, number>();
  const byPayer = new Map<string, number>();
  let total = 0;
  /** Tenths of the limit that the log knows of. */
  let told = 0;

  const add = ({ ownerId, payer }: Refusal, by: 1 | -1) => {
    if (ownerId !== null) change(byOwner, ownerId, by);
    change(byPayer, payer, by);
  };

  const forgetOld = () => {
    const fromMs = monotonicMs() - WINDOW_MS;
    for (let first = recent[0]; first !== undefined && first.atMs <= fromMs; first = recent[0]) {
      recent.shift();
      add(first, -1);
    }
  };

  /** Refusals of the last ten minutes, with those that an earlier run may have caused. */
  const count = (): number => {
    forgetOld();
    return recent.length + (monotonicMs() < startEndsMs ? limit * USED_AT_START : 0);
  };

  const tell = () => {
    const tenths = Math.floor(recent.length / (limit * TOLD_EVERY));
    if (tenths > told) {
      const [payer = '', ofPayer = 0] = [...byPayer].sort(([, a], [, b]) => b - a)[0] ?? [];
      const ofMost = recent.findLast((refusal) => refusal.payer === payer);
      const guild = ofMost?.ownerId ?? null;
      log.warn({
        event: 'discord.refusals',
        refused: recent.length,
        limit,
        guild,
        ofPayer,
      });
    }
    told = tenths;
  };

  const note = (url: string) => {
    const { ownerId } = placeIn(url, ownerOf);
    const payer = ownerId === null ? '' : accountOf(ownerId).payer;
    const refusal = { atMs: monotonicMs(), ownerId, payer };
    recent.push(refusal);
    add(refusal, 1);
    total += 1;
    forgetOld();
    tell();
  };

  return {
    /** Wraps requests; each that is refused is counted. */
    counting(request: MakeRequest): MakeRequest {
      return async (url, init) => {
        const response = await request(url, init);
        const isShared = response.headers.get('x-ratelimit-scope') === 'shared';
        if (REFUSALS.includes(response.status) && !isShared) note(url);
        return response;
      };
    },
    count,
    /** Most refusals that there may be in ten minutes. */
    limit,
    /** Refusals of one owner's requests in the last ten minutes. */
    ofOwner(ownerId: string): number {
      forgetOld();
      return byOwner.get(ownerId) ?? 0;
    },
    /** Refusals since the start. */
    total: (): number => total,
  };
}

function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
