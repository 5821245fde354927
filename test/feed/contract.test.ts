import { describe, expect, it } from 'vitest';
import { outcomeHash, shortHash } from '../../src/domain/market-keys.ts';
import { mayAskBeside } from '../../src/feed/interface.ts';
import { SETTLEMENTS_LIMIT } from '../../src/feed/settlements/settlements.ts';
import type { VenueError } from '../../src/venue/errors.ts';
import { accountOf } from '../support/accounts.ts';
import type { VenueMood } from '../support/hostile-venue.ts';
import { redemption, sampleTrade, sampleTransfer } from '../support/records.ts';
import { hasNats } from '../support/servers.ts';
import { WALLET_A as A, WALLET_B as B } from '../support/wallets.ts';
import { openFeedWorld, type Place, quantities, shows, traded, watch } from './feed-world.ts';

const NOW_SECONDS = Math.floor(Date.now() / 1000);
const PERSON = { priority: 'person', account: accountOf('100000000000000001') } as const;

/** What a bot half may count on, wherever its feed is. */
const places: readonly (readonly [Place, boolean])[] = [
  ['in its own process', true],
  ['over NATS', hasNats],
];

for (const [place, isThere] of places) {
  describe.skipIf(!isThere)(`a feed ${place}`, () => {
    const openTradedWorld = async () => {
      const world = await openFeedWorld(place);
      world.venue.activity = [traded(1)];
      world.venue.transfers = [sampleTransfer()];
      return world;
    };

    it('shows both endpoints of each wallet that is watched, then what is new, in order, and nothing of others', async () => {
      const world = await openTradedWorld();
      await watch(world, A);
      expect(world.pages.map(({ wallet }) => wallet)).not.toContain(B);
      world.venue.activity = [traded(2), traded(1)];
      const page = await world.page(shows(2));
      const whole = { hasMore: false, unreadable: [] };
      expect(page).toMatchObject({ wallet: A, endpoint: 'activity', ...whole });
      expect(quantities(page)).toEqual([2, 1]);
      expect(Math.abs(page.venueSeconds - Date.now() / 1000)).toBeLessThan(20);
      await watch(world, B);
      const ids = world.pages.flatMap(({ wallet, endpoint, pollId }) =>
        wallet === A && endpoint === 'activity' ? [pollId] : [],
      );
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    });

    it('gives a page that could not be taken again, until it is', async () => {
      const world = await openTradedWorld();
      await watch(world, A);
      let refusals = 0;
      world.take = async (page) => {
        if (shows(2)(page) && refusals < 1) {
          refusals += 1;
          throw new Error('cannot be stored now');
        }
        return { isOpen: false };
      };
      world.venue.activity = [traded(2), traded(1)];
      await world.page(shows(2));
      expect(refusals).toBe(1);
    });

    it('shows an endpoint on which something is open again soon, although nothing has changed', async () => {
      const world = await openTradedWorld();
      let openPages = 0;
      world.take = async (page) => {
        if (page.endpoint === 'activity') openPages += 1;
        return { isOpen: page.endpoint === 'activity' && openPages < 3 };
      };
      world.feed.watch(A);
      await expect.poll(() => openPages).toBeGreaterThanOrEqual(3);
    });

    it('says by how much the venue lists late, as far as its header can be meant', async () => {
      const world = await openTradedWorld();
      const listing = () => world.feed.availability.listing('activity');
      world.venue.listingDelay = '300';
      await watch(world, A);
      const late = { isLate: true, delaySeconds: 300 };
      await expect.poll(listing).toMatchObject(late);
      for (const odd of ['soon', '-300', '', '1e9', '99999999', null]) {
        world.venue.listingDelay = '300';
        await expect.poll(listing).toMatchObject(late);
        world.venue.listingDelay = odd;
        const onTime = { isLate: false, delaySeconds: 0 };
        await expect.poll(listing, { timeout: 20_000, message: `${odd}` }).toMatchObject(onTime);
      }
    });

    it('says of a wallet that is quiet when it was last looked at', async () => {
      const world = await openTradedWorld();
      await watch(world, A);
      const endpoint = { wallet: A, name: 'activity' } as const;
      const takenSeconds =
        world.pages.find((page) => page.endpoint === 'activity')?.venueSeconds ?? 0;
      const lookedAt = () => world.feed.lastSeconds(endpoint) ?? 0;
      await expect.poll(lookedAt).toBeGreaterThan(takenSeconds);
    });

    it('stops asking for a wallet that nobody watches, and shows it in full when somebody does again', async () => {
      const world = await openTradedWorld();
      world.feed.watch(B);
      await watch(world, A);
      world.feed.unwatch(A);
      const ofA = () => world.venue.requests.filter((request) => request.includes(A)).length;
      // What is on its way is answered; then B alone is asked for.
      await expect
        .poll(
          async () => {
            const [before, all] = [ofA(), world.venue.requests.length];
            while (world.venue.requests.length < all + 6)
              await new Promise((resolve) => setTimeout(resolve, 20));
            return ofA() - before;
          },
          { timeout: 20_000 },
        )
        .toBe(0);
      world.venue.activity = [traded(2), traded(1)];
      await watch(world, A);
      const again = await world.page((page) => page.wallet === A && shows(2)(page));
      expect(quantities(again)).toEqual([2, 1]);
    });

    it('goes on after a restart with pages that are later than any that was taken, and shows what was missed', async () => {
      const world = await openTradedWorld();
      await watch(world, A);
      const taken = Math.max(...world.pages.map(({ pollId }) => pollId));
      world.venue.activity = [traded(2), traded(1)];
      await world.restart([A]);
      const missed = await world.page(shows(2));
      expect(missed.pollId).toBeGreaterThan(taken);
      // Even where a clock was set back since: what a bot has stored is never above what comes.
      const ahead = Date.now() + 86_400_000;
      world.pages.length = 0;
      world.venue.activity = [traded(3), traded(2), traded(1)];
      await world.restart([A], { activity: ahead, 'deposits-withdrawals': ahead });
      const later = await world.page((page) => shows(3)(page) && page.pollId > ahead);
      expect(quantities(later)).toEqual([3, 2, 1]);
    });

    it('goes on beyond the pages of a bot that were taken while the clock was ahead', async () => {
      const world = await openTradedWorld();
      const aheadId = Date.now() + 3_600_000;
      world.take = async ({ pollId }) => ({ isOpen: false, pollId: Math.max(pollId, aheadId) });
      world.feed.watch(A);
      const page = await world.page(
        ({ endpoint, pollId }) => endpoint === 'activity' && pollId > aheadId,
      );
      expect(quantities(page)).toEqual([1]);
    });

    it('names the proxy address of a wallet, from the budget of whoever asks', async () => {
      const world = await openTradedWorld();
      world.venue.proxy = B;
      const { proxyOf } = world.feed;
      let permits = 0;
      const budget = {
        acquire: async () => {
          permits += 1;
          return { complete() {}, trust() {} };
        },
      };
      expect(await proxyOf(A, { budget, account: PERSON.account })).toBe(B);
      expect(permits).toBe(1);
      expect(await proxyOf(B, {}), 'its own').toBeNull();
      world.venue.proxy = null;
      expect(await proxyOf(A, {})).toBeNull();
      world.venue.mood = 'failing';
      expect(await proxyOf(A, {})).toBeNull();
      world.venue.mood = 'served';
      world.venue.proxy = B.toUpperCase().replace('X', 'x');
      expect(await proxyOf(A, {})).toBe(B);
    });

    it('looks up what people ask for, and says why it cannot', async () => {
      const world = await openTradedWorld();
      const used = () => world.feed.budget.snapshot().used.person;
      expect([used(), world.feed.budget.snapshot().allowance]).toEqual([0, null]);
      const filters = { limit: 50, marketIds: ['901', '902'] };
      const page = await world.feed.lookups.activity(A, filters, PERSON);
      expect(page.items).toEqual([traded(1)]);
      // What it has shown of the budget counts for the next one.
      expect([used(), world.feed.budget.snapshot().allowance]).toEqual([1, 540]);
      const { items } = await world.feed.lookups.transfers(A, { limit: 20 }, PERSON);
      expect(items).toEqual([sampleTransfer()]);
      expect(world.venue.requests.slice(-2)).toEqual([
        expect.stringMatching(new RegExp(`^GET /v1/.*${A}.*activity\\?.*limit=50`)),
        expect.stringMatching(new RegExp(`^GET /v1/.*${A}.*deposits-withdrawals\\?.*limit=20`)),
      ]);
      const kinds: readonly (readonly [VenueMood, VenueError['kind']])[] = [
        ['forbidden', 'notInPlan'],
        ['garbage', 'badResponse'],
        ['failing', 'unreachable'],
        ['unauthorized', 'unauthorized'],
        ['limited', 'rateLimited'],
      ];
      for (const [mood, kind] of kinds) {
        world.venue.mood = mood;
        const failing = world.feed.lookups.activity(A, { limit: 10 }, PERSON);
        const call = { endpoint: 'activity', wallet: A };
        await expect(failing, mood).rejects.toMatchObject({ kind, call });
      }
    });

    it('asks for a bot by itself, and says whether it would at once', async () => {
      const world = await openTradedWorld();
      const own = () => world.feed.lookups.activity(A, { limit: 40 }, { priority: 'background' });
      expect(mayAskBeside(world.feed.budget.snapshot())).toBe(false);
      await watch(world, A);
      await expect.poll(() => mayAskBeside(world.feed.budget.snapshot())).toBe(true);
      // Asked again where the window ends in between: it counts what was used of the new one.
      const used = async () => {
        expect((await own()).items).toEqual([traded(1)]);
        const background = () => world.feed.budget.snapshot().used.background;
        return expect.poll(background, { timeout: 3_000 }).toBe(1);
      };
      await used().catch(used);
      world.venue.mood = 'limited';
      await expect.poll(() => mayAskBeside(world.feed.budget.snapshot())).toBe(false);
    });

    it('says how markets ended, by what it has polled and not by what was looked up', async () => {
      const world = await openTradedWorld();
      const redeemed = (conditionId: string) =>
        redemption({
          ...{ conditionId, time: NOW_SECONDS - 50_000, tokenId: sampleTrade().tokenId, trader: A },
          ...{ quantity: 7, grossValue: 7, transferNetAmount: -7 },
        });
      world.venue.activity = [redeemed('0xlooked')];
      await world.feed.lookups.activity(B, { limit: 10 }, PERSON);
      world.venue.activity = [redeemed('0xpolled')];
      await watch(world, A);
      // What a store holds is told at once; what was polled only at the next full hour.
      await world.restart([A]);
      const [looked, polled] = ['0xlooked', '0xpolled'].map(shortHash) as [string, string];
      const settled = await world.feed.settlements([looked, polled]);
      const payouts = new Map([[outcomeHash(sampleTrade()), 1]]);
      expect(settled).toEqual([{ market: polled, payouts, atSeconds: expect.any(Number) }]);
      expect(settled[0]?.atSeconds).toBeLessThan(NOW_SECONDS - 50_000 + 7_201);
      const tooMany = Array(SETTLEMENTS_LIMIT + 1).fill(polled);
      await expect(world.feed.settlements(tooMany)).rejects.toThrow();
    });

    it('says that the venue refuses the key, and that it takes it again', async () => {
      const world = await openTradedWorld();
      await watch(world, A);
      const kind = () => world.feed.availability.trouble('activity')?.kind;
      expect(kind()).toBeUndefined();
      world.venue.mood = 'unauthorized';
      await expect.poll(kind).toBe('key');
      expect(world.feed.availability.isOpen('activity')).toBe(false);
      world.venue.mood = 'served';
      // A person is the first to know.
      await world.feed.lookups.activity(A, { limit: 10 }, PERSON);
      await expect.poll(kind).toBeUndefined();
      expect(world.feed.availability.isOpen('activity')).toBe(true);
    });

    it('says of an endpoint that is refused whether it has answered before', async () => {
      const world = await openTradedWorld();
      await watch(world, A);
      const trouble = () => world.feed.availability.trouble('deposits-withdrawals');
      world.venue.moodOf = (request) =>
        request.includes('deposits-withdrawals') ? 'forbidden' : undefined;
      await expect.poll(() => trouble()?.kind).toBe('plan');
      expect(trouble()).toMatchObject({ hasAnswered: true });
      expect(world.feed.availability.trouble('activity')).toBeNull();
    });
  });
}
