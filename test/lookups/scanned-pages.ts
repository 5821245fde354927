import type { WalletAddress } from '../../src/domain/address.ts';
import type { PageScan } from '../../src/lookups/page-scan.ts';

/** What has been read of a list to its end: these records, unless `changes` says otherwise. */
export function scannedPages<Item>(
  wallet: WalletAddress,
  items: readonly Item[],
  changes: Partial<PageScan<Item>>,
): PageScan<Item> {
  return {
    ownerId: '1',
    wallet,
    anchorSeconds: null,
    isAnchored: false,
    pages: [],
    items: [...items],
    before: 0,
    read: [],
    isFromTop: true,
    scanned: items.length,
    skipped: 0,
    newestSeconds: 0,
    oldestSeconds: 0,
    cursor: null,
    hasMore: typeof changes.cursor === 'string',
    picture: null,
    ...changes,
  };
}
