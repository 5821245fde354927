import type { WalletAddress } from '../domain/address.ts';
import type { Account, AccountOf } from '../lib/fair-shares/account.ts';
import { createRecentUse } from '../lib/fair-shares/recent-use.ts';
import type { Endpoint, Schedule } from './schedule.ts';

/** The parties among which polls are shared. Owners are servers and single persons. */
export interface Watchers {
  /** Returns the owners that watch a wallet, each once; none if it is no longer watched. */
  readonly ownersOf: (wallet: WalletAddress) => Iterable<string>;
  readonly walletsOf: (ownerId: string) => Iterable<WalletAddress>;
  /** Returns all owners that watch anything. */
  readonly owners: () => Iterable<string>;
  readonly accountOf: AccountOf;
}

/**
 * Shares a schedule's polls fairly among payers (`lib/fair-shares/recent-use.ts`). If one neighbor
 * floods, an owner keeps at least half the polls and its delay at most doubles. As long as no payer
 * uses more than half, nor two use more than a third each, nothing changes.
 *
 * The wallets of an owner above its share are throttled (`Schedule.setThrottled`): all others come
 * first, unless an owner within its share watches the wallet too. A poll is charged to the owners
 * that watch the wallet.
 *
 * @param onPoll called for each poll with each watching account and its part
 */
export function createFairSchedule(
  schedule: Schedule,
  { ownersOf, walletsOf, owners, accountOf }: Watchers,
  onPoll: (account: Account, part: number) => void = () => {},
): Schedule {
  const isPresent = (ownerId: string) => [...walletsOf(ownerId)].length > 0;
  const use = createRecentUse({ accountOf, owners, isPresent });

  /** Whether all owners that watch the wallet are throttled. */
  const isThrottled = (wallet: WalletAddress): boolean => {
    const ownerIds = [...ownersOf(wallet)];
    return ownerIds.length > 0 && ownerIds.every(use.isThrottled);
  };

  const recheck = (wallet: WalletAddress): void =>
    schedule.setThrottled(wallet, isThrottled(wallet));

  const charge = ({ wallet }: Endpoint): void => {
    const ownerIds = [...ownersOf(wallet)];
    for (const ownerId of ownerIds) onPoll(accountOf(ownerId), 1 / ownerIds.length);
    const changed = use.charge(ownerIds);
    for (const ownerId of changed) for (const own of walletsOf(ownerId)) recheck(own);
  };

  return {
    ...schedule,
    get size() {
      return schedule.size;
    },
    add(endpoint, learned) {
      schedule.add(endpoint, learned);
      // A wallet added by a throttled owner waits for that owner's polls.
      recheck(endpoint.wallet);
    },
    watchersChanged: recheck,
    pick(nowSeconds, count) {
      const picked = schedule.pick(nowSeconds, count);
      for (const endpoint of picked) charge(endpoint);
      return picked;
    },
  };
}
