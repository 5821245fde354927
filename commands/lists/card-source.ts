import { setImmediate as nextTurn } from 'node:timers/promises';
import type { APIEmbed } from 'discord.js';
import { type WalletCard, walletCardEmbed } from '../../src/lookups/card.ts';
import { FIRST_RECORDS, isWhole, type Walk } from '../../src/lookups/page-scan.ts';
import type { Pager } from '../../src/lookups/stored-lists.ts';
import type { Reach } from '../../src/lookups/words.ts';
import { writeFills } from '../../src/portfolio/portfolio.ts';
import { type Book, newBook } from '../../src/portfolio/schema.ts';
import { scoreOf } from '../../src/portfolio/score.ts';
import type { Insight } from '../../src/portfolio/wallet-knowledge.ts';
import type { ActivityItem } from '../../src/venue/schema.ts';
import { joinedBy, knowsAll } from '../../src/watches/joined.ts';
import type { CommandContext } from '../shared/command.ts';

type Reader = Pick<
  CommandContext,
  'watchesForAll' | 'insight' | 'schedule' | 'cardLists' | 'links' | 'venueClock' | 'language'
>;

/**
 * The card of a wallet for one server: from what the bot has kept if this server watches it, else from the list alone. What was
 * seen for another server is not told: if the book reaches further back than this server's own watch, the list is told of.
 *
 * @returns how to render it into the room that the message leaves; null if nothing is known
 */
export async function readCard(
  { watchesForAll, insight, schedule, cardLists, links, venueClock, language }: Reader,
  { wallet, asOfSeconds }: Pick<Pager, 'wallet' | 'asOfSeconds'>,
  label: string | null,
  walk: Walk<ActivityItem>,
): Promise<((room: number) => APIEmbed) | null> {
  const watches = watchesForAll(wallet);
  const joined = joinedBy(watches);
  const kept = watches.length === 0 ? undefined : await insight(wallet);
  const common = { label, wallet, links, language };
  const score = kept === undefined ? null : scoreOf(kept.follows, new Set(watches.map(({ channelId }) => channelId)));
  if (kept === undefined || !knowsAll(joined, kept.book)) {
    if (walk.items.length === 0 || !walk.isFromTop) return null;
    // The list's picture has just been drawn: others come in between.
    await nextTurn();
    const list = cardLists.of(walk, asOfSeconds);
    const card = { ...common, ...list, score, nowSeconds: asOfSeconds, lookedSeconds: asOfSeconds };
    return (room) => walletCardEmbed(card, room);
  }
  if (!isTelling(kept) && score === null) return null;
  const { lastSeconds } = schedule.outlook({ wallet, name: 'activity' });
  const card: WalletCard = {
    ...common,
    book: kept.book,
    walked: null,
    score,
    nowSeconds: Math.floor(venueClock().nowMs / 1000),
    lookedSeconds: lastSeconds !== null && lastSeconds < (joined?.atSeconds ?? 0) ? null : lastSeconds,
  };
  return (room) => walletCardEmbed(card, room);
}

/** What a card tells of a list: the book written from its newest records, and how far these reach. */
export interface CardList {
  readonly book: Book;
  readonly walked: Reach;
}

/** Reckons once for each list what its card tells: turning back to the first page costs nothing. */
export interface CardLists {
  /** @param walk from the top of the list, with nothing left out by filters */
  of(walk: Walk<ActivityItem>, nowSeconds: number): CardList;
}

export function createCardLists(): CardLists {
  const known = new WeakMap<Walk<ActivityItem>, { readonly reach: string; readonly list: CardList }>();
  return {
    of(walk, nowSeconds) {
      const walked = newestOf(walk);
      const { looked, skipped, cursor } = walked;
      const reach = `${looked} ${skipped} ${cursor === null}`;
      const kept = known.get(walk);
      // What is read beyond the newest records changes nothing.
      if (kept?.reach === reach) return kept.list;
      const list = { walked, book: bookOfWalk(walked, nowSeconds) };
      known.set(walk, { reach, list });
      return list;
    },
  };
}

/** The newest records of a list: as many as it begins with, however far somebody has turned. */
function newestOf(walk: Walk<ActivityItem>): CardWalk {
  const items = walk.items.slice(0, FIRST_RECORDS);
  const oldest = items.at(-1);
  // The walk goes on when somebody turns the page: what a card was made of stays as it was.
  if (oldest === undefined || items.length === walk.items.length) return { ...walk, items };
  return { ...walk, items, looked: items.length, oldestSeconds: oldest.time, cursor: undefined };
}

type CardWalk = Omit<Reach, 'items'> & { readonly items: ActivityItem[] };

/**
 * A book written from a list that nothing was left out of by filters.
 *
 * @param walk that began at the top of the list
 */
export function bookOfWalk(walk: CardWalk, nowSeconds: number): Book {
  const isAll = isWhole(walk) && walk.skipped === 0;
  // A record that could not be read may have been of any time.
  const sinceSeconds = walk.skipped > 0 ? nowSeconds : walk.oldestSeconds;
  const oldestFirst = walk.items.toReversed().sort((a, b) => a.time - b.time);
  return writeFills(newBook(isAll ? 0 : sinceSeconds, isAll), oldestFirst, nowSeconds).book;
}

function isTelling({ book }: Insight): boolean {
  return book.seen > 0 || book.lastDeposit !== null || book.lastWithdrawal !== null;
}
