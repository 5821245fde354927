import type { APIEmbed } from 'discord.js';
import type { ActivityItem } from '../../src/domain/records.ts';
import { inTurns } from '../../src/lib/async/turns.ts';
import { sum } from '../../src/lib/exact.ts';
import { FIRST_RECORDS, isWhole, type PageScan } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import { walletCardEmbed } from '../../src/lookups/wallet-card.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { SIZES_KEPT, type SizedTrade, tradeSizes } from '../../src/portfolio/trades/trades.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { joinedBy, knowsAll } from '../../src/watches/known-since.ts';
import { beganSecondsOf } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';

/**
 * The card of a wallet for one server: from the stored portfolio if this server watches the wallet, else from the list alone.
 * What was seen for another server stays unknown to this one: a portfolio that begins before this server's own watch is not used.
 *
 * @returns renders it into so many code points; null if nothing is known
 */
export async function readCard(
  { watchesForAll, knowledge, recordFor, feed, links, venueNowSeconds, language }: CommandContext,
  { wallet, asOfSeconds }: Pick<Pager, 'wallet' | 'asOfSeconds'>,
  label: string | null,
  scan: PageScan<ActivityItem>,
): Promise<((space: number) => APIEmbed) | null> {
  const watches = watchesForAll(wallet);
  const joined = joinedBy(watches);
  const kept = watches.length === 0 ? undefined : await knowledge(wallet);
  // The channel that has watched it for the longest time.
  const [oldest] = watches.toSorted((a, b) => beganSecondsOf(a) - beganSecondsOf(b));
  const nowSeconds = venueNowSeconds();
  const record = kept === undefined || oldest === undefined ? null : recordFor(kept, oldest);
  const common = { label, wallet, links, language, record };
  if (kept === undefined || !knowsAll(joined, kept.portfolio)) {
    if (scan.items.length === 0 || !scan.isFromTop) return null;
    const list = await cardList(scan, asOfSeconds);
    const card = { ...common, ...list, nowSeconds: asOfSeconds, scannedFromSeconds: asOfSeconds };
    return (space) => walletCardEmbed(card, space);
  }
  const { portfolio } = kept;
  const { sizes, volume, lastDeposit, lastWithdrawal } = portfolio;
  if (sizes.length + volume.length === 0 && lastDeposit === null && lastWithdrawal === null) return null;
  const lastSeconds = feed.lastSeconds({ wallet, name: 'activity' });
  const scannedFromSeconds = lastSeconds !== null && lastSeconds < (joined?.atSeconds ?? 0) ? null : lastSeconds;
  const card = { ...common, portfolio, coverage: null, nowSeconds: Math.floor(nowSeconds), scannedFromSeconds };
  return (space) => walletCardEmbed(card, space);
}

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
    ({ portfolio } = addActivity(portfolio, piece, nowSeconds, { isAlerted: () => true }));
    // The fills of one trade may be in two turns.
    for (const [id, [seconds, usdc]] of tradeSizes(piece)) {
      const [firstSeconds, before] = trades.get(id) ?? [seconds, 0];
      trades.set(id, [firstSeconds, sum([before, usdc]).toNumber()]);
    }
  }
  return { coverage, portfolio: { ...portfolio, sizes: [...trades.values()].slice(-SIZES_KEPT) } };
}
