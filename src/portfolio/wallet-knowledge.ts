import type { Logger } from 'pino';
import { z } from 'zod';
import type { WalletAddress } from '../venue/address.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';
import { announcedConsensusSchema } from './consensus/consensus.ts';
import { addEntries, entrySchema } from './consensus/entries.ts';
import { outcomeKey } from './market-keys.ts';
import { newPortfolio, type Portfolio, portfolioSchema } from './portfolio.ts';
import { abandonAll, alertedPositionsSchema, NO_ALERTED_POSITIONS } from './results/alerted-positions.ts';
import type { TradeContext } from './trade-context.ts';
import { addActivity, addTransfers, restartAfterGap } from './update.ts';

/** Everything that is kept of what was seen of a wallet, beside how far it was read. */
export const knowledgeSchema = z.object({
  portfolio: portfolioSchema,
  /** Purchases that a consensus may be found in. */
  entries: z.array(entrySchema),
  /** Alerted purchases, and how those that are over did. */
  alertedPositions: alertedPositionsSchema,
  /** Consensus that rooms were told of because of this wallet. */
  announced: z.array(announcedConsensusSchema),
});
export type WalletKnowledge = z.infer<typeof knowledgeSchema>;

/** A page of the venue, with what of it is new. */
export interface DetectedPage<Item> {
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
export function readKnowledge(stored: unknown, wallet: WalletAddress, log: Logger): WalletKnowledge | undefined {
  if (stored === undefined) return undefined;
  const parsed = knowledgeSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  log.warn({ event: 'knowledge.unreadable', wallet, reason: z.prettifyError(parsed.error).slice(0, 300) });
  return undefined;
}

/** What is known once a page has been taken in. */
export interface AddedActivity {
  readonly knowledge: WalletKnowledge;
  /** What the book says of each new item, in their order; null about what it does not understand. */
  readonly contexts: readonly (TradeContext | null)[];
  /** Whether each came after later ones that change what it did: what was said of those was not so. */
  readonly isOutOfTurn: readonly boolean[];
}

/** Takes a page of trades and redemptions in. */
export function addActivityPage(before: WalletKnowledge | undefined, page: DetectedPage<ActivityItem>): AddedActivity {
  const { nowSeconds, fresh } = page;
  let knowledge = before ?? begin(page);
  if (page.isFirst) knowledge = { ...knowledge, portfolio: withHistory(knowledge.portfolio, page) };
  if (page.gapEndSeconds !== null) {
    knowledge = {
      ...knowledge,
      portfolio: restartAfterGap(knowledge.portfolio, page.gapEndSeconds),
      alertedPositions: abandonAll(knowledge.alertedPositions),
    };
  }
  const { portfolio, contexts } = addActivity(knowledge.portfolio, fresh, nowSeconds);
  return {
    knowledge: { ...knowledge, portfolio, entries: addEntries(knowledge.entries, fresh, nowSeconds) },
    contexts,
    isOutOfTurn: fresh.map((item) => isOutOfTurn(knowledge.portfolio, item)),
  };
}

/** A purchase before others changes nothing of what was sold; anything else does. */
function isOutOfTurn({ positions }: Portfolio, item: ActivityItem): boolean {
  const later = positions
    .find(({ key }) => key === outcomeKey(item))
    ?.recent.filter(([timeSeconds]) => timeSeconds > item.time);
  return later?.some(([, action]) => item.action !== 'Buy' || action !== 'Buy') ?? false;
}

/** Takes a page of deposits and withdrawals in. */
export function addTransfersPage(
  before: WalletKnowledge | undefined,
  page: DetectedPage<TransferItem>,
): WalletKnowledge {
  const knowledge = before ?? begin(page);
  const isBeginning = knowledge.portfolio.transfersSinceSeconds === null;
  const history = isBeginning ? page.items.filter(({ time }) => time < page.sinceSeconds) : [];
  const items = [...history, ...page.fresh].toSorted((a, b) => a.time - b.time);
  const sinceSeconds = page.isCut ? oldestSeconds(page) : 0;
  const portfolio = addTransfers(knowledge.portfolio, items, sinceSeconds, page.nowSeconds);
  return {
    ...knowledge,
    portfolio: page.gapEndSeconds === null ? portfolio : { ...portfolio, transfersSinceSeconds: page.gapEndSeconds },
  };
}

function begin({ sinceSeconds }: DetectedPage<unknown>): WalletKnowledge {
  return {
    portfolio: newPortfolio(sinceSeconds, false),
    entries: [],
    alertedPositions: NO_ALERTED_POSITIONS,
    announced: [],
  };
}

/** What the first page shows of before the watch: as far back as it reaches, or to the wallet's first trade. */
function withHistory(portfolio: Portfolio, page: DetectedPage<ActivityItem>): Portfolio {
  const history = page.items.filter(({ time }) => time < page.sinceSeconds).toReversed();
  const oldestFirst = history.toSorted((a, b) => a.time - b.time);
  const sinceSeconds = page.isCut ? Math.min(oldestSeconds(page), page.sinceSeconds) : 0;
  const begun = { ...newPortfolio(sinceSeconds, !page.isCut), ...transfersOf(portfolio) };
  return addActivity(begun, oldestFirst, page.nowSeconds).portfolio;
}

function transfersOf({ transfersSinceSeconds, lastDeposit, lastWithdrawal, volume }: Portfolio) {
  return { transfersSinceSeconds, lastDeposit, lastWithdrawal, volume };
}

function oldestSeconds({ items, sinceSeconds }: DetectedPage<{ readonly time: number }>): number {
  return items.reduce((oldest, { time }) => Math.min(oldest, time), sinceSeconds);
}
