import type { LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import type { AccountOf } from '../../lib/fair-shares/account.ts';
import { personOf } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';
import { isLeaving } from '../../watches/watch.ts';
import type { Place } from '../../watches/watch-index.ts';
import type { Limits } from './exceptions.ts';
import { shareOfTotal } from './total.ts';

/** Limits how many watches and channels a server may have, or a person for themselves. */
export function createWatchPlaces(parts: {
  readonly limits: Pick<
    Limits,
    'LIMITS_FILE' | 'WATCHES_PER_GUILD' | 'WATCHES_PER_USER' | 'WATCHES_TOTAL'
  >;
  readonly registry: Pick<Registry, 'ofOwner' | 'owners' | 'placesNeeded' | 'size'>;
  readonly accountOf: AccountOf;
}) {
  const { limits, registry, accountOf } = parts;
  const { LIMITS_FILE: exceptions } = limits;
  /** By owner, watches that are being added by `withSpaceFor`, those that are there already too. */
  const comingByOwner = new Map<string, Set<readonly Place[]>>();

  /** Counts those of an owner that are not there yet. */
  const comingOf = (ownerId: string): number => {
    let count = 0;
    for (const places of comingByOwner.get(ownerId) ?? []) count += registry.placesNeeded(places);
    return count;
  };

  const mostWatches = (ownerId: string) => {
    const isPerson = personOf(ownerId) !== null;
    const usual = isPerson ? limits.WATCHES_PER_USER : limits.WATCHES_PER_GUILD;
    return exceptions.get(ownerId)?.watches ?? usual;
  };

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
      if (leaving === 0) return refusal;
      return `${refusal}${texts.watch.gap}${quota.leavingCount(leaving)}`;
    };
  };

  return {
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

/** @throws UserError with the reason, if there is one */
export function refuseFor(reason: LocalizedText | null): void {
  if (reason !== null) throw new UserError(reason);
}
