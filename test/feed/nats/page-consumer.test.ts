import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConsumerInfo,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { createPageConsumer, MORE_TIME_MS } from '../../../src/feed/nats/page-consumer.ts';
import { ensureStream, STREAM } from '../../../src/feed/nats/stream.ts';
import { encode, pageSubject, WIRE_VERSION } from '../../../src/feed/nats/wire.ts';
import type { Machine } from '../../../src/lib/machine.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { polledPage } from '../../support/records.ts';
import { type DatabaseServer, hasNats, PASSWORD, startNats } from '../../support/servers.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { within } from '../../support/thorough.ts';
import { walletOf } from '../../support/wallets.ts';

const [A, B, FOREIGN] = [walletOf(0), walletOf(1), walletOf(2)];

/** None where there is no stream. */
async function consumersOf(manager: JetStreamManager, bot: string): Promise<ConsumerInfo[]> {
  const found: ConsumerInfo[] = [];
  try {
    for await (const info of manager.consumers.list(STREAM)) found.push(info);
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
  }
  return found.filter(({ name }) => name.split('=')[0] === `bot_${bot}`);
}

async function until(connection: NatsConnection, event: string): Promise<void> {
  for await (const { type } of connection.status()) if (type === event) return;
}

describe.skipIf(!hasNats)('a bot that reads pages', () => {
  let nats: DatabaseServer;
  let connection: NatsConnection;
  let bots = 0;
  beforeAll(async () => {
    nats = await startNats();
    const servers = new URL(await nats.newStore()).host;
    connection = await connect({ servers, user: 'bell', pass: PASSWORD });
  });
  afterAll(async () => {
    await connection?.close();
    await nats?.stop();
  });

  type Deps = Parameters<typeof createPageConsumer>[1];
  type Changes = Partial<Deps & Deps['sink'] & Machine & { readonly onTaken: () => void }>;
  const openConsumer = async (changes: Changes = {}, at = connection) => {
    bots += 1;
    const bot = changes.bot ?? `bot${bots}`;
    const manager = await jetstreamManager(at);
    await ensureStream(manager);
    const { log, lines } = collectingLog();
    const taken: string[] = [];
    const consumer = createPageConsumer(testMachine({ sleep: async () => {}, log, ...changes }), {
      manager,
      bot,
      isWatched: (wallet) => wallet !== FOREIGN,
      sink: {
        async takePage(one) {
          const answer = (await changes.takePage?.(one)) ?? { isOpen: false, pollId: one.pollId };
          taken.push(`${one.wallet === A ? 'A' : 'B'} ${one.pollId}`);
          changes.onTaken?.();
          return answer;
        },
        abandon: changes.abandon ?? (async () => {}),
      },
      onOtherVersion: () => {},
      ...changes,
    });
    consumer.start();
    onTestFinished(consumer.stop);
    // Only what is published from now on is for it.
    const own = () => consumersOf(manager, bot);
    await expect.poll(own).toHaveLength(1);
    const publish = (
      wallet: WalletAddress,
      pollId: number,
      bytes = encode({ page: polledPage({ wallet, pollId }) }),
    ) =>
      jetstream(at).publish(pageSubject({ wallet, name: 'activity' }), bytes, {
        msgID: String(pollId),
      });
    const publishAll = async (...pages: readonly (readonly [WalletAddress, number])[]) => {
      for (const one of pages) await publish(...one);
    };
    const pending = async () => {
      const [info] = await own();
      return info === undefined ? null : info.num_pending + info.num_ack_pending;
    };
    return { bot, consumer, taken, lines, publish, publishAll, pending, own, manager };
  };

  it('takes those of a wallet in their order, drops those of others, and acknowledges all', async () => {
    const { consumer, taken, publishAll, pending } = await openConsumer({ monotonicMs: () => 0 });
    await publishAll([A, 1], [FOREIGN, 2], [B, 3], [A, 4]);
    await expect.poll(pending).toBe(0);
    expect(taken.toSorted()).toEqual(['A 1', 'A 4', 'B 3']);
    expect(taken.filter((text) => text.startsWith('A'))).toEqual(['A 1', 'A 4']);
    expect(consumer.received()).toBe(4);
  });

  it('holds a page back for as long as nothing can be taken, and gives one up that alone cannot be', async () => {
    const abandoned: number[] = [];
    let isStoreAway = true;
    let attempts = 0;
    const { taken, publish, pending } = await openConsumer({
      async takePage({ wallet, pollId }) {
        attempts += 1;
        if (attempts > 40) isStoreAway = false;
        // What others do takes place meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
        if (isStoreAway || wallet === A) throw new Error('cannot be stored');
        return { isOpen: false, pollId };
      },
      abandon: async ({ pollId }) => void abandoned.push(pollId),
    });
    await publish(A, 10);
    for (let pollId = 11; pollId < 60; pollId += 1) await publish(B, pollId);
    await expect.poll(() => abandoned).toEqual([10]);
    await expect.poll(pending).toBe(0);
    expect(taken).toHaveLength(49);
    await publish(A, 61);
    for (let pollId = 62; pollId < 99; pollId += 1) await publish(B, pollId);
    await expect.poll(() => abandoned).toEqual([10, 61]);
  });

  it('gives up a page that fails at once, of those behind it tries the newest, and counts neither against what it has received', async () => {
    const abandoned: number[] = [];
    const attempts: number[] = [];
    const seen: (readonly [received: number | null, whenIdle: number | null])[] = [];
    const listeners = new Set<() => void>();
    let pollId = 510;
    let laterMs = 0;
    let allPublished = () => {};
    const published = new Promise<void>((resolve) => {
      allPublished = resolve;
    });
    const world = await openConsumer({
      async takePage(taken) {
        if (taken.wallet === B) return { isOpen: false, pollId: taken.pollId };
        attempts.push(taken.pollId);
        throw new Error('its document cannot be read');
      },
      onTaken() {
        for (const listener of listeners) listener();
      },
      abandon: async (page) => void abandoned.push(page.pollId),
      monotonicMs: () => laterMs,
      // Whenever it waits, a page of another wallet is taken.
      async sleep(_delayMs, signal) {
        pollId += 1;
        await published;
        if (signal.aborted) return;
        const isTaken = new Promise<void>((resolve) => listeners.add(resolve));
        await world.publish(B, pollId);
        await isTaken;
        await new Promise((resolve) => setImmediate(resolve));
        const received = world.consumer.received();
        laterMs += 10_000;
        seen.push([received, world.consumer.received()]);
        laterMs -= 10_000;
      },
    });
    onTestFinished(() => {
      for (const listener of listeners) listener();
    });
    for (const each of [501, 502, 503, 504]) await world.publish(A, each);
    allPublished();
    await expect.poll(() => abandoned).toEqual([501, 504]);
    expect(attempts).toEqual([...Array(8).fill(501), ...Array(8).fill(504)]);
    expect(seen).toEqual(seen.map((_each, index) => [511 + index, null]));
    await expect.poll(world.pending).toBe(0);
  });

  it('has received a page for the feed once all before it are taken, so that none counts as missed that only waits', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let laterMs = 0;
    const { consumer, taken, publishAll } = await openConsumer({
      async takePage({ wallet, pollId }) {
        if (wallet === A) await held;
        return { isOpen: false, pollId };
      },
      monotonicMs: () => laterMs,
    });
    await publishAll([B, 301], [A, 302], [B, 303], [FOREIGN, 304]);
    await expect.poll(() => taken).toEqual(['B 301', 'B 303']);
    laterMs = 10_000;
    expect(consumer.received()).toBe(301);
    laterMs = 0;
    release();
    await expect.poll(() => consumer.received()).toBe(304);
  });

  it('is idle once nothing has come for a while, and not before it was asked for', async () => {
    let laterMs = 0;
    const { consumer } = await openConsumer({ monotonicMs: () => laterMs });
    expect(consumer.received()).toBe(0);
    laterMs = 10_000;
    await expect.poll(() => consumer.received()).toBe(null);
  });

  it(
    'ends when it is stopped while it begins to read',
    async () => {
      const manager = await jetstreamManager(connection);
      const consumer = createPageConsumer(testMachine(), {
        manager,
        bot: 'stopped',
        isWatched: () => true,
        sink: {
          takePage: async ({ pollId }) => ({ isOpen: false, pollId }),
          abandon: async () => {},
        },
        onOtherVersion: () => {},
      });
      consumer.start();
      await consumer.stop();
      expect(await consumersOf(manager, 'stopped')).toHaveLength(1);
    },
    within(20_000),
  );

  it('passes over what is damaged, and refuses another release aloud', async () => {
    const versions: number[] = [];
    const { taken, lines, publish } = await openConsumer({
      onOtherVersion: ({ version }) => void versions.push(version),
    });
    await publish(A, 101, Buffer.from(`{"version":${WIRE_VERSION},"page":`));
    await publish(A, 102, Buffer.from(`{"version":${WIRE_VERSION + 1},"page":"of the future"}`));
    // Left in the stream by an earlier release: the feed gives what is missing.
    await publish(A, 104, Buffer.from('{"version":0,"page":"of the past"}'));
    await publish(A, 105);
    await expect.poll(() => taken).toEqual(['A 105']);
    expect(versions).toEqual([WIRE_VERSION + 1]);
    expect(lines.map(({ event }) => event)).toContain('page.unreadable');
  });

  it('goes on where its stream or its consumer is deleted, and logs that it made the stream anew', async () => {
    const { taken, lines, publish, own, manager } = await openConsumer();
    const isMadeAnew = () => lines.some(({ event }) => event === 'nats.stream_made_anew');
    await publish(A, 201);
    await expect.poll(() => taken).toEqual(['A 201']);
    const [first] = await own();
    await manager.consumers.delete(STREAM, first?.name ?? '');
    const isBack = async () => (await own()).length === 1;
    await expect.poll(isBack).toBe(true);
    await publish(A, 202);
    await expect.poll(() => taken).toEqual(['A 201', 'A 202']);
    expect(isMadeAnew()).toBe(false);
    await manager.streams.delete(STREAM);
    await expect.poll(isBack).toBe(true);
    expect(isMadeAnew()).toBe(true);
    await publish(A, 203);
    await expect.poll(() => taken).toEqual(['A 201', 'A 202', 'A 203']);
  });

  it('is given what an earlier run has not taken, and all that comes, though the connection of that run is dead and asks for more', async () => {
    const first = await openConsumer();
    await first.publish(A, 401);
    await expect.poll(() => first.taken).toEqual(['A 401']);
    await first.consumer.stop();
    const [{ name } = { name: '' }] = await first.own();
    const dead = await (await jetstream(connection).consumers.get(STREAM, name)).consume({
      max_messages: 200,
    });
    onTestFinished(async () => void (await dead.close()));
    const given: number[] = [];
    void (async () => {
      for await (const message of dead) given.push(message.seq);
    })();
    for (const pollId of [402, 403]) await first.publish(A, pollId);
    await expect.poll(() => given).toHaveLength(2);
    const second = await openConsumer({ bot: first.bot });
    for (const pollId of [404, 405, 406, 407]) await second.publish(A, pollId);
    const all = [402, 403, 404, 405, 406, 407].map((pollId) => `A ${pollId}`);
    await expect.poll(() => second.taken).toEqual(all);
    expect(await second.own()).toHaveLength(1);
  });

  it('notices that the stream was set back behind it, as by a power cut, and reads on', async () => {
    const folder = temporaryFolder();
    const own = await startNats(['-sd', folder]);
    onTestFinished(own.stop);
    const { host } = new URL(await own.newStore());
    const login = { user: 'bell', pass: PASSWORD };
    const patient = { reconnectTimeWait: 100, maxReconnectAttempts: -1 };
    const at = await connect({ servers: host, ...login, ...patient });
    onTestFinished(() => at.close());
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { taken, lines, publish, own: consumers } = await openConsumer({}, at);
    for (const pollId of [1, 2, 3]) await publish(A, pollId);
    await expect.poll(() => taken).toHaveLength(3);
    const [begun] = await consumers();
    const isBack = until(at, 'reconnect');
    await own.stop();
    rmSync(join(folder, 'jetstream', '$G', 'streams', STREAM, 'msgs'), { recursive: true });
    await own.start();
    await isBack;
    expect(await publish(A, 4)).toMatchObject({ seq: 1 });
    const [found] = await consumers();
    // Where the reading itself has failed while the server was away, there is another one already;
    // or the server has forgotten what it gave to this one.
    const isAhead = found?.delivered.stream_seq === 3;
    const failed = found?.name === begun?.name ? [] : ['nats.consumer_failed'];
    const sign = isAhead ? ['nats.consumer_lost'] : failed;
    vi.advanceTimersByTime(MORE_TIME_MS);
    await expect.poll(async () => (await consumers())[0]?.delivered.stream_seq).toBeLessThan(3);
    await publish(A, 5);
    await expect.poll(() => taken).toContain('A 5');
    expect(lines.map(({ event }) => event)).toEqual(expect.arrayContaining(sign));
  });
});
