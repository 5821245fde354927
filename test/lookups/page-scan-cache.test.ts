import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { beginScan, createPageScanCache, type PageScan } from '../../src/lookups/page-scan.ts';

const wallet = `0x${'a'.repeat(40)}` as WalletAddress;

function scanOf(
  ownerId: string,
  records: number,
  text = '',
): PageScan<{ readonly time: number; readonly text: string }> {
  const scan = beginScan<{ readonly time: number; readonly text: string }>({ ownerId, wallet, anchorSeconds: null });
  for (let time = 0; time < records; time += 1) scan.items.push({ time, text });
  scan.pages.push({ records, matching: records, characters: records * text.length, newestSeconds: 0 });
  return scan;
}

describe('page scans in memory', () => {
  it('of a server stay, however many and long others have', () => {
    const cache = createPageScanCache<{ readonly time: number; readonly text: string }>(1_000_000);
    cache.set('mine', scanOf('g', 100));
    for (let index = 0; index < 100; index += 1) cache.set(`short ${index}`, scanOf('other', 1));
    cache.set('long', scanOf('other', 100, 'x'.repeat(10_000)));
    expect(cache.get('long'), 'what somebody looks at now').toBeDefined();
    expect(cache.get('short 99'), 'bytes count, not walks').toBeUndefined();
    expect(cache.get('mine')).toBeDefined();
    expect(cache.get('long')).toBeUndefined();
    cache.set('next', scanOf('other', 1));
    expect([...cache.values()]).toHaveLength(2);
  });
});
