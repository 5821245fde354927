import type { ActivityItem, TransferItem } from './records.ts';

/** What a record can be. `other`: an action or type that the contract does not describe; it is shown as it came. */
export type ActionKind = 'buy' | 'sell' | 'redeem' | 'other';
export type TransferKind = 'deposit' | 'withdrawal' | 'other';

/** The actions of the contract, as it spells them. */
export const ACTIONS = ['Buy', 'Sell', 'Redeem'] as const;

/** The kind of an action; spelled as the contract does, any other spelling is another action. */
export function actionKind(action: ActivityItem['action']): ActionKind {
  const known = ACTIONS.find((name) => name === action);
  return known === undefined ? 'other' : (known.toLowerCase() as Lowercase<typeof known>);
}

/** The kind of a transfer, by its type. */
export function transferKind(type: TransferItem['type']): TransferKind {
  return type === 'deposit' || type === 'withdrawal' ? type : 'other';
}
