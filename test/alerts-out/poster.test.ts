import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { messageId } from '../../src/alerts-out/message-id.ts';
import { createPoster } from '../../src/alerts-out/poster.ts';
import { createReceiverQueue, type QueuedAlert } from '../../src/alerts-out/receiver-queue.ts';
import { readSecret } from '../../src/alerts-out/signature.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { moment } from '../support/moment.ts';
import { trade } from '../support/records.ts';
import { createVirtualTime } from '../support/virtual-time.ts';
import { WALLET_A } from '../support/wallets.ts';
import { openReceiver, SECRET } from './receiver.ts';

const OWNER = '100000000000000001';
const OTHER = '100000000000000002';
const START_MS = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

const alertOf = (id: string, ownerId: string): QueuedAlert => ({
  wallet: WALLET_A,
  id,
  ownerId,
  event: { kind: 'activity', item: trade() },
  seenAtMs: 1_000,
  sequence: 1,
  isLate: false,
  isBetterThanLuck: false,
  watches: [{ channel: '200000000000000001', label: null, wanted: true }],
});

/** A server that answers as a test says, verified or not; it counts what comes to it. */
async function startServer(answer: RequestListener) {
  const counts = { connections: 0, requests: 0 };
  const server = createServer((request, response) => {
    counts.requests += 1;
    answer(request, response);
  });
  server.on('connection', () => {
    counts.connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts` };
}

/** A poster with alerts of an owner in its queue, on a clock that the test moves. */
async function openPoster(
  url: string,
  ids: readonly string[] = ['a1'],
  fence: () => Promise<void> = async () => {},
) {
  const time = createVirtualTime(START_MS);
  const { log, lines } = collectingLog();
  const stopping = new AbortController();
  const store = documentStore();
  const machine = testMachine({ log, nowMs: time.now, sleep: time.sleep });
  const queue = createReceiverQueue(machine, store);
  const add = (id: string, ownerId = OWNER) => queue.add(ownerId, [alertOf(id, ownerId)]);
  for (const id of ids) await add(id);
  const outcomes: string[] = [];
  let told = () => {};
  const key = readSecret(SECRET);
  if (key === null) throw new Error('The secret of the tests cannot be read.');
  const poster = createPoster(machine, {
    settings: { url, keys: [key], guilds: '*' },
    queue,
    isUnsure: () => false,
    fence,
    onOutcome(outcome) {
      outcomes.push(outcome);
      told();
    },
    signal: stopping.signal,
  });
  onTestFinished(async () => {
    stopping.abort();
    await poster.stop();
  });
  return {
    ...{ poster, queue, add, store, time, lines, outcomes },
    /** Resolves once as many attempts have ended, and what follows of them is stored. */
    async until(count: number): Promise<void> {
      while (outcomes.length < count) {
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      }
      await queue.idle();
    },
  };
}

describe('the poster', () => {
  it.each([
    ['seconds', '7200'],
    ['a date', new Date(START_MS + 2 * HOUR_MS).toUTCString()],
  ])('tries again when the receiver has asked for it in %s, and not before', async (_, header) => {
    const statuses = [503, 204];
    const receiver = await openReceiver(
      () => ({
        status: statuses.shift() ?? 204,
        headers: { 'retry-after': header },
      }),
      true,
    );
    const { poster, time, until, outcomes, queue } = await openPoster(receiver.url);
    poster.start();
    await until(1);
    await expect.poll(() => queue.entries(OWNER)[0]?.failedAtMs).toBe(START_MS);
    await time.pass(2 * HOUR_MS - 1);
    poster.look();
    await time.pass(1);
    poster.look();
    await until(2);
    const atSeconds = receiver.received.map(({ timestamp }) => Number(timestamp));
    expect(atSeconds.map((at) => at - START_MS / 1000)).toEqual([0, 7_200]);
    expect(outcomes).toEqual(['failed', 'taken']);
    expect(queue.entries(OWNER)).toEqual([]);
  });

  it('gives a receiver 15 seconds', async () => {
    const asked = moment();
    const { url } = await startServer(() => asked.reach());
    const { poster, time, until, outcomes, lines } = await openPoster(url);
    poster.start();
    await asked.reached;
    await time.pass(14_999);
    expect(outcomes).toEqual([]);
    await time.pass(1);
    await until(1);
    expect(outcomes).toEqual(['failed']);
    expect(lines[0]).toMatchObject({
      event: 'alerts_out.failing',
      reason: 'It has not answered within 15 s.',
    });
  });

  it('takes the word of a receiver that does not end its answer', async () => {
    const asked = moment();
    const { url } = await startServer((_request, response) => {
      response.writeHead(200).write('Thanks');
      asked.reach();
    });
    const { poster, time, until, outcomes } = await openPoster(url);
    poster.start();
    await asked.reached;
    while (outcomes.length === 0) await time.pass(15_000);
    await until(1);
    expect(outcomes).toEqual(['taken']);
  });

  it('breaks a long answer off', async () => {
    const cut = moment();
    const { url } = await startServer((_request, response) => {
      response.on('close', cut.reach);
      const goOn = () => {
        while (response.write('.'.repeat(10_000)));
        response.once('drain', goOn);
      };
      goOn();
    });
    const { poster, until, outcomes } = await openPoster(url);
    poster.start();
    await until(1);
    await cut.reached;
    expect(outcomes).toEqual(['taken']);
  });

  it('uses connections again after short answers', async () => {
    const { url, counts } = await startServer((_request, response) => {
      response.end('.'.repeat(1_000));
    });
    const { poster, until } = await openPoster(url, ['a1', 'a2', 'a3', 'a4', 'a5']);
    poster.start();
    await until(5);
    // A second one is opened while the first is not yet free.
    expect(counts.connections).toBeLessThanOrEqual(2);
  });

  it('follows no redirect: whoever it leads to gets nothing', async () => {
    const elsewhere = await startServer((_request, response) => void response.end());
    const { url } = await startServer((_request, response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const { poster, until, outcomes } = await openPoster(url);
    poster.start();
    await until(1);
    expect(outcomes).toEqual(['failed']);
    expect(elsewhere.counts.requests).toBe(0);
  });

  it('asks before each message whether the store is another process’s by now', async () => {
    const receiver = await openReceiver(undefined, true);
    const answers = [true, false, false, true];
    const { poster, time, lines, until, queue } = await openPoster(
      receiver.url,
      ['a1', 'a2'],
      async () => {
        if (answers.shift() === false) throw new Error('The store is taken.');
      },
    );
    poster.start();
    await until(1);
    await expect.poll(() => lines.length).toBe(1);
    await time.pass(5_000);
    await expect.poll(() => lines.length).toBe(2);
    expect(lines.map(({ event }) => event)).toEqual(Array(2).fill('alerts_out.not_stored'));
    expect(receiver.received).toHaveLength(1);
    expect(queue.entries(OWNER)).toHaveLength(1);
    await time.pass(5_000);
    await until(2);
    expect(receiver.received).toHaveLength(2);
    expect(answers).toEqual([]);
  });

  it('posts nothing more, of nobody, once the receiver says that it is gone, and logs that once', async () => {
    const both = moment();
    const receiver = await openReceiver(async () => {
      if (receiver.received.length === 2) both.reach();
      await both.reached;
      return { status: 410 };
    }, true);
    const { poster, add, until, outcomes, queue, lines } = await openPoster(receiver.url, [
      'a1',
      'a2',
    ]);
    await add('b1', OTHER);
    await add('b2', OTHER);
    poster.start();
    await until(1);
    await expect.poll(queue.owners).toEqual([]);
    await add('a3');
    poster.look();
    await poster.stop();
    expect(receiver.received).toHaveLength(2);
    expect(outcomes).toEqual(['gone', 'gone']);
    expect(lines.map(({ event }) => event)).toEqual(['alerts_out.gone']);
  });

  it('gives each owner a turn, however much waits for others', async () => {
    const receiver = await openReceiver(undefined, true);
    const { poster, add, until, queue } = await openPoster(receiver.url, []);
    const busy = Array.from({ length: 12 }, (_, index) => `1000000000000001${10 + index}`);
    for (const owner of busy)
      for (let count = 0; count < 20; count += 1) await add(`a${count}`, owner);
    await add('b', OTHER);
    poster.start();
    await until(12 * 20 + 1);
    const expected = messageId(alertOf('b', OTHER));
    // Of others, those under way at first, and one each.
    const place = receiver.received.findIndex(({ id }) => id === expected);
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(2 * busy.length);
    expect(queue.owners()).toEqual([]);
  });

  it('goes on where the store has lost what waited', async () => {
    const receiver = await openReceiver(undefined, true);
    const { poster, add, until, store, queue } = await openPoster(receiver.url);
    await add('b1', OTHER);
    store.documents.delete(`later:alerts-${OWNER}:0`);
    poster.start();
    await until(1);
    expect(receiver.received).toHaveLength(1);
    expect(queue.owners()).toEqual([]);
  });
});
