import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../src/language/language.ts';
import { describeCoverage } from '../../src/lookups/list-summary.ts';
import {
  beginScan,
  createPageScanCache,
  isWhole,
  type PageScan,
  rowsFrom,
  scanTo,
  startBefore,
  VENUE_PAGE,
} from '../../src/lookups/page-scan.ts';
import { type VenueCall, VenueError } from '../../src/venue/errors.ts';
import { WALLET_A } from '../support/wallets.ts';

const CALL: VenueCall = { endpoint: 'activity', wallet: WALLET_A };
const LINES = 10;

interface Thing {
  readonly time: number;
  readonly id: number;
  readonly isWanted: boolean;
}

const place = { ownerId: '1', wallet: WALLET_A };

/** What a cursor of the venue stands for; it is opaque. */
type CursorKind = 'a record' | 'a place';

/** A venue's list that grows at its top, and counts what it is asked. */
function createList(records: number | readonly boolean[], cursorKind: CursorKind = 'a record') {
  const wanted =
    typeof records === 'number' ? Array.from({ length: records }, () => true) : records;
  const things = wanted.map((isWanted, id): Thing => ({ id, isWanted, time: 1_000_000 - id * 5 }));
  const list = {
    things,
    requests: 0,
    isDown: false,
    arrive(count: number) {
      const top = things[0]?.time ?? 1_000_000;
      for (let n = 0; n < count; n += 1)
        things.unshift({ id: -1, isWanted: true, time: top + 1 + n });
    },
    source: {
      async fetch({ cursor }: { readonly cursor?: string }, anchorSeconds: number | null) {
        list.requests += 1;
        if (list.isDown)
          throw new VenueError('unreachable', 'no answer', { call: CALL, cause: null });
        const all = things.filter(({ time }) => time <= (anchorSeconds ?? time));
        const after = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursor);
        const place = cursor === undefined ? 0 : Number(cursor);
        const rest =
          cursorKind === 'a place' ? all.slice(place) : all.filter(({ time }) => time < after);
        const items = rest.slice(0, VENUE_PAGE);
        const hasMore = rest.length > items.length;
        const next = cursorKind === 'a place' ? place + items.length : items.at(-1)?.time;
        return { items, skipped: [], hasMore, nextCursor: hasMore ? String(next) : null };
      },
      matches: ({ isWanted }: Thing) => isWanted,
      identify: ({ time, id }: Thing) => `${id}:${time}`,
    },
  };
  return list;
}

/** Turns to a page as the commands do. */
async function turn(
  list: ReturnType<typeof createList>,
  kept: PageScan<Thing> | undefined,
  page: number,
  anchorSeconds = kept?.anchorSeconds ?? null,
) {
  const [from, to] = [page * LINES, (page + 1) * LINES];
  const scan =
    kept !== undefined && kept.before <= from
      ? kept
      : beginScan<Thing>({ ...place, anchorSeconds });
  const trouble = await scanTo(scan, () => scan.before + scan.items.length >= to, list.source);
  return { scan, trouble, shown: scan.items.slice(from - scan.before, to - scan.before) };
}

describe('a page scan', () => {
  it.each<[CursorKind, number]>([
    ['a record', 30],
    ['a place', 2],
  ])(
    'shows every matching record once and in order, over restarts and new arrivals, with few requests a press, where a cursor is %s',
    async (cursorKind, arrivals) => {
      const moves = fc.array(fc.constantFrom('restart', 'arrive', 'nothing'), { maxLength: 80 });
      const lists = fc
        .record({ length: fc.integer({ min: 0, max: 3_500 }), every: fc.constantFrom(1, 1, 2, 7) })
        .map(({ length, every }) => Array.from({ length }, (_, index) => index % every === 0));
      await fc.assert(
        fc.asyncProperty(lists, moves, async (wanted, made) => {
          const list = createList(wanted, cursorKind);
          const expected = list.things.filter(({ isWanted }) => isWanted).map(({ id }) => id);
          let anchorSeconds: number | null = null;
          let kept: PageScan<Thing> | undefined;
          const seen: number[] = [];
          for (let page = 0, press = 0; ; press += 1) {
            expect(press, 'comes to an end').toBeLessThan(1_000);
            const before = list.requests;
            const { scan, shown } = await turn(list, kept, page, anchorSeconds);
            expect(list.requests - before).toBeLessThanOrEqual(5);
            expect(scan.items.length).toBeLessThanOrEqual(2_000);
            ({ anchorSeconds } = scan);
            const move = made[press];
            if (move === 'arrive' && page > 0) list.arrive(arrivals);
            kept = move === 'restart' ? undefined : scan;
            const isFull = shown.length === LINES;
            if (!isFull && scan.cursor !== null) continue;
            seen.push(...shown.map(({ id }) => id));
            if (!isFull || scan.before + scan.items.length === (page + 1) * LINES) {
              if (scan.cursor === null) break;
            }
            page += 1;
          }
          expect(seen).toEqual(expected);
        }),
        { numRuns: 25 },
      );
    },
  );

  it('counts nothing twice where a cursor is a place, however many records come between two presses', async () => {
    for (const arrivals of [1, 2, 99, 100, 101, 250, 900]) {
      const list = createList(1_500, 'a place');
      const { scan } = await turn(list, undefined, 0);
      list.arrive(arrivals);
      for (let press = 0; press < 40 && scan.cursor !== null; press += 1) {
        await turn(list, scan, Math.floor(scan.items.length / LINES));
      }
      expect(scan.items.map(({ id }) => id)).toEqual(Array.from({ length: 1_500 }, (_, id) => id));
      expect([isWhole(scan), scan.scanned]).toEqual([true, 1_500]);
    }
  });

  it('counts nothing twice where hundreds of records come after a thousand have been read', async () => {
    for (const arrivals of [301, 900]) {
      const list = createList(2_000, 'a place');
      const { scan } = await turn(list, undefined, 0);
      const press = () => turn(list, scan, Math.floor(scan.items.length / LINES));
      while (scan.items.length < 1_000) await press();
      list.arrive(arrivals);
      for (let pressed = 0; pressed < 40 && scan.cursor !== null; pressed += 1) await press();
      expect(scan.items.map(({ id }) => id)).toEqual(Array.from({ length: 2_000 }, (_, id) => id));
    }
  });

  it('keeps records that are the same in every figure, on one page and where they are repeated with it', async () => {
    const list = createList(330, 'a place');
    for (const at of [10, 298]) list.things[at + 1] = list.things[at] as Thing;
    const { scan } = await turn(list, undefined, 0);
    list.arrive(2);
    await turn(list, scan, 30);
    await turn(list, scan, 32);
    expect(scan.items.map(({ id }) => id)).toEqual(list.things.slice(2).map(({ id }) => id));
  });

  it('turns back to pages that it has left behind', async () => {
    const list = createList(2_600);
    let kept: PageScan<Thing> | undefined;
    for (const page of [0, 29, 30, 60, 90, 120, 150, 180, 199, 200, 230, 259, 120, 3, 259]) {
      // A page that is too far for one press comes with the next ones.
      for (let shown: Thing[] = []; shown.length === 0; ) {
        const turned = await turn(list, kept, page);
        ({ shown } = turned);
        kept = turned.scan;
      }
      expect(kept?.items[page * LINES - kept.before]?.id).toBe(page * LINES);
    }
  });

  it('asks for three pages at first, and for none while the next page is there already', async () => {
    const list = createList(900);
    const { scan } = await turn(list, undefined, 0);
    expect(list.requests).toBe(3);
    for (let page = 1; page < 30; page += 1) await turn(list, scan, page);
    expect(list.requests).toBe(3);
    await turn(list, scan, 30);
    expect(list.requests).toBe(4);
  });

  it('keeps what it has when the venue fails on the way, and throws when it has nothing', async () => {
    const list = createList(900);
    list.isDown = true;
    await expect(turn(list, undefined, 0)).rejects.toThrow('no answer');
    list.isDown = false;
    const { scan } = await turn(list, undefined, 0);
    list.isDown = true;
    const { trouble, shown } = await turn(list, scan, 30);
    expect(trouble).toBeInstanceOf(VenueError);
    expect(shown).toEqual([]);
    list.isDown = false;
    expect((await turn(list, scan, 30)).shown).toHaveLength(LINES);
  });
});

describe('the rows of a list', () => {
  it('turns forth and back over whole rows, with every record on one page', () => {
    const lists = fc
      .array(fc.integer({ min: 1, max: 7 }), { maxLength: 40 })
      .map((lengths) =>
        lengths.flatMap((length, row) => Array.from({ length }, (_, n) => ({ row, n }))),
      );
    const isOneRow = (a: { readonly row: number }, b: { readonly row: number }) => a.row === b.row;
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 5 }), (items, most) => {
        const begins = [0];
        const shown: unknown[] = [];
        for (;;) {
          const from = begins.at(-1) ?? 0;
          const rows = rowsFrom(items, from, most, isOneRow);
          expect(
            rows.every((row) => row.every((item, n) => item.n === n && item.row === row[0]?.row)),
          ).toBe(true);
          shown.push(...rows.flat());
          const to = from + rows.flat().length;
          if (to === items.length) break;
          expect(rows).toHaveLength(most);
          begins.push(to);
        }
        expect(shown).toEqual(items);
        for (const [page, from] of begins.entries())
          expect(startBefore(items, from, most, isOneRow)).toBe(begins[page - 1] ?? 0);
      }),
    );
  });
});

describe('the coverage of a page scan', () => {
  it('says "all" only if the venue has said that nothing follows and all was looked at', async () => {
    const say = async (length: number, isSifted: boolean, every = 1) => {
      const list = createList(Array.from({ length }, (_, index) => index % every === 0));
      const { scan } = await turn(list, undefined, 0);
      expect(isWhole(scan)).toBe(length <= 300);
      return describeCoverage(scan, isSifted, ENGLISH);
    };
    expect(await say(25, false)).toBe('All 25 records.');
    expect(await say(1, false)).toBe('The only record.');
    expect(await say(300, false)).toBe('All 300 records.');
    expect(await say(301, false)).toBe('The newest 300 records, back to <t:998505:f>.');
    expect(await say(301, true, 10)).toBe(
      '30 found among the newest 300 records, back to <t:998505:f>.',
    );
    expect(await say(25, true, 10)).toBe('3 found among all 25 records.');
    const scan = beginScan<Thing>({ ...place, anchorSeconds: null });
    const part = {
      ...scan,
      isFromTop: false,
      cursor: null,
      scanned: 100,
      newestSeconds: 50,
      oldestSeconds: 40,
    };
    expect(describeCoverage(part, false, ENGLISH)).toBe(
      '100 records from <t:50:f> back to <t:40:f>.',
    );
    const damaged = { ...scan, cursor: null, hasMore: false, scanned: 9, skipped: 1 };
    expect(describeCoverage(damaged, false, ENGLISH)).toBe('All 9 records that could be read.');
    // The venue has more, and gives no way on to it.
    const cut = { ...scan, cursor: null, scanned: 100, oldestSeconds: 40 };
    expect(describeCoverage(cut, false, ENGLISH)).toBe('The newest 100 records, back to <t:40:f>.');
  });
});

describe('page scans in memory', () => {
  it('of a server stay, however many and long others have', async () => {
    interface Record {
      readonly time: number;
      readonly text: string;
    }
    const scanOf = async (ownerId: string, records: number, text = '') => {
      const scan = beginScan<Record>({ ownerId, wallet: WALLET_A, anchorSeconds: null });
      const items = Array.from({ length: records }, (_, time) => ({ time, text }));
      const fetch = async () => ({ items, skipped: [], hasMore: false, nextCursor: null });
      await scanTo(scan, () => true, {
        fetch,
        matches: () => true,
        identify: ({ time }) => `${time}`,
      });
      return scan;
    };
    const cache = createPageScanCache<Record>(1_000_000);
    cache.set('mine', await scanOf('g', 100));
    for (let index = 0; index < 100; index += 1)
      cache.set(`short ${index}`, await scanOf('other', 1));
    cache.set('long', await scanOf('other', 100, 'x'.repeat(10_000)));
    expect(cache.get('long'), 'what somebody looks at now').toBeDefined();
    expect(cache.get('short 99'), 'bytes count, not walks').toBeUndefined();
    expect(cache.get('mine')).toBeDefined();
    expect(cache.get('long')).toBeUndefined();
    cache.set('next', await scanOf('other', 1));
    expect([...cache.values()]).toHaveLength(2);
  });
});
