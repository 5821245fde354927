import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../domain/address.ts';
import type { Budget, LookUps } from '../../feed/interface.ts';
import { UserError } from '../../language/user-error.ts';
import type { Account, AccountOf } from '../../lib/fair-shares/account.ts';
import type { Machine } from '../../lib/machine.ts';
import { personOf } from '../../watches/owner.ts';
import { clockTime } from '../explain.ts';

/** Assumed until the venue's first answer states its limit. */
const UNKNOWN_LIMIT = 10;
const UNKNOWN_WINDOW_MS = 60_000;
const SHORTEST_WINDOW_MS = 1_000;
/** More owners than ask for something within a window. */
const OWNERS_KEPT = 10_000;

/**
 * Keeps one owner's look-ups from using up what all owners live on.
 *
 * @param parts `shareOf`: of the bot's allowance an owner's look-ups may take in any window's
 *   length, above 0 up to 1
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
   * Per owner. `sentMs`: when the look-ups in the window were sent, ms, monotonic, oldest first.
   * `waiting`: how many wait for the budget.
   */
  const uses = new LRUCache<string, { sentMs: number[]; waiting: number }>({ max: OWNERS_KEPT });

  /**
   * Limit of an owner now: at most `most` in any stretch of `lengthMs`; `isVenues`: it is the venue
   * that leaves nobody anything.
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
      // 0.25 · 12 is a hair below 3 in binary for some pairs.
      most: allowance === null ? UNKNOWN_LIMIT : Math.max(1, Math.floor(share * allowance + 1e-9)),
      isVenues: blockedUntilMs !== null || share * (allowance ?? Infinity) < 1,
    };
  };

  /**
   * The budget for one owner. Each request counts, retries too, from when it may be sent. `acquire`
   * @throws UserError that says when, if the owner has used its share; else what the budget throws
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

/** Look-ups of one owner's people: one for each endpoint. */
export type PersonsLookUps = {
  readonly [Call in keyof LookUps]: (
    wallet: WalletAddress,
    filters: Parameters<LookUps[Call]>[1],
  ) => ReturnType<LookUps[Call]>;
};

/** Wraps what people of one owner ask the venue for, so that it is taken from the given budget. */
export function spendingFrom(
  client: LookUps,
  budget: Pick<Budget, 'acquire'>,
  account: Account,
): PersonsLookUps {
  const options = { priority: 'person', budget, account } as const;
  return {
    activity: (wallet, filters) => client.activity(wallet, filters, options),
    transfers: (wallet, filters) => client.transfers(wallet, filters, options),
  };
}
