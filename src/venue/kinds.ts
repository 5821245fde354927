import type { ActivityItem, TransferItem } from './schema.ts';

export type ActionKind = 'buy' | 'sell' | 'redeem' | 'other';
export type TransferKind = 'deposit' | 'withdrawal' | 'other';

const ACTIONS: Readonly<Record<string, ActionKind>> = { Buy: 'buy', Sell: 'sell', Redeem: 'redeem' };
const TRANSFERS: Readonly<Record<string, TransferKind>> = { deposit: 'deposit', withdrawal: 'withdrawal' };

/** Which of the actions that the venue describes it is; others are shown as they came. */
export function actionKind(action: ActivityItem['action']): ActionKind {
  return (Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined) ?? 'other';
}

/** Which of the transfers that the venue describes it is; others are shown as they came. */
export function transferKind(type: TransferItem['type']): TransferKind {
  return (Object.hasOwn(TRANSFERS, type) ? TRANSFERS[type] : undefined) ?? 'other';
}
