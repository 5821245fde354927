import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPageConsumer, type PageConsumerDeps } from '../../../src/feed/nats/page-consumer.ts';
import { ensureStream, STREAM } from '../../../src/feed/nats/stream.ts';
import { encode, pageSubject } from '../../../src/feed/nats/wire.ts';
import type { AnyPolledPage } from '../../../src/feed/polled-page.ts';
import type { WalletAddress } from '../../../src/venue/address.ts';
import { collectingLog } from '../../support/log.ts';
import { type DatabaseServer, hasNats, PASSWORD, startNats } from '../../support/servers.ts';

const [A, B, FOREIGN] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}` as WalletAddress) as [
  WalletAddress,
  WalletAddress,
  WalletAddress,
];

function page(wallet: WalletAddress, pollId: number): AnyPolledPage {
  const times = { fromSeconds: null, venueSeconds: 1, earliestSeconds: 1, latestSeconds: 1 };
  return { endpoint: 'activity', wallet, pollId, items: [], hasMore: false, unreadable: [], ...times };
}

describe.skipIf(!hasNats)('a bot that reads pages', () => {
  let nats: DatabaseServer;
  let connection: NatsConnection;
  let bots = 0;
  beforeAll(async () => {
    nats = await startNats();
    const servers = new URL(await nats.newStore()).host;
    connection = await connect({ servers, user: 'bell', pass: PASSWORD });
  }, 60_000);
  afterAll(async () => {
    await connection?.close();
    await nats?.stop();
  });

  const open = async (changes: Partial<PageConsumerDeps> = {}) => {
    bots += 1;
    const manager = await jetstreamManager(connection);
    await ensureStream(manager);
    const { log, lines } = collectingLog();
    const taken: string[] = [];
    const consumer = createPageConsumer({
      jetStream: jetstream(connection),
      manager,
      bot: `bot${bots}`,
      isWatched: (wallet) => wallet !== FOREIGN,
      takePage: async () => ({ isOpen: false }),
      onTaken: ({ wallet }, { pollId }) => void taken.push(`${wallet.slice(0, 3)} ${pollId}`),
      onAbandoned: async () => {},
      onOtherVersion: () => {},
      monotonicMs: () => performance.now(),
      random: Math.random,
      sleep: async () => {},
      log,
      ...changes,
    });
    consumer.start();
    onTestFinished(consumer.stop);
    // Only what is published from now on is for it.
    await expect
      .poll(() =>
        manager.consumers.info(STREAM, `bot_bot${bots}`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const publish = (one: AnyPolledPage, bytes: Uint8Array = encode({ page: one })) =>
      jetstream(connection).publish(pageSubject({ wallet: one.wallet, name: one.endpoint }), bytes, {
        msgID: String(one.pollId),
      });
    const pending = async () => {
      const info = await manager.consumers.info(STREAM, `bot_bot${bots}`);
      return info.num_pending + info.num_ack_pending;
    };
    return { consumer, taken, lines, publish, pending, manager };
  };

  it('takes those of a wallet in their order, drops those of others, and acknowledges all', async () => {
    const { consumer, taken, publish, pending } = await open();
    for (const [wallet, pollId] of [
      [A, 1],
      [FOREIGN, 2],
      [B, 3],
      [A, 4],
    ] as const) {
      await publish(page(wallet, pollId));
    }
    await expect.poll(pending).toBe(0);
    expect(taken.toSorted()).toEqual(['0x1 1', '0x1 4', '0x2 3']);
    expect(taken.filter((text) => text.startsWith('0x1'))).toEqual(['0x1 1', '0x1 4']);
    expect(consumer.received).toBe(4);
  });

  it('holds a page back for as long as nothing can be taken, and gives one up that alone cannot be', async () => {
    const abandoned: number[] = [];
    let isStoreAway = true;
    let attempts = 0;
    const { taken, publish, pending } = await open({
      async takePage({ wallet }) {
        attempts += 1;
        if (attempts > 40) isStoreAway = false;
        // What others do takes place meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
        if (isStoreAway || wallet === A) throw new Error('cannot be stored');
        return { isOpen: false };
      },
      onAbandoned: async ({ pollId }) => void abandoned.push(pollId),
    });
    await publish(page(A, 10));
    for (let pollId = 11; pollId < 60; pollId += 1) await publish(page(B, pollId));
    await expect.poll(() => abandoned, { timeout: 20_000 }).toEqual([10]);
    await expect.poll(pending).toBe(0);
    expect(taken).toHaveLength(49);
    await publish(page(A, 61));
    for (let pollId = 62; pollId < 99; pollId += 1) await publish(page(B, pollId));
    await expect.poll(() => abandoned, { timeout: 20_000 }).toEqual([10, 61]);
  });

  it('has received a page for the feed once all before it are taken, so that none counts as missed that only waits', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { consumer, taken, publish } = await open({
      async takePage({ wallet }) {
        if (wallet === A) await held;
        return { isOpen: false };
      },
    });
    for (const [wallet, pollId] of [
      [B, 301],
      [A, 302],
      [B, 303],
      [FOREIGN, 304],
    ] as const) {
      await publish(page(wallet, pollId));
    }
    await expect.poll(() => taken).toEqual(['0x2 301', '0x2 303']);
    expect(consumer.received).toBe(301);
    expect(consumer.isIdle()).toBe(false);
    release();
    await expect.poll(() => consumer.received).toBe(304);
  });

  it('passes over what is damaged, and refuses another release aloud', async () => {
    const versions: number[] = [];
    const { taken, lines, publish } = await open({ onOtherVersion: ({ version }) => void versions.push(version) });
    await publish(page(A, 101), Buffer.from('{"version":1,"page":'));
    await publish(page(A, 102), Buffer.from(JSON.stringify({ version: 2, page: 'of the future' })));
    // Left in the stream by an earlier release: the feed gives what is missing.
    await publish(page(A, 104), Buffer.from(JSON.stringify({ version: 0, page: 'of the past' })));
    await publish(page(A, 105));
    await expect.poll(() => taken).toEqual(['0x1 105']);
    expect(versions).toEqual([2]);
    expect(lines.map(({ event }) => event)).toContain('page.unreadable');
  });

  it('goes on where its stream or its consumer is deleted', async () => {
    const { taken, publish, manager } = await open();
    await publish(page(A, 201));
    await expect.poll(() => taken).toEqual(['0x1 201']);
    await manager.consumers.delete(STREAM, `bot_bot${bots}`);
    const isBack = () =>
      manager.consumers.info(STREAM, `bot_bot${bots}`).then(
        () => true,
        () => false,
      );
    await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
    await publish(page(A, 202));
    await expect.poll(() => taken, { timeout: 20_000 }).toEqual(['0x1 201', '0x1 202']);
    await manager.streams.delete(STREAM);
    await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
    await publish(page(A, 203));
    await expect.poll(() => taken, { timeout: 20_000 }).toEqual(['0x1 201', '0x1 202', '0x1 203']);
  }, 60_000);
});
