import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import type { ChannelSettings } from '../../src/watches/channel-settings.ts';
import { announcingFrom } from '../../src/watches/watch.ts';
import { happening } from '../support/happening.ts';
import { inMarket, sampleTrade } from '../support/records.ts';
import { A, B, C, CHANNEL, D, START } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';
import { type DelayedBot, openDelayedBot } from './delayed-bot.ts';

const MINUTE_SECONDS = 60;
const DELAY_MINUTES = 15;
const WALLETS = [A, B, C] as const;
const RULE = { wallets: 2, hours: 24 };

async function changeChannel(
  { bot }: DelayedBot,
  changes: Partial<ChannelSettings>,
): Promise<void> {
  await bot.setChannel(CHANNEL, { ...bot.parts.channelSettings.get(CHANNEL), ...changes });
}

/** Changes that a member types, each as its command makes it. */
const TYPED = {
  nothing: async () => {},
  'a pause': ({ bot }: DelayedBot) => bot.change(B, CHANNEL, { pause: { untilSeconds: null } }),
  'the end of the rule': (delayed: DelayedBot) => changeChannel(delayed, { consensus: null }),
  'a rule of three': (delayed: DelayedBot) =>
    changeChannel(delayed, { consensus: { wallets: 3, hours: 24 } }),
  'words of other markets': (delayed: DelayedBot) =>
    changeChannel(delayed, { words: { mode: 'only', names: ['nothing'] } }),
  'a removal that is over': ({ bot }: DelayedBot) => bot.registry.remove(CHANNEL, B),
  'a removal': async ({ bot }: DelayedBot) => {
    const watch = bot.registry.kept(CHANNEL, B);
    if (watch === undefined) throw new Error('The wallet is watched.');
    const leavesAtMs = (bot.nowSeconds + 600) * 1000;
    await bot.registry.update({ ...watch, leavesAtMs }, null);
  },
} as const;

/** Says which wallets a channel reads a consensus of, if B buys, something is typed, and A buys. */
async function namedAfter(typed: keyof typeof TYPED, delayMinutes: number) {
  const delayed = openDelayedBot();
  const { bot, shown } = delayed;
  for (const wallet of [A, B]) await bot.watch(wallet, CHANNEL, {}, START);
  const delayMs = delayMinutes * MINUTE_SECONDS * 1000;
  await delayed.setDelay(delayMs === 0 ? null : delayMs, { consensus: RULE });
  for (const wallet of [A, B]) await bot.poll(wallet);
  const passUntil = async (minute: number) => {
    while (bot.nowSeconds < START + minute * MINUTE_SECONDS) {
      bot.nowSeconds += MINUTE_SECONDS / 2;
      for (const wallet of [A, B]) await bot.poll(wallet);
      await delayed.deliver();
    }
  };
  const steps: (readonly [number, () => Promise<unknown>])[] = [
    [2, () => bot.see(B)],
    [4, () => bot.see(A)],
    [3 + delayMinutes, () => TYPED[typed](delayed)],
  ];
  for (const [minute, work] of steps.toSorted(([a], [b]) => a - b)) {
    await passUntil(minute);
    await work();
    await delayed.deliver();
  }
  await passUntil(30 + delayMinutes);
  return shown
    .flatMap(({ alerts }) => alerts)
    .flatMap(({ event }) => (event.kind === 'consensus' ? [event.consensus.stakes.length] : []));
}

/**
 * Says what a channel reads of a consensus of four, found with two of them and again with each
 * further one, if one is paused when its time comes, something else is typed before it is posted,
 * and the bot starts again.
 */
async function readAfterStart(typed: (delayed: DelayedBot) => Promise<unknown>) {
  const delayed = openDelayedBot();
  const { bot, shown } = delayed;
  const wallets = [A, B, C, D];
  for (const one of wallets) await bot.watch(one, CHANNEL, {}, START);
  const delayMs = DELAY_MINUTES * MINUTE_SECONDS * 1000;
  await delayed.setDelay(delayMs, { consensus: { wallets: 2, hours: 24 } });
  for (const one of wallets) bot.trade(one);
  // A, listed last, completes it.
  for (const one of [B, C, D, A]) await bot.poll(one);
  await delayed.later.idle();
  await bot.change(D, CHANNEL, { pause: { untilSeconds: null } });
  bot.nowSeconds += DELAY_MINUTES * MINUTE_SECONDS;
  await delayed.later.release(CHANNEL);
  await typed(delayed);
  await delayed.restart();
  await delayed.deliver();
  return shown
    .flatMap(({ alerts }) => alerts)
    .flatMap(({ event }) =>
      event.kind === 'consensus'
        ? [[event.consensus.stakes.length, event.consensus.isEscalation]]
        : [],
    );
}

/** At this the shortest delay of a plan is the shortest that there is. */
const TICK_SECONDS = 10;
const TRADING_TICKS = 12;
const tick = fc.integer({ min: 1, max: TRADING_TICKS });
const wallet = fc.integer({ min: 0, max: 2 });

const traded = fc.record({
  tick,
  wallet,
  market: fc.constantFrom(0, 0, 0, 1),
});
type Traded = typeof traded extends fc.Arbitrary<infer Value> ? Value : never;

/** Changes, but for a rule that is set or loosened: that one counts for what is seen from then on. */
const typed = fc.oneof(
  happening(3, 'pauses', { tick, wallet }),
  happening(2, 'resumes', { tick, wallet }),
  happening(2, 'removes', { tick, wallet }),
  happening(1, 'has a rule', { tick, wallets: fc.constantFrom(null, 3) }),
  happening(1, 'has words', { tick, word: fc.constantFrom('rain', 'snow', null) }),
);
type Typed = typeof typed extends fc.Arbitrary<infer Value> ? Value : never;

/** Records of purchases, by the tick at which they are listed. */
function recordsOf(trades: readonly Traded[]) {
  return trades.map((one, index): Traded & { readonly item: ActivityItem } => {
    const { market } = one;
    // One of them is on the other side of the second market.
    const side = market === 1 && one.wallet === 2 ? 1 : 0;
    const item = {
      ...sampleTrade(),
      ...inMarket(market),
      tokenId: `${market}-${side}`,
      positionSide: side === 1 ? 'No' : 'Yes',
      outcomeIndex: side,
      marketTitle: market === 1 ? 'Snow on Monday?' : 'Rain on Sunday?',
      trader: WALLETS[one.wallet] ?? A,
      time: START + one.tick * TICK_SECONDS,
      txHash: `0x${String(index + 1).padStart(64, '0')}`,
      transferNetAmount: 40 + index,
    };
    return { ...one, item };
  });
}

/**
 * Does what somebody types, as its command does.
 *
 * @param lagSeconds of the channel's clock
 */
async function type(delayed: DelayedBot, what: Typed, lagSeconds: number): Promise<void> {
  const { bot } = delayed;
  if (what.kind === 'has a rule') {
    const consensus = what.wallets === null ? null : { wallets: what.wallets, hours: 1 };
    return changeChannel(delayed, { consensus });
  }
  if (what.kind === 'has words') {
    const { word } = what;
    const words = word === null ? null : { mode: 'only' as const, names: [word] };
    return changeChannel(delayed, { words });
  }
  const named = WALLETS[what.wallet] ?? A;
  if (what.kind === 'removes') return bot.registry.remove(CHANNEL, named);
  const watch = bot.registry.get(CHANNEL, named);
  if (watch === undefined) return;
  if (what.kind === 'pauses') {
    return bot.change(named, CHANNEL, { pause: { untilSeconds: null } });
  }
  if (watch.pause === null) return;
  const resumed = announcingFrom(watch, bot.nowSeconds - lagSeconds);
  await bot.change(named, CHANNEL, { ...resumed, pause: null });
}

/** A text without what others hold at present, which a channel with a delay is not shown. */
function withoutOthers(description: string): string[] {
  return description.split('\n').filter((line) => !line.includes('also here'));
}

/**
 * What a channel reads, by its own clock.
 *
 * @param startTick at which the bot starts again; null: none
 */
async function readBy(
  plan: Pick<Plan, 'trades' | 'changes'>,
  delayTicks: number,
  startTick: number | null = null,
) {
  const delayed = openDelayedBot();
  const { bot, shown } = delayed;
  const records = recordsOf(plan.trades);
  for (const one of WALLETS) await bot.watch(one, CHANNEL, {}, START);
  const delayMs = delayTicks * TICK_SECONDS * 1000;
  const consensus = { wallets: 2, hours: 1 };
  await delayed.setDelay(delayMs === 0 ? null : delayMs, { consensus });
  for (let now = 0; now <= TRADING_TICKS + 5 + delayTicks; now += 1) {
    bot.nowSeconds = START + now * TICK_SECONDS;
    for (const one of WALLETS) {
      const listed = records.filter(({ item, tick: at }) => item.trader === one && at <= now);
      bot.list(
        one,
        listed.map(({ item }) => item),
      );
      await bot.poll(one);
    }
    if (now === startTick) await delayed.restart();
    await delayed.deliver();
    for (const one of plan.changes.filter((change) => change.tick === now - delayTicks)) {
      await type(delayed, one, delayMs / 1000);
      await delayed.deliver();
    }
  }
  return shown.map(({ kind, id, body, atSeconds }) => ({
    kind,
    id,
    atSeconds: atSeconds - delayTicks * TICK_SECONDS - START,
    content: body.content ?? '',
    // What others hold at present is shown in a channel without a delay alone.
    embeds: body.embeds?.map(({ description = '' }) => withoutOthers(description)),
  }));
}

interface Plan {
  readonly trades: Traded[];
  readonly changes: Typed[];
  readonly delayTicks: 6 | 15;
}
const bought = (tick: number, wallet: number, market: Traded['market'] = 0): Traded => ({
  ...{ tick, wallet, market },
});
/** What once read otherwise later. */
const once = (trades: Traded[], changes: Typed[]): [Plan, null] => [
  { trades, changes, delayTicks: 6 },
  null,
];
const ONCE = [
  // No escalation later: two that were found within the same seconds.
  once(
    [bought(2, 2), bought(1, 0), bought(2, 1), bought(1, 0)],
    [{ kind: 'pauses', tick: 2, wallet: 0 }],
  ),
  // An escalation later: of one that the channel’s rule had just held.
  once(
    [bought(3, 0), bought(1, 0, 1), bought(3, 1), bought(1, 2)],
    [{ kind: 'has a rule', tick: 1, wallets: 3 }],
  ),
  // Missing later: found while one of a wallet that has left since still waited.
  once([bought(2, 0), bought(8, 2), bought(1, 1)], [{ kind: 'removes', tick: 1, wallet: 1 }]),
  // Missing later: the wallet that had completed one before was paused, then removed.
  once(
    [bought(2, 0), bought(1, 2), bought(3, 1), bought(1, 0, 1), bought(4, 1)],
    [
      { kind: 'pauses', tick: 2, wallet: 0 },
      { kind: 'removes', tick: 3, wallet: 0 },
    ],
  ),
];

describe('a consensus in a channel with a delay', () => {
  it.each(Object.keys(TYPED) as (keyof typeof TYPED)[])(
    'is judged by the channel’s time: %s',
    async (typed) => {
      const atOnce = await namedAfter(typed, 0);
      expect(atOnce).toEqual(typed === 'nothing' ? [2] : []);
      expect(await namedAfter(typed, DELAY_MINUTES)).toEqual(atOnce);
    },
  );

  it('is judged again after a start as what it is, whatever was noted of it before', async () => {
    const pause = ({ bot }: DelayedBot, pauses: boolean) =>
      bot.change(pauses ? C : D, CHANNEL, { pause: pauses ? { untilSeconds: null } : null });
    const ofTwo = [2, false];
    const nowThree = [3, true];
    expect(await readAfterStart(async () => {})).toEqual([ofTwo, nowThree]);
    const resumed = await readAfterStart((delayed) => pause(delayed, false));
    expect(resumed).toEqual([ofTwo, [4, true]]);
    expect(await readAfterStart((delayed) => pause(delayed, true))).toEqual([ofTwo]);
  });

  it('takes little room for purchases in which wallets may agree, however many there were', async () => {
    const delayed = openDelayedBot();
    const { bot } = delayed;
    for (const wallet of [A, B]) await bot.watch(wallet, CHANNEL, {}, START);
    await delayed.setDelay(DELAY_MINUTES * MINUTE_SECONDS * 1000, { consensus: RULE });
    for (const wallet of [A, B]) await bot.poll(wallet);
    const buy = async (wallet: WalletAddress) => {
      bot.nowSeconds += 2 * MINUTE_SECONDS;
      await bot.see(wallet);
      await delayed.later.idle();
    };
    await buy(A);
    for (let nth = 0; nth < 80; nth += 1) await buy(B);
    const waiting = [...bot.disk].filter(([key]) => key.startsWith('later:'));
    const alerts = waiting.flatMap(([, text]) => JSON.parse(text).alerts);
    const kept = alerts.filter(({ event }) => event.kind === 'consensus');
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.length).toBeLessThan(60);
    for (const { event } of kept) expect(JSON.stringify(event).length).toBeLessThan(10_000);
  });

  it('reads as in one without, so much later, whatever is typed by its clock', async () => {
    let found = 0;
    const plans: fc.Arbitrary<Plan> = fc.record({
      trades: fc.array(traded, { minLength: 4, maxLength: 10 }),
      changes: fc.uniqueArray(typed, {
        minLength: 1,
        maxLength: 4,
        selector: ({ kind, ...rest }) => kind + ('wallet' in rest ? rest.wallet : ''),
      }),
      delayTicks: fc.constantFrom<Plan['delayTicks']>(6, 15),
    });
    const start = fc.option(fc.integer({ min: 1, max: TRADING_TICKS + 15 }));
    await fc.assert(
      fc.asyncProperty(plans, start, async ({ delayTicks, ...plan }, startTick) => {
        const atOnce = await readBy(plan, 0);
        found += atOnce.filter(({ content }) => /🤝|⚖️/u.test(content)).length;
        expect(await readBy(plan, delayTicks, startTick)).toEqual(atOnce);
      }),
      {
        ...randomRuns(120, 10),
        examples: ONCE,
      },
    );
    expect(found).toBeGreaterThan(0);
  });
});
