import type { Account, AccountOf } from './account.ts';

/** A use counts for about as many further ones. */
const MEMORY = 100;
/** Least sum of uses that shares are taken of: until so many count, a few in a row say nothing. */
const FIRST_USES = 95;
/** Uses after which it is looked at anew who is beyond their share. */
const EVERY_USES = 5;
/**
 * Payers that can be beyond their share at a time: a memory of 100 does not tell smaller shares
 * apart.
 */
const MOST_BEYOND = 39;
/**
 * Share of a payer's part for its modest owners before held ones: with all of it, each flooding
 * owner overshoots.
 */
const SAFE_OF_PAYER = 0.5;
/** A payer that has so much more than its part has all its owners held. */
const LARGEST_OVERSHOOT = 0.1;
/** An owner with less of all is forgotten when use is scaled down. */
const NEGLIGIBLE_SHARE = 1e-9;
/** Use is scaled down before doubles lose digits of what is added to it. */
const LARGEST_SCALE = 1e9;

/** Use is kept multiplied by `scale`, which grows, instead of being decayed one by one. */
interface Payer {
  weight: number;
  used: number;
  readonly owners: Map<string, number>;
  /**
   * Uses, not multiplied, up to which its owners are not held; null while the payer is not beyond
   * its share.
   */
  level: number | null;
  isBeyond: boolean;
  /** Owners above the level. */
  held: Set<string>;
  /** Uses of all since `held` was worked out. */
  sinceLevelled: number;
}

interface RecentUseDeps {
  readonly accountOf: AccountOf;
  readonly owners: () => Iterable<string>;
  /** Tells whether an owner is among `owners`. */
  readonly isPresent: (ownerId: string) => boolean;
}

/** Owners and payers looked at until now. */
interface Effort {
  steps: number;
}

/**
 * Finds who has used more than a fair share lately, of something that cannot wait in line, such as
 * polls.
 *
 * Payers are beyond their share if each of the k of them had more than 1/(k + 1), for the greatest
 * such k: all others together have as much as one. A payer with weight w counts as w of weight 1.
 * Among the owners of a payer beyond its share those are held that have more than an equal level,
 * up to which all of its owners have half of the payer's part (water-filling).
 *
 * A charge costs some steps for each owner that is charged; nothing is added up over all owners for
 * it.
 *
 * @param deps `owners`: all that could use something now
 */
export function createRecentUse(deps: RecentUseDeps) {
  const { accountOf } = deps;
  const effort: Effort = { steps: 0 };
  const uses = createUses(accountOf, effort);
  const others = createOthers(deps, effort);
  const { payers, large } = uses;
  /** Payers whose owners have been looked at one by one. */
  let levelled = new Set<string>();
  /** Σ of the weights of those that are beyond their share. */
  let weightBeyond = 0;
  let held = new Set<string>();
  let sinceReviewed = 0;

  /** @returns whether the owner is held from now on */
  const chargeOne = (ownerId: string, amount: number): boolean => {
    const { payer, used } = uses.charge(ownerId, amount);
    if (payer.level === null || used <= payer.level * uses.scale || held.has(ownerId)) return false;
    payer.held.add(ownerId);
    held.add(ownerId);
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
   * Looks at the owners of payers that have much.
   *
   * @returns whether others may be held now
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
      // Else none of its owners can be beyond its share of that part.
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
        Object.assign(payer, { isBeyond: false, level: null, held: new Set() });
      }
    }
    return isChanged;
  };

  /** @returns owners that are held now and were not, or no longer are */
  const review = (): readonly string[] => {
    others.passed(sinceReviewed);
    sinceReviewed = 0;
    if (uses.scale > LARGEST_SCALE) uses.scaleDown();
    const sum = uses.sum();
    const beyond = payersBeyond(sum);
    weightBeyond = 0;
    for (const id of beyond) weightBeyond += payers.get(id)?.weight ?? 0;
    if (!levelPayers(beyond, sum)) return [];
    const before = held;
    held = new Set([...levelled].flatMap((id) => [...(payers.get(id)?.held ?? [])]));
    const begun = [...held].filter((ownerId) => !before.has(ownerId));
    const over = [...before].filter((ownerId) => !held.has(ownerId));
    return [...begun, ...over];
  };

  /** Tells whether a payer that was not beyond its share has come to be. */
  const isCrossing = ({ payer: id }: Account): boolean => {
    const payer = payers.get(id);
    if (payer === undefined || payer.isBeyond) return false;
    return weighted(payer) > uses.sum() / (1 + weightBeyond + payer.weight) - uses.scale / 2;
  };

  return {
    /**
     * Charges one use in equal parts to owners; those that are held are charged only where all are:
     * what is done for another one must not keep them from their own.
     *
     * @returns owners that are held now and were not, or no longer are: empty most of the time
     */
    charge(ownerIds: readonly string[]): readonly string[] {
      const notHeld = ownerIds.filter((ownerId) => !held.has(ownerId));
      const charged = notHeld.length > 0 ? notHeld : ownerIds;
      const begun = charged.filter((ownerId) => chargeOne(ownerId, uses.scale / charged.length));
      uses.passed();
      sinceReviewed += 1;
      const isDue =
        sinceReviewed >= EVERY_USES || charged.some((ownerId) => isCrossing(accountOf(ownerId)));
      return isDue ? [...new Set([...begun, ...review()])] : begun;
    },
    isHeld: (ownerId: string): boolean => held.has(ownerId),
    /** Owners and payers looked at until now. */
    get steps(): number {
      return effort.steps;
    },
  };
}

/** Adds up what each owner has used, and each payer. */
function createUses(accountOf: AccountOf, effort: Effort) {
  const payers = new Map<string, Payer>();
  const payerOf = new Map<string, string>();
  const large = new Set<string>();
  let total = 0;
  let scale = 1;

  /**
   * Returns the use that a newcomer begins with: the least of the others, so that what those took
   * while alone is not held against them.
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
      held: new Set(),
      sinceLevelled: 0,
    };
    payers.set(payer, created);
    if (used > 0) created.owners.set(ownerId, used);
    total += used;
    return created;
  };

  /** A server that was given to somebody takes its use along. */
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
    /** Payers that may be beyond their share. */
    large,
    get scale(): number {
      return scale;
    },
    /** Sum of all uses that shares are taken of. */
    sum: (): number => Math.max(total, FIRST_USES * scale),
    /** @returns the owner's payer, and what the owner has used by now */
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
    /** One use has been charged: all that was used so far counts for a little less. */
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

/** Seeks somebody beside payers that have much, as seldom as it can. */
function createOthers({ accountOf, owners, isPresent }: RecentUseDeps, effort: Effort) {
  /**
   * An owner whose payer was not beyond its share when that was last asked; null if none is known.
   */
  let witness: string | null = null;
  /** Payers beside whom there was nobody, and for how many uses that is not asked again. */
  let all: ReadonlySet<string> = new Set();
  let usesUntilSought = 0;

  return {
    /** Tells whether somebody is there whose payer is none of these. */
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
      // Sought again when as many uses have gone by.
      all = candidates;
      usesUntilSought = count;
      return false;
    },
    /** So many uses have gone by since the last call. */
    passed(uses: number): void {
      usesUntilSought -= uses;
    },
  };
}

/**
 * Works out anew which owners of a payer are held, now and then where it has many.
 *
 * @param share `part`: of all uses, what the payer may have
 * @returns whether it did
 */
function levelOwners(
  payer: Payer,
  share: { readonly part: number; readonly isBeyond: boolean; readonly scale: number },
  effort: Effort,
): boolean {
  const { part, isBeyond, scale } = share;
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
    payer.held = new Set(above.map(([ownerId]) => ownerId));
  } else {
    const uses = Array.from(payer.owners, ([id, used]) => ({ id, used, weight: 1 }));
    const most = uses.filter(({ used }) => used > part / (MOST_BEYOND + 1));
    payer.level = null;
    payer.held = new Set(
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
 * The k that have more than 1/(k + 1) each, for the greatest such k that leaves others.
 *
 * @param slack taken off that share: half of what one use adds, so that they have it on average
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
 * The level up to which all have `part` together; infinite where they have no more than that
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
