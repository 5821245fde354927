import type { AccountOf } from './account.ts';

/** Number of later uses over which a use is remembered. */
const MEMORY = 100;
/** Minimum total from which shares are computed, because a few uses in a row mean nothing. */
const FIRST_USES = 95;
/**
 * Uses between two reviews of who is above their share, usually and while no payer has used enough
 * to be. A payer or an owner that exceeds its share is reviewed at once.
 */
const EVERY_USES = { usual: 8, calm: 32 };
/** Amount of use below which an owner is forgotten. */
const NEGLIGIBLE = 0.05;
/**
 * Maximum number of payers above their share at a time, because a memory of 100 cannot distinguish
 * smaller shares.
 */
const MOST_BEYOND = 39;
/** Subtracted from a share: half of what one use adds, so that shares are met on average. */
const SLACK = 0.5;
/**
 * Part of a payer's share reserved for its modest owners before throttled ones. If it were all,
 * each flooding owner would overshoot.
 */
const SAFE_OF_PAYER = 0.5;
/** Overshoot at which all owners of a payer are throttled, relative to its share. */
const LARGEST_OVERSHOOT = 0.1;

/** Uses of a payer, or of an owner within its payer. */
interface Share {
  readonly id: string;
  readonly weight: number;
  used: number;
}
interface PayerShare extends Share {
  readonly owners: Share[];
  /** Uses above which its owners are throttled; null while the payer is within its share. */
  level: number | null;
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
 * @param owners returns all owners that could use something now
 */
export function createRecentUse(accountOf: AccountOf, owners: () => Iterable<string>) {
  /** Uses by owner, without forgotten ones. */
  const uses = new Map<string, number>();
  /** Uses by payer as of the last review, plus later charges. */
  let payers = new Map<string, PayerShare>();
  let total = FIRST_USES;
  /** Most that a payer has used, by its weight. */
  let largest = 0;
  /** Σ of the weights of payers that are beyond their share. */
  let weightBeyond = 0;
  let held: ReadonlySet<string> = new Set();
  let sinceReviewed = 0;

  const add = (payer: Share, ownerId: string, amount: number): number => {
    const used = (uses.get(ownerId) ?? 0) + amount;
    uses.set(ownerId, used);
    payer.used += amount;
    return used;
  };

  /**
   * Returns the owner's payer. A new payer starts with the lowest use of all others, so that their
   * use while alone is not held against them.
   */
  const payerOf = (ownerId: string): PayerShare => {
    const account = accountOf(ownerId);
    const found = payers.get(account.payer);
    if (found !== undefined) return found;
    const payer = newPayer(account);
    const others = Array.from(payers.values(), ({ used }) => used);
    payers.set(payer.id, payer);
    if (others.length > 0 && others.length <= MOST_BEYOND) {
      add(payer, ownerId, Math.min(...others));
    }
    return payer;
  };

  /** @returns whether it has just exceeded its share */
  const charge = (ownerId: string, amount: number): boolean => {
    const payer = payerOf(ownerId);
    const used = add(payer, ownerId, amount);
    largest = Math.max(largest, perWeight(payer));
    if (payer.level !== null) return used > payer.level && !held.has(ownerId);
    return perWeight(payer) > total / (1 + weightBeyond + payer.weight) - SLACK;
  };

  const areBeside = (candidates: ReadonlySet<Share>): boolean => {
    const ids = new Set(Array.from(candidates, ({ id }) => id));
    for (const ownerId of owners()) if (!ids.has(accountOf(ownerId).payer)) return true;
    return false;
  };

  /** @returns owners whose throttling has begun or ended */
  const review = (): readonly string[] => {
    forget(uses, (1 - 1 / MEMORY) ** sinceReviewed);
    sinceReviewed = 0;
    payers = payersOf(uses, accountOf);
    total = Math.max(FIRST_USES, sumOf(payers.values(), 'used'));
    const beyond = beyondShare(payers.values(), total, areBeside);
    weightBeyond = sumOf(beyond, 'weight');
    largest = Math.max(0, ...Array.from(payers.values(), perWeight));
    const before = held;
    held = new Set(
      [...payers.values()].flatMap((payer) => {
        const part = (total * payer.weight) / (1 + weightBeyond);
        const leavesOthers = ({ size }: ReadonlySet<Share>) => size < payer.owners.length;
        let above: Iterable<Share>;
        if (beyond.has(payer)) {
          const level = levelOf(payer, part);
          payer.level = level;
          above = payer.owners.filter(({ used }) => used > level);
        } else above = beyondShare(payer.owners, part, leavesOthers);
        return Array.from(above, ({ id }) => id);
      }),
    );
    const begun = [...held].filter((ownerId) => !before.has(ownerId));
    const over = [...before].filter((ownerId) => !held.has(ownerId));
    return [...begun, ...over];
  };

  return {
    /**
     * Charges one use to owners in equal parts. Throttled owners are charged only if all are
     * throttled, because work for others must not cost them their own.
     *
     * @returns owners whose throttling has begun or ended; usually empty
     */
    charge(ownerIds: readonly string[]): readonly string[] {
      const notHeld = ownerIds.filter((ownerId) => !held.has(ownerId));
      const charged = notHeld.length > 0 ? notHeld : ownerIds;
      sinceReviewed += 1;
      const isCalm = largest <= total / (1 + MOST_BEYOND);
      let isDue = sinceReviewed >= EVERY_USES[isCalm ? 'calm' : 'usual'];
      for (const ownerId of charged) if (charge(ownerId, 1 / charged.length)) isDue = true;
      return isDue ? review() : [];
    },
    isThrottled: (ownerId: string): boolean => held.has(ownerId),
  };
}

function newPayer({ payer: id, weight }: ReturnType<AccountOf>): PayerShare {
  return { id, weight, used: 0, owners: [], level: null };
}

/** Scales all uses by a factor. */
function forget(uses: Map<string, number>, part: number): void {
  for (const [ownerId, used] of uses) {
    if (used * part < NEGLIGIBLE) uses.delete(ownerId);
    else uses.set(ownerId, used * part);
  }
}

/** Sums uses by payer. A server that was transferred keeps its uses. */
function payersOf(uses: ReadonlyMap<string, number>, accountOf: AccountOf) {
  const payers = new Map<string, PayerShare>();
  for (const [ownerId, used] of uses) {
    const account = accountOf(ownerId);
    const payer = payers.get(account.payer) ?? newPayer(account);
    payers.set(payer.id, payer);
    payer.used += used;
    payer.owners.push({ id: ownerId, weight: 1, used });
  }
  return payers;
}

function perWeight({ used, weight }: Share): number {
  return used / weight;
}

function sumOf(shares: Iterable<Share>, figure: 'used' | 'weight'): number {
  let sum = 0;
  for (const share of shares) sum += share[figure];
  return sum;
}

/**
 * Returns the k shares that exceed 1/(k + 1) of the total each, for the greatest k that leaves
 * others.
 */
function beyondShare<Shared extends Share>(
  shares: Iterable<Shared>,
  total: number,
  leavesOthers: (candidates: ReadonlySet<Share>) => boolean,
): ReadonlySet<Shared> {
  const descending = [...shares]
    .sort((one, other) => perWeight(other) - perWeight(one))
    .slice(0, MOST_BEYOND);
  let weights = 0;
  let found: ReadonlySet<Shared> = new Set();
  for (const [index, share] of descending.entries()) {
    weights += share.weight;
    if (perWeight(share) <= total / (1 + weights) - SLACK) continue;
    const candidates = new Set(descending.slice(0, index + 1));
    if (leavesOthers(candidates)) found = candidates;
  }
  return found;
}

/**
 * Returns the level up to which a payer's owners together use the reserved part of its share;
 * infinite if they use no more than that (water-filling).
 *
 * @param part the payer's share of all uses
 */
function levelOf({ used: usedByAll, owners }: PayerShare, part: number): number {
  const overshoot = usedByAll / part - 1;
  let left = SAFE_OF_PAYER * part * Math.max(0, 1 - overshoot / LARGEST_OVERSHOOT);
  const ascending = owners.map(({ used }) => used).sort((one, other) => one - other);
  for (const [index, used] of ascending.entries()) {
    const level = left / (ascending.length - index);
    if (used > level) return level;
    left -= used;
  }
  return Number.POSITIVE_INFINITY;
}
