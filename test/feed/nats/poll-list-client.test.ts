import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPollListClient } from '../../../src/feed/nats/poll-list-client.ts';
import { decode, encode, POLL_LIST, type PollListReply } from '../../../src/feed/nats/wire.ts';
import { accountOf } from '../../support/accounts.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { walletOf } from '../../support/wallets.ts';

const NATS_LIMIT_BYTES = 1_048_576;
const WATCHERS = Array.from({ length: 80 }, (_, index) =>
  accountOf(`${10n ** 18n + BigInt(index)}`),
);

const TAKEN: PollListReply = { answer: 'taken', reason: null };
const REFUSED: PollListReply = {
  answer: 'refused',
  reason: 'Another bot works with shard 0, too.',
};

function openClient() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const state = { reply: TAKEN, isAway: false };
  const said: ReturnType<typeof readList>[] = [];
  const readList = (bytes: Uint8Array) => decode(POLL_LIST.asked, bytes);
  const sizes: number[] = [];
  const refusals: string[] = [];
  let taken = 0;
  const { log, lines } = collectingLog();
  const client = createPollListClient(testMachine({ monotonicMs: () => Date.now(), log }), {
    connection: {
      async request(_subject: string, bytes: Uint8Array) {
        if (state.isAway) throw new Error('nobody answers');
        sizes.push(bytes.length);
        said.push(readList(bytes));
        return { data: encode(state.reply) };
      },
    } as unknown as Parameters<typeof createPollListClient>[1]['connection'],
    bot: 'bot',
    instance: 'run',
    shards: null,
    watchersOf: () => WATCHERS,
    onRefused: (reason) => refusals.push(reason),
  });
  void client.taken.then(() => {
    taken += 1;
  });
  onTestFinished(client.stop);
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
  return { state, said, sizes, refusals, taken: () => taken, lines, client, pass };
}

describe('what a bot says to the feed of its wallets', () => {
  it('is the whole list in parts that NATS takes, then what changes, and the whole again every three minutes', async () => {
    const { said, sizes, client, pass } = openClient();
    for (let index = 1; index <= 1_000; index += 1) {
      client.watch(walletOf(index));
      client.noteTaken(walletOf(index), { activity: index });
    }
    client.start(() => 7);
    await pass(0);
    const parts = [0, 1, 2, 3, 4].map((index) => ({ index, count: 5 }));
    expect(said.map(({ part }) => part)).toEqual(parts);
    expect(said.flatMap(({ entries }) => entries)).toHaveLength(1_000);
    expect(Math.max(...sizes)).toBeLessThan(NATS_LIMIT_BYTES);
    said.length = 0;
    client.committed({ wallet: walletOf(5), name: 'activity' }, 99, true);
    client.unwatch(walletOf(6));
    await pass(1);
    const changed = { wallet: walletOf(5), committed: { activity: 99 }, open: ['activity'] };
    const message = { part: null, entries: [changed], removed: [walletOf(6)], received: 7 };
    expect(said).toMatchObject([message]);
    // Without any change too, so that the feed knows that the bot is there.
    await pass(10);
    expect(said).toHaveLength(11);
    await pass(200);
    expect(said.filter(({ part }) => part !== null)).toHaveLength(5);
  });

  it('never goes back: a page that is older than what the bot has is dropped, and the feed must not believe that the bot lacks nothing', async () => {
    const { said, client, pass } = openClient();
    const endpoint = { wallet: walletOf(1), name: 'activity' } as const;
    client.watch(endpoint.wallet);
    client.noteTaken(endpoint.wallet, { activity: 5_000 });
    client.start(() => 7);
    client.committed(endpoint, 4_000, false);
    await pass(1);
    expect(client.committedOf(endpoint)).toBe(5_000);
    expect(said.at(-1)?.entries).toMatchObject([{ committed: { activity: 5_000 } }]);
    client.committed(endpoint, 5_001, false);
    expect(client.committedOf(endpoint)).toBe(5_001);
  });

  it('is said again whole where it was not heard, and the silence is logged once', async () => {
    const { state, said, lines, client, pass } = openClient();
    client.watch(walletOf(1));
    client.start(() => 7);
    await pass(1);
    state.isAway = true;
    client.unwatch(walletOf(1));
    client.watch(walletOf(2));
    await pass(60);
    state.isAway = false;
    said.length = 0;
    await pass(1);
    const whole = { part: { index: 0, count: 1 }, entries: [{ wallet: walletOf(2) }] };
    expect(said[0]).toMatchObject(whole);
    expect(lines.map(({ event }) => event)).toEqual(['feed.not_reached', 'feed.reached_again']);
  });

  it('may be refused for a while, until the one that this bot replaces is missed; then it ends, and is told why once', async () => {
    const { state, refusals, lines, client, pass } = openClient();
    state.reply = REFUSED;
    client.start(() => 7);
    await pass(15);
    expect(refusals).toEqual([]);
    state.reply = TAKEN;
    await pass(5);
    state.reply = REFUSED;
    await pass(20);
    expect(refusals).toEqual([]);
    await pass(3);
    expect(refusals[0]).toMatch(/shard 0/);
    expect(lines.filter(({ event }) => event === 'feed.refused_us')).toHaveLength(2);
  });

  it('says whether this run works: not before a feed has taken it, and then for good', async () => {
    const { state, said, taken, client, pass } = openClient();
    state.isAway = true;
    client.start(() => 7);
    await pass(3);
    state.isAway = false;
    state.reply = { answer: 'wait', reason: null };
    await pass(3);
    state.reply = REFUSED;
    await pass(3);
    expect(client.refusal()).toMatch(/shard 0/);
    expect(taken()).toBe(0);
    state.reply = TAKEN;
    await pass(3);
    expect(client.refusal()).toBeNull();
    state.reply = REFUSED;
    await pass(3);
    expect(taken()).toBe(1);
    const first = said.findIndex(({ isWorking }) => isWorking);
    const wholes = Array(7).fill({ index: 0, count: 1 });
    expect(said.slice(0, first).map(({ part }) => part)).toEqual(wholes);
    expect(said.slice(first).every(({ isWorking }) => isWorking)).toBe(true);
  });
});
