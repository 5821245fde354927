import type { LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import type { AccountOf } from '../../lib/fair-shares/account.ts';
import { personOf } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';
import type { WatchId } from '../../watches/watch.ts';
import { isLeaving } from '../../watches/watch.ts';
import type { Limits } from './exceptions.ts';
import { shareOfTotal } from './total.ts';

/**
 * Creates limits on the number of watches and channels of a server, or of a person for themselves.
 */
export function createWatchPlaces(parts: {
  readonly limits: Omit<Limits, 'ALLOWED_GUILDS'>;
  readonly registry: Pick<Registry, 'ofOwner' | 'owners' | 'placesNeeded' | 'size'>;
  readonly accountOf: AccountOf;
}) {
  const { limits, registry, accountOf } = parts;
  const { LIMITS_FILE: exceptions } = limits;
  /** Watches being added by `withSpaceFor`, by owner, including those that already exist. */
  const comingByOwner = new Map<string, Set<readonly WatchId[]>>();

  /** Returns the number of an owner's watches being added that do not exist yet. */
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

  /** Whether WATCHES_TOTAL, or else the payer's share of it, has space for `count` more watches. */
  const hasFreePlaces = (ownerId: string, count: number): boolean => {
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

  /**
   * Returns why a guild, or a person for themselves, may not have `count` more watches; null if it
   * may.
   */
  const watchesTooMany = (ownerId: string, count: number): LocalizedText | null => {
    // Watches being removed are polled until the removal can no longer be undone.
    const kept = registry.ofOwner(ownerId);
    const leaving = kept.filter(isLeaving).length;
    const present = kept.length + comingOf(ownerId);
    const most = mostWatches(ownerId);
    if (count === 0) return null;
    if (present + count <= most) {
      if (hasFreePlaces(ownerId, count)) return null;
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
     * Ensures that a guild keeps data of no more channels than it may have watches.
     *
     * @param kept data of all guilds
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
    /** @throws UserError if the owner may not have `count` more watches */
    requireSpace: (ownerId: string, count: number): void =>
      refuseFor(watchesTooMany(ownerId, count)),
    /**
     * Runs work that adds watches in these places, which are reserved until it ends. Places that
     * are already watched are not counted twice.
     *
     * @throws UserError before the work, if there would be too many
     */
    async withSpaceFor<Result>(
      ownerId: string,
      places: readonly WatchId[],
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
