import type { AccountOf } from './account.ts';

/** A use counts for about as many further ones. */
const MEMORY = 100;
/** Least sum of uses that shares are taken of: until so many count, a few in a row say nothing. */
const FIRST_USES = 95;
/** Uses after which it is looked at anew who is beyond their share, unless somebody comes to be. */
const EVERY_USES = 8;
/** Least of an owner's uses that are remembered. */
const NEGLIGIBLE = 0.05;
/**
 * Payers that can be beyond their share at a time: a memory of 100 does not tell smaller shares
 * apart.
 */
const MOST_BEYOND = 39;
/** Taken off a share: half of what one use adds, so that shares are met on average. */
const SLACK = 0.5;
/**
 * Share of a payer's part for its modest owners before held ones: with all of it, each flooding
 * owner overshoots.
 */
const SAFE_OF_PAYER = 0.5;
/** A payer that has so much more than its part has all its owners held. */
const LARGEST_OVERSHOOT = 0.1;

/** Uses of a payer, or of an owner within its payer. */
interface Share {
  readonly id: string;
  readonly weight: number;
  used: number;
}
interface PayerShare extends Share {
  readonly owners: Share[];
  /** Uses up to which its owners are not held; infinite while it is not beyond its share. */
  level: number;
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
 * @param owners all that could use something now
 */
export function createRecentUse(accountOf: AccountOf, owners: () => Iterable<string>) {
  /** By owner, without what is forgotten. */
  const uses = new Map<string, number>();
  /** By payer, as they were when it was last looked at, and with what was charged since. */
  let payers = new Map<string, PayerShare>();
  let total = FIRST_USES;
  /** Σ of the weights of those that are beyond their share. */
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
   * Returns the owner's payer. One that is new begins with the least of the others: what those took
   * while alone is not held against them.
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

  /** @returns whether it has come to be beyond its share */
  const charge = (ownerId: string, amount: number): boolean => {
    const payer = payerOf(ownerId);
    const used = add(payer, ownerId, amount);
    if (payer.level < Number.POSITIVE_INFINITY) return used > payer.level && !held.has(ownerId);
    return perWeight(payer) > total / (1 + weightBeyond + payer.weight) - SLACK;
  };

  const areBeside = (candidates: ReadonlySet<Share>): boolean => {
    const ids = new Set(Array.from(candidates, ({ id }) => id));
    for (const ownerId of owners()) if (!ids.has(accountOf(ownerId).payer)) return true;
    return false;
  };

  /** @returns owners that are held now and were not, or no longer are */
  const review = (): readonly string[] => {
    forget(uses, (1 - 1 / MEMORY) ** sinceReviewed);
    sinceReviewed = 0;
    payers = payersOf(uses, accountOf);
    total = Math.max(FIRST_USES, sumOf(payers.values(), 'used'));
    const beyond = beyondShare(payers.values(), total, areBeside);
    weightBeyond = sumOf(beyond, 'weight');
    const before = held;
    held = new Set(
      [...payers.values()].flatMap((payer) => {
        const part = (total * payer.weight) / (1 + weightBeyond);
        const isBeyond = beyond.has(payer);
        if (isBeyond) payer.level = levelOf(payer, part);
        const leavesOthers = ({ size }: ReadonlySet<Share>) => size < payer.owners.length;
        const above = isBeyond
          ? payer.owners.filter(({ used }) => used > payer.level)
          : beyondShare(payer.owners, part, leavesOthers);
        return Array.from(above, ({ id }) => id);
      }),
    );
    const begun = [...held].filter((ownerId) => !before.has(ownerId));
    const over = [...before].filter((ownerId) => !held.has(ownerId));
    return [...begun, ...over];
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
      sinceReviewed += 1;
      let isDue = sinceReviewed >= EVERY_USES;
      for (const ownerId of charged) if (charge(ownerId, 1 / charged.length)) isDue = true;
      return isDue ? review() : [];
    },
    isThrottled: (ownerId: string): boolean => held.has(ownerId),
  };
}

function newPayer({ payer: id, weight }: ReturnType<AccountOf>): PayerShare {
  return { id, weight, used: 0, owners: [], level: Number.POSITIVE_INFINITY };
}

/** Lets only a part of all uses count from now on. */
function forget(uses: Map<string, number>, part: number): void {
  for (const [ownerId, used] of uses) {
    if (used * part < NEGLIGIBLE) uses.delete(ownerId);
    else uses.set(ownerId, used * part);
  }
}

/** Adds up uses by payer. A server that was given to somebody takes its uses along. */
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

/** The k that have more than 1/(k + 1) of the total each, for the greatest k that leaves others. */
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
 * The level up to which a payer's owners have the safe share of its part together; infinite where
 * they have no more than that (water-filling).
 *
 * @param part of all uses, what the payer may have
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
