import type { ActivityItem, TransferItem } from './records.ts';

/** What a record can be. `other`: an action or type that the contract does not describe; it is shown as it came. */
export type ActionKind = 'buy' | 'sell' | 'redeem' | 'other';
export type TransferKind = 'deposit' | 'withdrawal' | 'other';

/** The actions of the contract, as it spells them. */
export const ACTIONS = ['Buy', 'Sell', 'Redeem'] as const;

const KIND_BY_ACTION: ReadonlyMap<string, ActionKind> = new Map([
  ['Buy', 'buy'],
  ['Sell', 'sell'],
  ['Redeem', 'redeem'],
]);

/** The kind of an action; spelled as the contract does, any other spelling is another action. */
export function actionKind(action: ActivityItem['action']): ActionKind {
  return KIND_BY_ACTION.get(action) ?? 'other';
}

/** The kind of a transfer, by its type. */
export function transferKind(type: TransferItem['type']): TransferKind {
  return type === 'deposit' || type === 'withdrawal' ? type : 'other';
}
