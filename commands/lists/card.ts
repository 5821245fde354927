import type { APIEmbed } from 'discord.js';
import type { ActivityItem } from '../../src/domain/records.ts';
import { cardList } from '../../src/lookups/card-lists.ts';
import type { PageScan } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import { walletCardEmbed } from '../../src/lookups/wallet-card.ts';
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
  { watchesForAll, knowledge, recordFor, feed, links, venueClock, language }: CommandContext,
  { wallet, asOfSeconds }: Pick<Pager, 'wallet' | 'asOfSeconds'>,
  label: string | null,
  scan: PageScan<ActivityItem>,
): Promise<((space: number) => APIEmbed) | null> {
  const watches = watchesForAll(wallet);
  const joined = joinedBy(watches);
  const kept = watches.length === 0 ? undefined : await knowledge(wallet);
  // The channel that has watched it for the longest time.
  const [oldest] = watches.toSorted((a, b) => beganSecondsOf(a) - beganSecondsOf(b));
  const nowSeconds = venueClock().nowMs / 1000;
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
  const { lastSeconds } = feed.outlook({ wallet, name: 'activity' });
  const scannedFromSeconds = lastSeconds !== null && lastSeconds < (joined?.atSeconds ?? 0) ? null : lastSeconds;
  const card = { ...common, portfolio, coverage: null, nowSeconds: Math.floor(nowSeconds), scannedFromSeconds };
  return (space) => walletCardEmbed(card, space);
}
