import type { Logger } from 'pino';
import { z } from 'zod';
import type { WalletAddress } from '../venue/address.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';
import { followsSchema, giveUp, NO_FOLLOWS } from './alerted-positions.ts';
import { toldConsensusSchema } from './consensus.ts';
import type { TradeContext } from './context.ts';
import { addTakes, takeSchema } from './entries.ts';
import { outcomeKey } from './outcome.ts';
import { cutBook, writeActivity, writeTransfers } from './portfolio.ts';
import { type Book, bookSchema, newBook } from './schema.ts';

/** Everything that is kept of what was seen of a wallet, beside how far it was read. */
export const insightSchema = z.object({
  book: bookSchema,
  /** Purchases that a consensus may be found in. */
  takes: z.array(takeSchema),
  /** Alerted purchases, and how those that are over did. */
  follows: followsSchema,
  /** Consensus that rooms were told of because of this wallet. */
  told: z.array(toldConsensusSchema),
});
export type Insight = z.infer<typeof insightSchema>;

/** A page of the venue, with what of it is new. */
export interface SeenPage<Item> {
  /** What the page holds, in any order. */
  readonly items: readonly Item[];
  /** What of it is new, oldest first; twins as items of their own. */
  readonly fresh: readonly Item[];
  /** Whether the venue has older records than these, or some could not be read. */
  readonly isCut: boolean;
  /** Unix seconds before which nothing counts as new: what lies before is history, if this is the first page. */
  readonly sinceSeconds: number;
  readonly isFirst: boolean;
  /** Unix seconds at which a time ends of which records may be missing; null if there is none. */
  readonly gapEndSeconds: number | null;
  /** The venue's clock, Unix seconds. */
  readonly nowSeconds: number;
}

/** Reads what is stored; what cannot be read begins anew, for it is knowledge and no promise. */
export function readInsight(stored: unknown, wallet: WalletAddress, log: Logger): Insight | undefined {
  if (stored === undefined) return undefined;
  const parsed = insightSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  log.warn({ event: 'insight.unreadable', wallet, reason: z.prettifyError(parsed.error).slice(0, 300) });
  return undefined;
}

/** What is known once a page has been taken in. */
export interface SeenActivity {
  readonly insight: Insight;
  /** What the book says of each new item, in their order; null about what it does not understand. */
  readonly contexts: readonly (TradeContext | null)[];
  /** Whether each came after later ones that change what it did: what was said of those was not so. */
  readonly isOutOfTurn: readonly boolean[];
}

/** Takes a page of trades and redemptions in. */
export function seeActivity(before: Insight | undefined, page: SeenPage<ActivityItem>): SeenActivity {
  const { nowSeconds, fresh } = page;
  let insight = before ?? begin(page);
  if (page.isFirst) insight = { ...insight, book: withHistory(insight.book, page) };
  if (page.gapEndSeconds !== null) {
    insight = { ...insight, book: cutBook(insight.book, page.gapEndSeconds), follows: giveUp(insight.follows) };
  }
  const { book, contexts } = writeActivity(insight.book, fresh, nowSeconds);
  return {
    insight: { ...insight, book, takes: addTakes(insight.takes, fresh, nowSeconds) },
    contexts,
    isOutOfTurn: fresh.map((item) => isOutOfTurn(insight.book, item)),
  };
}

/** A purchase before others changes nothing of what was sold; anything else does. */
function isOutOfTurn({ positions }: Book, item: ActivityItem): boolean {
  const later = positions
    .find(({ key }) => key === outcomeKey(item))
    ?.recent.filter(([timeSeconds]) => timeSeconds > item.time);
  return later?.some(([, action]) => item.action !== 'Buy' || action !== 'Buy') ?? false;
}

/** Takes a page of deposits and withdrawals in. */
export function seeTransfers(before: Insight | undefined, page: SeenPage<TransferItem>): Insight {
  const insight = before ?? begin(page);
  const isBeginning = insight.book.transfersSinceSeconds === null;
  const history = isBeginning ? page.items.filter(({ time }) => time < page.sinceSeconds) : [];
  const items = [...history, ...page.fresh].toSorted((a, b) => a.time - b.time);
  const sinceSeconds = page.isCut ? oldestSeconds(page) : 0;
  const book = writeTransfers(insight.book, items, sinceSeconds, page.nowSeconds);
  return {
    ...insight,
    book: page.gapEndSeconds === null ? book : { ...book, transfersSinceSeconds: page.gapEndSeconds },
  };
}

function begin({ sinceSeconds }: SeenPage<unknown>): Insight {
  return { book: newBook(sinceSeconds, false), takes: [], follows: NO_FOLLOWS, told: [] };
}

/** What the first page shows of before the watch: as far back as it reaches, or to the wallet's first trade. */
function withHistory(book: Book, page: SeenPage<ActivityItem>): Book {
  const history = page.items.filter(({ time }) => time < page.sinceSeconds).toReversed();
  const oldestFirst = history.toSorted((a, b) => a.time - b.time);
  const sinceSeconds = page.isCut ? Math.min(oldestSeconds(page), page.sinceSeconds) : 0;
  const begun = { ...newBook(sinceSeconds, !page.isCut), ...transfersOf(book) };
  return writeActivity(begun, oldestFirst, page.nowSeconds).book;
}

function transfersOf({ transfersSinceSeconds, lastDeposit, lastWithdrawal, volume }: Book) {
  return { transfersSinceSeconds, lastDeposit, lastWithdrawal, volume };
}

function oldestSeconds({ items, sinceSeconds }: SeenPage<{ readonly time: number }>): number {
  return items.reduce((oldest, { time }) => Math.min(oldest, time), sinceSeconds);
}
