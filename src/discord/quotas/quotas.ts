import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityFilters, Budget, LookUps } from '../../feed/interface.ts';
import type { LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import type { Account, AccountOf } from '../../lib/fair-shares/account.ts';
import type { Machine } from '../../lib/machine.ts';
import { personOf, personOwner } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';
import { isLeaving } from '../../watches/watch.ts';
import type { Place } from '../../watches/watch-index.ts';
import { inTime } from '../explain.ts';
import { createTokenBuckets, type TokenBuckets } from './buckets.ts';
import type { Admission, Limits } from './exceptions.ts';
import { shareOfTotal } from './total.ts';

const MINUTE_MS = 60_000;
/**
 * Requests for suggestions that a person or a server may make per command: Discord asks at every
 * pause in typing.
 */
const COMPLETIONS_PER_COMMAND = 10;
/**
 * Files that a server may import for each command that it may give: to read one costs as much as
 * many commands.
 */
const IMPORTS_PER_COMMAND = 0.1;
/** Assumed until the venue's first answer states its limit. */
const UNKNOWN_LIMIT = 10;
const UNKNOWN_WINDOW_MS = 60_000;
const SHORTEST_WINDOW_MS = 1_000;
/** More owners than ask for something within a window. */
const OWNERS_KEPT = 10_000;

export type Quotas = ReturnType<typeof createQuotas>;

/**
 * Limits what one server and one person may use, in servers and for themselves, so that enough is
 * left for the others.
 */
export function createQuotas(
  machine: Machine,
  parts: {
    readonly limits: Omit<Limits, 'ALLOWED_GUILDS'>;
    readonly admission: Admission;
    readonly registry: Pick<Registry, 'ofOwner' | 'owners' | 'placesNeeded' | 'size'>;
    readonly budget: Pick<Budget, 'acquire' | 'snapshot'>;
    readonly accountOf: AccountOf;
  },
) {
  const { limits, admission, registry, budget, accountOf } = parts;
  const {
    COMMANDS_PER_MINUTE_USER: perPerson,
    COMMANDS_PER_MINUTE_GUILD: perServer,
    LIMITS_FILE: exceptions,
  } = limits;
  /** Makes buckets by owner. Half of a minute's tokens may be used at once. */
  const bucketsFor = (perCommand: number, usualOfPerson = perPerson) =>
    createTokenBuckets(machine, (ownerId) => {
      const usual = personOf(ownerId) === null ? perServer : usualOfPerson;
      const rate = (exceptions.get(ownerId)?.commandsPerMinute ?? usual) * perCommand;
      return { capacity: Math.ceil(rate / 2), everyMs: MINUTE_MS / rate };
    });
  const [commands, completions] = [bucketsFor(1), bucketsFor(COMPLETIONS_PER_COMMAND)];
  const imports = bucketsFor(IMPORTS_PER_COMMAND, perServer);
  const lookups = createLookupShare(machine, {
    budget,
    accountOf,
    shareOf: (ownerId) => exceptions.get(ownerId)?.lookupShare ?? limits.LOOKUP_SHARE,
  });
  /** By owner, watches that are being added by `withSpaceFor`, those that are there already too. */
  const comingByOwner = new Map<string, Set<readonly Place[]>>();

  /** Counts those of an owner that are not there yet. */
  const comingOf = (ownerId: string): number => {
    let count = 0;
    for (const places of comingByOwner.get(ownerId) ?? []) count += registry.placesNeeded(places);
    return count;
  };

  /**
   * Takes a token of each owner. @returns says when, if one has none: none is taken then; null if
   * each had one
   */
  const take = (buckets: TokenBuckets, ownerIds: readonly string[]): LocalizedText | null => {
    const empty = ownerIds.find((ownerId) => buckets.waitMs(ownerId) > 0);
    if (empty === undefined) {
      ownerIds.forEach(buckets.take);
      return null;
    }
    const when = inTime(machine.nowMs() + buckets.waitMs(empty));
    return ({ texts }) => texts.errors.quota[personOf(empty) === null ? 'server' : 'user'](when);
  };

  const refuseFor = (reason: LocalizedText | null) => {
    if (reason !== null) throw new UserError(reason);
  };

  const mostWatches = (ownerId: string) =>
    exceptions.get(ownerId)?.watches ??
    (personOf(ownerId) === null ? limits.WATCHES_PER_GUILD : limits.WATCHES_PER_USER);

  /** Tells whether WATCHES_TOTAL has room for so many more, or else the payer's share of it. */
  const hasRoomInAll = (ownerId: string, count: number): boolean => {
    const { WATCHES_TOTAL: total } = limits;
    if (total === null) return true;
    let coming = 0;
    for (const each of comingByOwner.keys()) coming += comingOf(each);
    if (registry.size + coming + count <= total) return true;
    const owners = new Set([...registry.owners(), ...comingByOwner.keys()]);
    const held = [...owners].map((each) => ({
      account: accountOf(each),
      watches: registry.ofOwner(each).length + comingOf(each),
    }));
    const { share, watches } = shareOfTotal(total, held, accountOf(ownerId));
    return watches + count <= share;
  };

  /** Says why a guild, or a person alone, may not have so many more watches; null if it may. */
  const watchesTooMany = (ownerId: string, count: number): LocalizedText | null => {
    // Those that are being removed are polled until that cannot be undone any more.
    const kept = registry.ofOwner(ownerId);
    const leaving = kept.filter(isLeaving).length;
    const present = kept.length + comingOf(ownerId);
    const most = mostWatches(ownerId);
    if (count === 0) return null;
    if (present + count <= most) {
      if (hasRoomInAll(ownerId, count)) return null;
      return ({ texts }) => texts.errors.quota.total(count);
    }
    return ({ texts }) => {
      const { quota } = texts.errors;
      if (personOf(ownerId) !== null && most === 0) return texts.personal.off;
      const say = personOf(ownerId) === null ? quota.watches : texts.personal.tooMany;
      const refusal = say(most, present, count);
      return leaving === 0 ? refusal : `${refusal}${texts.watch.gap}${quota.leavingCount(leaving)}`;
    };
  };

  /** A person is counted wherever they are, and so is the server that they are in. */
  const ofBoth = (ownerId: string, userId: string) => [...new Set([personOwner(userId), ownerId])];

  return {
    /**
     * Counts a command or a press.
     *
     * @param isAlone many of a server may press at once, each for themselves: counted for the
     *   person, not the server
     * @throws UserError if the bot refuses the person, or says when, if it is too many; it does not
     *   count then
     */
    use(ownerId: string, userId: string, isAlone = false): void {
      refuseFor(admission.refusal(ownerId, userId));
      refuseFor(take(commands, isAlone ? [personOwner(userId)] : ofBoth(ownerId, userId)));
    },
    /**
     * Counts a request for suggestions, in buckets of its own. False if too many: nothing is to be
     * done for it.
     */
    mayComplete: (ownerId: string, userId: string): boolean =>
      admission.refusal(ownerId, userId) === null &&
      take(completions, ofBoth(ownerId, userId)) === null,
    /**
     * Counts a file to import, in a bucket of its own. @throws UserError that says when, if it is
     * too many
     */
    useImport: (ownerId: string): void => refuseFor(take(imports, [ownerId])),
    /**
     * The budget for look-ups of the owner's people. `acquire` @throws UserError if the owner has
     * used its share
     */
    lookups,
    /**
     * Makes sure that something is kept of no more of a guild's channels than it may have watches.
     *
     * @param kept of all guilds
     * @throws UserError if the channel would be one too many
     */
    requireChannel(
      ownerId: string,
      channelId: string,
      kept: readonly { readonly ownerId: string; readonly channelId: string }[],
    ): void {
      const most = mostWatches(ownerId);
      const own = kept.filter((each) => each.ownerId === ownerId);
      if (own.length < most || own.some((each) => each.channelId === channelId)) return;
      throw new UserError(({ texts }) => texts.errors.quota.channels(most));
    },
    mayWatch: (ownerId: string) => mostWatches(ownerId) > 0,
    watchesTooMany,
    /** @throws UserError if the owner may not have so many more watches */
    requireSpace: (ownerId: string, count: number): void =>
      refuseFor(watchesTooMany(ownerId, count)),
    /**
     * Does work that adds watches in these places, which are kept for them until it is over. Those
     * that are watched already count as what they are.
     *
     * @throws UserError, before it, if too many
     */
    async withSpaceFor<Result>(
      ownerId: string,
      places: readonly Place[],
      work: () => Promise<Result>,
    ): Promise<Result> {
      refuseFor(watchesTooMany(ownerId, registry.placesNeeded(places)));
      const coming = comingByOwner.get(ownerId) ?? new Set();
      comingByOwner.set(ownerId, coming.add(places));
      try {
        return await work();
      } finally {
        coming.delete(places);
        if (coming.size === 0) comingByOwner.delete(ownerId);
      }
    },
  };
}

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
        const when = inTime(
          nowMs() + (leavingMs === undefined ? SHORTEST_WINDOW_MS : leavingMs - sinceMs),
        );
        if (isVenues) throw new UserError(({ texts }) => texts.errors.venue.rateLimited(when));
        throw new UserError(({ texts: { personal, errors, format } }) => {
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

/** Wraps what people of one owner ask the venue for, so that it is taken from the given budget. */
export function spendingFrom(client: LookUps, budget: Pick<Budget, 'acquire'>, account: Account) {
  const options = { priority: 'person', budget, account } as const;
  return {
    activity: (wallet: WalletAddress, filters: ActivityFilters) =>
      client.activity(wallet, filters, options),
    transfers: (wallet: WalletAddress, paging: Parameters<LookUps['transfers']>[1]) =>
      client.transfers(wallet, paging, options),
  };
}
export type PersonsLookUps = ReturnType<typeof spendingFrom>;
