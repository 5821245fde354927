import { describe, expect, it } from 'vitest';
import { createRemoteLookups } from '../../../src/feed/nats/remote-feed.ts';
import { accountOf } from '../../support/accounts.ts';
import { sampleTrade } from '../../support/records.ts';
import { hasNats } from '../../support/servers.ts';
import { WALLET_A as A } from '../../support/wallets.ts';
import { openFeedWorld, watch } from '../feed-world.ts';

const OWN = { priority: 'background', account: accountOf('100000000000000001') } as const;
const PERSON = { priority: 'person' } as const;

/**
 * A feed, a bot beside the world's, and a venue that does not answer look-ups with a limit below 90
 * before it is told to.
 */
async function openWorld() {
  const world = await openFeedWorld('over NATS');
  let answer = () => {};
  const isAnswering = new Promise<void>((resolve) => {
    answer = resolve;
  });
  world.venue.activity = [sampleTrade()];
  world.venue.delayOf = (request) => (/limit=[1-8]\d\b/.test(request) ? isAnswering : undefined);
  await watch(world, A);
  const asked = (filter: RegExp) =>
    world.venue.requests.filter((request) => filter.test(request)).length;
  const other = createRemoteLookups(await world.intruder(), () => {});
  return { world, other, answer, asked, lookups: world.feed.lookups };
}

describe.skipIf(!hasNats)('look-ups over NATS', () => {
  it('that bots ask by themselves at the same time are one request if they are equal, and people’s are their own', async () => {
    const { lookups, other, answer, asked } = await openWorld();
    const filters = { limit: 10, marketIds: ['901', '902'], toTimestampSeconds: 1_800_000_000 };
    const equal = [
      lookups.activity(A, filters, OWN),
      lookups.activity(A, filters, OWN),
      other.activity(A, filters, { ...OWN, account: accountOf('100000000000000002') }),
    ];
    const different = [
      lookups.activity(A, { ...filters, limit: 11 }, OWN),
      other.activity(A, { ...filters, marketIds: ['901'] }, OWN),
      lookups.transfers(A, { limit: 10 }, OWN),
      lookups.activity(A, { limit: 12 }, PERSON),
      other.activity(A, { limit: 12 }, PERSON),
    ];
    await expect.poll(() => asked(/limit=1\d\b/)).toBe(6);
    answer();
    for (const { items } of await Promise.all(equal)) expect(items).toEqual([sampleTrade()]);
    await Promise.all(different);
    expect(asked(/limit=10&marketIds=901&marketIds=902/)).toBe(1);
    expect(asked(/limit=12\b/)).toBe(2);
    // Nothing is kept for later.
    await lookups.activity(A, filters, OWN);
    expect(asked(/limit=10&marketIds=901&marketIds=902/)).toBe(2);
  });

  it('are not sent to the venue once nobody waits for them any more', async () => {
    const { world, lookups, asked } = await openWorld();
    world.venue.mood = 'limited';
    const refused = lookups.activity(A, { limit: 91 }, PERSON);
    await expect(refused).rejects.toMatchObject({ kind: 'rateLimited' });
    world.venue.mood = 'served';
    const given = lookups.activity(A, { limit: 92 }, { ...PERSON, withinMs: 50 });
    await expect(given).rejects.toThrow('no answer within 50 ms');
    await lookups.activity(A, { limit: 93 }, PERSON);
    expect([asked(/limit=92\b/), asked(/limit=93\b/)]).toEqual([0, 1]);
  });

  it('of bots by themselves take no place of people’s, however many there are', async () => {
    const { lookups, answer, asked } = await openWorld();
    const outcomes = Array.from({ length: 1_001 }, () =>
      lookups.activity(A, { limit: 20 }, OWN).then(
        () => 'answered',
        ({ kind }) => kind,
      ),
    );
    expect(await Promise.race(outcomes)).toBe('unreachable');
    expect((await lookups.activity(A, { limit: 90 }, PERSON)).items).toHaveLength(1);
    answer();
    const all = await Promise.all(outcomes);
    expect(all.filter((outcome) => outcome === 'answered')).toHaveLength(1_000);
    expect(asked(/limit=20\b/)).toBe(1);
  });
});
