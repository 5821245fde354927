import type { WalletAddress } from '../venue/address.ts';
import type { PolledPage } from './polled-page.ts';

/** How far below the newest record seen the next page reaches: a record may turn up late by an hour of the wallet's own time. */
const OVERLAP_SECONDS = 3_600;

/** The last page of each wallet that was taken over: what the next one is narrowed to and compared with. */
export interface LastPages<Item> {
  /** What the next request may be narrowed to, Unix seconds; null if nothing has been seen. */
  fromSeconds(wallet: WalletAddress): number | null;
  /** @returns times of the records that the last page did not show, Unix seconds; none for a wallet's first page */
  take(wallet: WalletAddress, page: Pick<PolledPage<Item>, 'items' | 'earliestSeconds'>): number[];
  forget(wallet: WalletAddress): void;
}

interface LastPage {
  readonly newestSeconds: number;
  /** The first 32 bits of each record's identity: a page has a hundred, and a wrong guess costs the schedule nothing. */
  readonly records: Uint32Array;
}

/** @param identify names a record, the same whenever it is shown */
export function createLastPages<Item extends { readonly time: number }>(
  identify: (item: Item) => string,
): LastPages<Item> {
  const lastPages = new Map<WalletAddress, LastPage>();
  const shortIdentity = (item: Item) => Buffer.from(identify(item), 'base64url').readUInt32LE(0);
  return {
    fromSeconds(wallet) {
      const last = lastPages.get(wallet);
      return last === undefined || last.newestSeconds <= 0 ? null : Math.max(0, last.newestSeconds - OVERLAP_SECONDS);
    },
    take(wallet, { items, earliestSeconds }) {
      const before = lastPages.get(wallet);
      const known = new Set(before?.records);
      // A record that is dated ahead must not hide those that are not.
      const newestSeconds = items.reduce(
        (newest, { time }) => (time <= earliestSeconds ? Math.max(newest, time) : newest),
        before?.newestSeconds ?? 0,
      );
      lastPages.set(wallet, { newestSeconds, records: Uint32Array.from(items, shortIdentity) });
      if (before === undefined) return [];
      const overlapSeconds = before.newestSeconds - OVERLAP_SECONDS;
      return items.flatMap((item) => (item.time < overlapSeconds || known.has(shortIdentity(item)) ? [] : [item.time]));
    },
    forget: (wallet) => void lastPages.delete(wallet),
  };
}
