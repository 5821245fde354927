import type { WalletAddress } from '../domain/address.ts';
import type { Endpoint, Schedule } from './schedule.ts';

/** Polls count for about as many further ones. */
const MEMORY_POLLS = 100;
/** Until so many count, a few in a row say nothing. */
const FIRST_POLLS = 95;
/** After so many the shares are reckoned anew. */
const EVERY_POLLS = 5;
/** Share of a group's part for its modest servers before held ones: with all of it, each flooding member overshoots. */
const SAFE_OF_GROUP = 0.5;
/** Of a server with less no account is kept. */
const NEGLIGIBLE_SHARE = 1e-9;

export interface FairShareDeps {
  /** The servers that watch a wallet, each once; none if nobody does any more. */
  readonly guildsOf: (wallet: WalletAddress) => Iterable<string>;
  readonly walletsOf: (guildId: string) => Iterable<WalletAddress>;
  /** Servers that watch anything. */
  readonly guilds: () => Iterable<string>;
  /** Which servers weigh together as one among the others, and share fairly among themselves: their group. */
  readonly groupOf: (guildId: string) => string;
}

/**
 * The same schedule, polled fairly between servers: k servers that take more than 1/(k + 1) of the polls each are held
 * to that; all others together have as much as one. With one flooding neighbour a server keeps at least half the polls
 * and its delay at most doubles; where no server takes more than half, nor two more than a third each, nothing changes.
 *
 * Servers of one group are one in this. Of a group that is beyond its part those servers are held that have more than
 * an equal level, up to which all of it have half of that part together.
 *
 * The wallets of a server that is beyond its part are held (`Schedule.setHeld`): all others go before them, unless a
 * server that is not beyond its part watches them, too. A poll is charged in equal parts to the servers that watch the
 * wallet, those that are held excepted: what is polled for another one must not keep them from their own.
 */
export function createFairShare(schedule: Schedule, deps: FairShareDeps): Schedule {
  /** By server; earlier polls count for less. */
  const polls = new Map<string, number>();
  let total = 0;
  let sinceReckoned = 0;
  let heldGuilds: ReadonlySet<string> = new Set();
  const heldWallets = new Set<WalletAddress>();

  const pollsByGroup = () => {
    const groups = new Map<string, number>();
    for (const [id, count] of polls) groups.set(deps.groupOf(id), (groups.get(deps.groupOf(id)) ?? 0) + count);
    return groups;
  };

  const charge = ({ wallet }: Endpoint) => {
    const guildIds = [...deps.guildsOf(wallet)];
    const notHeld = guildIds.filter((guildId) => !heldGuilds.has(guildId));
    const payers = notHeld.length > 0 ? notHeld : guildIds;
    // A newcomer begins level with the least of the others: what those took while alone is not held against them.
    const groups = pollsByGroup();
    const least = Math.min(...groups.values());
    for (const guildId of payers) {
      const group = deps.groupOf(guildId);
      if (groups.has(group) || least === Number.POSITIVE_INFINITY) continue;
      groups.set(group, least);
      polls.set(guildId, least);
      total += least;
    }
    total += 1;
    for (const guildId of payers) polls.set(guildId, (polls.get(guildId) ?? 0) + 1 / payers.length);
  };

  /** Whether all servers that watch it are held. */
  const isHeld = (wallet: WalletAddress): boolean => {
    const guildIds = [...deps.guildsOf(wallet)];
    return guildIds.length > 0 && guildIds.every((guildId) => heldGuilds.has(guildId));
  };

  const setHeld = (wallet: WalletAddress, isHeldNow: boolean) => {
    heldWallets[isHeldNow ? 'add' : 'delete'](wallet);
    schedule.setHeld(wallet, isHeldNow);
  };

  const reckon = () => {
    const keep = (1 - 1 / MEMORY_POLLS) ** EVERY_POLLS;
    total *= keep;
    for (const [guildId, count] of polls) {
      if (count * keep < NEGLIGIBLE_SHARE * total) polls.delete(guildId);
      else polls.set(guildId, count * keep);
    }
    const before = heldGuilds;
    const all = Math.max(total, FIRST_POLLS);
    const groupCount = new Set(Array.from(deps.guilds(), deps.groupOf)).size;
    const groups = beyondTheirShare(pollsByGroup(), all, groupCount);
    const safe = (SAFE_OF_GROUP * all) / (groups.size + 1);
    const members = (group: string) => [...polls].filter(([guildId]) => deps.groupOf(guildId) === group);
    heldGuilds = new Set([...groups].flatMap((group) => aboveLevel(members(group), safe)));
    if (before.size === heldGuilds.size && [...heldGuilds].every((guildId) => before.has(guildId))) return;
    const touched = new Set([...heldWallets, ...[...heldGuilds].flatMap((guildId) => [...deps.walletsOf(guildId)])]);
    for (const wallet of touched) setHeld(wallet, isHeld(wallet));
  };

  return {
    ...schedule,
    get size() {
      return schedule.size;
    },
    add(endpoint, learned) {
      schedule.add(endpoint, learned);
      // What a server at its limit adds waits for that server's polls; so does the second endpoint of a held wallet.
      setHeld(endpoint.wallet, heldWallets.has(endpoint.wallet) || isHeld(endpoint.wallet));
    },
    remove(wallet) {
      heldWallets.delete(wallet);
      schedule.remove(wallet);
    },
    pick(nowSeconds, count) {
      const picked = schedule.pick(nowSeconds, count);
      for (const endpoint of picked) charge(endpoint);
      sinceReckoned += picked.length;
      if (sinceReckoned >= EVERY_POLLS) {
        sinceReckoned = 0;
        reckon();
      }
      return picked;
    },
  };
}

/** The k servers with more than 1/(k + 1) of the polls each, for the greatest such k that leaves others. */
export function beyondTheirShare(polls: ReadonlyMap<string, number>, total: number, guildCount: number): Set<string> {
  const most = [...polls].sort((a, b) => b[1] - a[1]).slice(0, Math.max(0, guildCount - 1));
  let flooding = 0;
  for (const [index, [, count]] of most.entries()) if (count > total / (index + 2)) flooding = index + 1;
  const above = most.filter(([, count]) => flooding > 0 && count > total / (flooding + 1));
  return new Set(above.map(([guildId]) => guildId));
}

/** Those above the level up to which all have `part` together, if they have more than that (water-filling). */
function aboveLevel(polls: readonly (readonly [guildId: string, count: number])[], part: number): string[] {
  const ascending = polls.toSorted((a, b) => a[1] - b[1]);
  let left = part;
  for (const [index, [, count]] of ascending.entries()) {
    if (count > left / (ascending.length - index)) return ascending.slice(index).map(([guildId]) => guildId);
    left -= count;
  }
  return [];
}
