import type { ActivityItem } from '../domain/records.ts';
import { inTurns } from '../lib/async/turns.ts';
import { sum } from '../lib/exact.ts';
import { newPortfolio } from '../portfolio/portfolio.ts';
import { SIZES_KEPT, type SizedTrade, tradeSizes } from '../portfolio/trades/sizes.ts';
import { addActivity } from '../portfolio/update.ts';
import { FIRST_RECORDS, isWhole, type PageScan } from './page-scan.ts';

/**
 * What a card shows of a list: what is held, traded and usual by its newest records alone, and how far these reach. They are as
 * many as its first page reads, however far somebody has paged.
 *
 * @param scan from the top of the list, without filters
 */
export async function cardList(scan: PageScan<ActivityItem>, nowSeconds: number) {
  const items = scan.items.slice(0, FIRST_RECORDS);
  const oldest = items.at(-1);
  const isCut = oldest !== undefined && items.length < scan.items.length;
  const cut = isCut ? { scanned: items.length, oldestSeconds: oldest.time, cursor: undefined } : {};
  // The scan grows when somebody turns the page: what a card was computed from stays as it was.
  const coverage = { ...scan, items, ...cut };
  const isAll = isWhole(coverage) && coverage.skipped === 0;
  // A record that could not be read may have been of any time.
  const sinceSeconds = coverage.skipped > 0 ? nowSeconds : coverage.oldestSeconds;
  const timed: { readonly seconds: number; readonly item: ActivityItem }[] = [];
  for await (const piece of inTurns(items.toReversed()))
    timed.push(...piece.map((item) => ({ seconds: item.time, item })));
  timed.sort((a, b) => a.seconds - b.seconds);
  let portfolio = newPortfolio(isAll ? 0 : sinceSeconds, isAll);
  const trades = new Map<string, SizedTrade>();
  for await (const piece of inTurns(timed.map(({ item }) => item))) {
    ({ portfolio } = addActivity(portfolio, piece, nowSeconds, () => true));
    // The fills of one trade may be in two turns.
    for (const [id, [seconds, usdc]] of tradeSizes(piece)) {
      const [firstSeconds, before] = trades.get(id) ?? [seconds, 0];
      trades.set(id, [firstSeconds, sum([before, usdc]).toNumber()]);
    }
  }
  return { coverage, portfolio: { ...portfolio, sizes: [...trades.values()].slice(-SIZES_KEPT) } };
}
