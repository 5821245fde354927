import type { WalletEvent } from '../../src/alerts/alert.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { entryKeys, marketOf } from '../../src/portfolio/market.ts';
import type { ResultNews } from '../../src/portfolio/results/alerted-positions.ts';

type ResultEvent = Extract<WalletEvent, { readonly kind: 'result' }>;

/** What came of a position that an item has closed. */
export function resultOf(item: ActivityItem, changes: Partial<ResultNews> = {}): ResultEvent {
  const closed = {
    market: marketOf(item),
    key: entryKeys(item).market,
    messageId: null,
    paid: '186.53',
    received: '283.28',
    fees: '0',
    settled: [],
    openedSeconds: item.time - 90_000,
    closedSeconds: item.time,
  };
  return { kind: 'result', result: { ...closed, ...changes } };
}
