import type { Joined, Watch } from './watch.ts';

/**
 * Since when an owner knows a wallet that other owners watched before: the earliest of its own watches.
 *
 * @param watches of one owner and one wallet
 * @returns undefined if no other owner watched the wallet when this one began: all that is known was seen for it
 */
export function joinedBy(watches: readonly Pick<Watch, 'joined'>[]): Joined | undefined {
  const joined = watches.flatMap((watch) => watch.joined ?? []);
  if (joined.length < watches.length || joined.length === 0) return undefined;
  return {
    atSeconds: Math.min(...joined.map(({ atSeconds }) => atSeconds)),
    knownSinceSeconds: Math.min(...joined.map(({ knownSinceSeconds }) => knownSinceSeconds)),
  };
}

/**
 * `joined` of a new watch.
 *
 * @param knownSinceSeconds how far back the page went that was read for it, Unix seconds; 0: to the wallet's first trade
 * @param present all watches of its wallet
 */
export function joinedAmong(
  { ownerId, sinceSeconds }: Pick<Watch, 'ownerId' | 'sinceSeconds'>,
  knownSinceSeconds: number,
  present: readonly Watch[],
): Joined | undefined {
  const own = present.filter((watch) => watch.ownerId === ownerId);
  if (own.length > 0) return joinedBy(own);
  return present.length === 0 ? undefined : { atSeconds: sinceSeconds, knownSinceSeconds };
}

/** Whether an owner may be shown all sums of a wallet's history: it knows the wallet from its first trade by its own watch. */
export function knowsAll(joined: Joined | undefined, history: { readonly isWhole: boolean }): boolean {
  return joined === undefined || (history.isWhole && joined.knownSinceSeconds === 0);
}
