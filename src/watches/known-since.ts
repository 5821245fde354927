import type { Joined, Watch } from './watch.ts';

/**
 * What a server may be told of a wallet that others watch, too: as far back as its own watches reach.
 *
 * @param watches of one server and one wallet
 * @returns undefined if nobody else watched the wallet when the server began to: all that is known was seen for it
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
 * What a new watch knows, given the watches that there are of its wallet.
 *
 * @param knownSinceSeconds how far back the page reached that was read for it, Unix seconds; 0: to the wallet's first trade
 */
export function joinedAmong(
  { guildId, sinceSeconds }: Pick<Watch, 'guildId' | 'sinceSeconds'>,
  knownSinceSeconds: number,
  present: readonly Watch[],
): Joined | undefined {
  const own = present.filter((watch) => watch.guildId === guildId);
  if (own.length > 0) return joinedBy(own);
  return present.length === 0 ? undefined : { atSeconds: sinceSeconds, knownSinceSeconds };
}

/** Whether a history reaches further back than a server may know. */
export function isBeyond(
  joined: Joined | undefined,
  { sinceSeconds, isWhole }: { readonly sinceSeconds: number; readonly isWhole: boolean },
): joined is Joined {
  if (joined === undefined) return false;
  return isWhole ? joined.knownSinceSeconds > 0 : sinceSeconds < joined.knownSinceSeconds;
}

/** Whether a server may be told all that a wallet's history sums up: it knows the wallet from its first trade on by itself. */
export function knowsAll(joined: Joined | undefined, history: { readonly isWhole: boolean }): boolean {
  return joined === undefined || (history.isWhole && joined.knownSinceSeconds === 0);
}
