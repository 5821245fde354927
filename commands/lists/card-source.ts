import { setImmediate as nextTurn } from 'node:timers/promises';
import type { APIEmbed } from 'discord.js';
import { type WalletCard, walletCardEmbed } from '../../src/lookups/card.ts';
import { FIRST_RECORDS, isWhole, type PageScan } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/stored-lists.ts';
import type { Reach } from '../../src/lookups/words.ts';
import { writeFills } from '../../src/portfolio/portfolio.ts';
import { newPortfolio, type Portfolio } from '../../src/portfolio/schema.ts';
import { scoreOf } from '../../src/portfolio/score.ts';
import type { WalletKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import type { ActivityItem } from '../../src/venue/schema.ts';
import { joinedBy, knowsAll } from '../../src/watches/joined.ts';
import type { CommandContext } from '../shared/command.ts';

type Reader = Pick<
  CommandContext,
  'watchesForAll' | 'knowledge' | 'feed' | 'cardLists' | 'links' | 'venueClock' | 'language'
>;

/**
 * The card of a wallet for one server: from what the bot has kept if this server watches it, else from the list alone. What was
 * seen for another server is not told: if the book reaches further back than this server's own watch, the list is told of.
 *
 * @returns how to render it into the room that the message leaves; null if nothing is known
 */
export async function readCard(
  { watchesForAll, knowledge, feed, cardLists, links, venueClock, language }: Reader,
  { wallet, asOfSeconds }: Pick<Pager, 'wallet' | 'asOfSeconds'>,
  label: string | null,
  scan: PageScan<ActivityItem>,
): Promise<((room: number) => APIEmbed) | null> {
  const watches = watchesForAll(wallet);
  const joined = joinedBy(watches);
  const kept = watches.length === 0 ? undefined : await knowledge(wallet);
  const common = { label, wallet, links, language };
  const score =
    kept === undefined ? null : scoreOf(kept.alertedPositions, new Set(watches.map(({ channelId }) => channelId)));
  if (kept === undefined || !knowsAll(joined, kept.portfolio)) {
    if (scan.items.length === 0 || !scan.isFromTop) return null;
    // The list's picture has just been drawn: others come in between.
    await nextTurn();
    const list = cardLists.of(scan, asOfSeconds);
    const card = { ...common, ...list, score, nowSeconds: asOfSeconds, scannedFromSeconds: asOfSeconds };
    return (room) => walletCardEmbed(card, room);
  }
  if (!isTelling(kept) && score === null) return null;
  const { lastSeconds } = feed.outlook({ wallet, name: 'activity' });
  const card: WalletCard = {
    ...common,
    portfolio: kept.portfolio,
    walked: null,
    score,
    nowSeconds: Math.floor(venueClock().nowMs / 1000),
    scannedFromSeconds: lastSeconds !== null && lastSeconds < (joined?.atSeconds ?? 0) ? null : lastSeconds,
  };
  return (room) => walletCardEmbed(card, room);
}

/** What a card tells of a list: the book written from its newest records, and how far these reach. */
export interface CardList {
  readonly portfolio: Portfolio;
  readonly walked: Reach;
}

/** Reckons once for each list what its card tells: turning back to the first page costs nothing. */
export interface CardLists {
  /** @param walk from the top of the list, with nothing left out by filters */
  of(scan: PageScan<ActivityItem>, nowSeconds: number): CardList;
}

export function createCardLists(): CardLists {
  const known = new WeakMap<PageScan<ActivityItem>, { readonly reach: string; readonly list: CardList }>();
  return {
    of(scan, nowSeconds) {
      const walked = newestOf(scan);
      const { scanned, skipped, cursor } = walked;
      const reach = `${scanned} ${skipped} ${cursor === null}`;
      const kept = known.get(scan);
      // What is read beyond the newest records changes nothing.
      if (kept?.reach === reach) return kept.list;
      const list = { walked, portfolio: portfolioOfScan(walked, nowSeconds) };
      known.set(scan, { reach, list });
      return list;
    },
  };
}

/** The newest records of a list: as many as it begins with, however far somebody has turned. */
function newestOf(scan: PageScan<ActivityItem>): CardWalk {
  const items = scan.items.slice(0, FIRST_RECORDS);
  const oldest = items.at(-1);
  // The walk goes on when somebody turns the page: what a card was made of stays as it was.
  if (oldest === undefined || items.length === scan.items.length) return { ...scan, items };
  return { ...scan, items, scanned: items.length, oldestSeconds: oldest.time, cursor: undefined };
}

type CardWalk = Omit<Reach, 'items'> & { readonly items: ActivityItem[] };

/**
 * A book written from a list that nothing was left out of by filters.
 *
 * @param walk that began at the top of the list
 */
export function portfolioOfScan(scan: CardWalk, nowSeconds: number): Portfolio {
  const isAll = isWhole(scan) && scan.skipped === 0;
  // A record that could not be read may have been of any time.
  const sinceSeconds = scan.skipped > 0 ? nowSeconds : scan.oldestSeconds;
  const oldestFirst = scan.items.toReversed().sort((a, b) => a.time - b.time);
  return writeFills(newPortfolio(isAll ? 0 : sinceSeconds, isAll), oldestFirst, nowSeconds).portfolio;
}

function isTelling({ portfolio }: WalletKnowledge): boolean {
  return portfolio.seen > 0 || portfolio.lastDeposit !== null || portfolio.lastWithdrawal !== null;
}
