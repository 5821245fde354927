import type { VenuePage } from '../feed/interface.ts';
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

/** How far back a first page goes, Unix seconds: 0 if it holds all that there is; null if that is not known. */
export function reachOf({
  items,
  skipped,
  hasMore,
}: Pick<VenuePage<{ readonly time: number }>, 'items' | 'skipped' | 'hasMore'>): number | null {
  if (skipped.length > 0 || (hasMore && items.length === 0)) return null;
  return hasMore ? Math.min(...items.map(({ time }) => time)) : 0;
}

/** Whether an owner may be shown all sums of a wallet's history: it knows the wallet from its first trade by its own watch. */
export function knowsAll(joined: Joined | undefined, history: { readonly isWhole: boolean }): boolean {
  return joined === undefined || (history.isWhole && joined.knownSinceSeconds === 0);
}
