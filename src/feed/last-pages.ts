import type { WalletAddress } from '../domain/address.ts';
import type { PolledPage } from './polled-page.ts';

interface LastPage {
  /** Unix seconds of the oldest record, where the venue has older ones: these were there before, whenever they are shown. */
  readonly endSeconds: number;
  /** The first 32 bits of each record's identity: a page has a hundred, and a wrong guess costs the schedule nothing. */
  readonly records: Uint32Array;
}

/**
 * The last page of each wallet that was taken over: what the next one is compared with.
 *
 * @param identify names a record, the same whenever it is shown
 */
export function createLastPages<Item extends { readonly time: number }>(identify: (item: Item) => string) {
  const lastPages = new Map<WalletAddress, LastPage>();
  const shortIdentity = (item: Item) => Buffer.from(identify(item), 'base64url').readUInt32LE(0);
  return {
    /** @returns the records that the last page did not show; null for a wallet's first page */
    take(wallet: WalletAddress, { items, hasMore }: Pick<PolledPage<Item>, 'items' | 'hasMore'>): Item[] | null {
      const before = lastPages.get(wallet);
      const records = Uint32Array.from(items, shortIdentity);
      const endSeconds = hasMore ? Math.min(...items.map(({ time }) => time)) : Number.NEGATIVE_INFINITY;
      lastPages.set(wallet, { endSeconds, records });
      if (before === undefined) return null;
      const known = new Set(before.records);
      return items.filter(({ time }, index) => time >= before.endSeconds && !known.has(records[index] ?? 0));
    },
    forget: (wallet: WalletAddress) => void lastPages.delete(wallet),
  };
}
