import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../commands/shared/context.ts';
import { shownIn, suggestSeenWords, warningsOf } from '../../commands/watch/shared/seen-markets.ts';
import { createComposer } from '../../src/delivery/messages/compose.ts';
import { createWhy } from '../../src/delivery/why.ts';
import { ENGLISH } from '../../src/language/language.ts';
import type { Completion } from '../../src/slash-commands/slash-command.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { PLAIN_LOOKS } from '../support/plain-looks.ts';
import { inMarket, soldFor } from '../support/records.ts';
import { A, CHANNEL, GUILD, START } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';
import { type DelayedBot, openDelayedBot } from './delayed-bot.ts';

const DELAY_MS = 900_000;

/** What commands know where a delayed channel's people type. */
function contextOf({ bot, clock, later }: DelayedBot): CommandContext {
  const { registry, outbox } = bot.parts;
  return {
    registry,
    clock,
    later,
    place: { kind: 'server', ownerId: GUILD },
    scans: { activity: new Map() },
    language: ENGLISH,
    watchesForAll: registry.ofWallet,
    knowledge: async (wallet: typeof A) => (await outbox.stateOf(wallet)).knowledge,
  } as unknown as CommandContext;
}

/** Returns what the answers to commands in the channel show of the wallet now. */
async function shownNow(delayed: DelayedBot, word: string) {
  const context = contextOf(delayed);
  const sizes = (await context.knowledge(A))?.portfolio.sizes ?? [];
  const isShown = await shownIn(CHANNEL, A, context);
  const use = { options: { get: () => null }, channelId: CHANNEL } as unknown as Completion;
  const suggested = await suggestSeenWords(word.slice(0, -1), context, use);
  const filter = { words: { mode: 'only' as const, names: [word] } };
  const warnings = await warningsOf(CHANNEL, filter, {}, context);
  return {
    trades: sizes.map(([atSeconds]) => atSeconds).filter(isShown),
    isSuggested: suggested.some(({ value }) => value === `only: ${word}`),
    isDoubted: warnings.length > 0,
  };
}

const NOTHING = { trades: [], isSuggested: false, isDoubted: true };

describe('a delayed channel', () => {
  it('shows a trade from before its delay was set no earlier than the alert, wherever the alert waits', async () => {
    let answerMs = 1;
    const delayed = openDelayedBot({ awaitingAnswerMs: () => answerMs });
    const { bot, shown } = delayed;
    await bot.watch(A, CHANNEL, {}, START);
    await bot.poll(A);
    const { time } = bot.trade(A, { ...inMarket(1), marketTitle: 'Rain in Paris', eventSlug: 'x' });
    await delayed.setDelay(DELAY_MS);
    bot.nowSeconds += 10;
    await bot.poll(A);
    expect(await shownNow(delayed, 'rain'), 'while the exchange is asked').toEqual(NOTHING);

    answerMs = 0;
    await delayed.restart();
    await delayed.deliver();
    expect(await shownNow(delayed, 'rain'), 'in the documents of the channel').toEqual(NOTHING);
    bot.nowSeconds += DELAY_MS / 1000 - 1;
    await delayed.deliver();
    expect(await shownNow(delayed, 'rain'), 'a second before the alert').toEqual(NOTHING);
    expect(shown).toEqual([]);

    bot.nowSeconds += 1;
    await delayed.deliver();
    expect(shown).toHaveLength(1);
    const all = { trades: [time], isSuggested: true, isDoubted: false };
    expect(await shownNow(delayed, 'rain')).toEqual(all);
  });

  it.each([
    ['wait', {}],
    // Notices stand for them.
    ['were dropped', { bounds: { items: 1, bytes: 1_000_000 } }],
  ])(
    'names no market that was traded in and left within the delay, where its alerts %s',
    async (_how, options) => {
      const delayed = openDelayedBot(options);
      const { bot, later } = delayed;
      await bot.watch(A, CHANNEL, {}, START);
      await delayed.setDelay(DELAY_MS);
      await bot.poll(A);
      bot.nowSeconds += 1_000;
      const market = {
        ...inMarket(1),
        quantity: 100,
        marketTitle: 'Rain in Paris',
        eventSlug: 'x',
      };
      await bot.see(A, market);
      await bot.see(A, { ...soldFor(100, 60), ...market });
      await delayed.deliver();
      expect(later.counts().dropped > 0).toBe('bounds' in options);
      expect(await shownNow(delayed, 'rain')).toEqual(NOTHING);
    },
  );

  it('reads its waiting alerts once for all records of a transaction that may not be explained yet', async () => {
    const delayed = openDelayedBot();
    const { bot, later, clock } = delayed;
    const { parts } = bot;
    await bot.watch(A, CHANNEL, {}, START);
    await bot.poll(A);
    const items = [bot.trade(A, inMarket(1)), bot.trade(A, inMarket(2)), bot.trade(A, inMarket(3))];
    await delayed.setDelay(DELAY_MS);
    bot.nowSeconds += 10;
    await bot.poll(A);
    let reads = 0;
    const venueNowMs = () => bot.nowSeconds * 1000;
    const why = createWhy({
      ...parts,
      clock,
      outbox: {
        pending: later.pending,
        stateOf: parts.outbox.stateOf,
        unreleasedRecords(channelId, wallet) {
          reads += 1;
          return later.unreleasedRecords(channelId, wallet);
        },
      },
      channelQueues: channelQueuesIn(parts.store, venueNowMs),
      composer: createComposer({ ...parts, ...PLAIN_LOOKS, clock, venueNowMs }),
      detailsRecords: { find: async () => undefined },
      awaitingAnswerMs: () => 0,
      venueNowMs,
    });
    const events = items.map((item) => ({ kind: 'activity', item }) as const);
    const verdicts = await why.unknown(parts.registry.get(CHANNEL, A) as Watch, events);
    expect(verdicts).toEqual(items.map(() => ({ kind: 'later' })));
    expect(reads).toBe(1);
  });

  it('suggests no transaction whose alert was dropped on its way before the notice is posted', async () => {
    const delayed = openDelayedBot({ awaitingAnswerMs: () => 1 });
    const { bot, shown } = delayed;
    await bot.watch(A, CHANNEL, {}, START);
    await delayed.setDelay(DELAY_MS);
    await bot.poll(A);
    for (let page = 0; page < 12; page += 1) {
      for (let trade = 0; trade < 90; trade += 1) bot.trade(A);
      await bot.poll(A);
    }
    expect(bot.lines.map(({ event }) => event)).toContain('outbox.backlog_dropped');
    expect(bot.parts.decisions.recordsIn(CHANNEL, A)).toEqual([]);
    expect(shown).toEqual([]);
  });

  const step = fc.oneof(
    fc.record({
      kind: fc.constant('trade' as const),
      market: fc.integer({ min: 0, max: 2 }),
      // Time for which the exchange has not listed it yet.
      listedAfterSeconds: fc.constantFrom(0, 0, 5, 600),
    }),
    fc.record({
      kind: fc.constant('delay' as const),
      ms: fc.constantFrom(null, 60_000, DELAY_MS),
    }),
    fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(1, 60, 901) }),
    fc.record({ kind: fc.constant('restart' as const) }),
  );

  it('shows only trades of which the time has come, whenever they are listed and its delay is set', async () => {
    const run = async (
      steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
    ) => {
      const delayed = openDelayedBot();
      const { bot, shown } = delayed;
      await bot.watch(A, CHANNEL, {}, START);
      await bot.poll(A);
      for (const one of steps) {
        bot.nowSeconds += 1;
        if (one.kind === 'trade') {
          const { time } = bot.trade(A, inMarket(one.market));
          bot.nowSeconds = time + one.listedAfterSeconds;
        } else if (one.kind === 'delay') await delayed.setDelay(one.ms);
        else if (one.kind === 'pass') bot.nowSeconds += one.seconds;
        else await delayed.restart();
        await bot.poll(A);
        await delayed.deliver();
        const { trades } = await shownNow(delayed, 'rain');
        const heard = [...shown.flatMap(({ alerts }) => alerts), ...delayed.later.pending(CHANNEL)];
        const times = heard.flatMap(({ event }) =>
          event.kind === 'activity' ? event.item.time : [],
        );
        expect(times).toEqual(expect.arrayContaining(trades));
        expect(trades).toEqual(expect.arrayContaining(times));
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), run),
      randomRuns(400),
    );
  });
});
