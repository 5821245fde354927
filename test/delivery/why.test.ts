import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { createDecisions, type RecordEvent } from '../../src/alerts/decisions.ts';
import { createAlertMessages } from '../../src/delivery/alert-messages.ts';
import { createComposer } from '../../src/delivery/messages/compose.ts';
import { createPost } from '../../src/delivery/post.ts';
import { createWhy } from '../../src/delivery/why.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import type { ChannelSettings } from '../../src/watches/channel-settings.ts';
import { KINDS } from '../../src/watches/settings/setting.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { testMachine } from '../support/machine.ts';
import { PLAIN_LOOKS } from '../support/plain-looks.ts';
import { inMarket } from '../support/records.ts';
import { A, CHANNEL, TestBot } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';
import { undelayed } from '../support/undelayed.ts';

const words = fc.option(
  fc.record({
    mode: fc.constantFrom('only' as const, 'except' as const),
    names: fc.subarray(['rain', 'sunday', 'snow'], { minLength: 1 }),
  }),
);
const settings = fc.record({
  kinds: fc.option(fc.subarray([...KINDS, 'opens', 'closes'] as const, { minLength: 1 })),
  minUsdc: fc.constantFrom(0, 60, 130),
  markets: fc.option(
    fc.record({
      mode: fc.constantFrom('only' as const, 'except' as const),
      names: fc.constant(0).map(() => ['1']),
    }),
  ),
  words,
  priceCents: fc.option(fc.constant({ min: 20, max: 60 })),
  liquidityRole: fc.constantFrom(null, 'maker' as const, 'taker' as const),
  cooldownSeconds: fc.constantFrom(0, 300),
  style: fc.constantFrom('grouped' as const, 'each' as const),
});
const channel = fc.record({ words, consensusOnly: fc.boolean() });
const isPaused = fc.boolean().map((isOn) => (isOn ? { untilSeconds: null } : null));
/** Transactions, each of some fills in a market of its own. */
const transactions = fc.array(
  fc.record({
    action: fc.constantFrom('Buy', 'Sell', 'Merge'),
    price: fc.constantFrom(10, 43.5, 90),
    liquidityRole: fc.constantFrom('MAKER', 'TAKER', null),
    fills: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** A bot that delivers, and is asked why. */
function delivering(bot: TestBot) {
  const { parts } = bot;
  const venueNowMs = () => bot.nowSeconds * 1000;
  const machine = testMachine({ nowMs: venueNowMs, monotonicMs: venueNowMs });
  const delayed = undelayed(parts.outbox, venueNowMs);
  const composer = createComposer({
    ...parts,
    ...delayed,
    ...PLAIN_LOOKS,
    venueNowMs,
  });
  const channelQueues = channelQueuesIn(parts.store, venueNowMs);
  const arrived: Alert[] = [];
  const messages = createAlertMessages(machine, {
    ...parts,
    ...delayed,
    ...composer,
    channelQueues,
    send: async () => String(arrived.length),
    edit: async () => null,
    editedAtMs: async () => null,
    post: createPost(machine, { findReferences: async () => new Map() }),
    awaitingAnswerMs: () => 0,
    onArrived: (_channelId, alerts) => void arrived.push(...alerts),
  });
  const whyWith = (decisions = parts.decisions) =>
    createWhy({
      ...parts,
      ...delayed,
      decisions,
      channelQueues,
      composer,
      detailsRecords: { find: async () => undefined },
      awaitingAnswerMs: () => 0,
      venueNowMs,
    });
  return {
    arrived,
    why: whyWith(),
    /** The same after a restart. */
    forgetful: whyWith(createDecisions(() => '')),
    async deliver(): Promise<void> {
      let step = await messages.next(CHANNEL);
      while (typeof step !== 'number') {
        await step.send();
        step = await messages.next(CHANNEL);
      }
    },
  };
}

describe('why', () => {
  it('agrees with delivery, at the time and as of today, whatever the settings', async () => {
    const run = async (
      chosen: Partial<WatchSettings>,
      ofChannel: Partial<ChannelSettings>,
      pause: { untilSeconds: null } | null,
      traded: readonly { readonly fills: number; readonly action: string }[],
    ) => {
      const bot = new TestBot();
      await bot.watch(A, CHANNEL, chosen);
      await bot.setChannel(CHANNEL, ofChannel);
      await bot.change(A, CHANNEL, { pause });
      const { why, forgetful, arrived, deliver } = delivering(bot);
      const byHash = new Map<string, ActivityItem[]>();
      for (const [market, { fills, ...changes }] of traded.entries()) {
        const first = bot.trade(A, { ...inMarket(market), ...changes });
        const items = [first];
        for (let fill = 1; fill < fills; fill += 1) {
          const { txHash, time, quantity } = first;
          const other = { ...inMarket(market), ...changes, txHash, time };
          items.push(bot.trade(A, { ...other, quantity: quantity + fill }));
        }
        byHash.set(first.txHash, items);
        await bot.poll(A);
        await deliver();
      }
      bot.nowSeconds += 100;
      await bot.poll(A);
      await deliver();

      const watch = bot.registry.get(CHANNEL, A);
      if (watch === undefined) throw new Error('It is watched.');
      const byEffect = chosen.kinds?.some((kind) => kind === 'opens' || kind === 'closes') === true;
      for (const [txHash, items] of byHash) {
        const posted = arrived.filter(
          ({ event }) => event.kind === 'activity' && event.item.txHash === txHash,
        );
        const known = why.known(watch, txHash);
        expect(known).toHaveLength(items.length);
        expect(known.filter(({ kind }) => kind === 'posted')).toHaveLength(posted.length);
        const reasons = known.flatMap((verdict) =>
          verdict.kind === 'filtered' ? [verdict.reason] : [],
        );
        expect(reasons.length + posted.length).toBe(items.length);

        const events = items.map((item): RecordEvent => ({ kind: 'activity', item }));
        expect(forgetful.known(watch, txHash)).toEqual([]);
        const today = await forgetful.unknown(watch, events);
        const holdsToday = today.flatMap((verdict) =>
          verdict.kind === 'today' && verdict.reason !== null ? [verdict.reason] : [],
        );
        // What a trade does to the position may hold it, and is not known any more.
        if (byEffect) expect(holdsToday.length).toBeLessThanOrEqual(reasons.length);
        else expect(holdsToday).toEqual(reasons);
      }
    };
    await fc.assert(
      fc.asyncProperty(settings, channel, isPaused, transactions, run),
      randomRuns(800),
    );
  });
});
