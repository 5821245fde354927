import { actionKind, transferKind } from '../domain/kinds.ts';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import type { TradeSizes } from '../portfolio/trade-context.ts';

/** Kinds of records that a watch can be narrowed to. */
export const KINDS = ['buy', 'sell', 'redeem', 'deposit', 'withdrawal'] as const;
export type Kind = (typeof KINDS)[number];

/** A record of the venue, by the endpoint that shows it. */
export type WatchedItem =
  | { readonly kind: 'activity'; readonly item: ActivityItem; readonly sizes?: TradeSizes | undefined }
  | { readonly kind: 'transfer'; readonly item: TransferItem };

/** The kind of a record; undefined for an action or a type that the contract does not describe. */
export function kindOf(watched: WatchedItem): Kind | undefined {
  const kind = watched.kind === 'activity' ? actionKind(watched.item.action) : transferKind(watched.item.type);
  return kind === 'other' ? undefined : kind;
}
