import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type ActivityItem, activityIdentity } from '../../src/domain/records.ts';
import { createVenueAvailability } from '../../src/feed/availability.ts';
import { createPoller } from '../../src/feed/poller.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import type { UnreadPage } from '../../src/venue/client.ts';
import { unansweredError } from '../../src/venue/errors.ts';
import { testMachine } from '../support/machine.ts';
import { sampleTrade } from '../support/records.ts';
import { START, TestBot } from '../support/test-bot.ts';
import { randomRuns, within } from '../support/thorough.ts';
import { WALLET_A, walletOf } from '../support/wallets.ts';
import { openFeedWorld, watch } from './feed-world.ts';

const CHANNEL = '100000000000000002';
const KEY = `wallet:${WALLET_A}`;

/**
 * A wallet that is watched and has been polled, with a purchase of ten shares that was announced.
 */
async function polled(): Promise<TestBot> {
  const bot = new TestBot();
  await bot.watch(WALLET_A, CHANNEL);
  await bot.see(WALLET_A, { quantity: 10 });
  await bot.deliver(CHANNEL);
  return bot;
}

describe('a stored detection state that cannot be read', () => {
  const damages: Record<string, (state: Record<string, unknown>) => unknown> = {
    'lacks a time': (state) => ({ ...state, earliestAcceptedSeconds: null }),
    'has the wrong shape': (state) => ({ ...state, seen: 'nothing' }),
    'is missing': () => undefined,
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`and ${what} is put aside, its channels get one notice, and the wallet is watched from then on`, async () => {
      const bot = await polled();
      const document = JSON.parse(bot.disk.get(KEY) ?? '');
      const { activity } = document.state;
      const damaged = { ...activity, detectionState: damage(activity.detectionState) };
      const state = { ...document.state, activity: damaged };
      bot.disk.set(KEY, JSON.stringify({ ...document, state }));
      bot.restart();

      bot.nowSeconds += 60;
      await bot.poll(WALLET_A);
      expect(bot.disk.get(`quarantine:${KEY}:activity`)).toBe(JSON.stringify(damaged));
      const times = { fromSeconds: START, toSeconds: START + 61 };
      const gap = { cause: 'damage', endpoint: 'activity', ...times };
      expect(bot.waiting(CHANNEL, 'gap')).toEqual([{ kind: 'gap', gap }]);
      await bot.deliver(CHANNEL);

      const sold = await bot.see(WALLET_A, { action: 'Sell', quantity: 4 });
      await bot.poll(WALLET_A);
      expect(bot.waiting(CHANNEL, 'gap')).toEqual([]);
      const [alert, ...others] = bot.waiting(CHANNEL, 'activity');
      expect(others).toEqual([]);
      expect(alert?.item).toEqual(sold);
      // What it held before is not known any more, and nothing is made up.
      expect(alert?.context).toBeUndefined();
    });
  }
});

describe('a watch that begins while its wallet is polled for others', () => {
  const OTHER = '100000000000000003';
  const quantities = (bot: TestBot, channelId: string) =>
    bot.waiting(channelId, 'activity').map(({ item }) => item.quantity);

  it('alerts on what happened since its command, once, and for nothing before', async () => {
    const bot = await polled();
    const commandSeconds = bot.nowSeconds + 2;
    await bot.see(WALLET_A, { quantity: 1 });
    bot.nowSeconds += 1;
    await bot.see(WALLET_A, { quantity: 2 });
    // The others have it already, or it is on its way to them.
    await bot.see(WALLET_A, { quantity: 3 });
    await bot.watch(WALLET_A, OTHER, {}, commandSeconds);
    await bot.idle();
    expect(quantities(bot, OTHER)).toEqual([2, 3]);
    expect(quantities(bot, CHANNEL)).toEqual([1, 2, 3]);
    await bot.see(WALLET_A, { quantity: 4 });
    bot.restart();
    await bot.poll(WALLET_A);
    expect(quantities(bot, OTHER)).toEqual([2, 3, 4]);
    expect(quantities(bot, CHANNEL)).toEqual([1, 2, 3, 4]);
  });

  it('alerts on what is just being stored, and for what the others have had delivered', async () => {
    const bot = await polled();
    const commandSeconds = bot.nowSeconds;
    await bot.see(WALLET_A, { quantity: 1 });
    await bot.deliver(CHANNEL);
    let begun: Promise<void> | undefined;
    bot.onWrite = (key) => {
      if (key !== KEY || begun !== undefined) return undefined;
      begun = bot.watch(WALLET_A, OTHER, {}, commandSeconds + 1);
      return nextTurn();
    };
    await bot.see(WALLET_A, { quantity: 2 });
    await begun;
    expect(quantities(bot, OTHER)).toEqual([1, 2]);
    expect(quantities(bot, CHANNEL)).toEqual([2]);
    bot.restart();
    expect(quantities(bot, OTHER)).toEqual([1, 2]);
  });

  it('keeps to what it wants, and to what the page of the command has shown of its very second', async () => {
    const bot = await polled();
    const commandSeconds = bot.nowSeconds + 1;
    const before = await bot.see(WALLET_A, { quantity: 1 });
    await bot.see(WALLET_A, { quantity: 2, action: 'Sell' });
    await bot.see(WALLET_A, { quantity: 3 });
    const [like] = bot.registry.ofWallet(WALLET_A);
    if (like === undefined) throw new Error('nothing is watched');
    const added = { ...like, channelId: OTHER, sinceSeconds: commandSeconds };
    const settings = { ...like.settings, kinds: ['buy' as const] };
    await bot.registry.add({ ...added, settings, knownIdentities: [activityIdentity(before)] });
    await bot.idle();
    expect(quantities(bot, OTHER)).toEqual([3]);
  });

  it('alerts after a pause on what happened since it was resumed, and not twice for what it has had', async () => {
    const bot = await polled();
    const [watch] = bot.registry.ofWallet(WALLET_A);
    if (watch === undefined) throw new Error('nothing is watched');
    const paused = { ...watch, pause: { untilSeconds: bot.nowSeconds + 2 } };
    await bot.registry.update(paused, null);
    const resumedSeconds = bot.nowSeconds;
    await bot.see(WALLET_A, { quantity: 9, time: resumedSeconds });
    bot.nowSeconds = resumedSeconds;
    await bot.see(WALLET_A, { quantity: 1 });
    // Until then the pause counts; the next one is after its end.
    await bot.see(WALLET_A, { quantity: 2 });
    await bot.see(WALLET_A, { quantity: 3 });
    expect(quantities(bot, CHANNEL)).toEqual([2, 3]);
    await bot.deliver(CHANNEL);
    await bot.registry.update({ ...paused, pause: null, sinceSeconds: resumedSeconds }, null);
    await bot.idle();
    expect(quantities(bot, CHANNEL)).toEqual([1]);
  });
});

describe('a venue that is away', () => {
  /** Has the endpoint polled each second that the schedule lets it, and counts the answers. */
  async function pollFor(seconds: number, isAway: (second: number) => boolean) {
    const endpoint = { wallet: WALLET_A, name: 'activity' } as const;
    let nowSeconds = START;
    const startMs = START * 1000;
    const answer: UnreadPage<ActivityItem> = {
      listingDelaySeconds: 0,
      ...{ venueNowMs: startMs, earliestNowMs: startMs, latestNowMs: startMs },
      hash: () => '',
      read: () => ({ items: [], skipped: [], hasMore: false, nextCursor: null }),
    };
    const fails = () => isAway(nowSeconds - START);
    const schedule = createSchedule();
    schedule.add(endpoint);
    const poller = createPoller(testMachine({ nowMs: () => nowSeconds * 1000 }), {
      client: {
        async unread(name) {
          if (name !== 'activity') throw new Error('nobody asks for transfers here');
          if (fails())
            throw unansweredError({ endpoint: name, wallet: WALLET_A }, new Error('away'), 1);
          return answer as UnreadPage<never>;
        },
      },
      watched: new Set([WALLET_A]),
      sink: () => ({
        takePage: async ({ pollId }) => ({ isOpen: false, pollId }),
        unchanged: () => true,
      }),
      schedule,
      learning: { changed() {} },
      availability: createVenueAvailability(testMachine(), () => {}),
      nowSeconds: () => nowSeconds,
      onRecords: {},
      onOutcome() {},
    });
    const answered: number[] = [];
    for (; nowSeconds < START + seconds; nowSeconds += 1) {
      for (const picked of schedule.pick(nowSeconds, 1)) {
        await poller.poll(picked, new AbortController().signal);
        if (!fails()) answered.push(nowSeconds - START);
      }
    }
    return answered;
  }

  it.each([3, 20, 121])(
    'for %d minutes is polled again within half a minute of its return',
    async (minutes) => {
      const backAt = 60 * minutes;
      const [first] = await pollFor(backAt + 600, (second) => second < backAt);
      expect(first).toBeLessThanOrEqual(backAt + 30);
    },
  );
});

describe('a record dated years ahead', () => {
  it('is named in the log once, not at every poll, and alerts once when its time has come', async () => {
    const bot = new TestBot();
    await bot.watch(WALLET_A, CHANNEL);
    const yearsSeconds = 3 * 365 * 86_400;
    const early = bot.trade(WALLET_A, { time: START + yearsSeconds, quantity: 5 });
    const refusals = () => bot.lines.filter(({ event }) => event === 'poll.records_refused');
    for (let round = 0; round < 3; round += 1) await bot.see(WALLET_A, { quantity: 1 });
    await bot.poll(WALLET_A);
    expect(bot.waiting(CHANNEL, 'activity').map(({ item }) => item.quantity)).toEqual([1, 1, 1]);
    const refused = { wallet: WALLET_A, endpoint: 'activity', records: 1, txHash: early.txHash };
    expect(refusals()).toMatchObject([refused]);
    await bot.deliver(CHANNEL);
    bot.nowSeconds = START + yearsSeconds;
    await bot.poll(WALLET_A);
    await bot.poll(WALLET_A);
    expect(bot.waiting(CHANNEL, 'activity').map(({ item }) => item)).toEqual([early]);
    expect(refusals()).toHaveLength(1);
  });
});

describe('a wallet that is removed', () => {
  const [A, B, C] = [walletOf(1), walletOf(2), walletOf(3)];
  const removals: Record<string, (bot: TestBot) => Promise<unknown>> = {
    'between two polls': (bot) => bot.registry.remove(CHANNEL, A),
    async 'while a page of it is being stored'(bot) {
      bot.onWrite = (key) => {
        if (key !== `wallet:${A}`) return undefined;
        bot.onWrite = () => undefined;
        return bot.registry.remove(CHANNEL, A);
      };
      await bot.see(A, { quantity: 1, tokenId: 'another' });
    },
    async 'while a page of it waits to be stored'(bot) {
      bot.onRead = () => {
        bot.onRead = () => undefined;
        return bot.registry.remove(CHANNEL, A);
      };
      await bot.see(A, { quantity: 1, tokenId: 'another' });
    },
  };
  for (const [when, remove] of Object.entries(removals)) {
    it(`${when} is forgotten: what it had a part in is announced again when others do it`, async () => {
      const bot = new TestBot();
      for (const wallet of [A, B, C]) await bot.watch(wallet, CHANNEL);
      await bot.setConsensus(CHANNEL, { wallets: 2, hours: 1 });
      await bot.see(B);
      await bot.see(A);
      expect(bot.waiting(CHANNEL, 'consensus')).toHaveLength(1);
      await bot.deliver(CHANNEL);
      await remove(bot);
      bot.nowSeconds += 1;
      await bot.watch(A, CHANNEL);
      await bot.see(C);
      expect(bot.waiting(CHANNEL, 'consensus')).toHaveLength(1);
    });
  }
});

describe('a page of the same bytes as the last one', () => {
  const DAY = 86_400;
  /** What the venue does between two polls; `pick` names a record by its place. */
  const step = fc.record({
    act: fc.constantFrom(
      ...(['nothing', 'nothing', 'trade', 'repeat'] as const),
      ...(['reword', 'vanish', 'come back', 'fill'] as const),
    ),
    pick: fc.nat(200),
    ageSeconds: fc.oneof(fc.nat(100), fc.integer({ min: -3 * DAY, max: 3 * DAY })),
    passSeconds: fc.oneof(fc.nat(60), fc.integer({ min: -2 * DAY, max: 3 * DAY })),
    doubtSeconds: fc.constantFrom(0, 0, 2 * DAY),
    fails: fc.constantFrom(false, false, false, true),
  });

  // Over longer histories one thing differs, of which nobody is told: figures of late records that
  // are known only by name are noted when the page is read again.
  it('changes nothing by not being read: alerts, state, reports and log are as if it had been', async () => {
    const runs = randomRuns(150);
    let skipped = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        const [bot, reader] = [new TestBot(), new TestBot()];
        reader.isRestless = true;
        for (const each of [bot, reader]) await each.watch(WALLET_A, CHANNEL);
        let items: ReturnType<typeof sampleTrade>[] = [];
        let gone = items;
        for (const [number, taken] of steps.entries()) {
          const { act, pick, ageSeconds, passSeconds, doubtSeconds, fails } = taken;
          const time = Math.max(0, bot.nowSeconds - ageSeconds);
          const chosen = items[pick % Math.max(1, items.length)];
          const trade = { ...sampleTrade(), trader: WALLET_A, time };
          const traded = (index: number) => ({ ...trade, txHash: `0x${number}-${index}` });
          if (act === 'trade') items = [...items, traded(0)];
          if (act === 'fill')
            items = [...items, ...Array.from({ length: pick }, (_, index) => traded(index))];
          if (act === 'come back') items = [...items, ...gone.splice(0)];
          if (chosen !== undefined && act === 'repeat') items = [...items, chosen];
          if (chosen !== undefined && act === 'vanish') gone = [...gone, chosen];
          if (chosen !== undefined && act === 'vanish')
            items = items.filter((item) => item !== chosen);
          if (act === 'reword')
            items = items.map((item) => ({ ...item, marketTitle: `Title ${number}` }));
          for (const each of [bot, reader]) {
            each.list(WALLET_A, items);
            each.nowSeconds += passSeconds;
            each.doubtSeconds = doubtSeconds;
            each.failures = fails ? 1 : 0;
            await each.poll(WALLET_A);
            each.failures = 0;
          }
          expect(bot.pageSeconds(WALLET_A)).toBe(reader.pageSeconds(WALLET_A));
        }
        const told = ({ reports, disk, lines }: TestBot) => ({
          reports: reports.map((report) => [report.atSeconds, report.freshTimesSeconds]),
          stored: [...disk].map(([key, text]) => [key, text.replaceAll(/"pollId":\d+/g, '')]),
          lines: lines.map(({ time: _wallClock, ...line }) => line),
        });
        expect(told(bot)).toEqual(told(reader));
        expect(bot.allWaiting(CHANNEL)).toEqual(reader.allWaiting(CHANNEL));
        skipped += reader.reads - bot.reads;
      }),
      runs,
    );
    expect(skipped).toBeGreaterThan(runs.numRuns);
  });

  it('is read again and again while a record on it cannot be read: each time is counted', async () => {
    const world = await openFeedWorld('in its own process');
    world.venue.activity = [sampleTrade(), { ...sampleTrade(), price: 'a lot' }];
    world.feed.watch(WALLET_A);
    const pages = () => world.pages.filter(({ endpoint }) => endpoint === 'activity').length;
    await expect.poll(pages).toBeGreaterThan(2);
  });

  it(
    'is neither parsed nor compared, and still says when the endpoint was read',
    async () => {
      const world = await openFeedWorld('in its own process');
      world.venue.activity = [sampleTrade()];
      await watch(world, WALLET_A);
      // The first answers may come before the venue's clock is known.
      await expect.poll(() => world.unchanged.size).toBe(2);
      const parse = vi.spyOn(JSON, 'parse');
      const [taken, asked] = [world.pages.length, world.venue.requests.length];
      await expect.poll(() => world.venue.requests.length).toBeGreaterThan(asked + 6);
      const parsed = parse.mock.calls.filter(([text]) => String(text).includes('"items"'));
      parse.mockRestore();
      expect(parsed).toEqual([]);
      expect(world.pages).toHaveLength(taken);
      const endpoint = { wallet: WALLET_A, name: 'activity' } as const;
      const seconds = world.unchanged.get(`${WALLET_A}:activity`) ?? 0;
      expect(world.feed.lastSeconds(endpoint)).toBeGreaterThanOrEqual(seconds);
      expect(seconds).toBeGreaterThan(world.pages[0]?.venueSeconds ?? 0);

      // What is no page is none however often it is answered, and the page after it is the same as
      // the one before.
      world.venue.mood = 'garbage';
      const trouble = () => world.feed.availability.trouble('activity')?.kind ?? null;
      await expect.poll(trouble).toBe('unreachable');
      world.venue.mood = 'served';
      await expect.poll(trouble).toBeNull();
      expect(world.pages).toHaveLength(taken);
    },
    within(90_000),
  );
});
