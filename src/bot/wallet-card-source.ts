import type { APIEmbed } from 'discord.js';
import { writeActivity } from '../book/book.ts';
import type { Insight } from '../book/insight.ts';
import { type Book, newBook } from '../book/schema.ts';
import { scoreOf } from '../book/score.ts';
import { isWhole, type Walk } from '../look/walk.ts';
import type { ActivityItem } from '../venue/schema.ts';
import type { CommandContext } from './command.ts';
import type { Pager } from './pager.ts';
import { type WalletCard, walletCardEmbed } from './wallet-card.ts';

type Reader = Pick<CommandContext, 'registry' | 'insight' | 'schedule' | 'links' | 'venueClock' | 'language'>;

/**
 * The card of a wallet for one server: from what the bot has kept if this server watches it, else from the list alone. That
 * another server watches it shows nowhere.
 *
 * @returns how to render it into the room that the message leaves; null if nothing is known
 */
export async function readCard(
  { registry, insight, schedule, links, venueClock, language }: Reader,
  { guildId, wallet, asOfSeconds }: Pick<Pager, 'guildId' | 'wallet' | 'asOfSeconds'>,
  label: string | null,
  walk: Walk<ActivityItem>,
): Promise<((room: number) => APIEmbed) | null> {
  const watches = registry.ofWallet(wallet).filter((watch) => watch.guildId === guildId);
  const kept = watches.length === 0 ? undefined : await insight(wallet);
  const common = { label, wallet, links, language };
  if (kept === undefined) {
    if (walk.items.length === 0 || !walk.isFromTop) return null;
    const book = bookOfWalk(walk, asOfSeconds);
    const card = { ...common, book, walked: walk, score: null, nowSeconds: asOfSeconds, lookedSeconds: asOfSeconds };
    return (room) => walletCardEmbed(card, room);
  }
  const score = scoreOf(kept.follows, new Set(watches.map(({ channelId }) => channelId)));
  if (!isTelling(kept) && score === null) return null;
  const card: WalletCard = {
    ...common,
    book: kept.book,
    walked: null,
    score,
    nowSeconds: Math.floor(venueClock().nowMs / 1000),
    lookedSeconds: schedule.outlook({ wallet, name: 'activity' }).lastSeconds,
  };
  return (room) => walletCardEmbed(card, room);
}

/**
 * A book written from a list that nothing was left out of by filters.
 *
 * @param walk that began at the top of the list
 */
export function bookOfWalk(walk: Walk<ActivityItem>, nowSeconds: number): Book {
  const isAll = isWhole(walk) && walk.skipped === 0;
  // A record that could not be read may have been of any time.
  const sinceSeconds = walk.skipped > 0 ? nowSeconds : walk.oldestSeconds;
  const oldestFirst = walk.items.toReversed().sort((a, b) => a.time - b.time);
  return writeActivity(newBook(isAll ? 0 : sinceSeconds, isAll), oldestFirst, nowSeconds).book;
}

function isTelling({ book }: Insight): boolean {
  return book.seen > 0 || book.lastDeposit !== null || book.lastWithdrawal !== null;
}
