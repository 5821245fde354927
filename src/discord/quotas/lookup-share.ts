import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../domain/address.ts';
import type { Budget, Lookups } from '../../feed/interface.ts';
import { UserError } from '../../language/user-error.ts';
import type { Account, AccountOf } from '../../lib/fair-shares/account.ts';
import type { Machine } from '../../lib/machine.ts';
import { personOf } from '../../watches/owner.ts';
import { clockTime } from '../explain.ts';

/** Assumed until the venue's first response states its limit. */
const UNKNOWN_LIMIT = 10;
const UNKNOWN_WINDOW_MS = 60_000;
const SHORTEST_WINDOW_MS = 1_000;
/** Number of owners kept; more than use lookups within a window. */
const OWNERS_KEPT = 10_000;

/**
 * Creates a limit that keeps one owner's lookups from using up the budget of all owners.
 *
 * @param parts `shareOf`: share of the bot's allowance that an owner's lookups may use in any
 *   period as long as a window, above 0 and at most 1
 */
export function createLookupShare(
  { nowMs, monotonicMs }: Machine,
  parts: {
    readonly budget: Pick<Budget, 'acquire' | 'snapshot'>;
    readonly accountOf: AccountOf;
    readonly shareOf: (ownerId: string) => number;
  },
) {
  const { budget, accountOf, shareOf } = parts;
  /**
   * Recent use by owner. `sentMs`: when the lookups in the window were sent, in monotonic ms,
   * oldest first. `waiting`: number of lookups waiting for the budget.
   */
  const uses = new LRUCache<string, { sentMs: number[]; waiting: number }>({ max: OWNERS_KEPT });

  /**
   * Returns the present limit of an owner: at most `most` in any period of `lengthMs`; `isVenues`
   * is true if the venue itself leaves too little.
   */
  const limitsOf = (ownerId: string) => {
    const { allowance, windowMs, resetAtMs, blockedUntilMs } = budget.snapshot();
    const share = shareOf(ownerId);
    return {
      lengthMs: Math.max(
        windowMs ?? UNKNOWN_WINDOW_MS,
        (resetAtMs ?? 0) - nowMs(),
        SHORTEST_WINDOW_MS,
      ),
      // 0.25 · 12 is slightly below 3 in binary for some pairs.
      most: allowance === null ? UNKNOWN_LIMIT : Math.max(1, Math.floor(share * allowance + 1e-9)),
      isVenues: blockedUntilMs !== null || share * (allowance ?? Infinity) < 1,
    };
  };

  /**
   * Returns the budget of one owner. Each request counts, including retries, from when it may be
   * sent. `acquire` rejects with a UserError that names the time of the next one if the owner has
   * used its share, or with the budget's error.
   */
  return (ownerId: string): Pick<Budget, 'acquire'> => ({
    async acquire(priority, signal) {
      const { lengthMs, most, isVenues } = limitsOf(ownerId);
      const sinceMs = monotonicMs() - lengthMs;
      const use = uses.get(ownerId) ?? { sentMs: [], waiting: 0 };
      use.sentMs = use.sentMs.filter((sentMs) => sentMs > sinceMs);
      const tooMany = use.sentMs.length + use.waiting - most;
      if (tooMany >= 0) {
        const leavingMs = use.sentMs[tooMany];
        const waitMs = leavingMs === undefined ? SHORTEST_WINDOW_MS : leavingMs - sinceMs;
        const againMs = nowMs() + waitMs;
        if (isVenues) {
          throw new UserError((language) =>
            language.texts.errors.venue.rateLimited(clockTime(againMs, language)),
          );
        }
        throw new UserError((language) => {
          const { personal, errors, format } = language.texts;
          const when = clockTime(againMs, language);
          const say = personOf(ownerId) === null ? errors.quota.lookups : personal.lookups;
          const seconds = Math.round(lengthMs / 1000);
          const length =
            seconds < 120
              ? `${seconds} ${format.second}`
              : `${Math.round(seconds / 60)} ${format.minute}`;
          return say(most, length, when);
        });
      }
      use.waiting += 1;
      uses.set(ownerId, use);
      try {
        const permit = await budget.acquire(priority, signal, accountOf(ownerId));
        use.sentMs.push(monotonicMs());
        return permit;
      } finally {
        use.waiting -= 1;
      }
    },
  });
}

/** Lookups of one owner's people, one per endpoint. */
export type PersonsLookups = {
  readonly [Call in keyof Lookups]: (
    wallet: WalletAddress,
    filters: Parameters<Lookups[Call]>[1],
  ) => ReturnType<Lookups[Call]>;
};

/** Wraps the lookups of one owner's people so that they are charged to the given budget. */
export function spendingFrom(
  client: Lookups,
  budget: Pick<Budget, 'acquire'>,
  account: Account,
): PersonsLookups {
  const options = { priority: 'person', budget, account } as const;
  return {
    activity: (wallet, filters) => client.activity(wallet, filters, options),
    transfers: (wallet, filters) => client.transfers(wallet, filters, options),
  };
}
