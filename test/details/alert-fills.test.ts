import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAlertFillsLookup } from '../../src/details/alert-fills.ts';
import {
  type ActivityItem,
  activityIdentity,
  activityKey,
  activityVersion,
} from '../../src/domain/records.ts';
import type { ActivityFilters, Lookups } from '../../src/feed/interface.ts';
import { VenueError } from '../../src/venue/errors.ts';
import { accountOf } from '../support/accounts.ts';
import { trade } from '../support/records.ts';
import { WALLET_A } from '../support/wallets.ts';

const GUILD = '100000000000000001';
const MINUTE_MS = 60_000;
const target = {
  marketId: '501',
  action: 'Buy',
  outcomeIndex: 0,
  fromSeconds: 100,
  toSeconds: 5_000,
};

/** A venue with a list, newest first, a hundred records a page, that counts what it is asked. */
function openVenue(items: readonly ActivityItem[]) {
  const venue = { asked: [] as ActivityFilters[], isDown: false };
  const activity: Lookups['activity'] = async (wallet, filters, { priority, budget, account }) => {
    venue.asked.push(filters);
    expect([wallet, priority, budget, account]).toEqual([
      WALLET_A,
      'person',
      undefined,
      accountOf(GUILD),
    ]);
    await Promise.resolve();
    if (venue.isDown) {
      throw new VenueError('unreachable', 'no answer', {
        call: { endpoint: 'activity', wallet },
        cause: null,
      });
    }
    const from = Number(filters.cursor ?? 0);
    const page = items.slice(from, from + 100);
    const nextCursor = from + 100 < items.length ? String(from + 100) : null;
    return { items: page, skipped: [], hasMore: nextCursor !== null, nextCursor };
  };
  const clock = { ms: 1_000 };
  return { venue, clock, lookUp: createAlertFillsLookup({ activity }, () => clock.ms, accountOf) };
}

const list = (count: number) =>
  Array.from({ length: count }, (_, n) => trade({ time: 5_000 - n, quantity: n + 1 }));

describe('the records of an alert', () => {
  it('are asked for once for all who want them within five minutes, and then anew', async () => {
    const { venue, clock, lookUp } = openVenue(list(3));
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => lookUp.of(GUILD, WALLET_A, target, null)),
    );
    expect(new Set(answers.map(({ items }) => items.length))).toEqual(new Set([3]));
    expect(venue.asked).toEqual([
      { marketIds: ['501'], fromTimestampSeconds: 100, toTimestampSeconds: 5_000, limit: 100 },
    ]);
    clock.ms += 4 * MINUTE_MS;
    await lookUp.of(GUILD, WALLET_A, target, null);
    expect(venue.asked).toHaveLength(1);
    clock.ms += 2 * MINUTE_MS;
    await lookUp.of(GUILD, WALLET_A, target, null);
    expect(venue.asked).toHaveLength(2);
  });

  it('are asked for again after a failure, which all who waited get to know', async () => {
    const { venue, lookUp } = openVenue(list(3));
    venue.isDown = true;
    const failures = await Promise.allSettled(
      Array.from({ length: 5 }, () => lookUp.of(GUILD, WALLET_A, target, null)),
    );
    expect(failures.map(({ status }) => status)).toEqual(
      Array.from({ length: 5 }, () => 'rejected'),
    );
    expect(venue.asked).toHaveLength(1);
    venue.isDown = false;
    expect((await lookUp.of(GUILD, WALLET_A, target, null)).items).toHaveLength(3);
  });

  it('are read page by page, a thousand of them, and it is known where more were left', async () => {
    const { venue, lookUp } = openVenue(list(350));
    expect(await lookUp.of(GUILD, WALLET_A, target, null)).toMatchObject({ cutAfter: null });
    expect(venue.asked.map(({ cursor }) => cursor)).toEqual([undefined, '100', '200', '300']);
    const long = openVenue(list(1_050));
    const { items, cutAfter } = await long.lookUp.of(GUILD, WALLET_A, target, null);
    expect([items.length, cutAfter, long.venue.asked.length]).toEqual([1_000, 1_000, 10]);
  });

  it('are those of its market, outcome, action and time alone, also where the venue cannot be asked for the market', async () => {
    const others = [
      trade({ time: 200, action: 'Sell' }),
      trade({ time: 200, outcomeIndex: 1 }),
      trade({ time: 200, marketId: '7' }),
      trade({ time: 99 }),
    ];
    const { lookUp } = openVenue([...list(2), ...others]);
    expect((await lookUp.of(GUILD, WALLET_A, target, null)).items).toHaveLength(2);
    const odd = openVenue([trade({ time: 200, marketId: 'rain' }), ...others]);
    expect(
      (await odd.lookUp.of(GUILD, WALLET_A, { ...target, marketId: 'rain' }, null)).items,
    ).toHaveLength(1);
    expect(odd.venue.asked[0]).not.toHaveProperty('marketIds');
  });

  it('are picked out one by one: each as often as it was in the alert, and what is missing is counted', async () => {
    const copies = fc.array(
      fc.record({ kind: fc.nat(3), isAlerted: fc.boolean(), isListed: fc.boolean() }),
      {
        maxLength: 30,
      },
    );
    const hash = `0x${'1'.repeat(64)}`;
    const item = (kind: number) => trade({ time: 200, txHash: hash, quantity: kind + 1 });
    await fc.assert(
      fc.asyncProperty(copies, async (all) => {
        const count = (things: typeof all, kind: number) =>
          things.filter((thing) => thing.kind === kind).length;
        const [alerted, listed] = [
          all.filter(({ isAlerted }) => isAlerted),
          all.filter(({ isListed }) => isListed),
        ];
        const { lookUp } = openVenue(listed.map(({ kind }) => item(kind)));
        const identities = alerted.map(({ kind }) => activityIdentity(item(kind)));
        const { items, missing } = await lookUp.of(GUILD, WALLET_A, target, { identities });
        for (const kind of [0, 1, 2, 3]) {
          const shown = items.filter(({ quantity }) => quantity === kind + 1).length;
          expect(shown).toBe(Math.min(count(alerted, kind), count(listed, kind)));
        }
        expect(items.length + (missing ?? 0)).toBe(alerted.length);
      }),
    );
  });

  it('are those that the venue has changed since, too: also of alerts that format 10 stored', async () => {
    const [seen, other] = [trade({ time: 200 }), trade({ time: 300, quantity: 7 })];
    const changed = { ...seen, quantity: 9, fee: 3 };
    const records = { identities: [activityIdentity(seen)], keys: [activityKey(seen)] };
    const { lookUp } = openVenue([other, changed]);
    expect(await lookUp.of(GUILD, WALLET_A, target, records)).toMatchObject({
      items: [changed],
      missing: 0,
    });
    const older = { identities: [activityVersion(other)] };
    expect(await lookUp.of(GUILD, WALLET_A, target, older)).toMatchObject({
      items: [other],
      missing: 0,
    });
  });

  it('are read again where the alert has grown since, and not for everybody who asks', async () => {
    const items = list(2);
    const { venue, clock, lookUp } = openVenue(items);
    const identities = () => items.map(activityIdentity);
    expect(await lookUp.of(GUILD, WALLET_A, target, { identities: identities() })).toMatchObject({
      missing: 0,
    });
    items.unshift(trade({ time: 5_000, quantity: 77 }));
    clock.ms += 6_000;
    const grown = await Promise.all(
      Array.from({ length: 50 }, () =>
        lookUp.of(GUILD, WALLET_A, target, { identities: identities() }),
      ),
    );
    expect(new Set(grown.map(({ items: found, missing }) => `${found.length} ${missing}`))).toEqual(
      new Set(['3 0']),
    );
    expect(venue.asked).toHaveLength(2);
    const gone = [...identities(), 'gone'];
    await Promise.all(
      Array.from({ length: 50 }, () => lookUp.of(GUILD, WALLET_A, target, { identities: gone })),
    );
    expect(venue.asked, 'it was read just now').toHaveLength(2);
  });
});
