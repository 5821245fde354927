import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Detection,
  type DetectionState,
  detect,
  initialDetectionState,
} from '../../src/alerts/detect.ts';
import {
  type ActivityItem,
  AMENDABLE_ACTIVITY,
  activityFigures,
  activityIdentity,
  activityVersion,
} from '../../src/domain/records.ts';
import { happening } from '../support/happening.ts';
import { sampleTrade } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';

const START = 1_700_000_000;
const HOUR = 3_600;
type State = DetectionState<ActivityItem>;

function item(changes: Partial<ActivityItem> = {}): ActivityItem {
  return { ...sampleTrade(), time: START + 10, txHash: '0x01', ...changes };
}

const since: State = initialDetectionState(START);

function poll(items: ActivityItem[], state: State, changes = {}) {
  const nowSeconds = START + 3 * HOUR;
  const page = {
    items,
    hasMore: false,
    fromSeconds: null,
    unreadable: [],
    earliestSeconds: nowSeconds,
    latestSeconds: nowSeconds,
    ...changes,
  };
  return detect(page, state, activityIdentity, AMENDABLE_ACTIVITY);
}

describe('a record that the venue changes', () => {
  const newer = item({ time: START + 2 * HOUR, txHash: '0x02' });

  it('is not announced again, and is told with the figures that it had: its fee an hour later', () => {
    const first = poll([newer, item({ fee: 0 })], since);
    const changed = item({ fee: 0.35, transferNetAmount: 52.55, liquidityRole: 'MAKER' });
    const second = poll([newer, changed], first.state);
    expect([second.fresh, second.gap]).toEqual([[], null]);
    expect(second.amended).toEqual([
      {
        item: changed,
        figures: activityFigures(item({ fee: 0 })),
        identities: [activityIdentity(item())],
        isAsBefore: false,
      },
    ]);
    const third = poll([newer, changed], second.state);
    expect([third.amended, third.state]).toEqual([[], second.state]);
  });

  it('is the same where only its label is filled in later: nothing is told', () => {
    const first = poll([item({ liquidityRole: null })], since);
    const second = poll([item({ liquidityRole: 'TAKER', marketTitle: 'Anew' })], first.state);
    expect([second.fresh, second.amended]).toEqual([[], []]);
    expect(second.state).toBe(first.state);
  });

  it('is one with what came in the place of what has gone: other shares at another price', () => {
    const first = poll([newer, item()], since);
    const changed = item({ quantity: 130, price: 40, grossValue: 52 });
    const second = poll([newer, changed], first.state);
    expect([second.fresh, second.gap]).toEqual([[], null]);
    expect(second.amended.map(({ identities }) => identities)).toEqual([
      [activityIdentity(item())],
    ]);
    const again = item({ quantity: 140 });
    const third = poll([newer, again], second.state);
    expect(third.amended.map(({ identities }) => identities)).toEqual([
      [activityIdentity(item()), activityIdentity(changed)],
    ]);
  });

  it.each<[string, Partial<ActivityItem>]>([
    ['another transaction', { txHash: '0x09' }],
    ['another outcome', { tokenId: '9', positionSide: 'No' }],
    ['another action', { action: 'Sell' }],
  ])('is not one of %s', (_, changes) => {
    const first = poll([newer, item({ time: START + 2 * HOUR - 5 })], since);
    const other = item({ time: START + 2 * HOUR - 5, quantity: 7, ...changes });
    const second = poll([newer, other], first.state);
    expect([second.fresh.length, second.amended.length]).toEqual([1, 0]);
  });

  it('is not one with a second fill of its transaction, also an equal one', () => {
    const first = poll([item()], since);
    const second = poll([item({ quantity: 7 }), item()], first.state);
    expect([second.fresh.length, second.amended.length]).toEqual([1, 0]);
    let { state } = poll([item(), item()], since);
    state = poll([item(), item()], state).state;
    expect(poll([item(), item()], state).fresh).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['does not reach that far', { hasMore: true }],
    ['begins later', { fromSeconds: START + 11 }],
    [
      'has a row that cannot be read in its place',
      { unreadable: [{ identity: 'a', fromSeconds: START, toSeconds: START + 20 }] },
    ],
  ])('is told from a second fill by what has gone: not on a page that %s', (_, changes) => {
    const first = poll([item()], since);
    const second = poll([item({ time: START + 15, quantity: 7 })], first.state, changes);
    expect([second.fresh.length, second.amended.length]).toEqual([1, 0]);
  });

  it('is found on a page that begins with it', () => {
    const first = poll([item()], since);
    const second = poll([item({ quantity: 7 })], first.state, { fromSeconds: START + 10 });
    expect([second.fresh.length, second.amended.length]).toEqual([0, 1]);
  });

  it('is said to be as before where two servers of the venue show it by turns', () => {
    const changed = item({ quantity: 130 });
    let { state } = poll([item()], since);
    const told: boolean[] = [];
    for (const shown of [changed, item(), changed, item()]) {
      const { amended, fresh, ...next } = poll([shown], state);
      expect(fresh).toEqual([]);
      told.push(...amended.map(({ isAsBefore }) => isAsBefore));
      state = next.state;
    }
    expect(told).toEqual([false, true, true, true]);
    const refigured = poll([item({ fee: 1 })], state);
    expect(refigured.amended.map(({ isAsBefore }) => isAsBefore)).toEqual([false]);
    expect(poll([item()], refigured.state).amended[0]?.isAsBefore).toBe(true);
  });

  it('is two once both stand on the page, each announced once', () => {
    const other = item({ quantity: 130 });
    let { state } = poll([item()], since);
    ({ state } = poll([other], state));
    const announced: [number, number][] = [];
    for (let look = 0; look < 4; look += 1) {
      const { fresh, ...next } = poll([other, item()], state);
      announced.push(...fresh.map((one): [number, number] => [one.item.quantity, one.occurrence]));
      state = next.state;
    }
    // Its first alert was of the same record, before that became the other.
    expect(announced).toEqual([[item().quantity, 2]]);
  });

  it('does not hide a record that is listed late', () => {
    let { state } = poll([newer, item()], since);
    ({ state } = poll([newer, item({ quantity: 130 })], state));
    const late = item({ time: START + 20, txHash: '0x07' });
    const { fresh, gap } = poll([newer, late, item({ quantity: 130 })], state);
    expect([fresh.map((one) => one.item.txHash), gap]).toEqual([['0x07'], null]);
  });

  describe('in what was stored before format 11', () => {
    const stored = (items: readonly ActivityItem[]): State => ({
      ...since,
      newestSeconds: START + 10,
      seen: items.map((one) => [activityVersion(one), one.time, 1]),
    });

    it('is known by the name of then, and changed later it is the same', () => {
      const first = poll([item()], stored([item()]));
      expect([first.fresh, first.amended]).toEqual([[], []]);
      const second = poll([item({ quantity: 130 })], first.state);
      expect([second.fresh, second.amended.map(({ identities }) => identities)]).toEqual([
        [],
        [[activityVersion(item()), activityIdentity(item())]],
      ]);
    });

    it('counts as often as then, where two differ in what is no part of it any more', () => {
      const [maker, taker] = [item({ liquidityRole: 'MAKER' }), item({ fee: 3 })];
      let state = stored([maker, taker]);
      for (let look = 0; look < 4; look += 1) {
        const detection = poll([maker, taker], state);
        expect([detection.fresh, detection.amended]).toEqual([[], []]);
        state = detection.state;
      }
    });

    it('is judged as then where it has been changed meanwhile', () => {
      expect(poll([item({ fee: 9 })], stored([item()])).fresh).toHaveLength(1);
    });
  });
});

const happenings = fc.oneof(
  happening(5, 'record', { copies: fc.constantFrom(1, 1, 1, 2, 3) }),
  happening(3, 'sameTransaction'),
  happening(6, 'change', {
    pick: fc.nat(),
    how: fc.constantFrom('fee', 'label', 'shares', 'back', 'time'),
    by: fc.integer({ min: 1, max: 3 }),
  }),
  happening(2, 'garble', { pick: fc.nat() }),
  happening(3, 'wait', { seconds: fc.constantFrom(1, 90, 5_000) }),
  happening(8, 'poll'),
);

interface Entry {
  record: ActivityItem;
  readonly first: ActivityItem;
  isGarbled: boolean;
}

describe('records that the venue changes, over random histories', () => {
  it('are announced once each, and what was announced and corrected is what the venue lists in the end', () => {
    fc.assert(
      fc.property(
        fc.array(happenings, { maxLength: 60 }),
        fc.nat(12),
        fc.boolean(),
        (history, pageSize, isGarbling) => {
          let nowSeconds = START + 60;
          let state = since;
          const ledger: Entry[] = [];
          /** Figures of what was announced, as corrected since, by transaction. */
          const counted: string[] = [];
          const nameOf = ({ txHash }: ActivityItem, figures: readonly number[]) =>
            `${txHash} ${figures.join(' ')}`;
          const gaps: NonNullable<Detection<ActivityItem>['gap']>[] = [];
          const covers = ({ fromSeconds, toSeconds }: (typeof gaps)[number], seconds: number) =>
            fromSeconds <= seconds && seconds <= toSeconds;
          const isInGap = ({ record, first }: Entry) =>
            gaps.some((gap) => covers(gap, record.time) || covers(gap, first.time));
          let isCut = false;
          let announced = 0;
          const pollNow = () => {
            const newestFirst = ledger.toSorted((a, b) => b.record.time - a.record.time);
            const page = newestFirst.slice(0, 20 + pageSize);
            const hasMore = page.length < newestFirst.length;
            isCut ||= hasMore;
            const detection = poll(
              page.filter(({ isGarbled }) => !isGarbled).map(({ record }) => record),
              state,
              {
                hasMore,
                earliestSeconds: nowSeconds,
                latestSeconds: nowSeconds,
                unreadable: page
                  .filter(({ isGarbled }) => isGarbled)
                  .map(({ record: { time, txHash } }) => ({
                    ...{ identity: txHash, fromSeconds: time, toSeconds: time },
                  })),
              },
            );
            for (const { item: now, figures } of detection.amended) {
              const place = counted.indexOf(nameOf(now, figures));
              const isKnown = place >= 0 || gaps.some((gap) => covers(gap, now.time));
              expect(isKnown, 'what is corrected was announced, or is in a gap').toBe(true);
              if (place >= 0) counted[place] = nameOf(now, activityFigures(now));
            }
            for (const { item: now } of detection.fresh) {
              counted.push(nameOf(now, activityFigures(now)));
            }
            announced += detection.fresh.length;
            if (detection.gap !== null) gaps.push(detection.gap);
            state = detection.state;
          };
          for (const happens of history) {
            const last = ledger.at(-1);
            const add = (record: ActivityItem) =>
              ledger.push({ record, first: record, isGarbled: false });
            if (happens.kind === 'record') {
              const record = item({ time: nowSeconds, txHash: `0x${ledger.length}` });
              for (let copy = 0; copy < happens.copies; copy += 1) add({ ...record });
            } else if (happens.kind === 'sameTransaction' && last !== undefined) {
              add({ ...last.first, quantity: 500 + ledger.length });
            } else if (happens.kind === 'change') {
              const entry = ledger[happens.pick % ledger.length];
              if (entry === undefined) continue;
              const { record, first } = entry;
              entry.record = {
                fee: { ...record, fee: happens.by, transferNetAmount: 50 + happens.by },
                label: { ...record, liquidityRole: 'MAKER' as const },
                shares: { ...record, quantity: record.quantity + happens.by },
                back: first,
                time: { ...record, time: record.time + happens.by },
              }[happens.how];
            } else if (happens.kind === 'garble' && isGarbling) {
              const entry = ledger[happens.pick % ledger.length];
              if (entry !== undefined) entry.isGarbled = !entry.isGarbled;
            } else if (happens.kind === 'wait') nowSeconds += happens.seconds;
            else if (happens.kind === 'poll') pollNow();
          }
          for (const entry of ledger) entry.isGarbled = false;
          for (let settle = 0; settle < 8; settle += 1) pollNow();
          // Where something hides a record, nobody can tell whether it has gone: each is announced,
          // or a gap names its time.
          if (isCut || isGarbling) {
            const unclear = ledger.filter(isInGap).length;
            if (!isCut) expect(announced + unclear).toBeGreaterThanOrEqual(ledger.length);
            return;
          }
          expect(announced).toBe(ledger.length);
          expect(counted.toSorted()).toEqual(
            ledger.map(({ record }) => nameOf(record, activityFigures(record))).toSorted(),
          );
        },
      ),
      randomRuns(3_000),
    );
  });
});
