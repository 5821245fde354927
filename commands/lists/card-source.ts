import type { APIEmbed } from 'discord.js';
import type { ActivityItem } from '../../src/domain/records.ts';
import type { PageScan } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/pager-store.ts';
import { type WalletCard, walletCardEmbed } from '../../src/lookups/wallet-card.ts';
import { roomRecordOf } from '../../src/portfolio/record/room-record.ts';
import type { WalletKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import { joinedBy, knowsAll } from '../../src/watches/known-since.ts';
import { beganSecondsOf } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';

type Reader = Pick<
  CommandContext,
  'watchesForAll' | 'knowledge' | 'rankedIn' | 'feed' | 'cardLists' | 'links' | 'venueClock' | 'language'
>;

/**
 * The card of a wallet for one server: from the stored portfolio if this server watches the wallet, else from the list alone.
 * What was seen for another server stays unknown to this one: a portfolio that begins before this server's own watch is not used.
 *
 * @returns renders it into so many code points; null if nothing is known
 */
export async function readCard(
  { watchesForAll, knowledge, rankedIn, feed, cardLists, links, venueClock, language }: Reader,
  { wallet, asOfSeconds }: Pick<Pager, 'wallet' | 'asOfSeconds'>,
  label: string | null,
  scan: PageScan<ActivityItem>,
): Promise<((space: number) => APIEmbed) | null> {
  const watches = watchesForAll(wallet);
  const joined = joinedBy(watches);
  const kept = watches.length === 0 ? undefined : await knowledge(wallet);
  const common = { label, wallet, links, language };
  // The channel that has watched it for the longest time.
  const [oldest] = watches.toSorted((a, b) => beganSecondsOf(a) - beganSecondsOf(b));
  const record =
    kept === undefined || oldest === undefined
      ? null
      : roomRecordOf(kept.record, oldest, venueClock().nowMs / 1000, rankedIn(oldest.channelId));
  if (kept === undefined || !knowsAll(joined, kept.portfolio)) {
    if (scan.items.length === 0 || !scan.isFromTop) return null;
    const list = await cardLists.of(scan, asOfSeconds);
    const card = { ...common, ...list, record, nowSeconds: asOfSeconds, scannedFromSeconds: asOfSeconds };
    return (space) => walletCardEmbed(card, space);
  }
  if (!isInformative(kept)) return null;
  const { lastSeconds } = feed.outlook({ wallet, name: 'activity' });
  const card: WalletCard = {
    ...common,
    portfolio: kept.portfolio,
    coverage: null,
    record,
    nowSeconds: Math.floor(venueClock().nowMs / 1000),
    scannedFromSeconds: lastSeconds !== null && lastSeconds < (joined?.atSeconds ?? 0) ? null : lastSeconds,
  };
  return (space) => walletCardEmbed(card, space);
}

function isInformative({ portfolio }: WalletKnowledge): boolean {
  return portfolio.seen > 0 || portfolio.lastDeposit !== null || portfolio.lastWithdrawal !== null;
}
