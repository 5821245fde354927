import type { Account, AccountOf } from './account.ts';

/** Number of later uses over which a use is remembered. */
const MEMORY = 100;
/** Minimum total from which shares are computed, because a few uses in a row mean nothing. */
const FIRST_USES = 95;
/** Uses between two reviews of who is above their share. */
const EVERY_USES = 5;
/**
 * Maximum number of payers above their share at a time, because a memory of 100 cannot distinguish
 * smaller shares.
 */
const MOST_BEYOND = 39;
/**
 * Part of a payer's share reserved for its modest owners before throttled ones. If it were all,
 * each flooding owner would overshoot.
 */
const SAFE_OF_PAYER = 0.5;
/** Overshoot at which all owners of a payer are throttled, relative to its share. */
const LARGEST_OVERSHOOT = 0.1;
/** Share of the total below which an owner is forgotten when uses are scaled down. */
const NEGLIGIBLE_SHARE = 1e-9;
/** Scale above which uses are scaled down, so that doubles lose no digits of later uses. */
const LARGEST_SCALE = 1e9;

/**
 * Uses of a payer. They are kept multiplied by `scale`, which grows, instead of being decayed one
 * by one.
 */
interface Payer {
  weight: number;
  used: number;
  readonly owners: Map<string, number>;
  /**
   * Unscaled usage threshold above which an owner is throttled; null while the payer is within its
   * share.
   */
  level: number | null;
  isBeyond: boolean;
  /** Owners above the level. */
  throttled: Set<string>;
  /** Uses by all payers since `throttled` was computed. */
  sinceLevelled: number;
}

interface RecentUseDeps {
  readonly accountOf: AccountOf;
  readonly owners: () => Iterable<string>;
  /** Whether an owner is among `owners`. */
  readonly isPresent: (ownerId: string) => boolean;
}

/** Number of owners and payers checked so far. */
interface Effort {
  steps: number;
}

/**
 * Finds who has recently used more than a fair share of something that cannot be queued, such as
 * polls.
 *
 * k payers are above their share if each of them had more than 1/(k + 1), for the greatest such k,
 * so that all others together have as much as one of them. A payer with weight w counts as w payers
 * with weight 1. Within a payer above its share, those owners are throttled that exceed a common
 * level, at which all of its owners together have half of the payer's share (water-filling).
 *
 * A charge costs some steps for each owner that is charged; it never sums over all owners.
 *
 * @param deps `owners`: returns all owners that could use something now
 */
export function createRecentUse(deps: RecentUseDeps) {
  const { accountOf } = deps;
  const effort: Effort = { steps: 0 };
  const uses = createUses(accountOf, effort);
  const others = createOthers(deps, effort);
  const { payers, large } = uses;
  /** Payers whose owners have been looked at one by one. */
  let levelled = new Set<string>();
  /** Sum of the weights of the payers above their share. */
  let weightBeyond = 0;
  let throttled = new Set<string>();
  let sinceReviewed = 0;

  /** @returns whether the owner is throttled from now on */
  const chargeOne = (ownerId: string, amount: number): boolean => {
    const { payer, used } = uses.charge(ownerId, amount);
    if (payer.level === null || used <= payer.level * uses.scale || throttled.has(ownerId))
      return false;
    payer.throttled.add(ownerId);
    throttled.add(ownerId);
    return true;
  };

  const payersBeyond = (sum: number): ReadonlySet<string> => {
    const most: Use[] = [];
    for (const id of large) {
      effort.steps += 1;
      const payer = payers.get(id);
      if (payer !== undefined && weighted(payer) > sum / (MOST_BEYOND + 1)) {
        most.push({ id, ...payer });
      } else {
        large.delete(id);
      }
    }
    return beyondShare(most, sum, uses.scale / 2, others.areBeside);
  };

  /**
   * Determines the throttled owners of payers with large uses.
   *
   * @returns whether the throttled owners may have changed
   */
  const levelPayers = (beyond: ReadonlySet<string>, sum: number): boolean => {
    const before = levelled;
    levelled = new Set();
    let isChanged = false;
    for (const id of large) {
      const payer = payers.get(id);
      if (payer === undefined) continue;
      const isBeyond = beyond.has(id);
      const part = (sum * payer.weight) / (1 + weightBeyond);
      // Otherwise none of its owners can be above its share of that part.
      if (!isBeyond && payer.used <= part / 2) continue;
      levelled.add(id);
      const isLevelled = levelOwners(payer, { part, isBeyond, scale: uses.scale }, effort);
      isChanged ||= isLevelled;
    }
    for (const id of before) {
      if (levelled.has(id)) continue;
      isChanged = true;
      const payer = payers.get(id);
      if (payer !== undefined) {
        Object.assign(payer, { isBeyond: false, level: null, throttled: new Set() });
      }
    }
    return isChanged;
  };

  /** @returns owners whose throttling has begun or ended */
  const review = (): readonly string[] => {
    others.passed(sinceReviewed);
    sinceReviewed = 0;
    if (uses.scale > LARGEST_SCALE) uses.scaleDown();
    const sum = uses.sum();
    const beyond = payersBeyond(sum);
    weightBeyond = 0;
    for (const id of beyond) weightBeyond += payers.get(id)?.weight ?? 0;
    if (!levelPayers(beyond, sum)) return [];
    const before = throttled;
    throttled = new Set([...levelled].flatMap((id) => [...(payers.get(id)?.throttled ?? [])]));
    const begun = [...throttled].filter((ownerId) => !before.has(ownerId));
    const over = [...before].filter((ownerId) => !throttled.has(ownerId));
    return [...begun, ...over];
  };

  /** Whether a payer that was within its share has just exceeded it. */
  const isCrossing = ({ payer: id }: Account): boolean => {
    const payer = payers.get(id);
    if (payer === undefined || payer.isBeyond) return false;
    return weighted(payer) > uses.sum() / (1 + weightBeyond + payer.weight) - uses.scale / 2;
  };

  return {
    /**
     * Charges one use to owners in equal parts. Throttled owners are charged only if all are
     * throttled, because work for others must not cost them their own.
     *
     * @returns owners whose throttling has begun or ended; usually empty
     */
    charge(ownerIds: readonly string[]): readonly string[] {
      const notThrottled = ownerIds.filter((ownerId) => !throttled.has(ownerId));
      const charged = notThrottled.length > 0 ? notThrottled : ownerIds;
      const begun = charged.filter((ownerId) => chargeOne(ownerId, uses.scale / charged.length));
      uses.passed();
      sinceReviewed += 1;
      const isDue =
        sinceReviewed >= EVERY_USES || charged.some((ownerId) => isCrossing(accountOf(ownerId)));
      return isDue ? [...new Set([...begun, ...review()])] : begun;
    },
    isThrottled: (ownerId: string): boolean => throttled.has(ownerId),
    /** Number of owners and payers checked so far. */
    get steps(): number {
      return effort.steps;
    },
  };
}

/** Sums the uses of each owner and of each payer. */
function createUses(accountOf: AccountOf, effort: Effort) {
  const payers = new Map<string, Payer>();
  const payerOf = new Map<string, string>();
  const large = new Set<string>();
  let total = 0;
  let scale = 1;

  /**
   * Returns the use that a new payer starts with: the lowest of all others, so that their use while
   * alone is not held against them.
   */
  const leastUsed = (): number => {
    if (payers.size === 0 || payers.size > MOST_BEYOND) return 0;
    let least = Number.POSITIVE_INFINITY;
    for (const { used } of payers.values()) {
      effort.steps += 1;
      least = Math.min(least, used);
    }
    return least;
  };

  const createPayer = (ownerId: string, { payer, weight }: Account): Payer => {
    const used = leastUsed();
    const created: Payer = {
      weight,
      used,
      owners: new Map(),
      level: null,
      isBeyond: false,
      throttled: new Set(),
      sinceLevelled: 0,
    };
    payers.set(payer, created);
    if (used > 0) created.owners.set(ownerId, used);
    total += used;
    return created;
  };

  /** Returns the earlier use of a transferred server. */
  const moveFrom = (before: string, ownerId: string): number => {
    const payer = payers.get(before);
    const used = payer?.owners.get(ownerId) ?? 0;
    if (payer === undefined) return 0;
    payer.owners.delete(ownerId);
    payer.used -= used;
    if (payer.owners.size === 0) payers.delete(before);
    return used;
  };

  return {
    payers: payers as ReadonlyMap<string, Payer>,
    /** Payers that may be above their share. */
    large,
    get scale(): number {
      return scale;
    },
    /** Returns the total from which shares are computed. */
    sum: (): number => Math.max(total, FIRST_USES * scale),
    /** @returns the owner's payer, and the owner's use so far */
    charge(ownerId: string, amount: number) {
      effort.steps += 1;
      const account = accountOf(ownerId);
      const before = payerOf.get(ownerId) ?? account.payer;
      const moved = before === account.payer ? 0 : moveFrom(before, ownerId);
      const payer = payers.get(account.payer) ?? createPayer(ownerId, account);
      payerOf.set(ownerId, account.payer);
      payer.weight = account.weight;
      const used = (payer.owners.get(ownerId) ?? 0) + amount + moved;
      payer.used += amount + moved;
      payer.owners.set(ownerId, used);
      if (weighted(payer) > total / (MOST_BEYOND + 1)) large.add(account.payer);
      return { payer, used };
    },
    /** Records that one use was charged, so that all earlier uses count for a little less. */
    passed(): void {
      total += scale;
      scale /= 1 - 1 / MEMORY;
    },
    scaleDown(): void {
      for (const [id, payer] of payers) {
        payer.used = 0;
        for (const [ownerId, used] of payer.owners) {
          const isNegligible = used < NEGLIGIBLE_SHARE * total;
          if (isNegligible) {
            payer.owners.delete(ownerId);
            payerOf.delete(ownerId);
          } else {
            payer.owners.set(ownerId, used / scale);
            payer.used += used / scale;
          }
        }
        if (payer.owners.size === 0) payers.delete(id);
      }
      total /= scale;
      scale = 1;
    },
  };
}

/** Searches for an owner other than those of large payers, as rarely as possible. */
function createOthers({ accountOf, owners, isPresent }: RecentUseDeps, effort: Effort) {
  /** Owner whose payer was within its share at the last check; null if none is known. */
  let witness: string | null = null;
  /** Payers without another owner at the last search, and the number of uses until the next one. */
  let all: ReadonlySet<string> = new Set();
  let usesUntilSought = 0;

  return {
    /** Whether there is an owner whose payer is none of these. */
    areBeside(candidates: ReadonlySet<string>): boolean {
      const isOther = (ownerId: string) => !candidates.has(accountOf(ownerId).payer);
      if (witness !== null && isPresent(witness) && isOther(witness)) return true;
      const isKnown = usesUntilSought > 0 && [...all].every((payer) => candidates.has(payer));
      if (isKnown) return false;
      let count = 0;
      for (const ownerId of owners()) {
        count += 1;
        effort.steps += 1;
        if (!isOther(ownerId)) continue;
        witness = ownerId;
        return true;
      }
      // Searched again after as many uses.
      all = candidates;
      usesUntilSought = count;
      return false;
    },
    /** Records uses since the last call. */
    passed(uses: number): void {
      usesUntilSought -= uses;
    },
  };
}

/**
 * Recomputes which owners of a payer are throttled; less often for a payer with many.
 *
 * @param part the payer's share of all uses
 * @returns whether it recomputed
 */
function levelOwners(
  payer: Payer,
  {
    part,
    isBeyond,
    scale,
  }: { readonly part: number; readonly isBeyond: boolean; readonly scale: number },
  effort: Effort,
): boolean {
  payer.sinceLevelled += EVERY_USES;
  const isDue = isBeyond !== payer.isBeyond || payer.sinceLevelled >= payer.owners.size / 3;
  if (!isDue) return false;
  payer.sinceLevelled = 0;
  payer.isBeyond = isBeyond;
  effort.steps += payer.owners.size;
  if (isBeyond) {
    const over = payer.used / part - 1;
    const safe = SAFE_OF_PAYER * part * Math.max(0, 1 - over / LARGEST_OVERSHOOT);
    const level = levelOf([...payer.owners.values()], safe);
    const above = [...payer.owners].filter(([, used]) => used > level);
    payer.level = level / scale;
    payer.throttled = new Set(above.map(([ownerId]) => ownerId));
  } else {
    const uses = Array.from(payer.owners, ([id, used]) => ({ id, used, weight: 1 }));
    const most = uses.filter(({ used }) => used > part / (MOST_BEYOND + 1));
    payer.level = null;
    payer.throttled = new Set(
      beyondShare(most, part, scale / 2, ({ size }) => size < payer.owners.size),
    );
  }
  return true;
}

interface Use {
  readonly id: string;
  readonly used: number;
  readonly weight: number;
}

function weighted({ used, weight }: Pick<Use, 'used' | 'weight'>): number {
  return used / weight;
}

/**
 * Returns the k payers or owners that exceed 1/(k + 1) each, for the greatest k that leaves others.
 *
 * @param slack subtracted from that share: half of what one use adds, so that shares are met on
 *   average
 */
function beyondShare(
  most: readonly Use[],
  total: number,
  slack: number,
  leavesOthers: (candidates: ReadonlySet<string>) => boolean,
): ReadonlySet<string> {
  const descending = most.toSorted((a, b) => weighted(b) - weighted(a)).slice(0, MOST_BEYOND);
  let weights = 0;
  let found: ReadonlySet<string> = new Set();
  for (const [index, use] of descending.entries()) {
    weights += use.weight;
    if (weighted(use) <= total / (1 + weights) - slack) continue;
    const candidates = new Set(descending.slice(0, index + 1).map(({ id }) => id));
    if (leavesOthers(candidates)) found = candidates;
  }
  return found;
}

/**
 * Returns the level up to which all together use `part`; infinite if they use no more than that
 * (water-filling).
 */
function levelOf(uses: readonly number[], part: number): number {
  const ascending = uses.toSorted((a, b) => a - b);
  let left = part;
  for (const [index, used] of ascending.entries()) {
    const level = left / (ascending.length - index);
    if (used > level) return level;
    left -= used;
  }
  return Number.POSITIVE_INFINITY;
}
