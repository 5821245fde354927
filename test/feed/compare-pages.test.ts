import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePages } from '../../src/feed/poller.ts';
import { sampleTrade } from '../support/records.ts';

const NOW = 1_800_000_000;
const HOUR = 3_600;

const trade = (id: number, time: number) => ({
  ...sampleTrade(),
  txHash: `0x${id.toString(16).padStart(64, '0')}`,
  time,
});
const page = (items: ReturnType<typeof trade>[], hasMore = false) => ({ items, hasMore });
type Taken = Parameters<typeof comparePages>[2];
const compare = (shown: ReturnType<typeof page>, before: Taken) =>
  comparePages('activity', shown, before);

describe('what the feed has seen of a wallet', () => {
  it('does not count what lies below the end of the last page, when that was cut', () => {
    const [older, old] = [trade(1, NOW - 9 * HOUR), trade(2, NOW - 8 * HOUR)];
    const newest = trade(3, NOW - 10);
    for (const hasMore of [true, false]) {
      const first = compare(page([newest, old], hasMore), null);
      expect(first.fresh).toBeNull();
      const { fresh } = compare(page([old, older]), first.taken);
      expect(fresh).toEqual(hasMore ? [] : [older]);
    }
  });

  it('does not count a record that the venue has changed, but a second fill of its transaction', () => {
    const [one, other] = [trade(1, NOW - 10), trade(2, NOW - 20)];
    const changed = { ...one, quantity: one.quantity + 1 };
    const { taken } = compare(page([one, other]), null);
    expect(compare(page([{ ...one, fee: 9 }, other]), taken).fresh).toEqual([]);
    expect(compare(page([changed, other]), taken).fresh).toEqual([]);
    expect(compare(page([changed, one, other]), taken).fresh).toEqual([changed]);
  });

  it('counts each record as new once, whatever pages show it, and cannot tell of the first page', () => {
    const ages = fc.array(fc.integer({ min: 0, max: 99 * HOUR }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(ages, { minLength: 1, maxLength: 6 }), (arrivals) => {
        let last: Taken = null;
        const shown: ReturnType<typeof trade>[] = [];
        for (const [index, arrival] of arrivals.entries()) {
          const fresh = arrival.map((age, place) => trade(index * 100 + place, NOW - age));
          shown.push(...fresh);
          const newestFirst = shown.toSorted((a, b) => b.time - a.time);
          const { taken, fresh: counted } = compare(page(newestFirst), last);
          last = taken;
          const ids = (items: ReturnType<typeof trade>[] | null) =>
            items?.map(({ txHash }) => txHash).toSorted() ?? null;
          expect(ids(counted)).toEqual(ids(index === 0 ? null : fresh));
        }
      }),
    );
  });
});
