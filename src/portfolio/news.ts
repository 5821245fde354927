import * as z from 'zod';
import type { WalletAddress } from '../domain/address.ts';
import { walletSchema } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import { decimalText, stored } from '../lib/exact.ts';
import type { Consensus, Stake } from './consensus/consensus.ts';
import { marketOf, marketSchema } from './market.ts';
import type { MarketResult } from './results/alerted-positions.ts';

const stakeSchema = z.object({
  wallet: walletSchema,
  side: z.string(),
  shares: decimalText,
  usdc: decimalText,
  sold: decimalText.nullable(),
});

/** A consensus of several watched wallets, as it is stored with its alert. */
export const consensusNewsSchema = z.object({
  market: marketSchema,
  /** From `entryKeys`. */
  outcome: z.string(),
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  /** The channel's rule. */
  rule: z.object({ wallets: z.number(), hours: z.number() }),
  /** Wallets that bought the outcome, and wallets that bought another one; those with most left of it first. */
  stakes: z.array(stakeSchema).min(1),
  opposing: z.array(stakeSchema),
  /** How many wallets bought both. */
  hedged: z.number(),
  /** Whether it continues an announced one that named fewer wallets. */
  isEscalation: z.boolean(),
  /** Unix seconds of the first and the last purchase of the outcome. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type ConsensusNews = z.infer<typeof consensusNewsSchema>;

/** How the alerted purchases of a market ended, as it is stored with its alert. */
export const resultNewsSchema = z.object({
  market: marketSchema,
  /** Of the market, from `entryKeys`. */
  key: z.string(),
  /** The message that is answered; null if it is not known. */
  messageId: z.string().nullable(),
  /** USDC paid for the alerted purchases, fees included; received for them, after fees; fees of both. */
  paid: decimalText,
  received: decimalText,
  fees: decimalText,
  /** Outcomes of which the wallet held some when the market was settled, and USDC a share that they got. */
  settled: z.array(z.object({ side: z.string(), payout: z.number() })),
  /** Unix seconds of the first alerted purchase, and of the sale, redemption or settlement that closed the position. */
  openedSeconds: z.number(),
  closedSeconds: z.number(),
});
export type ResultNews = z.infer<typeof resultNewsSchema>;

/** What the alert of a consensus shows. @param item the purchase that completed it */
export function consensusNews(
  found: Consensus<WalletAddress>,
  item: ActivityItem,
  rule: ConsensusNews['rule'],
): ConsensusNews {
  const plain = (stake: Stake<WalletAddress>) => ({
    ...stake,
    shares: stored(stake.shares),
    usdc: stored(stake.usdc),
    sold: stake.sold && stored(stake.sold),
  });
  return {
    market: marketOf(item),
    outcome: found.outcome,
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

/** What the alert of a closed position shows. @param closedSeconds Unix seconds */
export function resultNews({ position, paid, received, fees }: MarketResult, closedSeconds: number): ResultNews {
  const { title, marketId, marketSlug, eventSlug } = position;
  return {
    market: { title, marketId, marketSlug, eventSlug },
    key: position.market,
    messageId: position.messageId,
    paid: stored(paid),
    received: stored(received),
    fees: stored(fees),
    settled: position.outcomes.flatMap(({ side, payout }) => (payout === undefined ? [] : [{ side, payout }])),
    openedSeconds: position.openedSeconds,
    closedSeconds,
  };
}
