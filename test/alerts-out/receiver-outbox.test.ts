import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { messagesOf, type ReceiverAlert } from '../../src/alerts/wallets/receiver-alerts.ts';
import type { NewAlert } from '../../src/alerts/wallets/wallet-document.ts';
import { faultsOf } from '../../src/app/documents/kinds.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { toFormat11 } from '../../src/store/migrations/to-format-11.ts';
import { toFormat12 } from '../../src/store/migrations/to-format-12.ts';
import type { ChannelSettings } from '../../src/watches/channel-settings.ts';
import { isPaused } from '../../src/watches/watch.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { happening } from '../support/happening.ts';
import { boughtFor, inMarket, soldFor } from '../support/records.ts';
import { A, B, C, CHANNEL, GUILD, OTHER, TestBot } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';

/** Channels, and whose they are. */
const OWNERS: Readonly<Record<string, string>> = {
  [CHANNEL]: GUILD,
  [OTHER]: GUILD,
  '200000000000000003': '100000000000000002',
};

const channelId = fc.constantFrom(...Object.keys(OWNERS));
const market = fc.integer({ min: 0, max: 1 });
const happened = fc.oneof(
  happening(5, 'buys', { market }),
  happening(4, 'sells', { market }),
  happening(1, 'page is lost'),
  happening(1, 'restart'),
  happening(1, 'document is damaged'),
  happening(4, 'reads', { channelId }),
  happening(2, 'pauses', { channelId, seconds: fc.constantFrom(null, 2) }),
  happening(2, 'resumes', { channelId }),
  happening(2, 'hears later', { channelId, isLater: fc.boolean() }),
  happening(1, 'filters', {
    channelId,
    kinds: fc.constantFrom<WatchSettings['kinds']>(null, ['buy'], ['deposit']),
  }),
);
type Happened = typeof happened extends fc.Arbitrary<infer Value> ? Value : never;

/** Has each kind of event that there is: a purchase that a channel reads, its sale, and a gap. */
const EACH_KIND: readonly Happened[] = [
  { kind: 'buys', market: 0 },
  { kind: 'reads', channelId: CHANNEL },
  { kind: 'sells', market: 0 },
  { kind: 'page is lost' },
];

/** What the wallet's document holds for channels, and for receivers outside of Discord. */
function storedOf(bot: TestBot, wallet = A) {
  const { outbox = [], state = {} } = JSON.parse(bot.disk.get(`wallet:${wallet}`) ?? '{}');
  const forReceivers: readonly ReceiverAlert[] = messagesOf(state.forReceivers?.waiting ?? []);
  return { outbox: outbox as readonly NewAlert[], forReceivers };
}

function receiverOutbox(): TestBot {
  const bot = new TestBot();
  bot.hasReceiver = true;
  return bot;
}

/** A bot whose three channels watch a wallet. */
async function openWatched() {
  const bot = receiverOutbox();
  for (const [channel, ownerId] of Object.entries(OWNERS))
    await bot.watch(A, channel, {}, undefined, ownerId);
  await bot.poll(A);
  const held = [0, 0];
  const trade = async (nth: number, isPurchase: boolean): Promise<void> => {
    const shares = isPurchase ? 100 : (held[nth] ?? 0);
    if (shares === 0) return;
    held[nth] = isPurchase ? (held[nth] ?? 0) + shares : 0;
    const figures = isPurchase ? boughtFor(shares, 50) : soldFor(shares, 60);
    await bot.see(A, { ...figures, ...inMarket(nth) });
  };
  const happenAt = async (channel: string, one: Happened): Promise<void> => {
    const watch = bot.registry.get(channel, A);
    if (watch === undefined) throw new Error('The wallet is watched.');
    if (one.kind === 'pauses') {
      const untilSeconds = one.seconds === null ? null : bot.nowSeconds + one.seconds;
      await bot.change(A, channel, { pause: { untilSeconds } });
    }
    if (one.kind === 'resumes') await bot.change(A, channel, { pause: null });
    if (one.kind === 'filters')
      await bot.change(A, channel, { settings: { ...watch.settings, kinds: one.kinds } });
    if (one.kind === 'hears later') {
      const delay = one.isLater ? { ms: 60_000, fromMs: 0 } : null;
      await bot.setChannel(channel, { ownerId: watch.ownerId, delay });
    }
    if (one.kind === 'reads') {
      const own = storedOf(bot).outbox.filter(({ channels }) => channels.includes(channel));
      const alerts = own.map((alert): Alert => ({ ...alert, wallet: A, channelId: channel }));
      await bot.parts.outbox.acknowledge(channel, alerts, { messageId: 'm1' });
    }
  };
  return {
    bot,
    async happen(one: Happened): Promise<void> {
      if (one.kind === 'buys' || one.kind === 'sells') await trade(one.market, one.kind === 'buys');
      if (one.kind === 'restart') bot.restart();
      if (one.kind === 'document is damaged') {
        bot.nowSeconds += 1;
        bot.disk.set(`wallet:${A}`, '"damaged"');
        bot.restart();
        await bot.poll(A);
      }
      if (one.kind === 'page is lost') {
        bot.nowSeconds += 1;
        await bot.abandon(bot.pageOf(A, 0));
      }
      if ('channelId' in one) await happenAt(one.channelId, one);
    },
  };
}

const isResult = ({ event }: Pick<Alert, 'event'>) => event.kind === 'result';
const nameOf = (id: string, ownerId = '', ofChannel = '') => [id, ownerId, ofChannel].join(' ');

/** Consensus that goes out for a channel: a paused wallet buys first, then two others twice each. */
async function agreedIn(delay: ChannelSettings['delay']) {
  const bot = receiverOutbox();
  const wallets = [A, B, C];
  for (const wallet of wallets) await bot.watch(wallet, CHANNEL);
  await bot.setChannel(CHANNEL, { consensus: { wallets: 2, hours: 24 }, delay });
  for (const wallet of wallets) await bot.poll(wallet);
  await bot.change(C, CHANNEL, { pause: { untilSeconds: null } });
  for (const wallet of [C, A, A, B, B]) {
    bot.nowSeconds += 100;
    await bot.see(wallet);
  }
  const goingOut = wallets.flatMap((wallet) => storedOf(bot, wallet).forReceivers);
  return goingOut.flatMap(({ event }) => (event.kind === 'consensus' ? event : []));
}

describe('what goes out of Discord', () => {
  it('is the same consensus of a channel with a delay as of one without', async () => {
    const atOnce = await agreedIn(null);
    expect(atOnce.map(({ consensus }) => consensus.stakes.length)).toEqual([2]);
    expect(await agreedIn({ ms: 60_000, fromMs: 0 })).toEqual(atOnce);
  });

  it('is each event once an owner, and a result once a channel, where a watch is not paused', async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(happened, { maxLength: 20 }), async (plan) => {
        const { bot, happen } = await openWatched();
        const known = new Set<string>();
        const told: string[] = [];
        /** Numbers of the last messages, by owner. */
        const last = new Map<string, number>();
        const expected: string[] = [];
        for (const one of plan) {
          const before = new Set(told);
          if (one.kind === 'document is damaged') last.clear();
          await happen(one);
          const { outbox, forReceivers } = storedOf(bot);
          const isOn = (channel: string) => {
            const watch = bot.registry.get(channel, A);
            return watch !== undefined && !isPaused(watch, bot.nowSeconds);
          };
          const news = forReceivers.filter(
            (alert) => !before.has(nameOf(alert.id, alert.ownerId, alert.channelId)),
          );
          for (const { id, ownerId, channelId: of, event, watches, sequence } of news) {
            // Each owner's own messages are counted, without a hole.
            expect(sequence).toBe((last.get(ownerId) ?? 0) + 1);
            last.set(ownerId, sequence);
            told.push(nameOf(id, ownerId, of));
            kinds.add(event.kind);
            expect(watches.filter(({ channel }) => !isOn(channel))).toEqual([]);
          }
          const fresh = [...outbox, ...news].filter(({ id }) => !known.has(id));
          for (const { id } of fresh) known.add(id);
          const results = outbox.filter((alert) => isResult(alert) && fresh.includes(alert));
          for (const { id, channels } of results)
            for (const channel of channels.filter(isOn))
              expected.push(nameOf(id, OWNERS[channel], channel));
          const events = new Set(fresh.filter((alert) => !isResult(alert)).map(({ id }) => id));
          const owners = new Set(
            Object.keys(OWNERS)
              .filter(isOn)
              .map((channel) => OWNERS[channel]),
          );
          for (const id of events) for (const owner of owners) expected.push(nameOf(id, owner));
          expect(told.toSorted()).toEqual(expected.toSorted());
        }
      }),
      { ...randomRuns(200), examples: [[[...EACH_KIND]]] },
    );
    expect(kinds).toEqual(new Set(['activity', 'result', 'gap']));
  });

  it('is all of it for each owner, however many watch the wallet, and each event is stored once', async () => {
    for (const [owners, trades] of [[14, 95] as const, [1_100, 1] as const]) {
      const bot = receiverOutbox();
      const ownerIds = Array.from(
        { length: owners },
        (_, nth) => `4${String(nth).padStart(17, '0')}`,
      );
      for (const ownerId of ownerIds)
        await bot.watch(A, `5${ownerId.slice(1)}`, {}, undefined, ownerId);
      await bot.poll(A);
      for (let count = 0; count < trades; count += 1) bot.trade(A);
      await bot.poll(A);
      const { forReceivers } = storedOf(bot);
      const numbers = groupBy(forReceivers, ({ ownerId }) => ownerId);
      const all = Array.from({ length: trades }, (_, nth) => nth + 1);
      for (const ownerId of ownerIds)
        expect(numbers.get(ownerId)?.map(({ sequence }) => sequence)).toEqual(all);
      const { state } = JSON.parse(bot.disk.get(`wallet:${A}`) ?? '{}');
      expect(state.forReceivers.waiting).toHaveLength(trades);
    }
  });

  it('is bounded for each owner, who reads of which time it lost messages, and no other does', async () => {
    const bot = receiverOutbox();
    await bot.watch(A, CHANNEL);
    await bot.poll(A);
    const times: number[] = [];
    const trade = async (count: number) => {
      for (let nth = 0; nth < count; nth += 1) {
        times.push(bot.trade(A).time);
        if (nth % 50 === 49) await bot.poll(A);
      }
    };
    await trade(100);
    bot.nowSeconds += 1;
    const [, other] = Object.entries(OWNERS).at(-1) ?? [];
    await bot.watch(A, '200000000000000003', {}, undefined, other);
    await trade(900);
    expect(storedOf(bot).forReceivers).toHaveLength(1_000 + 900);
    await trade(50);
    const { forReceivers } = storedOf(bot);
    const own = forReceivers.filter(({ ownerId }) => ownerId === GUILD);
    expect(own.slice(0, -1).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 900 }, (_, nth) => 151 + nth),
    );
    expect(own.at(-1)).toMatchObject({
      event: {
        kind: 'gap',
        gap: { cause: 'backlog', fromSeconds: times[0], toSeconds: times[149] },
      },
      sequence: 1_051,
      watches: [{ channel: CHANNEL, wanted: true }],
    });
    const ofOther = forReceivers.filter(({ ownerId }) => ownerId === other);
    expect(ofOther.map(({ sequence, event }) => [sequence, event.kind])).toEqual(
      Array.from({ length: 950 }, (_, nth) => [1 + nth, 'activity']),
    );
    const dropped = bot.lines.filter(({ event }) => event === 'alerts_out.dropped');
    expect(dropped).toMatchObject([{ guild: GUILD, wallet: A, alerts: 150 }]);
    expect(bot.parts.outbox.droppedForReceivers()).toBe(150);
  });

  it('wants what the interface does not describe only where a watch names it', async () => {
    const bot = receiverOutbox();
    await bot.watch(A, CHANNEL);
    await bot.watch(A, OTHER, { kinds: ['other'] });
    await bot.poll(A);
    for (const action of ['Buy', 'Merge']) await bot.see(A, { action });
    const wanted = storedOf(bot).forReceivers.map(({ watches }) =>
      watches.flatMap((watch) => (watch.wanted ? [watch.channel] : [])),
    );
    expect(wanted).toEqual([[CHANNEL], [OTHER]]);
  });

  it('goes on in each server from the number that the wallet had before messages were counted by server', async () => {
    const bot = receiverOutbox();
    const key = `wallet:${A}`;
    for (const [channel, ownerId] of Object.entries(OWNERS))
      await bot.watch(A, channel, {}, undefined, ownerId);
    await bot.poll(A);
    const { id, event, seenAtMs } = { id: 'a2345678', event: bot.trade(A), seenAtMs: 1 };
    const message = (ownerId: string, sequence: number) => ({
      ...{ id, event: { kind: 'activity', item: event }, seenAtMs, ownerId, sequence },
      ...{ isLate: false, isBetterThanLuck: false },
      watches: [{ channel: CHANNEL, label: null, wanted: true }],
    });
    const owners = [...new Set(Object.values(OWNERS))];
    const waiting = owners.map((ownerId, nth) => message(ownerId, 40 + nth));
    const document = JSON.parse(bot.disk.get(key) ?? '{}');
    const before = {
      ...document,
      state: { ...document.state, handedOn: { sequence: 41, waiting } },
    };
    bot.disk.set(key, JSON.stringify(toFormat12(key, toFormat11(key, before))));
    bot.restart();
    expect(storedOf(bot).forReceivers).toEqual(waiting);
    await bot.see(A);
    const newcomer = '100000000000000009';
    await bot.watch(A, '200000000000000009', {}, undefined, newcomer);
    await bot.see(A);
    const numbers = (ownerId: string) =>
      storedOf(bot)
        .forReceivers.filter((alert) => alert.ownerId === ownerId)
        .map(({ sequence }) => sequence);
    expect(owners.map(numbers)).toEqual([
      [40, 42, 43, 44],
      [41, 42, 43, 44],
    ]);
    expect(numbers(newcomer)).toEqual([1, 2]);
  });

  it('is named as damaged over an update where it cannot be read', () => {
    const key = `wallet:${A}`;
    const damaged = [{ sequence: 41, waiting: [7] }, { sequence: 41, waiting: 7 }, { waiting: [] }];
    for (const handedOn of damaged) {
      const document = { state: { handedOn }, outbox: [] };
      expect(faultsOf(key, toFormat11(key, document)), JSON.stringify(handedOn)).toEqual([
        'handedOn',
      ]);
    }
  });
});
