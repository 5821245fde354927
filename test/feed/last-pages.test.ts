import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { activityIdentity } from '../../src/domain/identity.ts';
import { createLastPages } from '../../src/feed/last-pages.ts';
import { activityItem } from '../venue/samples.ts';

const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;
const NOW = 1_800_000_000;
const HOUR = 3_600;

const trade = (id: number, time: number) => ({
  ...activityItem(),
  txHash: `0x${id.toString(16).padStart(64, '0')}`,
  time,
});
const page = (items: ReturnType<typeof trade>[], hasMore = false) => ({ items, hasMore });

describe('what the feed has seen of a wallet', () => {
  it('does not count what lies below the end of the last page, when that was cut', () => {
    const [older, old, newest] = [trade(1, NOW - 9 * HOUR), trade(2, NOW - 8 * HOUR), trade(3, NOW - 10)];
    for (const hasMore of [true, false]) {
      const pages = createLastPages(activityIdentity);
      expect(pages.take(WALLET, page([newest, old], hasMore))).toBeNull();
      expect(pages.take(WALLET, page([old, older]))).toEqual(hasMore ? [] : [older]);
      pages.forget(WALLET);
      expect(pages.take(WALLET, page([newest]))).toBeNull();
    }
  });

  it('counts each record as new once, whatever pages show it, and cannot tell of the first page', () => {
    const ages = fc.array(fc.integer({ min: 0, max: 99 * HOUR }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(ages, { minLength: 1, maxLength: 6 }), (arrivals) => {
        const pages = createLastPages(activityIdentity);
        const shown: ReturnType<typeof trade>[] = [];
        for (const [index, arrival] of arrivals.entries()) {
          const fresh = arrival.map((age, place) => trade(index * 100 + place, NOW - age));
          shown.push(...fresh);
          const counted = pages.take(WALLET, page(shown.toSorted((a, b) => b.time - a.time)));
          const ids = (items: ReturnType<typeof trade>[] | null) =>
            items?.map(({ txHash }) => txHash).toSorted() ?? null;
          expect(ids(counted)).toEqual(ids(index === 0 ? null : fresh));
        }
      }),
    );
  });
});
