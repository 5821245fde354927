import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import type { AnyPolledPage } from '../../src/feed/interface.ts';

export const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;
export const OTHER_WALLET = `0x${'b'.repeat(40)}` as WalletAddress;

export function activityItem(): ActivityItem {
  return {
    time: 1_790_000_000,
    action: 'Buy',
    recordType: 'SUMMARY',
    actionType: 0,
    price: 43.5,
    quantity: 120,
    fee: 0.52,
    grossValue: 52.2,
    transferNetAmount: 52.72,
    txHash: `0x${'1'.repeat(64)}`,
    tokenId: '7134529003871',
    marketId: '901',
    marketSlug: 'rain-on-sunday',
    eventSlug: 'weather',
    conditionId: `0x${'c'.repeat(64)}`,
    marketTitle: 'Rain on Sunday?',
    positionSide: 'Yes',
    outcomeIndex: 0,
    logo: 'https://img.example/rain.png',
    trader: WALLET,
    liquidityRole: 'TAKER',
  };
}

export function transferItem(): TransferItem {
  return {
    txHash: `0x${'2'.repeat(64)}`,
    type: 'deposit',
    amount: 250,
    time: 1_790_000_100,
    address: `0x${'0'.repeat(40)}`,
  };
}

/** An empty page of activity, but for what is given. */
export function polledPage(
  changes: Partial<Record<keyof AnyPolledPage, unknown>> = {},
): AnyPolledPage {
  const times = { fromSeconds: null, venueSeconds: 1, earliestSeconds: 1, latestSeconds: 1 };
  const page = {
    endpoint: 'activity',
    wallet: WALLET,
    pollId: 1,
    items: [],
    hasMore: false,
    unreadable: [],
    ...times,
  };
  return { ...page, ...changes } as AnyPolledPage;
}
