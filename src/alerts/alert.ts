import { createHash } from 'node:crypto';
import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem, EndpointName, TransferItem } from '../domain/records.ts';
import type { ConsensusNews, ResultNews } from '../portfolio/news.ts';
import type { TradeContext, TradeSize, TradeSizes } from '../portfolio/trade-context.ts';

/** A time of which something may be missing. */
export interface Gap {
  /**
   * More arrived between two polls than a first page shows; the venue showed what cannot be read, or may have changed what it
   * had shown; what was stored of the wallet cannot be read; or more waited for a channel that could not be written than is
   * kept. `watch`: the channel's watch cannot be read, so that from `fromSeconds` on nothing comes of either endpoint.
   */
  readonly cause: 'overflow' | 'unclear' | 'damage' | 'backlog' | 'watch';
  readonly endpoint: EndpointName;
  /** Unix seconds, inclusive: nothing is missing before. */
  readonly fromSeconds: number;
  /** Unix seconds, inclusive: nothing is missing after. */
  readonly toSeconds: number;
}

/** What there is to announce about a wallet, before anybody asks which channel wants it. */
export type WalletEvent =
  | {
      readonly kind: 'activity';
      readonly item: ActivityItem;
      readonly context?: TradeContext | undefined;
      readonly sizes?: TradeSizes | undefined;
      /** Of `sizes` what the room that it is shown to may know; not stored. */
      readonly size?: TradeSize | undefined;
    }
  | { readonly kind: 'transfer'; readonly item: TransferItem }
  | { readonly kind: 'gap'; readonly gap: Gap }
  | { readonly kind: 'consensus'; readonly consensus: ConsensusNews }
  | { readonly kind: 'result'; readonly result: ResultNews };

/** The times that an event is about, Unix seconds: when it began and when it ended. */
export function eventSeconds(event: WalletEvent): readonly [fromSeconds: number, toSeconds: number] {
  switch (event.kind) {
    case 'gap':
      return [event.gap.fromSeconds, event.gap.toSeconds];
    case 'consensus':
      return [event.consensus.fromSeconds, event.consensus.toSeconds];
    case 'result':
      return [event.result.closedSeconds, event.result.closedSeconds];
    default:
      return [event.item.time, event.item.time];
  }
}

/** An event on its way to one channel, as it stands in the outbox. */
export interface Alert {
  /** Unique within the wallet; stable over restarts. Shown in the message as its reference. */
  readonly id: string;
  readonly wallet: WalletAddress;
  readonly channelId: string;
  readonly event: WalletEvent;
  /** Epoch milliseconds by the venue's clock: when the bot saw it first. */
  readonly seenAtMs: number;
}

/** Eight characters of base 32: short enough to read out, and the same for the same record whenever it is found. */
export function alertId(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Array.from(digest.subarray(0, 8), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte & 31)).join('');
}
