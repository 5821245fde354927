import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DetectionState,
  detect,
  detectionStateSchema,
  initialDetectionState,
  OVERLAP_SECONDS,
} from '../../src/alerts/detect.ts';
import { activityIdentity } from '../../src/venue/identity.ts';
import { type ActivityItem, activityItemSchema } from '../../src/venue/schema.ts';
import { randomRuns } from '../support/thorough.ts';

const START = 1_700_000_000;
const DAY = 86_400;

function item(overrides: Partial<ActivityItem> = {}): ActivityItem {
  return {
    time: START,
    action: 'Buy',
    recordType: 'SUMMARY',
    actionType: 0,
    price: 63.5,
    quantity: 100,
    fee: 0.1,
    grossValue: 63.5,
    transferNetAmount: 63.6,
    txHash: '0x01',
    tokenId: '7',
    marketId: '1',
    marketSlug: 'a-market',
    eventSlug: 'an-event',
    conditionId: '0x0a',
    marketTitle: 'Will it?',
    positionSide: 'Yes',
    outcomeIndex: 0,
    logo: '',
    trader: '0x0',
    liquidityRole: 'TAKER',
    ...overrides,
  };
}

function poll(items: ActivityItem[], state: DetectionState<ActivityItem>, hasMore = false, nowSeconds = START + 1_000) {
  return detect({ items, hasMore }, state, activityIdentity, at(nowSeconds));
}

function at(nowSeconds: number) {
  return { earliestSeconds: nowSeconds, latestSeconds: nowSeconds };
}

describe('detect', () => {
  const since = initialDetectionState(START);

  it('reports two fills of one transaction as two items', () => {
    const fills = [item({ quantity: 1 }), item({ quantity: 2 })];
    expect(poll(fills, since).fresh.map((fresh) => fresh.item.quantity)).toEqual([2, 1]);
  });

  it('announces oldest first, whatever order the page has', () => {
    const items = [2, 5, 1].map((seconds) => item({ time: START + seconds, txHash: `0x${seconds}` }));
    expect(poll(items, since).fresh.map((fresh) => fresh.item.time - START)).toEqual([1, 2, 5]);
  });

  it('leaves alone what happened before the watch', () => {
    expect(poll([item({ time: START - 1 })], since).fresh).toEqual([]);
  });

  it('does not take a re-worded title for another record', () => {
    const { state } = poll([item()], since);
    const reworded = item({ marketTitle: 'Would it?', marketSlug: 'b', logo: 'https://x.test/y.png', recordType: 'X' });
    expect(poll([reworded], state).fresh).toEqual([]);
  });

  it('does not take a transaction that a reorganised chain moved to another second for another record', () => {
    const { state } = poll([item({ time: START + 10 })], since);
    expect(poll([item({ time: START + 12 })], state).fresh).toEqual([]);
  });

  it('stays quiet when the newest record vanishes and comes back', () => {
    const [older, newest] = [item(), item({ time: START + 9, txHash: '0x02' })];
    const first = poll([newest, older], since);
    const second = poll([older], first.state);
    const third = poll([newest, older], second.state);
    expect([first, second, third].map(({ fresh }) => fresh.length)).toEqual([2, 0, 0]);
    expect([second.gap, third.gap]).toEqual([null, null]);
  });

  it('reports a record that was indexed late, inside the overlap', () => {
    const { state } = poll([item({ time: START + OVERLAP_SECONDS, txHash: '0x02' })], since);
    const late = item({ time: START + 60, txHash: '0x03' });
    expect(poll([item({ time: START + OVERLAP_SECONDS, txHash: '0x02' }), late], state).fresh).toHaveLength(1);
  });

  it('changes nothing on an empty page, nor when nothing is new', () => {
    const { state } = poll([item()], since);
    expect(poll([], state).state).toBe(state);
    expect(poll([item()], state).state).toBe(state);
  });

  it('believes a duplicate record when further pages confirm it, and announces the first copy at once', () => {
    const duplicates = [item(), item()];
    const counts: number[] = [];
    let state: DetectionState<ActivityItem> = since;
    for (let round = 0; round < 5; round += 1) {
      const detection = poll(duplicates, state);
      counts.push(detection.fresh.length);
      expect(detection.recheck).toBe(round < 2);
      state = detection.state;
    }
    expect(counts).toEqual([1, 0, 1, 0, 0]);
  });

  it('does not believe a copy that a page repeated by mistake', () => {
    const first = poll([item(), item()], since);
    const second = poll([item()], first.state);
    const third = poll([item(), item()], second.state);
    expect([first, second, third].map(({ fresh }) => fresh.length)).toEqual([1, 0, 0]);
    expect(second.recheck).toBe(false);
  });

  it('announces a duplicate record that no page can confirm any more rather than lose it', () => {
    const first = poll([item(), item()], since);
    const later = [item({ time: START + 60, txHash: '0x05' }), item({ time: START + 50, txHash: '0x04' })];
    const second = poll(later, first.state, true);
    expect(second.fresh.map(({ item: { txHash }, occurrence }) => [txHash, occurrence])).toEqual([
      ['0x01', 2],
      ['0x04', 1],
      ['0x05', 1],
    ]);
  });

  it('says between which times records may be missing when a full page holds nothing known', () => {
    const { state } = poll([item({ time: START + 5 })], since);
    const page = [item({ time: START + 30, txHash: '0x03' }), item({ time: START + 20, txHash: '0x02' })];
    expect(poll(page, state, true).gap).toEqual({ fromSeconds: START + 5, toSeconds: START + 20 });
    expect(poll(page, state, false).gap).toBeNull();
  });

  it('sees a gap where the request was narrowed to later than what is known', () => {
    const { state } = poll([item()], initialDetectionState(START - 10));
    const narrowed = (fromSeconds: number) =>
      detect(
        { items: [item({ time: START + 900, txHash: '0x02' })], hasMore: false, fromSeconds },
        state,
        activityIdentity,
        at(START + 1_000),
      );
    expect(narrowed(START + 500).gap).toEqual({ fromSeconds: START, toSeconds: START + 500 });
    expect(narrowed(START + 500).fresh).toHaveLength(1);
    expect(narrowed(START - 1).gap).toBeNull();
  });

  it('sees no gap when the page reaches back before the watch', () => {
    expect(poll([item({ time: START + 5 }), item({ time: START - 5, txHash: '0x0' })], since, true).gap).toBeNull();
  });

  it('is not led astray by a record dated hours ahead', () => {
    const future = item({ time: START + 80_000, txHash: '0xff' });
    const first = poll([future], since, false, START + 10);
    expect(first.fresh).toHaveLength(1);
    const second = poll([future, item({ time: START + 20, txHash: '0x02' })], first.state, false, START + 30);
    expect(second.fresh.map((fresh) => fresh.item.txHash)).toEqual(['0x02']);
  });

  it('refuses a record dated more than a day ahead, and announces it once when its time has come', () => {
    const future = item({ time: START + 5 * DAY, txHash: '0xff' });
    const first = poll([future, item()], since, false, START + 10);
    expect(first.fresh.map((fresh) => fresh.item.txHash)).toEqual(['0x01']);
    expect(first.refused).toEqual([future]);
    const second = poll([future, item()], first.state, false, START + 20);
    expect([second.state, second.fresh, second.refused, second.recheck]).toEqual([first.state, [], [future], false]);
    const third = poll([future, item()], second.state, false, START + 4 * DAY);
    expect(third.fresh.map((fresh) => fresh.item.txHash)).toEqual(['0xff']);
    expect(poll([future, item()], third.state, false, START + 6 * DAY).fresh).toEqual([]);
  });

  it('believes the later of two clocks about what is too far ahead, and the earlier one about what is late', () => {
    const [record, next] = [item({ time: START + 3 * DAY }), item({ time: START + 3 * DAY - 5_000, txHash: '0x02' })];
    // One clock has stopped three days ago, or the other has run ahead: nobody knows.
    const apart = { earliestSeconds: START, latestSeconds: START + 3 * DAY };
    const first = detect({ items: [record], hasMore: false }, since, activityIdentity, apart);
    expect([first.fresh.length, first.refused.length]).toEqual([1, 0]);
    const second = detect({ items: [record, next], hasMore: false }, first.state, activityIdentity, apart);
    expect(second.fresh.map((fresh) => fresh.item.txHash)).toEqual(['0x02']);
  });

  it.each([20 * 3_600, 3_000 * 365 * DAY])(
    'keeps a mark small, and loses nothing, whatever a venue dates %s s ahead',
    (aheadSeconds) => {
      let state: DetectionState<ActivityItem> = since;
      const announced: string[] = [];
      const real: string[] = [];
      for (let round = 0; round < 60; round += 1) {
        const nowSeconds = START + round * 10;
        const items = Array.from({ length: 99 }, (_, index) =>
          item({ time: nowSeconds + aheadSeconds + index, txHash: `0xf${round}.${index}` }),
        );
        real.push(`0x${round}`);
        items.push(item({ time: nowSeconds, txHash: `0x${round}` }));
        const detection = poll(items, state, false, nowSeconds);
        state = detection.state;
        announced.push(...detection.fresh.map((fresh) => fresh.item.txHash).filter((hash) => !hash.startsWith('0xf')));
        expect(state.seen.length).toBeLessThanOrEqual(1_100);
        expect(state.earliestAcceptedSeconds).toBeLessThanOrEqual(nowSeconds);
      }
      expect(announced).toEqual(real);
    },
  );

  it('says once a day that nothing can be seen while a page holds nothing but refused records', () => {
    const { state } = poll([item({ time: START + 5 })], since);
    const future = [item({ time: START + 9 * DAY, txHash: '0xff' })];
    const blind = poll(future, state, true, START + 60);
    expect(blind.gap).toEqual({ fromSeconds: START + 5, toSeconds: START + 60 });
    const again = poll(future, blind.state, true, START + 120);
    expect([again.gap, again.recheck, again.state]).toEqual([null, false, blind.state]);
    const later = poll(future, again.state, true, START + DAY + 60);
    expect(later.gap).toEqual({ fromSeconds: START + 60, toSeconds: START + DAY + 60 });
    const seen = [...future, item({ time: START + DAY + 90, txHash: '0x09' })];
    const restored = poll(seen, later.state, true, START + DAY + 120);
    expect(restored.fresh.map((fresh) => fresh.item.txHash)).toEqual(['0x09']);
    expect(restored.gap).toEqual({ fromSeconds: START + 5, toSeconds: START + DAY + 90 });
  });

  it('keeps a mark small for a wallet that trades without pause', () => {
    let state: DetectionState<ActivityItem> = since;
    for (let round = 0; round < 40; round += 1) {
      const items = Array.from({ length: 100 }, (_, index) => {
        const time = START + round * 50 + Math.floor((100 - index) / 2);
        return item({ time, txHash: `0x${round}.${index}` });
      });
      state = poll(items, state, true, START + 10_000).state;
    }
    expect(state.seen.length).toBeLessThanOrEqual(256);
    expect(detectionStateSchema(activityItemSchema).parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });
});

/** What happens between two polls, as small numbers that the model reads. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('record' as const), copies: fc.constantFrom(1, 1, 1, 2, 3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sameTransaction' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('late' as const), bySeconds: fc.integer({ min: 0, max: 3_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('ahead' as const), bySeconds: fc.integer({ min: 0, max: 3 * DAY }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('old' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('vanish' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reword' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 90 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('poll' as const) }) },
);

interface Entry {
  record: ActivityItem;
  readonly isLate: boolean;
  hasVanished: boolean;
  wasOnPage: boolean;
}

describe('detect, over random histories', () => {
  it('reports every record once that a polled page has shown, covers the others by a gap, and never reports twice', () => {
    const settings = fc.record({
      pageSize: fc.integer({ min: 2, max: 9 }),
      happenings: fc.array(happening, { maxLength: 120 }),
      tieSeed: fc.integer(),
    });
    fc.assert(
      fc.property(settings, ({ pageSize, happenings, tieSeed }) => {
        let nowSeconds = START;
        let state: DetectionState<ActivityItem> = initialDetectionState(START);
        const ledger: Entry[] = [];
        const announced = new Map<string, number>();
        let hasBeenBlind = false;
        const gaps: { fromSeconds: number; toSeconds: number }[] = [];
        const add = (record: ActivityItem, isLate: boolean) => {
          // After one that is dated ahead, those of now come late.
          const isBehind = ledger.some((other) => other.record.time > record.time);
          ledger.push({ record, isLate: isLate || isBehind, hasVanished: false, wasOnPage: false });
        };
        const fresh = () => item({ time: nowSeconds, txHash: `0x${ledger.length}` });
        const tie = (entry: Entry) => (ledger.indexOf(entry) * 7_919 + tieSeed) % 31;
        const pollNow = () => {
          const present = ledger
            .filter(({ hasVanished }) => !hasVanished)
            .sort((a, b) => b.record.time - a.record.time || tie(a) - tie(b));
          const page = present.slice(0, pageSize);
          const isRefused = ({ record }: Entry) => record.time > nowSeconds + DAY;
          for (const entry of page) if (!isRefused(entry)) entry.wasOnPage = true;
          if (page.length > 0 && page.every(isRefused)) hasBeenBlind = true;
          const items = page.map(({ record }) => record);
          const hasMore = present.length > pageSize;
          const detection = detect({ items, hasMore }, state, activityIdentity, at(nowSeconds));
          state = detection.state;
          if (detection.gap !== null) gaps.push(detection.gap);
          for (const { identity, occurrence } of detection.fresh) {
            expect(occurrence).toBe((announced.get(identity) ?? 0) + 1);
            announced.set(identity, occurrence);
          }
        };
        for (const happens of happenings) {
          const last = ledger.at(-1);
          if (happens.kind === 'record') {
            const record = fresh();
            for (let copy = 0; copy < happens.copies; copy += 1) add({ ...record }, false);
          } else if (happens.kind === 'sameTransaction' && last?.record.time === nowSeconds) {
            add({ ...last.record, quantity: last.record.quantity + ledger.length }, last.isLate);
          } else if (happens.kind === 'late') {
            add({ ...fresh(), time: Math.max(START, nowSeconds - happens.bySeconds) }, true);
          } else if (happens.kind === 'ahead') {
            add({ ...fresh(), time: nowSeconds + happens.bySeconds }, false);
          } else if (happens.kind === 'old') {
            add({ ...fresh(), time: START - 1 - ledger.length }, true);
          } else if (happens.kind === 'vanish' && last !== undefined) {
            last.hasVanished = true;
          } else if (happens.kind === 'reword' && last !== undefined) {
            last.record = { ...last.record, marketTitle: `${last.record.marketTitle}!` };
          } else if (happens.kind === 'wait') {
            nowSeconds += happens.seconds;
          } else if (happens.kind === 'poll') {
            pollNow();
          }
        }
        for (let settle = 0; settle < 4; settle += 1) pollNow();

        const byIdentity = new Map<string, Entry[]>();
        for (const entry of ledger) {
          const identity = activityIdentity(entry.record);
          byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), entry]);
        }
        for (const [identity, entries] of byIdentity) {
          const [{ record }] = entries as [Entry];
          const count = announced.get(identity) ?? 0;
          expect(count).toBeLessThanOrEqual(entries.length);
          if (record.time < START) {
            expect(count).toBe(0);
            continue;
          }
          const isInGap = gaps.some((gap) => gap.fromSeconds <= record.time && record.time <= gap.toSeconds);
          const shown = entries.filter(({ wasOnPage }) => wasOnPage).length;
          // Behind a page of refused records nothing is seen; what is said of it is said once a day.
          const isUnseen = hasBeenBlind || record.time > nowSeconds + DAY;
          const isExempt = isUnseen || entries.some(({ isLate, hasVanished }) => isLate || hasVanished);
          if (shown > 0) expect(count).toBeGreaterThanOrEqual(1);
          if (!isInGap && !isExempt) expect(count).toBe(entries.length);
        }
      }),
      randomRuns(3_000),
    );
  });
});
