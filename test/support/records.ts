import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import type { AnyPolledPage } from '../../src/feed/interface.ts';
import { WALLET, WALLET_A } from './wallets.ts';

/** Returns a trade as the venue lists it, made now in a new transaction. */
export function trade(changes: Partial<ActivityItem> = {}): ActivityItem {
  return {
    time: nowSeconds(),
    action: 'Buy',
    recordType: 'SUMMARY',
    actionType: 0,
    price: 63.5,
    quantity: 1234.5,
    fee: 1.2,
    grossValue: 783.9075,
    transferNetAmount: 785.1075,
    txHash: txHash(),
    tokenId: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
    marketId: '501',
    marketSlug: 'rain-in-paris',
    eventSlug: 'weather',
    conditionId: `0x${'c'.repeat(64)}`,
    marketTitle: 'Will it rain in Paris?',
    positionSide: 'Yes',
    outcomeIndex: 0,
    logo: 'https://images.venue.example/501.png',
    trader: WALLET,
    liquidityRole: 'TAKER',
    ...changes,
  };
}

export function sale(changes: Partial<ActivityItem> = {}): ActivityItem {
  return trade({
    action: 'Sell',
    actionType: 2,
    transferNetAmount: -782.7075,
    liquidityRole: 'MAKER',
    ...changes,
  });
}

export function redemption(changes: Partial<ActivityItem> = {}): ActivityItem {
  return trade({
    action: 'Redeem',
    recordType: 'REDEEMS',
    actionType: 1,
    price: 100,
    fee: 0,
    grossValue: 1234.5,
    transferNetAmount: -1234.5,
    liquidityRole: null,
    ...changes,
  });
}

export function transfer(changes: Partial<TransferItem> = {}): TransferItem {
  return {
    txHash: txHash(),
    type: 'deposit',
    amount: 5000,
    time: nowSeconds(),
    address: `0x${'0'.repeat(40)}`,
    ...changes,
  };
}

/** Returns a purchase without a fee and with consistent amounts. */
export function buy(
  quantity: number,
  cents: number,
  changes: Partial<ActivityItem> = {},
): ActivityItem {
  return trade({ ...boughtFor(quantity, (quantity * cents) / 100), price: cents, ...changes });
}

/** Returns a sale without a fee and with consistent amounts. */
export function sell(
  quantity: number,
  cents: number,
  changes: Partial<ActivityItem> = {},
): ActivityItem {
  return sale({ ...soldFor(quantity, (quantity * cents) / 100), price: cents, ...changes });
}

/** Returns changes that give a trade this number of shares and USDC, without a fee. */
export function boughtFor(
  quantity: number,
  usdc: number,
  changes: Partial<ActivityItem> = {},
): Partial<ActivityItem> {
  const price = (usdc / quantity) * 100;
  const value = { grossValue: usdc, transferNetAmount: usdc, fee: 0 };
  return { action: 'Buy', quantity, price, ...value, ...changes };
}

/** Returns changes like {@link boughtFor}, but for a sale. */
export function soldFor(
  quantity: number,
  usdc: number,
  changes: Partial<ActivityItem> = {},
): Partial<ActivityItem> {
  return boughtFor(quantity, usdc, { action: 'Sell', transferNetAmount: -usdc, ...changes });
}

/** Returns changes like {@link boughtFor}, but for a redemption. */
export function redeemedFor(
  quantity: number,
  usdc: number,
  changes: Partial<ActivityItem> = {},
): Partial<ActivityItem> {
  return soldFor(quantity, usdc, { action: 'Redeem', ...changes });
}

/**
 * Returns changes that put a trade into a market with this name, so that it counts as a separate
 * purchase.
 */
export function inMarket(name: string | number): Partial<ActivityItem> {
  const conditionId = `0x${String(name).padStart(64, '0')}`;
  return { marketId: `${name}`, conditionId, tokenId: `${name}` };
}

/** Returns a trade that is always the same, including its transaction and time. */
export function sampleTrade(): ActivityItem {
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
    trader: WALLET_A,
    liquidityRole: 'TAKER',
  };
}

/** Returns a deposit that is always the same. */
export function sampleTransfer(): TransferItem {
  return {
    txHash: `0x${'2'.repeat(64)}`,
    type: 'deposit',
    amount: 250,
    time: 1_790_000_100,
    address: `0x${'0'.repeat(40)}`,
  };
}

/** Returns an empty page of activity, with these changes. */
export function polledPage(
  changes: Partial<Record<keyof AnyPolledPage, unknown>> = {},
): AnyPolledPage {
  const times = { fromSeconds: null, venueSeconds: 1, earliestSeconds: 1, latestSeconds: 1 };
  const page = {
    endpoint: 'activity',
    wallet: WALLET_A,
    pollId: 1,
    items: [],
    hasMore: false,
    unreadable: [],
    ...times,
  };
  return { ...page, ...changes } as AnyPolledPage;
}

let transactions = 0;

/** Returns a transaction hash that no other record has. */
export function txHash(): string {
  transactions += 1;
  return `0x${transactions.toString(16).padStart(64, '0')}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
