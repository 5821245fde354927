import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import type { ActivityItem } from '@walletbell/venue-server/records';
import {
  type SourceMarket,
  type SourceRow,
  sourceMarket,
  sourceRedeem,
  sourceTrade,
  sourceTransfer,
  type TestSource,
} from '../support/polymarket-source.ts';

/** Markets of records, with what each outcome paid, as far as a redemption says so. */
export function marketsOf(items: readonly ActivityItem[]) {
  const markets = new Map<string, { market: SourceMarket; payouts: number[] | null }>();
  for (const item of items) {
    const { conditionId, marketId: id, marketSlug: slug, marketTitle: question } = item;
    const known = markets.get(conditionId);
    const tokens: string[] = JSON.parse(known?.market.clobTokenIds ?? '["8","9"]');
    tokens[item.outcomeIndex] = item.tokenId;
    const ofIndex = item.price / 100;
    const ofOther = 1 - ofIndex;
    const payouts = item.outcomeIndex === 0 ? [ofIndex, ofOther] : [ofOther, ofIndex];
    markets.set(conditionId, {
      market: sourceMarket(0, {
        id,
        conditionId,
        question,
        slug,
        clobTokenIds: JSON.stringify(tokens),
        events: [{ slug: item.eventSlug }],
      }),
      payouts: item.action === 'Redeem' ? payouts : (known?.payouts ?? null),
    });
  }
  return markets;
}

/** A record as Polymarket would list it: a redemption without its token. */
export function rowOf(record: LedgerRecord, markets: ReturnType<typeof marketsOf>): SourceRow {
  const over = { proxy_wallet: record.wallet.toLowerCase(), timestamp: record.item.time };
  if (record.kind === 'transfer') {
    const { type, amount, txHash } = record.item;
    return sourceTransfer({
      ...over,
      type: type.toUpperCase(),
      size: amount,
      usdc_size: amount,
      transaction_hash: txHash,
    });
  }
  const { item } = record;
  const { market = sourceMarket(0) } = markets.get(item.conditionId) ?? {};
  const usdc = Math.abs(item.transferNetAmount);
  const row = { ...over, transaction_hash: item.txHash };
  if (item.action === 'Redeem') return sourceRedeem(market, usdc, row);
  return sourceTrade(market, {
    ...row,
    side: item.action === 'Buy' ? 'BUY' : 'SELL',
    size: item.quantity,
    price: item.price / 100,
    usdc_size: usdc,
    outcome_index: item.outcomeIndex,
  });
}

/** Lists records of a venue as Polymarket would, with their markets and what these paid. */
export function listIn(
  source: TestSource,
  records: readonly LedgerRecord[],
  markets: ReturnType<typeof marketsOf>,
): void {
  for (const { market, payouts } of markets.values()) {
    source.addMarkets(market);
    if (payouts !== null)
      source.resolve(
        market,
        payouts.map((part) => Math.round(part * 1e6)),
      );
  }
  source.list(...records.map((record) => rowOf(record, markets)));
}
