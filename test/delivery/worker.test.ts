import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletEvent } from '../../src/alerts/alert.ts';
import { JOIN_WINDOW_MS } from '../../src/delivery/plan/announced.ts';
import { GROUPING_WINDOW_MS } from '../../src/delivery/plan/plan.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../src/watches/watch-settings.ts';
import { put } from '../embeds/put.ts';
import { resultOf } from '../embeds/result-of.ts';
import { type Fate, NONCE_WINDOW_MS, Run, settle, World } from '../embeds/world.ts';
import { happening } from '../support/happening.ts';
import { moment } from '../support/moment.ts';
import { randomRuns } from '../support/thorough.ts';
import { WALLET_A, WALLET_B } from '../support/wallets.ts';
import { CHANNEL, deposit, fillAlert, NOW_MS, openChannel, ROLE, turns } from './channel.ts';

const WALLETS = [WALLET_A, WALLET_B];
const CHANNELS = ['100000000000000001', '100000000000000002'];

/** A fill of one of two markets, a redemption and what came of it, or a deposit. */
const trade = fc.record({
  kind: fc.constantFrom('Buy', 'Buy', 'Sell', 'Redeem', 'result', 'deposit'),
  market: fc.nat(1),
  usdc: fc.integer({ min: 1, max: 400 }),
});
type Trade = typeof trade extends fc.Arbitrary<infer Value> ? Value : never;

function eventOf({ kind, market, usdc }: Trade): WalletEvent {
  if (kind === 'deposit') return deposit('', usdc).event;
  const { event } = fillAlert('', { action: kind, market, usdc });
  return kind === 'result' && event.kind === 'activity' ? resultOf(event.item) : event;
}

const settings = fc.record({
  minUsdc: fc.constantFrom(0, 0, 250, 600),
  cooldownSeconds: fc.constantFrom(0, 0, 30, 300),
  style: fc.constantFrom('grouped' as const, 'grouped' as const, 'each' as const),
  mention: fc.constantFrom(null, { roleId: ROLE, minUsdc: 300, cooldownSeconds: 120 }),
  silentBelowUsdc: fc.constantFrom(0, 100),
});

const fates = fc.constantFrom<Fate>(
  ...([
    'ok',
    'lostBefore',
    'lostAfter',
    'serverError',
    'forbidden',
    'gone',
    'banned',
    'proxyPage',
  ] as const),
);
const action = fc.oneof(
  happening(5, 'poll', {
    wallet: fc.nat(1),
    items: fc.array(trade, { minLength: 1, maxLength: 5 }),
    channels: fc.subarray([0, 1], { minLength: 1 }),
  }),
  happening(3, 'fates', { fates: fc.array(fates, { minLength: 1, maxLength: 4 }) }),
  happening(2, 'gateway', {
    channel: fc.nat(1),
    says: fc.constantFrom('open' as const, 'closed' as const),
  }),
  happening(2, 'killAfter', { steps: fc.integer({ min: 1, max: 12 }) }),
  happening(2, 'turns', { turns: fc.integer({ min: 1, max: 20 }) }),
  happening(2, 'outage', { minutes: fc.integer({ min: 0, max: 30 }) }),
  happening(3, 'wait', { seconds: fc.integer({ min: 1, max: 150 }) }),
  happening(1, 'settle'),
  happening(1, 'deleted'),
);

/** Gain of each result (`resultOf`). */
const RESULT_GAIN_USDC = 96.75;

/** What was polled for a channel, and how it wants it. */
interface Expected {
  readonly id: string;
  readonly channelId: string;
  readonly wallet: WalletAddress;
  readonly seenAtMs: number;
  readonly what: Trade;
}

/**
 * Whether what was never sent had to be: alone, or with what else was seen and not sent within the
 * time that fills wait.
 */
function isWronglyDropped(
  unposted: readonly Expected[],
  one: Expected,
  { minUsdc, style }: WatchSettings,
): boolean {
  // Below the minimum it goes only with others.
  if (one.what.kind === 'result') return minUsdc <= RESULT_GAIN_USDC;
  if (one.what.kind === 'deposit' || style === 'each') return one.what.usdc >= minUsdc;
  const company = unposted.filter(
    ({ channelId, wallet, what, seenAtMs }) =>
      channelId === one.channelId &&
      wallet === one.wallet &&
      what.kind === one.what.kind &&
      what.market === one.what.market &&
      seenAtMs >= one.seenAtMs &&
      seenAtMs < one.seenAtMs + GROUPING_WINDOW_MS,
  );
  return company.reduce((sum, { what }) => sum + what.usdc, 0) >= minUsdc;
}

describe('the delivery worker', () => {
  it('sends every wanted alert once, whatever fails, whenever it is killed, and whatever waits or is held back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 25 }),
        fc.array(settings, { minLength: 4, maxLength: 4 }),
        async (actions, wishes) => {
          const world = new World();
          const channelQueues = CHANNELS.flatMap((channelId) =>
            WALLETS.map((wallet) => ({ channelId, wallet })),
          );
          for (const [index, { channelId, wallet }] of channelQueues.entries()) {
            world.settings.set(`${channelId}:${wallet}`, { ...DEFAULT_SETTINGS, ...wishes[index] });
          }
          let run = new Run(world);
          const polled: Expected[] = [];
          let mutex = 0;
          const restart = async (downMs: number) => {
            run.isAlive = false;
            world.sleepers = [];
            world.nowMs += downMs;
            world.polledAtMs.clear();
            run = new Run(world);
          };
          for (const step of actions) {
            if (step.kind === 'poll') {
              const wallet = WALLETS[step.wallet] as WalletAddress;
              const channels = step.channels.map((index) => CHANNELS[index] as string);
              const seenAtMs = world.nowMs;
              const alerts = step.items.map((what) => {
                mutex += 1;
                // Results that come at the same moment go in the order of their ids.
                const id = `i${String(mutex).padStart(3, '0')}`;
                for (const channelId of channels)
                  polled.push({ id, channelId, wallet, seenAtMs, what });
                return { id, event: eventOf(what), seenAtMs, channels };
              });
              void put(run.outbox, wallet, {}, alerts).then(() =>
                world.polledAtMs.set(wallet, seenAtMs),
              );
              await turns(6);
            } else if (step.kind === 'fates') {
              world.fates.push(...step.fates);
            } else if (step.kind === 'gateway') {
              const lacks = step.says === 'open' ? '' : 'sendMessages';
              world.reach.set(CHANNELS[step.channel] as string, { kind: step.says, lacks });
              void run.deliveryWorker.lookAgain(CHANNELS);
            } else if (step.kind === 'killAfter') {
              run.stepsToLive = step.steps;
            } else if (step.kind === 'turns') {
              await turns(step.turns);
            } else if (step.kind === 'outage') {
              await restart(step.minutes * 60_000);
            } else if (step.kind === 'deleted') {
              // By a moderator.
              const newest = world.posted.at(-1);
              if (newest !== undefined) newest.isDeleted = true;
            } else if (step.kind === 'wait') {
              await settle(world, step.seconds * 1000);
            } else {
              world.isPolled = true;
              await settle(world);
              world.isPolled = false;
            }
            if (!run.isAlive) await restart(0);
          }
          world.fates = [];
          world.isPolled = true;
          run.stepsToLive = Number.POSITIVE_INFINITY;
          if (!run.isAlive) await restart(0);
          for (const channelId of world.reach.keys())
            world.reach.set(channelId, { kind: 'open', lacks: '' });
          void run.deliveryWorker.lookAgain(CHANNELS);
          for (let round = 0; round < 2; round += 1) {
            for (const channelId of run.deliveryWorker.blockedChannels())
              await run.deliveryWorker.unblock(channelId);
            await settle(world);
          }

          const expected = polled.filter(({ id }) => world.written.has(id));
          for (const { channelId, wallet } of channelQueues) {
            const wish = world.settingsIn(channelId)(wallet);
            const here = expected.filter(
              (one) => one.channelId === channelId && one.wallet === wallet,
            );
            const messages = world.posted.filter((message) => message.channelId === channelId);
            const isHere = (id: string) => here.some((one) => one.id === id);
            const left = messages
              .filter(({ isDeleted }) => !isDeleted)
              .flatMap(({ alerts }) => alerts.filter(isHere));
            expect(new Set(left).size, 'sent twice').toBe(left.length);
            // What was in a message that is deleted has been sent, and is sent again if nobody
            // could know that.
            const shown = messages
              .flatMap(({ alerts, isDeleted }) =>
                isDeleted ? alerts.filter((id) => !left.includes(id)) : alerts,
              )
              .filter(isHere);
            const unposted = here.filter(({ id }) => !shown.includes(id));
            expect(unposted.filter((one) => isWronglyDropped(unposted, one, wish))).toEqual([]);
            for (const kind of ['Buy', 'Sell', 'Redeem', 'result', 'deposit']) {
              for (const market of [0, 1]) {
                const alike = (id: string) =>
                  here.some(
                    (one) => one.id === id && one.what.kind === kind && one.what.market === market,
                  );
                const order = shown.filter(alike).map((id) => Number(id.slice(1)));
                expect(order, 'sent out of order').toEqual(order.toSorted((a, b) => a - b));
              }
            }
            for (const market of [0, 1]) {
              const fills = here.filter(
                ({ what }) => !['deposit', 'result'].includes(what.kind) && what.market === market,
              );
              const included = messages
                .map(({ atMs, sentWith }) => ({
                  atMs,
                  fills: fills.filter(({ id }) => sentWith.includes(id)),
                  hasResult: here.some(
                    ({ id, what }) =>
                      what.kind === 'result' && what.market === market && sentWith.includes(id),
                  ),
                }))
                .filter((message) => message.fills.length > 0);
              for (const [index, { atMs }] of included.entries()) {
                const next = included[index + 1];
                if (next === undefined || next.atMs - atMs >= wish.cooldownSeconds * 1000) continue;
                const isRest = ({ what, seenAtMs }: Expected) =>
                  wish.style === 'grouped' &&
                  included
                    .slice(0, index + 1)
                    .some(
                      (before) =>
                        seenAtMs <= before.atMs + JOIN_WINDOW_MS &&
                        before.fills.some((fill) => fill.what.kind === what.kind),
                    );
                // A sale that says what came of the position that it has closed waits for none.
                const isClosing = ({ what }: Expected) => next.hasResult && what.kind === 'Sell';
                const isAllowed = (fill: Expected) =>
                  fill.seenAtMs <= atMs || isRest(fill) || isClosing(fill);
                expect(next.fills.every(isAllowed)).toBe(true);
              }
            }
          }
          for (const { id, channelId, alerts, isDeleted } of world.posted) {
            if (isDeleted) continue;
            const known = alerts.map((alert) => world.details.get(`${channelId}:${alert}`));
            expect(known, 'Details know the message').toEqual(alerts.map(() => id));
          }
          for (const { alerts, roleIds, isSilent } of world.posted) {
            const about = expected.filter(({ id }) => alerts.includes(id));
            if (roleIds.length > 0) expect([roleIds, isSilent]).toEqual([[ROLE], false]);
            if (about.some(({ what }) => what.usdc >= 100 || what.kind === 'result'))
              expect(isSilent).toBe(false);
          }
          expect(run.outbox.channels()).toEqual([]);
        },
      ),
      randomRuns(160),
    );
  });

  it('buries an alert that Discord rejects, and delivers the others around it', async () => {
    const { world, found, wait, shown, run } = openChannel();
    world.poisoned.add('bad');
    await found(deposit('one'), deposit('bad'), deposit('two'), deposit('three'));
    await wait();
    expect(shown().join(' ')).toBe('one two three');
    const letters = [...world.disk.keys()].filter((key) => key.startsWith('dead:'));
    expect(letters).toEqual([`dead:${CHANNEL}:${WALLET_A}:bad`]);
    expect(run.deliveryWorker.deadLetters(CHANNEL)).toMatchObject([
      { reason: expect.stringContaining('50035') },
    ]);
  });

  it('tries a forbidden channel once, says why it waits, and goes on when it is put right', async () => {
    const { world, found, wait, run } = openChannel();
    world.fates = ['forbidden', 'forbidden'];
    await found('x');
    await wait();
    expect(world.fates).toEqual(['forbidden']);
    const block = { isGone: false, reason: expect.stringContaining('Send Messages') };
    expect(run.deliveryWorker.block(CHANNEL)).toMatchObject(block);
    world.fates = [];
    await run.deliveryWorker.unblock(CHANNEL);
    await wait();
    expect(world.posted).toHaveLength(1);
    expect(run.deliveryWorker.block(CHANNEL)).toBeNull();
  });

  it('tries no channel that the gateway’s cache has closed, stores nothing of that, and goes on when it opens', async () => {
    const { world, foundEach, wait, run, queues } = openChannel();
    world.reach.set(CHANNEL, { kind: 'closed', lacks: 'sendMessages' });
    await foundEach(3_600_000, 'x');
    expect([world.historyReads, world.posted, queues()]).toEqual([0, [], []]);
    expect(run.deliveryWorker.isBlocked(CHANNEL)).toBe(true);
    world.reach.set(CHANNEL, { kind: 'closed', lacks: 'sendMessages, embedLinks' });
    await run.deliveryWorker.lookAgain([CHANNEL]);
    await wait(1_000);
    expect(world.posted).toEqual([]);
    world.reach.set(CHANNEL, { kind: 'open', lacks: '' });
    await run.deliveryWorker.lookAgain([CHANNEL]);
    await wait(1_000);
    expect(world.posted).toHaveLength(1);
    expect(run.deliveryWorker.blockedChannels()).toEqual([]);
  });

  it('does not store that Discord refuses a channel which the cache has closed meanwhile', async () => {
    const { world, found, wait, run } = openChannel();
    world.reach.set(CHANNEL, { kind: 'open', lacks: '' });
    world.fates = ['forbidden'];
    const answered = moment();
    world.answering = answered.reached;
    await found('x');
    await turns(30);
    world.reach.set(CHANNEL, { kind: 'closed', lacks: 'timedOut' });
    answered.reach();
    await wait(1_000);
    expect([run.deliveryWorker.block(CHANNEL), run.deliveryWorker.isBlocked(CHANNEL)]).toEqual([
      null,
      true,
    ]);
  });

  it('tries a refused channel again by a change only where that ends its trouble, and by the gateway’s word on all only what lacked a permission', async () => {
    const { world, foundEach, wait, run } = openChannel();
    const { deliveryWorker } = run;
    world.fates = ['forbidden'];
    await foundEach(1_000, 'x');
    expect(deliveryWorker.block(CHANNEL)?.cause).toBe('permission');
    // What the cache says first is no change.
    const change = async (lacks: string, kind: 'open' | 'closed' = 'open') => {
      world.reach.set(CHANNEL, { kind, lacks });
      await deliveryWorker.lookAgain([CHANNEL]);
      await wait(1_000);
      return world.posted.length;
    };
    expect([
      await change('embedLinks'),
      await change('embedLinks'),
      await change('sendMessages', 'closed'),
    ]).toEqual([0, 0, 0]);
    deliveryWorker.onAvailable([CHANNEL]);
    await wait(1_000);
    expect(world.posted).toEqual([]);
    world.reach.set(CHANNEL, { kind: 'open', lacks: '' });
    deliveryWorker.onAvailable([CHANNEL]);
    await wait(1_000);
    expect(world.posted).toHaveLength(1);
  });

  it('keeps what waits for a channel that Discord does not know, unless the gateway knows of none either', async () => {
    for (const kind of ['unknown', 'missing'] as const) {
      const { world, foundEach, run } = openChannel();
      world.reach.set(CHANNEL, { kind, lacks: null });
      world.fates = Array.from({ length: 20 }, () => 'gone' as const);
      await foundEach(20 * 60_000, 'x');
      expect(run.deliveryWorker.block(CHANNEL)).toMatchObject({
        isGone: kind === 'missing',
        cause: 'unknown',
      });
      expect(run.outbox.pending(CHANNEL)).toHaveLength(kind === 'missing' ? 0 : 1);
    }
  });

  it('does not end a ban with a probe that asks Discord nothing', async () => {
    const { world, foundEach, found, wait, run } = openChannel();
    await foundEach(1_000, 'x');
    // An edit that is stored; then another channel finds a ban, and the watch goes.
    world.fates = ['serverError'];
    await found('y');
    while (world.fates.length > 0) await wait(100);
    const elsewhere = await run.gate.enter(new AbortController().signal);
    elsewhere?.end({ kind: 'banned', reason: 'for a test', pauseMs: null });
    world.unwanted.add(CHANNEL);
    await wait(90_000);
    expect(run.outbox.pending(CHANNEL), 'the edit has had its turn').toEqual([]);
    const entered: unknown[] = [];
    for (let count = 0; count < 2; count += 1) {
      void run.gate.enter(new AbortController().signal).then((permit) => entered.push(permit));
    }
    await turns(20);
    expect(entered, 'one more probe, and nobody behind it').toHaveLength(1);
  });

  it('asks once more where a channel was put right while Discord was still refusing it', async () => {
    const { world, found, wait, run } = openChannel();
    world.fates = ['forbidden'];
    await found('x');
    while (world.fates.length > 0) await turn();
    await run.deliveryWorker.unblock(CHANNEL);
    await wait(1_000);
    expect(world.posted).toHaveLength(1);
    expect(run.deliveryWorker.blockedChannels()).toEqual([]);
  });

  it('asks once more where a channel was put right while its block was being stored', async () => {
    const { world, foundEach, run } = openChannel();
    world.fates = ['forbidden'];
    let repairs = 0;
    world.onWrite = ({ block }) => {
      if ((block ?? null) === null) return;
      expect(run.deliveryWorker.block(CHANNEL)).toBeNull();
      repairs += 1;
      void run.deliveryWorker.unblock(CHANNEL);
    };
    await foundEach(1_000, 'x');
    expect(repairs).toBe(1);
    expect(world.posted).toHaveLength(1);
    expect(run.deliveryWorker.blockedChannels()).toEqual([]);
  });

  it('sends after a ban what was decided before it', async () => {
    const { world, foundEach, found, wait, shown, run } = openChannel();
    world.canReadHistory = false;
    world.poisoned.add('bad');
    const elsewhere = await run.gate.enter(new AbortController().signal);
    // The halves of what Discord rejects are decided at once; at that moment another channel finds
    // a ban.
    world.onWrite = ({ carriedOver = [] }) => {
      if (carriedOver.length > 0)
        elsewhere?.end({ kind: 'banned', reason: 'for a test', pauseMs: 600_000 });
    };
    await found(fillAlert('bad'), fillAlert('good', { market: 1 }));
    await wait(660_000);
    expect(world.posted).toMatchObject([{ alerts: ['good'], atMs: NOW_MS + 600_000 }]);
    // Its first attempt was no repeat, and counts from when it was made.
    expect(world.historyReads).toBe(0);
    await foundEach(60_000, fillAlert('more', { market: 1 }));
    expect(shown()).toEqual(['good more']);
  });

  it('repeats rather than loses where it may not read the history', async () => {
    const { world, found, wait, restart } = openChannel();
    world.canReadHistory = false;
    world.fates = ['lostAfter'];
    await found('x');
    await turns(20);
    restart(NONCE_WINDOW_MS + 1);
    await wait();
    expect(world.posted).toHaveLength(2);
  });

  it('does not repeat an alert because the clock was set back', async () => {
    const { world, found, wait, restart } = openChannel();
    world.fates = ['lostAfter'];
    await found('x');
    await turns(20);
    // Discord has its own clock: by that the nonce is forgotten.
    for (const [index, message] of world.posted.entries())
      world.posted[index] = { ...message, atMs: 0 };
    restart(-3 * 3_600_000);
    await wait();
    expect(world.posted).toHaveLength(1);
  });

  it('wakes by itself when a cooldown is over, also after a restart, and sends in one message what it kept', async () => {
    const { world, foundEach, found, wait, shown, restart } = openChannel({ cooldownSeconds: 300 });
    await foundEach(1_000, 'one');
    // Too late to join the first.
    await wait(JOIN_WINDOW_MS);
    await foundEach(100_000, 'two');
    expect(shown()).toEqual(['one']);
    restart();
    await found('three');
    await wait();
    expect(shown()).toEqual(['one', 'two three']);
    expect((world.posted[1]?.atMs ?? 0) - (world.posted[0]?.atMs ?? 0)).toBe(300_000);
  });

  it('looks again at once when the channel changes what it wants', async () => {
    const { foundEach, wait, wish, shown, queues, run } = openChannel({ minUsdc: 100 });
    await foundEach(1_000, 'small');
    expect(shown()).toEqual([]);
    wish({ minUsdc: 0 });
    run.deliveryWorker.reconsider(CHANNEL);
    await wait(0);
    expect(shown()).toEqual(['small']);
    // All that is left to do is to forget the message.
    await wait();
    expect(queues()).toEqual([]);
  });

  it('repeats a message as it was decided, whatever the channel has chosen meanwhile', async () => {
    const mention = { roleId: ROLE, minUsdc: 100, cooldownSeconds: 600 };
    const { world, found, wait, wish } = openChannel({ mention });
    world.fates = ['lostBefore'];
    await found(fillAlert('large', { usdc: 100 }));
    await turns(10);
    wish({ minUsdc: 1_000, silentBelowUsdc: 1_000 });
    await wait();
    expect(world.posted).toMatchObject([{ alerts: ['large'], roleIds: [ROLE], isSilent: false }]);
    wish({ mention });
    await found(fillAlert('next', { usdc: 100 }));
    await wait();
    expect(world.posted[1]).toMatchObject({ alerts: ['next'], roleIds: [] });
  });

  it('tries halves of a message that Discord rejects, so that all of a purchase but its bad fill is sent', async () => {
    const { world, found, wait, shown, run } = openChannel({ minUsdc: 500, cooldownSeconds: 300 });
    world.poisoned.add('f5');
    await found(...Array.from({ length: 8 }, (_, index) => fillAlert(`f${index}`, { usdc: 100 })));
    await wait(10_000);
    expect(shown()).toEqual(['f0 f1 f2 f3', 'f4', 'f6 f7']);
    expect(run.deliveryWorker.deadLetters(CHANNEL).map(({ alert }) => alert.id)).toEqual(['f5']);
    expect(run.outbox.channels()).toEqual([]);
  });

  it('knows a message that has arrived by its nonce where the queue that held it can no longer be read', async () => {
    const { world, found, wait, shown, restart } = openChannel();
    world.fates = ['lostAfter', ...Array.from({ length: 9 }, () => 'serverError' as const)];
    await found('x');
    await turns(20);
    world.fates = [];
    world.write(`queue:${CHANNEL}`, { message: {}, block: null });
    const { outbox } = restart();
    await wait();
    expect(shown()).toEqual(['x']);
    expect(outbox.channels()).toEqual([]);
  });
});
