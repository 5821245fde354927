import { z } from 'zod';
import { stored } from '../lib/exact.ts';
import type { WalletAddress } from '../venue/address.ts';
import type { ActivityItem } from '../venue/schema.ts';
import { walletSchema } from '../watches/watch.ts';
import type { AlertedPositions, MarketResult } from './alerted-positions.ts';
import type { Consensus, Stake } from './consensus.ts';
import { scoreOf } from './score.ts';

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
const marketSchema = z.object({
  title: z.string(),
  marketId: z.string(),
  marketSlug: z.string(),
  eventSlug: z.string(),
});
/** Which market, as far as it is shown and linked. */
export type MarketName = z.infer<typeof marketSchema>;

const stakeSchema = z.object({ wallet: walletSchema, side: z.string(), shares: decimal, usdc: decimal });

/** That several of a room's wallets took the same outcome, as it is stored with its alert. */
export const consensusNewsSchema = z.object({
  market: marketSchema,
  side: z.string(),
  /** What the room asked for. */
  rule: z.object({ wallets: z.number(), hours: z.number() }),
  /** The largest first. */
  stakes: z.array(stakeSchema).min(1),
  opposing: z.array(stakeSchema),
  hedged: z.number(),
  isEscalation: z.boolean(),
  /** Unix seconds of the first and the last purchase. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type ConsensusNews = z.infer<typeof consensusNewsSchema>;

const scoreSchema = z.object({
  markets: z.number(),
  won: z.number(),
  wonFrom: z.number(),
  wonTo: z.number(),
  perDollar: z.number(),
  perDollarError: z.number().nullable(),
  isSmall: z.boolean(),
  open: z.number(),
  oldestOpenSeconds: z.number().nullable(),
  givenUp: z.number(),
});

/** How the alerted purchases of a market ended, as it is stored with its alert. */
export const resultNewsSchema = z.object({
  market: marketSchema,
  /** The message that is answered; null if it is not known. */
  messageId: z.string().nullable(),
  /** USDC paid for what was alerted, fees included; received for it; fees of both. */
  paid: decimal,
  got: decimal,
  fees: decimal,
  /** Unix seconds of the first alerted purchase and of the end. */
  openedSeconds: z.number(),
  closedSeconds: z.number(),
  /** The record of this wallet's alerts in the channel, this one counted. */
  score: scoreSchema.nullable(),
});
export type ResultNews = z.infer<typeof resultNewsSchema>;

/** What a room is told of a consensus. @param item the purchase that made it */
export function consensusNews(
  found: Consensus<WalletAddress>,
  item: ActivityItem,
  rule: ConsensusNews['rule'],
): ConsensusNews {
  const plain = ({ wallet, side, shares, usdc }: Stake<WalletAddress>) => ({
    wallet,
    side,
    shares: stored(shares),
    usdc: stored(usdc),
  });
  return {
    market: marketName(item.marketTitle, item),
    side: item.positionSide,
    rule,
    stakes: found.stakes.map(plain),
    opposing: found.opposing.map(plain),
    hedged: found.hedged.length,
    isEscalation: found.isEscalation,
    fromSeconds: found.fromSeconds,
    toSeconds: found.toSeconds,
  };
}

/** What a room is told of the end of what it was alerted to. @param follows with this bet counted */
export function resultNews(
  { position, paid, got, fees }: MarketResult,
  closedSeconds: number,
  alertedPositions: AlertedPositions,
): ResultNews {
  return {
    market: marketName(position.title, position),
    messageId: position.messageId,
    paid: stored(paid),
    got: stored(got),
    fees: stored(fees),
    openedSeconds: position.openedSeconds,
    closedSeconds,
    score: scoreOf(alertedPositions, new Set([position.channelId])),
  };
}

function marketName(title: string, { marketId, marketSlug, eventSlug }: Omit<MarketName, 'title'>): MarketName {
  return { title, marketId, marketSlug, eventSlug };
}
