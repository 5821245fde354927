import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Detection,
  type DetectionState,
  detect,
  detectionStateSchema,
  initialDetectionState,
  OVERLAP_SECONDS,
} from '../../src/alerts/detect.ts';
import type { Gap } from '../../src/alerts/kinds/gap.ts';
import {
  type ActivityItem,
  activityIdentity,
  activityItemSchema,
} from '../../src/domain/records.ts';
import { happening } from '../support/happening.ts';
import { sampleTrade } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';

const START = 1_700_000_000;
const DAY = 86_400;

function item(changes: Partial<ActivityItem> = {}): ActivityItem {
  return { ...sampleTrade(), time: START, txHash: '0x01', ...changes };
}

function poll(
  items: ActivityItem[],
  state: DetectionState<ActivityItem>,
  hasMore = false,
  nowSeconds = START + 1_000,
) {
  return detect({ ...at(nowSeconds), items, hasMore }, state, activityIdentity);
}

/** Returns a record of a transaction, these seconds after the start. */
const recordAt = (seconds: number, txHash = '0x01') => item({ time: START + seconds, txHash });

/** Transactions of what is announced. */
function hashes({ fresh }: Detection<ActivityItem>): string[] {
  return fresh.map(({ item: { txHash } }) => txHash);
}

/** Returns a gap of these seconds after the start. */
function gapOf(cause: Gap['cause'], fromSeconds: number, toSeconds: number) {
  return { cause, fromSeconds: START + fromSeconds, toSeconds: START + toSeconds };
}

function at(nowSeconds: number) {
  return {
    fromSeconds: null,
    unreadable: [],
    earliestSeconds: nowSeconds,
    latestSeconds: nowSeconds,
  };
}

describe('detect', () => {
  const since = initialDetectionState(START);

  it('reports two fills of one transaction as two items', () => {
    const fills = [item({ quantity: 1 }), item({ quantity: 2 })];
    expect(poll(fills, since).fresh.map((fresh) => fresh.item.quantity)).toEqual([2, 1]);
  });

  it.each<[string, Partial<ActivityItem>]>([
    [
      'is worded anew',
      { marketTitle: 'Would it?', marketSlug: 'b', logo: 'https://x.test/y.png', recordType: 'X' },
    ],
    ['a reorganised chain has moved to another second', { time: START + 12 }],
  ])('does not take for another record one that %s', (_, changes) => {
    const { state } = poll([recordAt(10)], since);
    expect(poll([item({ time: START + 10, ...changes })], state).fresh).toEqual([]);
  });

  it('stays quiet when the newest record vanishes and comes back', () => {
    const [older, newest] = [item(), recordAt(9, '0x02')];
    const first = poll([newest, older], since);
    const second = poll([older], first.state);
    const third = poll([newest, older], second.state);
    expect([first, second, third].map(({ fresh }) => fresh.length)).toEqual([2, 0, 0]);
    expect([second.gap, third.gap]).toEqual([null, null]);
  });

  it.each([
    ['whole', false],
    ['cut', true],
  ])('reports a record that was indexed hours late, on a page that is %s', (_, hasMore) => {
    const [first, newest] = [recordAt(100), recordAt(9_000, '0x02')];
    const { state } = poll([newest, first], since, hasMore, START + 9_001);
    const late = recordAt(5_000, '0x03');
    const detection = poll([newest, late, first], state, hasMore, START + 9_100);
    expect(hashes(detection)).toEqual(['0x03']);
    expect(detection.gap).toBeNull();
    expect(poll([newest, late, first], detection.state, hasMore, START + 9_200).fresh).toEqual([]);
  });

  it('leaves alone what lies below the end of the last page, where that was cut', () => {
    const [first, newest] = [recordAt(100), recordAt(9_000, '0x02')];
    const { state } = poll([newest, first], since, true, START + 9_001);
    // The newest has vanished, so that the page reaches further down.
    const older = recordAt(50, '0x04');
    expect(poll([first, older], state, true, START + 9_100).fresh).toEqual([]);
  });

  it('reports a record of the last hour also where the last page ended above it', () => {
    const [second, newest] = [recordAt(50, '0x02'), recordAt(60, '0x03')];
    const { state } = poll([newest, second], since, true);
    const late = recordAt(20, '0x04');
    expect(hashes(poll([second, late], state, true))).toEqual(['0x04']);
  });

  it.each([
    ['have sunk below the page', ['0x20100', '0x20000', '0x6000'], true],
    ['are of the last hour', ['0x6000', '0x5000', '0x100'], false],
  ])('reports a late record where the known ones that have gone %s', (_, page, hasMore) => {
    const of = (hash: string) => item({ time: START + Number(hash.slice(2)), txHash: hash });
    const { state } = poll(['0x20000', '0x5000', '0x100'].map(of), since, hasMore, START + 20_001);
    const detection = poll(page.map(of), state, hasMore, START + 20_200);
    expect(hashes(detection)).toContain('0x6000');
    expect(detection.gap).toBeNull();
  });

  it('says once of which time records were changed rather than announce them all again', () => {
    const records = [9, 5, 3, 1].map((hours) =>
      item({ time: START + hours * 3_600, txHash: `0x${hours}` }),
    );
    const { state } = poll(records, since, false, START + 10 * 3_600);
    const [newest, ...old] = records as [ActivityItem, ...ActivityItem[]];
    const changed = [newest, ...old.map((one) => ({ ...one, tokenId: `${one.tokenId}1` }))];
    const detection = poll(changed, state, false, START + 10 * 3_600);
    expect(detection.fresh).toEqual([]);
    expect(detection.gap).toEqual(gapOf('unclear', 3_600, 5 * 3_600));
    const next = recordAt(9 * 3_600 + 5, '0x10');
    const later = poll([next, ...changed], detection.state, false, START + 10 * 3_600);
    expect([later.gap, hashes(later)]).toEqual([null, ['0x10']]);
  });

  describe('where a row cannot be read', () => {
    const row = (identity: string, fromSeconds: number, toSeconds = fromSeconds) => ({
      identity,
      fromSeconds,
      toSeconds,
    });
    const look = (
      unreadable: readonly ReturnType<typeof row>[],
      state: DetectionState<ActivityItem>,
      items = [item()],
      hasMore = false,
    ) => detect({ ...at(START + 1_000), items, hasMore, unreadable }, state, activityIdentity);

    it('says so once, on a first page and on later ones', () => {
      const first = look([row('a', START + 5)], since);
      expect(first.gap).toEqual(gapOf('unclear', 5, 5));
      expect(first.fresh).toHaveLength(1);
      const again = look([row('a', START + 5)], first.state);
      expect([again.gap, again.state]).toEqual([null, first.state]);
      const another = look([row('b', START + 9, START + 20), row('a', START + 5)], again.state);
      expect(another.gap).toEqual(gapOf('unclear', 9, 20));
      expect(look([row('b', START + 9, START + 20)], another.state).gap).toBeNull();
    });

    it('says nothing of one from before the watch, and nothing of a time that is to come', () => {
      expect(look([row('a', START - 9, START - 1)], since).gap).toBeNull();
      const between = look([row('a', START - 9, Number.MAX_SAFE_INTEGER)], since);
      expect(between.gap).toEqual(gapOf('unclear', 0, 1_000));
    });

    it('says so also where nothing else is on the page, and not again while it stays there', () => {
      const first = look([row('a', START + 5), row('b', 0, START + 4)], since, [], true);
      expect(first.gap).toEqual(gapOf('overflow', 0, 5));
      let { state } = first;
      const items = [item()];
      for (let hour = 1; hour < 5; hour += 1) {
        items.unshift(item({ time: START + hour * 3_600, txHash: `0x${hour}` }));
        const page = {
          items: items.slice(0, 3),
          hasMore: hour > 2,
          unreadable: [row('b', 0, Number.MAX_SAFE_INTEGER)],
        };
        const later = detect({ ...at(START + 5 * 3_600), ...page }, state, activityIdentity);
        expect(later.gap).toBeNull();
        state = later.state;
      }
    });

    it('tells what lies behind a page of which nothing can be read', () => {
      const { state } = poll([item()], since, false, START + 10);
      const detection = look([row('a', START + 9_000), row('b', START + 8_000)], state, [], true);
      expect(detection.gap).toEqual({
        cause: 'overflow',
        fromSeconds: state.newestSeconds,
        toSeconds: START + 9_000,
      });
      expect(
        look([row('a', START + 9_000), row('b', START + 8_000)], detection.state, [], true).gap,
      ).toBeNull();
    });

    it('announces the record when it can be read, however late that is', () => {
      const newest = recordAt(9_000, '0x02');
      const garbled = { items: [newest], hasMore: false, unreadable: [row('a', START + 5)] };
      const { state } = detect({ ...at(START + 9_001), ...garbled }, since, activityIdentity);
      const read = recordAt(5, '0x03');
      const detection = poll([newest, read], state, false, START + 9_100);
      expect([detection.gap, hashes(detection)]).toEqual([null, ['0x03']]);
    });

    it('says of a gap beside it in one notice', () => {
      const { state } = look([], since, [recordAt(5)]);
      const detection = look([row('a', START + 40)], state, [recordAt(30, '0x03')], true);
      expect(detection.gap).toEqual(gapOf('overflow', 5, 40));
    });
  });

  it('waits for the other pages with a twin that a page was too short to show', () => {
    const newest = recordAt(9_000, '0x02');
    const { state } = poll([newest, item(), item()], since, false, START + 9_001);
    const short = { items: [newest], hasMore: false, fromSeconds: START + 5_400 };
    const beside = detect({ ...at(START + 9_002), ...short }, state, activityIdentity);
    expect([beside.recheck, beside.state]).toEqual([true, state]);
    const second = poll([newest, item(), item()], beside.state, false, START + 9_003);
    expect(poll([newest, item(), item()], second.state, false, START + 9_004).fresh).toHaveLength(
      1,
    );
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
    const later = [recordAt(60, '0x05'), recordAt(50, '0x04')];
    const second = poll(later, first.state, true);
    expect(second.fresh.map(({ item: { txHash }, occurrence }) => [txHash, occurrence])).toEqual([
      ['0x01', 2],
      ['0x04', 1],
      ['0x05', 1],
    ]);
  });

  it('says between which times records may be missing when a full page holds nothing known', () => {
    const { state } = poll([recordAt(5)], since);
    const page = [recordAt(30, '0x03'), recordAt(20, '0x02')];
    expect(poll(page, state, true).gap).toEqual(gapOf('overflow', 5, 20));
    expect(poll(page, state, false).gap).toBeNull();
  });

  it('sees a gap where the request was narrowed to later than what is known', () => {
    const { state } = poll([item()], initialDetectionState(START - 10));
    const narrowed = (fromSeconds: number) =>
      detect(
        {
          ...at(START + 1_000),
          items: [recordAt(900, '0x02')],
          hasMore: false,
          fromSeconds,
        },
        state,
        activityIdentity,
      );
    expect(narrowed(START + 500).gap).toEqual(gapOf('overflow', 0, 500));
    expect(narrowed(START + 500).fresh).toHaveLength(1);
    expect(narrowed(START - 1).gap).toBeNull();
  });

  it('sees no gap when the page reaches back before the watch', () => {
    expect(
      poll([recordAt(5), item({ time: START - 5, txHash: '0x0' })], since, true).gap,
    ).toBeNull();
  });

  it('refuses a record dated more than a day ahead, and announces it once when its time has come', () => {
    const future = recordAt(5 * DAY, '0xff');
    const first = poll([future, item()], since, false, START + 10);
    expect(hashes(first)).toEqual(['0x01']);
    expect(first.refused).toEqual([future]);
    const second = poll([future, item()], first.state, false, START + 20);
    expect([second.state, second.fresh, second.refused, second.recheck]).toEqual([
      first.state,
      [],
      [future],
      false,
    ]);
    const third = poll([future, item()], second.state, false, START + 4 * DAY);
    expect(hashes(third)).toEqual(['0xff']);
    expect(poll([future, item()], third.state, false, START + 6 * DAY).fresh).toEqual([]);
  });

  it('believes the later of two clocks about what is too far ahead, and the earlier one about what is late', () => {
    const [record, next] = [recordAt(3 * DAY), recordAt(3 * DAY - 5_000, '0x02')];
    // One clock has stopped three days ago, or the other has run ahead: nobody knows.
    const apart = { ...at(START), latestSeconds: START + 3 * DAY, hasMore: false };
    const first = detect({ ...apart, items: [record] }, since, activityIdentity);
    expect([first.fresh.length, first.refused.length]).toEqual([1, 0]);
    const second = detect({ ...apart, items: [record, next] }, first.state, activityIdentity);
    expect(hashes(second)).toEqual(['0x02']);
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
        announced.push(...hashes(detection).filter((hash) => !hash.startsWith('0xf')));
        expect(state.seen.length).toBeLessThanOrEqual(1_100);
        expect(state.earliestAcceptedSeconds).toBeLessThanOrEqual(nowSeconds);
      }
      expect(announced).toEqual(real);
    },
  );

  it('says once a day that nothing can be seen while a page holds nothing but refused records', () => {
    const { state } = poll([recordAt(5)], since);
    const future = [recordAt(9 * DAY, '0xff')];
    const blind = poll(future, state, true, START + 60);
    expect(blind.gap).toEqual(gapOf('overflow', 5, 60));
    const again = poll(future, blind.state, true, START + 120);
    expect([again.gap, again.recheck, again.state]).toEqual([null, false, blind.state]);
    const later = poll(future, again.state, true, START + DAY + 60);
    expect(later.gap).toEqual(gapOf('overflow', 60, DAY + 60));
    const seen = [...future, recordAt(DAY + 90, '0x09')];
    const restored = poll(seen, later.state, true, START + DAY + 120);
    expect(hashes(restored)).toEqual(['0x09']);
    expect(restored.gap).toEqual(gapOf('overflow', 5, DAY + 90));
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
    for (let round = 0; round < 40; round += 1) {
      const newest = item({ time: START + 20_000 + round * 10, txHash: `0x${round}` });
      const page = { items: [newest], hasMore: false, fromSeconds: newest.time - 5 };
      state = detect({ ...at(START + 30_000), ...page }, state, activityIdentity).state;
      expect(state.seen.length).toBeLessThanOrEqual(256);
    }
    expect(
      detectionStateSchema(activityItemSchema).parse(JSON.parse(JSON.stringify(state))),
    ).toEqual(state);
  });
});

/** What happens between two polls, as small numbers that the model reads. */
const happenings = fc.oneof(
  happening(6, 'record', { copies: fc.constantFrom(1, 1, 1, 2, 3) }),
  happening(2, 'sameTransaction'),
  happening(2, 'late', { bySeconds: fc.integer({ min: 0, max: 3 * DAY }) }),
  happening(1, 'ahead', { bySeconds: fc.integer({ min: 0, max: 3 * DAY }) }),
  happening(1, 'old'),
  happening(1, 'vanish'),
  happening(1, 'reword'),
  happening(1, 'change', { pick: fc.nat() }),
  happening(1, 'garble', { pick: fc.nat() }),
  happening(4, 'wait', { seconds: fc.constantFrom(0, 1, 30, 90, 5_000) }),
  happening(6, 'poll'),
);

interface Entry {
  record: ActivityItem;
  isLate: boolean;
  hasVanished: boolean;
  isGarbled: boolean;
  wasOnPage: boolean;
  /**
   * Whether earlier pages had ended above it when it came onto one: then nobody can tell whether it
   * was there before.
   */
  wasBelow: boolean;
}

describe('detect, over random histories', () => {
  it('reports every record once that a polled page has shown, covers the others by a gap, and never reports twice', () => {
    const settings = fc.record({
      pageSize: fc.integer({ min: 2, max: 9 }),
      history: fc.array(happenings, { maxLength: 120 }),
      tieSeed: fc.integer(),
      isShortened: fc.boolean(),
    });
    fc.assert(
      fc.property(settings, ({ pageSize, history, tieSeed, isShortened }) => {
        let nowSeconds = START;
        let state: DetectionState<ActivityItem> = initialDetectionState(START);
        const ledger: Entry[] = [];
        const announced = new Map<string, number>();
        let hasBeenBlind = false;
        let endSeconds = Number.NEGATIVE_INFINITY;
        let mayBeUnclear = false;
        let shownBefore = new Set<string>();
        let isOpen = false;
        const gaps: { cause: string; fromSeconds: number; toSeconds: number }[] = [];
        const add = (record: ActivityItem, isLate: boolean) => {
          // After one that is dated ahead, those of now come late.
          const isBehind = ledger.some((other) => other.record.time > record.time);
          ledger.push({
            record,
            isLate: isLate || isBehind,
            hasVanished: false,
            isGarbled: false,
            wasOnPage: false,
            wasBelow: false,
          });
        };
        const fresh = () => item({ time: nowSeconds, txHash: `0x${ledger.length}` });
        const tie = (entry: Entry) => (ledger.indexOf(entry) * 7_919 + tieSeed) % 31;
        const pollNow = () => {
          const present = ledger
            .filter(({ hasVanished }) => !hasVanished)
            .sort((a, b) => b.record.time - a.record.time || tie(a) - tie(b));
          const page = present.slice(0, pageSize);
          const isRefused = ({ record }: Entry) => record.time > nowSeconds + DAY;
          for (const entry of page) {
            // Of what cannot be read and is dated days ahead, only that it is there is said.
            if (isRefused(entry) && entry.isGarbled) entry.wasBelow = true;
            if (isRefused(entry) || entry.wasOnPage) continue;
            entry.wasOnPage = true;
            entry.wasBelow ||= entry.record.time < endSeconds;
          }
          if (page.length > 0 && page.every(isRefused)) hasBeenBlind = true;
          const unreadable = page
            .filter(({ isGarbled }) => isGarbled)
            .map(({ record: { time, txHash } }) => ({
              identity: txHash,
              fromSeconds: time,
              toSeconds: time,
            }));
          const items = page.filter(({ isGarbled }) => !isGarbled).map(({ record }) => record);
          const hasMore = present.length > pageSize;
          const shown = new Set(
            page.map((entry) => `${ledger.indexOf(entry)} ${entry.isGarbled} ${entry.record.fee}`),
          );
          const newsSeconds = page.flatMap((entry) =>
            shownBefore.has(`${ledger.indexOf(entry)} ${entry.isGarbled} ${entry.record.fee}`)
              ? []
              : [entry.record.time],
          );
          const newest = Math.min(nowSeconds, Math.max(...items.map(({ time }) => time)));
          const fromSeconds = Math.min(newest - OVERLAP_SECONDS, ...newsSeconds);
          // As the feed shortens what it publishes.
          const isShort =
            isShortened &&
            !isOpen &&
            shownBefore.size > 0 &&
            items.some(({ time }) => time < fromSeconds);
          shownBefore = shown;
          const polled = isShort
            ? {
                items: items.filter(({ time }) => time >= fromSeconds),
                unreadable: unreadable.filter(({ toSeconds }) => toSeconds >= fromSeconds),
                hasMore: false,
                fromSeconds,
              }
            : { items, unreadable, hasMore };
          const detection = detect({ ...at(nowSeconds), ...polled }, state, activityIdentity);
          isOpen = detection.recheck;
          state = detection.state;
          const accepted = page
            .filter((entry) => !isRefused(entry) && !entry.isGarbled)
            .map(({ record }) => record.time);
          const garbled = page
            .filter((entry) => !isRefused(entry))
            .map(({ record }) => record.time);
          const ends = accepted.length > 0 ? accepted : garbled;
          if (hasMore && !isShort && ends.length > 0) {
            endSeconds = Math.max(
              endSeconds,
              Math.min(state.newestSeconds - OVERLAP_SECONDS, ...ends),
            );
          }
          if (detection.gap !== null) gaps.push(detection.gap);
          for (const { identity, occurrence } of detection.fresh) {
            expect(occurrence).toBe((announced.get(identity) ?? 0) + 1);
            announced.set(identity, occurrence);
          }
        };
        for (const happens of history) {
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
            mayBeUnclear = true;
          } else if (happens.kind === 'reword' && last !== undefined) {
            last.record = { ...last.record, marketTitle: `${last.record.marketTitle}!` };
          } else if (happens.kind === 'change') {
            const changed = ledger[happens.pick % ledger.length];
            if (changed === undefined || changed.hasVanished) continue;
            changed.hasVanished = true;
            mayBeUnclear = true;
            ledger.push({
              ...changed,
              record: { ...changed.record, fee: changed.record.fee + 1 },
              isLate: true,
              hasVanished: false,
              wasOnPage: false,
            });
          } else if (happens.kind === 'garble') {
            const garbled = ledger[happens.pick % ledger.length];
            if (garbled === undefined) continue;
            garbled.isGarbled = !garbled.isGarbled;
            // What can be read again counts as shown again.
            garbled.isLate = true;
            mayBeUnclear = true;
          } else if (happens.kind === 'wait') {
            nowSeconds += happens.seconds;
          } else if (happens.kind === 'poll') {
            pollNow();
          }
        }
        for (let settle = 0; settle < 4; settle += 1) pollNow();

        if (!mayBeUnclear) expect(gaps.filter(({ cause }) => cause !== 'overflow')).toEqual([]);
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
          if (entries.some(({ wasBelow }) => wasBelow)) continue;
          const isInGap = gaps.some(
            (gap) => gap.fromSeconds <= record.time && record.time <= gap.toSeconds,
          );
          const shown = entries.filter(({ wasOnPage }) => wasOnPage).length;
          // Behind a page of refused records nothing is seen; what is said of it is said once a
          // day.
          const isUnseen = hasBeenBlind || record.time > nowSeconds + DAY;
          const isExempt =
            isUnseen || entries.some(({ isLate, hasVanished }) => isLate || hasVanished);
          if (shown > 0 && !isInGap) expect(count).toBeGreaterThanOrEqual(1);
          if (!isInGap && !isExempt) expect(count).toBe(entries.length);
        }
      }),
      randomRuns(3_000, 250),
    );
  });
});
