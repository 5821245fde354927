import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, WalletEvent } from '../../src/alerts/alert.ts';
import { JOIN_WINDOW_MS } from '../../src/delivery/plan/announced.ts';
import { GROUPING_WINDOW_MS } from '../../src/delivery/plan/plan.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { TransferItem } from '../../src/domain/records.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../src/watches/watch-settings.ts';
import { put } from '../embeds/put.ts';
import { resultOf } from '../embeds/result-of.ts';
import { type Fate, NONCE_WINDOW_MS, Run, settle, World } from '../embeds/world.ts';
import { randomRuns } from '../support/thorough.ts';
import { activityItem } from '../venue/samples.ts';

const WALLETS = ['a', 'b'].map((letter) => `0x${letter.repeat(40)}` as WalletAddress);
const CHANNELS = ['100000000000000001', '100000000000000002'];
const ROLE = '100000000000000009';

const deposit: TransferItem = { txHash: '0x1', type: 'deposit', amount: 1, time: 1_800_000_000, address: '0x0' };
const event: WalletEvent = { kind: 'transfer', item: deposit };

/** A fill of one of two markets, a redemption and what came of it, or a deposit. */
const happening = fc.record({
  kind: fc.constantFrom('Buy', 'Buy', 'Sell', 'Redeem', 'result', 'deposit'),
  market: fc.nat(1),
  usdc: fc.integer({ min: 1, max: 400 }),
});
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

function eventOf({ kind, market, usdc }: Happening): WalletEvent {
  if (kind === 'deposit') return { kind: 'transfer', item: { ...deposit, amount: usdc } };
  const transferNetAmount = kind === 'Buy' ? usdc : -usdc;
  const item = {
    ...activityItem(),
    action: kind,
    marketId: `${market}`,
    conditionId: `0x${market}`,
    transferNetAmount,
  };
  return kind === 'result' ? resultOf(item) : { kind: 'activity', item };
}

const settings = fc.record({
  minUsdc: fc.constantFrom(0, 0, 250, 600),
  cooldownSeconds: fc.constantFrom(0, 0, 30, 300),
  style: fc.constantFrom('grouped' as const, 'grouped' as const, 'each' as const),
  mention: fc.constantFrom(null, { roleId: ROLE, minUsdc: 300, cooldownSeconds: 120 }),
  silentBelowUsdc: fc.constantFrom(0, 100),
});

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('poll' as const),
      wallet: fc.nat(1),
      items: fc.array(happening, { minLength: 1, maxLength: 5 }),
      channels: fc.subarray([0, 1], { minLength: 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fates' as const),
      fates: fc.array(
        fc.constantFrom<Fate>('ok', 'lostBefore', 'lostAfter', 'serverError', 'forbidden', 'banned', 'proxyPage'),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('killAfter' as const), steps: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('turns' as const), turns: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('outage' as const), minutes: fc.integer({ min: 0, max: 30 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 150 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleted' as const) }) },
);

/** What was polled for a channel, and how it wants it. */
interface Expected {
  readonly id: string;
  readonly channelId: string;
  readonly wallet: WalletAddress;
  readonly seenAtMs: number;
  readonly what: Happening;
}

/** Whether what was never sent had to be: alone, or with what else was seen and not sent within the time that fills wait. */
function isWronglyDropped(untold: readonly Expected[], one: Expected, { minUsdc, style }: WatchSettings): boolean {
  if (one.what.kind === 'result') return true;
  if (one.what.kind === 'deposit' || style === 'each') return one.what.usdc >= minUsdc;
  const company = untold.filter(
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
          const channelQueues = CHANNELS.flatMap((channelId) => WALLETS.map((wallet) => ({ channelId, wallet })));
          for (const [index, { channelId, wallet }] of channelQueues.entries()) {
            world.settings.set(`${channelId}:${wallet}`, { ...DEFAULT_SETTINGS, ...wishes[index] });
          }
          let run = new Run(world, Number.POSITIVE_INFINITY);
          const polled: Expected[] = [];
          let mutex = 0;
          const restart = async (downMs: number) => {
            run.isAlive = false;
            world.sleepers = [];
            world.nowMs += downMs;
            world.polledAtMs.clear();
            run = new Run(world, Number.POSITIVE_INFINITY);
          };
          for (const step of actions) {
            if (step.kind === 'poll') {
              const wallet = WALLETS[step.wallet] as WalletAddress;
              const channels = step.channels.map((index) => CHANNELS[index] as string);
              const seenAtMs = world.nowMs;
              const alerts = step.items.map((what) => {
                mutex += 1;
                const id = `i${mutex}`;
                for (const channelId of channels) polled.push({ id, channelId, wallet, seenAtMs, what });
                return { id, event: eventOf(what), seenAtMs, channels };
              });
              void put(run.outbox, wallet, {}, alerts).then(() => world.polledAtMs.set(wallet, seenAtMs));
              for (let wait = 0; wait < 6; wait += 1) await turn();
            } else if (step.kind === 'fates') {
              world.fates.push(...step.fates);
            } else if (step.kind === 'killAfter') {
              run.stepsToLive = step.steps;
            } else if (step.kind === 'turns') {
              for (let count = 0; count < step.turns; count += 1) await turn();
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
          for (let round = 0; round < 2; round += 1) {
            for (const channelId of run.deliveryWorker.blockedChannels()) await run.deliveryWorker.unblock(channelId);
            await settle(world);
          }

          const expected = polled.filter(({ id }) => world.written.has(id));
          for (const { channelId, wallet } of channelQueues) {
            const wish = world.settingsIn(channelId)(wallet);
            const here = expected.filter((one) => one.channelId === channelId && one.wallet === wallet);
            const messages = world.posted.filter((message) => message.channelId === channelId);
            const isHere = (id: string) => here.some((one) => one.id === id);
            const left = messages.filter(({ isDeleted }) => !isDeleted).flatMap(({ alerts }) => alerts.filter(isHere));
            expect(new Set(left).size, 'sent twice').toBe(left.length);
            // What was in a message that is deleted has been sent, and is sent again if nobody could know that.
            const shown = messages
              .flatMap(({ alerts, isDeleted }) => (isDeleted ? alerts.filter((id) => !left.includes(id)) : alerts))
              .filter(isHere);
            const untold = here.filter(({ id }) => !shown.includes(id));
            expect(untold.filter((one) => isWronglyDropped(untold, one, wish))).toEqual([]);
            for (const kind of ['Buy', 'Sell', 'Redeem', 'result', 'deposit']) {
              for (const market of [0, 1]) {
                const alike = (id: string) =>
                  here.some((one) => one.id === id && one.what.kind === kind && one.what.market === market);
                const order = shown.filter(alike).map((id) => Number(id.slice(1)));
                expect(order, 'sent out of order').toEqual(order.toSorted((a, b) => a - b));
              }
            }
            for (const market of [0, 1]) {
              const fills = here.filter(
                ({ what }) => !['deposit', 'result'].includes(what.kind) && what.market === market,
              );
              const included = messages
                .map(({ atMs, sentWith }) => ({ atMs, fills: fills.filter(({ id }) => sentWith.includes(id)) }))
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
                expect(next.fills.every((fill) => fill.seenAtMs <= atMs || isRest(fill))).toBe(true);
              }
            }
          }
          for (const { alerts, roleIds, isSilent } of world.posted) {
            const about = expected.filter(({ id }) => alerts.includes(id));
            if (roleIds.length > 0) expect([roleIds, isSilent]).toEqual([[ROLE], false]);
            if (about.some(({ what }) => what.usdc >= 100 || what.kind === 'result')) expect(isSilent).toBe(false);
          }
          expect(run.outbox.channels()).toEqual([]);
        },
      ),
      randomRuns(160),
    );
  });

  it('buries an alert that Discord rejects, and delivers the others around it', async () => {
    const world = new World();
    world.poisoned.add('bad');
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [wallet] = WALLETS as [WalletAddress];
    const [channelId] = CHANNELS as [string];
    const alerts = ['one', 'bad', 'two', 'three'].map((id) => ({ id, event, seenAtMs: 1, channels: [channelId] }));
    await put(run.outbox, wallet, {}, alerts);
    await settle(world);
    expect(world.posted.flatMap((message) => message.alerts)).toEqual(['one', 'two', 'three']);
    const letters = [...world.disk.keys()].filter((key) => key.startsWith('dead:'));
    expect(letters).toEqual([`dead:${channelId}:${wallet}:bad`]);
    const letter: { reason: string; alert: Alert } = JSON.parse(world.disk.get(letters[0] ?? '') ?? '');
    expect(letter.reason).toContain('50035');
  });

  it('tries a forbidden channel once, says why it waits, and goes on when it is put right', async () => {
    const world = new World();
    world.fates = ['forbidden', 'forbidden'];
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [channelId] = CHANNELS as [string];
    await put(run.outbox, WALLETS[0] as WalletAddress, {}, [{ id: 'x', event, seenAtMs: 1, channels: [channelId] }]);
    await settle(world);
    expect(world.fates).toEqual(['forbidden']);
    expect(run.deliveryWorker.block(channelId)).toMatchObject({
      gone: false,
      reason: expect.stringContaining('Send Messages'),
    });
    world.fates = [];
    await run.deliveryWorker.unblock(channelId);
    await settle(world);
    expect(world.posted).toHaveLength(1);
    expect(run.deliveryWorker.block(channelId)).toBeNull();
  });

  it('asks once more where a channel was put right while Discord was still refusing it', async () => {
    const world = new World();
    world.fates = ['forbidden'];
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [channelId] = CHANNELS as [string];
    await put(run.outbox, WALLETS[0] as WalletAddress, {}, [{ id: 'x', event, seenAtMs: 1, channels: [channelId] }]);
    while (world.fates.length > 0) await turn();
    await run.deliveryWorker.unblock(channelId);
    await settle(world, 1_000);
    expect(world.posted).toHaveLength(1);
    expect(run.deliveryWorker.blockedChannels()).toEqual([]);
  });

  it('asks once more where a channel was put right while its block was being stored', async () => {
    const world = new World();
    world.fates = ['forbidden'];
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [channelId] = CHANNELS as [string];
    let repairs = 0;
    world.onWrite = ({ block }) => {
      if ((block ?? null) === null) return;
      expect(run.deliveryWorker.block(channelId)).toBeNull();
      repairs += 1;
      void run.deliveryWorker.unblock(channelId);
    };
    await put(run.outbox, WALLETS[0] as WalletAddress, {}, [{ id: 'x', event, seenAtMs: 1, channels: [channelId] }]);
    await settle(world, 1_000);
    expect(repairs).toBe(1);
    expect(world.posted).toHaveLength(1);
    expect(run.deliveryWorker.blockedChannels()).toEqual([]);
  });

  it('does not take a first attempt for a repeat that came long after its message was decided', async () => {
    const world = new World();
    world.canReadHistory = false;
    world.poisoned.add('bad');
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [channelId] = CHANNELS as [string];
    const [wallet] = WALLETS as [WalletAddress];
    const elsewhere = await run.gate.enter(new AbortController().signal);
    // The halves of what Discord rejects are decided at once; at that moment another channel finds a ban.
    world.onWrite = ({ carriedOver = [] }) => {
      if (carriedOver.length > 0) elsewhere?.end({ kind: 'banned', reason: 'for a test', pauseMs: 600_000 });
    };
    const alerts = ['bad', 'good'].map((id) => ({ id, event, seenAtMs: 1, channels: [channelId] }));
    const startMs = world.nowMs;
    await put(run.outbox, wallet, {}, alerts);
    await settle(world);
    expect(world.posted.map(({ alerts: ids, atMs }) => [...ids, atMs - startMs])).toEqual([['good', 600_000]]);
    expect(world.historyReads).toBe(0);
  });

  it('repeats rather than loses where it may not read the history', async () => {
    const world = new World();
    world.canReadHistory = false;
    world.fates = ['lostAfter'];
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [channelId] = CHANNELS as [string];
    await put(run.outbox, WALLETS[0] as WalletAddress, {}, [{ id: 'x', event, seenAtMs: 1, channels: [channelId] }]);
    for (let count = 0; count < 20; count += 1) await turn();
    run.isAlive = false;
    world.sleepers = [];
    world.nowMs += NONCE_WINDOW_MS + 1;
    new Run(world, Number.POSITIVE_INFINITY);
    await settle(world);
    expect(world.posted).toHaveLength(2);
  });

  const [wallet] = WALLETS as [WalletAddress];
  const [channelId] = CHANNELS as [string];
  const wish = (world: World, settings: Partial<WatchSettings>) =>
    world.settings.set(`${channelId}:${wallet}`, { ...DEFAULT_SETTINGS, ...settings });
  const buy = (run: Run, world: World, id: string, usdc: number) =>
    put(run.outbox, wallet, {}, [
      { id, event: eventOf({ kind: 'Buy', market: 0, usdc }), seenAtMs: world.nowMs, channels: [channelId] },
    ]);
  const included = (world: World) => world.posted.map(({ alerts }) => alerts);

  it('does not repeat an alert because the clock was set back', async () => {
    const world = new World();
    world.fates = ['lostAfter'];
    const run = new Run(world, Number.POSITIVE_INFINITY);
    await buy(run, world, 'x', 1);
    for (let count = 0; count < 20; count += 1) await turn();
    run.isAlive = false;
    world.sleepers = [];
    world.nowMs -= 3 * 3_600_000;
    // Discord has its own clock: by that the nonce is forgotten.
    for (const [index, message] of world.posted.entries()) world.posted[index] = { ...message, atMs: 0 };
    new Run(world, Number.POSITIVE_INFINITY);
    await settle(world);
    expect(world.posted).toHaveLength(1);
  });

  it('wakes by itself when a cooldown is over, also after a restart, and sends in one message what it kept', async () => {
    const world = new World();
    wish(world, { cooldownSeconds: 300 });
    const run = new Run(world, Number.POSITIVE_INFINITY);
    await buy(run, world, 'one', 1);
    await settle(world, 1_000);
    const sentAtMs = world.posted[0]?.atMs ?? 0;
    // Too late to join the first.
    await settle(world, JOIN_WINDOW_MS);
    await buy(run, world, 'two', 1);
    await settle(world, 100_000);
    expect(included(world)).toEqual([['one']]);
    run.isAlive = false;
    world.sleepers = [];
    const again = new Run(world, Number.POSITIVE_INFINITY);
    await buy(again, world, 'three', 1);
    await settle(world);
    expect(included(world)).toEqual([['one'], ['two', 'three']]);
    expect((world.posted[1]?.atMs ?? 0) - sentAtMs).toBe(300_000);
  });

  it('looks again at once when the channel changes what it wants', async () => {
    const world = new World();
    wish(world, { minUsdc: 100 });
    const run = new Run(world, Number.POSITIVE_INFINITY);
    await buy(run, world, 'small', 1);
    await settle(world, 1_000);
    expect(included(world)).toEqual([]);
    wish(world, { minUsdc: 0 });
    run.deliveryWorker.reconsider(channelId);
    await settle(world, 0);
    expect(included(world)).toEqual([['small']]);
    // All that is left to do is to forget the message.
    await settle(world);
    expect([...world.disk.keys()].filter((key) => key.startsWith('queue:'))).toEqual([]);
  });

  it('repeats a message as it was decided, whatever the channel has chosen meanwhile', async () => {
    const world = new World();
    const mention = { roleId: ROLE, minUsdc: 100, cooldownSeconds: 600 };
    wish(world, { mention });
    world.fates = ['lostBefore'];
    const run = new Run(world, Number.POSITIVE_INFINITY);
    await buy(run, world, 'large', 100);
    for (let count = 0; count < 10; count += 1) await turn();
    wish(world, { minUsdc: 1_000, silentBelowUsdc: 1_000 });
    await settle(world);
    expect(world.posted).toMatchObject([{ alerts: ['large'], roleIds: [ROLE], isSilent: false }]);
    wish(world, { mention });
    await buy(run, world, 'next', 100);
    await settle(world);
    expect(world.posted[1]).toMatchObject({ alerts: ['next'], roleIds: [] });
  });

  it('tries halves of a message that Discord rejects, so that all of a purchase but its bad fill is sent', async () => {
    const world = new World();
    wish(world, { minUsdc: 500, cooldownSeconds: 300 });
    world.poisoned.add('f5');
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const fills = Array.from({ length: 8 }, (_, index) => ({
      id: `f${index}`,
      event: eventOf({ kind: 'Buy', market: 0, usdc: 100 }),
      seenAtMs: world.nowMs,
      channels: [channelId],
    }));
    await put(run.outbox, wallet, {}, fills);
    await settle(world, 10_000);
    expect(included(world)).toEqual([['f0', 'f1', 'f2', 'f3'], ['f4'], ['f6', 'f7']]);
    expect(run.deliveryWorker.deadLetters(channelId).map(({ alert }) => alert.id)).toEqual(['f5']);
    expect(run.outbox.channels()).toEqual([]);
  });

  it('takes up a message that an earlier version had begun', async () => {
    const world = new World();
    const before = new Run(world, Number.POSITIVE_INFINITY);
    world.fates = ['lostAfter', ...Array.from({ length: 9 }, () => 'serverError' as const)];
    await buy(before, world, 'old', 1);
    for (let count = 0; count < 20; count += 1) await turn();
    before.isAlive = false;
    world.sleepers = [];
    world.fates = [];
    const key = `queue:${channelId}`;
    const { message } = JSON.parse(world.disk.get(key) ?? '');
    const { nonce, startedAtMs, messageId } = message;
    const alerts = [{ wallet, id: 'old' }];
    world.write(key, { version: 1, message: { nonce, startedAtMs, messageId, alerts }, block: null });
    const after = new Run(world, Number.POSITIVE_INFINITY);
    await settle(world);
    expect(included(world)).toEqual([['old']]);
    expect(after.outbox.channels()).toEqual([]);
  });
});
