import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, WalletEvent } from '../../src/alert/alert.ts';
import { attend } from '../../src/alert/attention.ts';
import type { Composer, OutgoingMessage } from '../../src/alert/batches.ts';
import { type Courier, createCourier } from '../../src/alert/courier.ts';
import { createLaneStore } from '../../src/alert/lane.ts';
import { marketTraces } from '../../src/alert/memory.ts';
import { createOutbox, type Outbox } from '../../src/alert/outbox.ts';
import { COMPANY_MS, plan } from '../../src/alert/plan.ts';
import { type Unit, walletOf } from '../../src/alert/unit.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import type { TransferItem } from '../../src/venue/schema.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../src/watch/settings.ts';
import { quietLog } from '../support/log.ts';
import { activityItem } from '../venue/samples.ts';

const NONCE_WINDOW_MS = 3 * 60_000;
const PER_MESSAGE = 3;
const WALLETS = ['a', 'b'].map((letter) => `0x${letter.repeat(40)}` as WalletAddress);
const CHANNELS = ['100000000000000001', '100000000000000002'];
const ROLE = '100000000000000009';

/** How the next attempts to send end. */
type Fate = 'ok' | 'lostBefore' | 'lostAfter' | 'serverError' | 'forbidden' | 'rejected';

interface Posted {
  readonly channelId: string;
  readonly nonce: string;
  readonly atMs: number;
  readonly alerts: readonly string[];
  readonly roleIds: readonly string[];
  readonly isSilent: boolean;
}

/** Discord as far as the courier can see it, and a disk: both outlive the process. */
class World {
  nowMs = 1_800_000_000_000;
  readonly disk = new Map<string, string>();
  /** Alerts that have been on the disk: a poll whose write did not happen is repeated by the next one. */
  readonly written = new Set<string>();
  readonly posted: Posted[] = [];
  readonly poisoned = new Set<string>();
  readonly settings = new Map<string, WatchSettings>();
  readonly polledAtMs = new Map<WalletAddress, number>();
  /** The venue is read all the time. */
  isPolled = false;
  fates: Fate[] = [];
  canReadHistory = true;
  sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];

  write(key: string, document: unknown): void {
    this.disk.set(key, JSON.stringify(document));
    const outbox = (document as { outbox?: { id: string }[] }).outbox ?? [];
    for (const { id } of outbox) this.written.add(id);
  }

  post(channelId: string, { body, nonce, attention }: OutgoingMessage<readonly string[]>): void {
    const known = this.posted.find((message) => message.nonce === nonce && this.nowMs - message.atMs < NONCE_WINDOW_MS);
    if (known === undefined) this.posted.push({ channelId, nonce, atMs: this.nowMs, alerts: body, ...attention });
  }

  settingsIn(channelId: string): (wallet: WalletAddress) => WatchSettings {
    return (wallet) => this.settings.get(`${channelId}:${wallet}`) ?? DEFAULT_SETTINGS;
  }
}

/** Plans as the bot does; a message is the ids of what it tells. */
function composerOf(world: World): Composer<readonly string[]> {
  return {
    isWanted: () => true,
    plan: (channelId, waiting, memory) =>
      plan(waiting, {
        nowMs: world.nowMs,
        settingsOf: world.settingsIn(channelId),
        polledAtMs: (wallet) => (world.isPolled ? world.nowMs : (world.polledAtMs.get(wallet) ?? null)),
        memory,
        catchUpAfterMs: Number.POSITIVE_INFINITY,
      }),
    attend(channelId, told, ready, memory) {
      const settingsOf = world.settingsIn(channelId);
      const { attention, mentioned } = attend(told, { nowMs: world.nowMs, settingsOf, memory });
      const markets = marketTraces(told, ready, (unit: Unit) => settingsOf(walletOf(unit)));
      return { attention, traces: { markets, mentions: [...mentioned] } };
    },
    render(_channelId, units) {
      const taken = units.slice(0, PER_MESSAGE);
      return { body: taken.flatMap(({ alerts }) => alerts.map(({ id }) => id)), told: taken.length };
    },
  };
}

/** One run of the program, until it is killed: after that nothing of it has an effect any more. */
class Run {
  isAlive = true;
  stepsToLive: number;
  readonly outbox: Outbox;
  readonly courier: Courier;
  readonly #world: World;

  constructor(world: World, stepsToLive: number) {
    this.#world = world;
    this.stepsToLive = stepsToLive;
    const log = quietLog();
    const store = {
      get: (key: string) => this.step(() => JSON.parse(world.disk.get(key) ?? 'null') ?? undefined),
      set: (key: string, document: unknown) => this.step(() => world.write(key, document)),
      delete: (key: string) => this.step(() => void world.disk.delete(key)),
    };
    this.outbox = createOutbox({ store, log, onStep: () => {} });
    const lanes = createLaneStore(store, () => world.nowMs);
    for (const [key, document] of world.disk) {
      if (key.startsWith('wallet:')) this.outbox.load(key, JSON.parse(document));
      if (key.startsWith('lane:')) lanes.load(key, JSON.parse(document));
    }
    this.courier = createCourier<readonly string[]>({
      ...composerOf(world),
      send: (channelId, message) => this.send(channelId, message),
      findReferences: (channelId, references) =>
        this.step(() => {
          if (!world.canReadHistory) return null;
          // As in a compact room: a message shows the reference of its very first alert alone.
          const shown = world.posted.filter((message) => message.channelId === channelId);
          return new Set(references.filter((id) => shown.some(({ alerts }) => alerts[0] === id)));
        }),
      outbox: this.outbox,
      lanes,
      nowMs: () => world.nowMs,
      venueNowMs: () => world.nowMs,
      sleep: (delayMs, signal) => (delayMs <= 0 ? Promise.resolve() : this.sleep(delayMs, signal)),
      random: () => 0.5,
      log,
      onRefused: () => {},
      onStep: () => {},
    });
    this.courier.start();
  }

  /** Every effect on the world is a step; the last one that a run may take is the last that happens. */
  async step<Result>(effect: () => Result): Promise<Result> {
    await turn();
    if (!this.isAlive) return new Promise(() => {});
    this.stepsToLive -= 1;
    const result = effect();
    if (this.stepsToLive <= 0) this.isAlive = false;
    return this.isAlive ? result : new Promise(() => {});
  }

  async send(channelId: string, message: OutgoingMessage<readonly string[]>): Promise<string> {
    const fate = this.#world.fates.shift() ?? 'ok';
    const isPoisoned = message.body.some((id) => this.#world.poisoned.has(id));
    return this.step(() => {
      if (fate === 'lostBefore') throw new TypeError('fetch failed');
      if (fate === 'serverError') throw Object.assign(new Error('Internal Server Error'), { status: 500 });
      if (fate === 'forbidden') throw Object.assign(new Error('Missing Permissions'), { status: 403, code: 50013 });
      if (isPoisoned) throw Object.assign(new Error('Invalid Form Body'), { status: 400, code: 50035 });
      this.#world.post(channelId, message);
      if (fate === 'lostAfter') throw new TypeError('other side closed');
      return `m${this.#world.posted.length}`;
    });
  }

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    const world = this.#world;
    return new Promise((wake) => {
      const sleeper = { atMs: world.nowMs + delayMs, wake };
      world.sleepers.push(sleeper);
      signal.addEventListener('abort', () => {
        world.sleepers = world.sleepers.filter((other) => other !== sleeper);
        wake();
      });
    });
  }
}

/** Lets the time pass that everybody waits for, up to a limit; without one until nobody waits any more. */
async function settle(world: World, limitMs = Number.POSITIVE_INFINITY): Promise<void> {
  const endMs = world.nowMs + limitMs;
  for (let quiet = 0; quiet < 60; quiet += 1) {
    await turn();
    const [next] = world.sleepers.sort((a, b) => a.atMs - b.atMs);
    if (next === undefined || next.atMs > endMs || quiet < 20) continue;
    world.sleepers = world.sleepers.filter((sleeper) => sleeper !== next);
    world.nowMs = Math.max(world.nowMs, next.atMs);
    next.wake();
    quiet = 0;
  }
  if (Number.isFinite(endMs)) world.nowMs = endMs;
}

const deposit: TransferItem = { txHash: '0x1', type: 'deposit', amount: 1, time: 1_800_000_000, address: '0x0' };
const event: WalletEvent = { kind: 'transfer', item: deposit };

/** A fill of one of two markets, to buy or to sell, or a deposit. */
const happening = fc.record({
  kind: fc.constantFrom('Buy', 'Buy', 'Sell', 'deposit'),
  market: fc.nat(1),
  usdc: fc.integer({ min: 1, max: 400 }),
});
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

function eventOf({ kind, market, usdc }: Happening): WalletEvent {
  if (kind === 'deposit') return { kind: 'transfer', item: { ...deposit, amount: usdc } };
  const transferNetAmount = kind === 'Buy' ? usdc : -usdc;
  return { kind: 'activity', item: { ...activityItem(), action: kind, marketId: `${market}`, transferNetAmount } };
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
      fates: fc.array(fc.constantFrom<Fate>('ok', 'lostBefore', 'lostAfter', 'serverError', 'forbidden'), {
        minLength: 1,
        maxLength: 4,
      }),
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
);

/** What was polled for a channel, and how it wants it. */
interface Expected {
  readonly id: string;
  readonly channelId: string;
  readonly wallet: WalletAddress;
  readonly seenAtMs: number;
  readonly what: Happening;
}

/** Whether what was never told had to be: alone, or with what else was seen and not told within the time that fills wait. */
function isWronglyDropped(untold: readonly Expected[], one: Expected, { minUsdc, style }: WatchSettings): boolean {
  if (one.what.kind === 'deposit' || style === 'each') return one.what.usdc >= minUsdc;
  const company = untold.filter(
    ({ channelId, wallet, what, seenAtMs }) =>
      channelId === one.channelId &&
      wallet === one.wallet &&
      what.kind === one.what.kind &&
      what.market === one.what.market &&
      seenAtMs >= one.seenAtMs &&
      seenAtMs < one.seenAtMs + COMPANY_MS,
  );
  return company.reduce((sum, { what }) => sum + what.usdc, 0) >= minUsdc;
}

describe('the courier', () => {
  it('tells every wanted alert once, whatever fails, whenever it is killed, and whatever waits or is held back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 25 }),
        fc.array(settings, { minLength: 4, maxLength: 4 }),
        async (actions, wishes) => {
          const world = new World();
          const lanes = CHANNELS.flatMap((channelId) => WALLETS.map((wallet) => ({ channelId, wallet })));
          for (const [index, { channelId, wallet }] of lanes.entries()) {
            world.settings.set(`${channelId}:${wallet}`, { ...DEFAULT_SETTINGS, ...wishes[index] });
          }
          let run = new Run(world, Number.POSITIVE_INFINITY);
          const polled: Expected[] = [];
          let serial = 0;
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
                serial += 1;
                const id = `i${serial}`;
                for (const channelId of channels) polled.push({ id, channelId, wallet, seenAtMs, what });
                return { id, event: eventOf(what), seenAtMs, channels };
              });
              void run.outbox.commit(wallet, {}, alerts).then(() => world.polledAtMs.set(wallet, seenAtMs));
              for (let wait = 0; wait < 6; wait += 1) await turn();
            } else if (step.kind === 'fates') {
              world.fates.push(...step.fates);
            } else if (step.kind === 'killAfter') {
              run.stepsToLive = step.steps;
            } else if (step.kind === 'turns') {
              for (let count = 0; count < step.turns; count += 1) await turn();
            } else if (step.kind === 'outage') {
              await restart(step.minutes * 60_000);
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
            for (const channelId of run.courier.blockedChannels()) await run.courier.unblock(channelId);
            await settle(world);
          }

          const expected = polled.filter(({ id }) => world.written.has(id));
          for (const { channelId, wallet } of lanes) {
            const wish = world.settingsIn(channelId)(wallet);
            const here = expected.filter((one) => one.channelId === channelId && one.wallet === wallet);
            const messages = world.posted.filter((message) => message.channelId === channelId);
            const shown = messages.flatMap(({ alerts }) => alerts).filter((id) => here.some((one) => one.id === id));
            expect(new Set(shown).size, 'told twice').toBe(shown.length);
            const untold = here.filter(({ id }) => !shown.includes(id));
            expect(untold.filter((one) => isWronglyDropped(untold, one, wish))).toEqual([]);
            for (const kind of ['Buy', 'Sell', 'deposit']) {
              for (const market of [0, 1]) {
                const alike = (id: string) =>
                  here.some((one) => one.id === id && one.what.kind === kind && one.what.market === market);
                const order = shown.filter(alike).map((id) => Number(id.slice(1)));
                expect(order, 'told out of order').toEqual(order.toSorted((a, b) => a - b));
              }
            }
            for (const market of [0, 1]) {
              const fills = here.filter(({ what }) => what.kind !== 'deposit' && what.market === market);
              const told = messages
                .map(({ atMs, alerts }) => ({ atMs, fills: fills.filter(({ id }) => alerts.includes(id)) }))
                .filter((message) => message.fills.length > 0);
              for (const [index, { atMs }] of told.entries()) {
                const next = told[index + 1];
                if (next === undefined || next.atMs - atMs >= wish.cooldownSeconds * 1000) continue;
                expect(next.fills.every(({ seenAtMs }) => seenAtMs <= atMs)).toBe(true);
              }
            }
          }
          for (const { alerts, roleIds, isSilent } of world.posted) {
            const about = expected.filter(({ id }) => alerts.includes(id));
            if (roleIds.length > 0) expect([roleIds, isSilent]).toEqual([[ROLE], false]);
            if (about.some(({ what }) => what.usdc >= 100)) expect(isSilent).toBe(false);
          }
          expect(run.outbox.channels()).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('buries an alert that Discord rejects, and delivers the others around it', async () => {
    const world = new World();
    world.poisoned.add('bad');
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [wallet] = WALLETS as [WalletAddress];
    const [channelId] = CHANNELS as [string];
    const alerts = ['one', 'bad', 'two', 'three'].map((id) => ({ id, event, seenAtMs: 1, channels: [channelId] }));
    await run.outbox.commit(wallet, {}, alerts);
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
    await run.outbox.commit(WALLETS[0] as WalletAddress, {}, [{ id: 'x', event, seenAtMs: 1, channels: [channelId] }]);
    await settle(world);
    expect(world.fates).toEqual(['forbidden']);
    expect(run.courier.block(channelId)).toMatchObject({
      gone: false,
      reason: expect.stringContaining('Send Messages'),
    });
    world.fates = [];
    await run.courier.unblock(channelId);
    await settle(world);
    expect(world.posted).toHaveLength(1);
    expect(run.courier.block(channelId)).toBeNull();
  });

  it('repeats rather than loses where it may not read the history', async () => {
    const world = new World();
    world.canReadHistory = false;
    world.fates = ['lostAfter'];
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [channelId] = CHANNELS as [string];
    await run.outbox.commit(WALLETS[0] as WalletAddress, {}, [{ id: 'x', event, seenAtMs: 1, channels: [channelId] }]);
    for (let count = 0; count < 20; count += 1) await turn();
    run.isAlive = false;
    world.sleepers = [];
    world.nowMs += NONCE_WINDOW_MS + 1;
    new Run(world, Number.POSITIVE_INFINITY);
    await settle(world);
    expect(world.posted).toHaveLength(2);
  });

  it('does not repeat an alert because the clock was set back', async () => {
    const world = new World();
    world.fates = ['lostAfter'];
    const run = new Run(world, Number.POSITIVE_INFINITY);
    const [channelId] = CHANNELS as [string];
    await run.outbox.commit(WALLETS[0] as WalletAddress, {}, [{ id: 'x', event, seenAtMs: 1, channels: [channelId] }]);
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
});
