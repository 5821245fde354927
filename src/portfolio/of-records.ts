import type { ActivityItem } from '../domain/records.ts';
import { inTurns } from '../lib/async/turns.ts';
import { sum } from '../lib/exact.ts';
import { marketKey } from './market.ts';
import type { Portfolio } from './portfolio.ts';
import { withoutMarkets } from './positions/known-markets.ts';
import { newFill } from './positions/market-stories.ts';
import { addInOrder, compareFills, type Position } from './positions/position.ts';
import { foldPositions } from './positions/totals.ts';
import { SIZES_KEPT, type SizedTrade, tradeSizes } from './trades/sizes.ts';
import { addToVolume } from './trades/volume.ts';
import { volumeEntry } from './update.ts';

/** A record with what places it. */
interface Listed {
  readonly timeSeconds: number;
  readonly action: string;
  readonly item: ActivityItem;
}

/**
 * What is held, traded and usual by records alone, for somebody who looks at a list: nothing is added to the result. Works in
 * turns of the event loop.
 *
 * @param empty the portfolio before them
 * @param newestFirst records, as they are listed
 * @param nowSeconds the venue's clock, Unix seconds
 */
export async function portfolioOfRecords(
  empty: Portfolio,
  newestFirst: readonly ActivityItem[],
  nowSeconds: number,
): Promise<Portfolio> {
  const oldestFirst: Listed[] = [];
  for await (const piece of inTurns(newestFirst.toReversed()))
    for (const item of piece) oldestFirst.push({ timeSeconds: item.time, action: item.action, item });
  oldestFirst.sort((a, b) => a.timeSeconds - b.timeSeconds);
  const trades = new Map<string, SizedTrade>();
  let { volume } = empty;
  for await (const piece of inTurns(oldestFirst)) {
    const items = piece.map(({ item }) => item);
    for (const [id, [timeSeconds, usdc]] of tradeSizes(items)) {
      const [firstSeconds, before] = trades.get(id) ?? [timeSeconds, 0];
      trades.set(id, [firstSeconds, sum([before, usdc]).toNumber()]);
    }
    const traded = items.map(newFill).flatMap((entry) => volumeEntry(entry, undefined));
    volume = addToVolume(volume, traded, nowSeconds);
  }
  const held = empty.isWhole ? await withHeld(empty, oldestFirst.toSorted(compareFills)) : empty;
  const sizes = [...trades.values()].slice(-SIZES_KEPT);
  return foldPositions({ ...held, volume, sizes }, nowSeconds, () => false);
}

/** The portfolio with what is held by these records. */
async function withHeld(empty: Portfolio, inOrder: readonly Listed[]): Promise<Portfolio> {
  const positions = new Map<string, Position>();
  const lost = new Set<string>();
  for await (const piece of inTurns(inOrder)) {
    for (const { item } of piece) if (!addInOrder(positions, item)) lost.add(marketKey(item));
  }
  return withoutMarkets({ ...empty, positions: [...positions.values()] }, lost);
}
