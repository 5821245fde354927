import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, WalletEvent } from '../../src/alert/alert.ts';
import { type Courier, createCourier, type OutgoingMessage } from '../../src/alert/courier.ts';
import { createLaneStore } from '../../src/alert/lane.ts';
import { createOutbox, type Outbox } from '../../src/alert/outbox.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { quietLog } from '../support/log.ts';

const NONCE_WINDOW_MS = 3 * 60_000;
const PER_MESSAGE = 3;
const WALLETS = ['a', 'b'].map((letter) => `0x${letter.repeat(40)}` as WalletAddress);
const CHANNELS = ['100000000000000001', '100000000000000002'];

/** How the next attempts to send end. */
type Fate = 'ok' | 'lostBefore' | 'lostAfter' | 'serverError' | 'forbidden' | 'rejected';

interface Posted {
  readonly channelId: string;
  readonly nonce: string;
  readonly atMs: number;
  readonly alerts: readonly string[];
}

/** Discord as far as the courier can see it, and a disk: both outlive the process. */
class World {
  nowMs = 1_800_000_000_000;
  readonly disk = new Map<string, string>();
  /** Alerts that have been on the disk: a poll whose write did not happen is repeated by the next one. */
  readonly written = new Set<string>();
  readonly posted: Posted[] = [];
  readonly poisoned = new Set<string>();
  fates: Fate[] = [];
  canReadHistory = true;
  sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];

  write(key: string, document: unknown): void {
    this.disk.set(key, JSON.stringify(document));
    const outbox = (document as { outbox?: { id: string }[] }).outbox ?? [];
    for (const { id } of outbox) this.written.add(id);
  }

  post(channelId: string, { embeds, nonce }: OutgoingMessage<string>): void {
    const known = this.posted.find((message) => message.nonce === nonce && this.nowMs - message.atMs < NONCE_WINDOW_MS);
    if (known === undefined) this.posted.push({ channelId, nonce, atMs: this.nowMs, alerts: embeds });
  }
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
    this.courier = createCourier<string>({
      send: (channelId, message) => this.send(channelId, message),
      findReferences: (channelId, references) =>
        this.step(() => {
          if (!world.canReadHistory) return null;
          const shown = world.posted.filter((message) => message.channelId === channelId);
          return new Set(references.filter((id) => shown.some(({ alerts }) => alerts.includes(id))));
        }),
      compose: (_channelId, waiting) => {
        const alerts = waiting.slice(0, PER_MESSAGE);
        return { embeds: alerts.map(({ id }) => id), alerts };
      },
      isWanted: () => true,
      outbox: this.outbox,
      lanes,
      nowMs: () => world.nowMs,
      sleep: (delayMs) => (delayMs <= 0 ? Promise.resolve() : this.sleep(delayMs)),
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

  async send(channelId: string, message: OutgoingMessage<string>): Promise<string> {
    const fate = this.#world.fates.shift() ?? 'ok';
    const isPoisoned = message.embeds.some((id) => this.#world.poisoned.has(id));
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

  sleep(delayMs: number): Promise<void> {
    const atMs = this.#world.nowMs + delayMs;
    return new Promise((wake) => this.#world.sleepers.push({ atMs, wake }));
  }
}

async function settle(world: World): Promise<void> {
  for (let quiet = 0; quiet < 60; quiet += 1) {
    await turn();
    const [next] = world.sleepers.sort((a, b) => a.atMs - b.atMs);
    if (next === undefined || quiet < 20) continue;
    world.sleepers = world.sleepers.filter((sleeper) => sleeper !== next);
    world.nowMs = Math.max(world.nowMs, next.atMs);
    next.wake();
    quiet = 0;
  }
}

const event: WalletEvent = {
  kind: 'transfer',
  item: { txHash: '0x1', type: 'deposit', amount: 1, time: 1_800_000_000, address: '0x0' },
};

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('poll' as const),
      wallet: fc.nat(1),
      items: fc.integer({ min: 1, max: 5 }),
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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
);

describe('the courier', () => {
  it('delivers every alert to every channel once and in order, whatever fails and whenever it is killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        const world = new World();
        let run = new Run(world, Number.POSITIVE_INFINITY);
        const expected = new Map<string, string[]>();
        let serial = 0;
        const restart = async (downMs: number) => {
          run.isAlive = false;
          world.sleepers = [];
          world.nowMs += downMs;
          run = new Run(world, Number.POSITIVE_INFINITY);
        };
        for (const step of actions) {
          if (step.kind === 'poll') {
            const wallet = WALLETS[step.wallet] as WalletAddress;
            const channels = step.channels.map((index) => CHANNELS[index] as string);
            const alerts = Array.from({ length: step.items }, () => {
              serial += 1;
              return { id: `i${serial}`, event, seenAtMs: world.nowMs, channels };
            });
            void run.outbox.commit(wallet, {}, alerts);
            for (let wait = 0; wait < 6; wait += 1) await turn();
            for (const channelId of channels) {
              const order = expected.get(`${channelId}:${wallet}`) ?? [];
              expected.set(`${channelId}:${wallet}`, [...order, ...alerts.map(({ id }) => id)]);
            }
          } else if (step.kind === 'fates') {
            world.fates.push(...step.fates);
          } else if (step.kind === 'killAfter') {
            run.stepsToLive = step.steps;
          } else if (step.kind === 'turns') {
            for (let count = 0; count < step.turns; count += 1) await turn();
          } else if (step.kind === 'outage') {
            await restart(step.minutes * 60_000);
          } else {
            await settle(world);
          }
          if (!run.isAlive) await restart(0);
        }
        world.fates = [];
        run.stepsToLive = Number.POSITIVE_INFINITY;
        if (!run.isAlive) await restart(0);
        for (const channelId of run.courier.blockedChannels()) await run.courier.unblock(channelId);
        await settle(world);
        for (const channelId of run.courier.blockedChannels()) await run.courier.unblock(channelId);
        await settle(world);

        for (const [key, polled] of expected) {
          const ids = polled.filter((id) => world.written.has(id));
          const [channelId = '', wallet = ''] = key.split(':');
          const shown = world.posted
            .filter((message) => message.channelId === channelId)
            .flatMap(({ alerts }) => alerts);
          expect(
            shown.filter((id) => ids.includes(id)),
            `${channelId} ${wallet}`,
          ).toEqual(ids);
        }
        expect(run.outbox.channels()).toEqual([]);
      }),
      { numRuns: 300 },
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
