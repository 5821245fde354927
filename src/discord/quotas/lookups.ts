import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityFilters, Budget, LookUps } from '../../feed/interface.ts';
import type { Texts } from '../../language/texts.ts';
import { UserError } from '../../language/user-error.ts';
import type { Machine } from '../../lib/machine.ts';
import { personOf } from '../../watches/owner.ts';
import { inTime } from '../explain.ts';

/** Assumed until the venue's first answer states its limit. */
const UNKNOWN_LIMIT = 10;
const UNKNOWN_WINDOW_MS = 60_000;
const SHORTEST_WINDOW_MS = 1_000;

interface Use {
  /** When those in the window were sent, ms of the clock that never goes back, oldest first: of all owners no more than the limit. */
  sentMs: number[];
  /** Waiting for the budget. */
  waiting: number;
}

/**
 * Keeps one owner's look-ups from using up what all owners live on.
 *
 * @param parts `shareOf`: of the bot's allowance that an owner's look-ups may take in any stretch as long as a window, above 0 up to 1
 */
export function createLookupShare(
  { nowMs, monotonicMs }: Machine,
  parts: { readonly budget: Pick<Budget, 'acquire' | 'snapshot'>; readonly shareOf: (ownerId: string) => number },
) {
  const { budget, shareOf } = parts;
  /** The owner that sent longest ago comes first. */
  const uses = new Map<string, Use>();

  /** At most `most` in any stretch of `lengthMs`; `isVenues`: it is the venue that leaves nobody anything. */
  const limitsOf = (ownerId: string) => {
    const { allowance, windowMs, resetAtMs, blockedUntilMs } = budget.snapshot();
    const share = shareOf(ownerId);
    return {
      lengthMs: Math.max(windowMs ?? UNKNOWN_WINDOW_MS, (resetAtMs ?? 0) - nowMs(), SHORTEST_WINDOW_MS),
      // 0.25 · 12 is a hair below 3 in binary for some pairs.
      most: allowance === null ? UNKNOWN_LIMIT : Math.max(1, Math.floor(share * allowance + 1e-9)),
      isVenues: blockedUntilMs !== null || share * (allowance ?? Infinity) < 1,
    };
  };

  const forgetIdle = (sinceMs: number) => {
    for (const [ownerId, { waiting, sentMs }] of uses) {
      if (waiting > 0 || sentMs.some((atMs) => atMs > sinceMs)) return;
      uses.delete(ownerId);
    }
  };

  return {
    /**
     * The budget for one owner. Each request counts, retries too, from when it may be sent.
     * `acquire` @throws UserError that says when, if the owner has used its share; else what the budget throws
     */
    of: (ownerId: string): Pick<Budget, 'acquire'> => ({
      async acquire(priority, signal) {
        const { lengthMs, most, isVenues } = limitsOf(ownerId);
        const sinceMs = monotonicMs() - lengthMs;
        const use = uses.get(ownerId) ?? { sentMs: [], waiting: 0 };
        use.sentMs = use.sentMs.filter((sentMs) => sentMs > sinceMs);
        const tooMany = use.sentMs.length + use.waiting - most;
        if (tooMany >= 0) {
          const leavingMs = use.sentMs[tooMany];
          const when = inTime(nowMs() + (leavingMs === undefined ? SHORTEST_WINDOW_MS : leavingMs - sinceMs));
          if (isVenues) throw new UserError(({ texts }) => texts.errors.venue.rateLimited(when));
          throw new UserError(({ texts: { personal, errors, format } }) => {
            const say = personOf(ownerId) === null ? errors.quota.lookups : personal.lookups;
            return say(most, lengthInWords(lengthMs, format), when);
          });
        }
        use.waiting += 1;
        uses.delete(ownerId);
        uses.set(ownerId, use);
        forgetIdle(sinceMs);
        try {
          const permit = await budget.acquire(priority, signal, ownerId);
          const sentMs = monotonicMs();
          use.sentMs.push(sentMs);
          return {
            complete: permit.complete,
            release() {
              const place = use.sentMs.indexOf(sentMs);
              if (place >= 0) use.sentMs.splice(place, 1);
              permit.release();
            },
          };
        } finally {
          use.waiting -= 1;
        }
      },
    }),
    /** Owners with requests in the window. */
    owners: () => uses.size,
  };
}

/** What people of one owner ask the venue for, taken from the given budget. */
export function spendingFrom(client: LookUps, budget: Pick<Budget, 'acquire'>, ownerId: string) {
  const options = { priority: 'person', budget, guildId: ownerId } as const;
  return {
    activity: (wallet: WalletAddress, filters: ActivityFilters) => client.activity(wallet, filters, options),
    transfers: (wallet: WalletAddress, paging: Parameters<LookUps['transfers']>[1]) =>
      client.transfers(wallet, paging, options),
  };
}
export type PersonsLookUps = ReturnType<typeof spendingFrom>;

function lengthInWords(lengthMs: number, units: Texts['format']): string {
  const seconds = Math.round(lengthMs / 1000);
  return seconds < 120 ? `${seconds} ${units.second}` : `${Math.round(seconds / 60)} ${units.minute}`;
}
