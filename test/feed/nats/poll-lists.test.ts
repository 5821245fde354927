import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPollLists } from '../../../src/feed/nats/poll-lists.ts';
import type { ListEntry, PollListMessage } from '../../../src/feed/nats/wire.ts';
import type { WalletAddress } from '../../../src/venue/address.ts';

const wallet = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as WalletAddress;
const A = wallet(1);
const B = wallet(2);
const entry = (of: WalletAddress, changes: Partial<ListEntry> = {}): ListEntry => ({
  wallet: of,
  guilds: ['g'],
  committed: {},
  open: [],
  ...changes,
});

function world() {
  const state = { nowMs: 0 };
  const polled = new Set<WalletAddress>();
  const opened: string[] = [];
  const lists = createPollLists({
    monotonicMs: () => state.nowMs,
    onAdded: (added) => void polled.add(added),
    onRemoved: (removed) => void polled.delete(removed),
    onOpen: ({ wallet: of, name }) => void opened.push(`${of} ${name}`),
    onCommitted: () => {},
    onChanged: () => {},
  });
  const say = (changes: Partial<PollListMessage> = {}) =>
    lists.take({
      bot: 'one',
      instance: 'first',
      shards: { ids: [0], count: 2 },
      generation: 1,
      part: { index: 0, count: 1 },
      entries: [],
      removed: [],
      received: 0,
      isIdle: true,
      ...changes,
    });
  return { state, polled, opened, lists, say };
}

describe('poll lists', () => {
  it('count once all parts of a whole list are there, and then what changes', () => {
    const { polled, say } = world();
    say({ part: { index: 1, count: 2 }, entries: [entry(A)] });
    expect(polled).toEqual(new Set());
    say({ part: { index: 0, count: 2 }, entries: [entry(B)] });
    expect(polled).toEqual(new Set([A, B]));
    expect(say({ part: null, removed: [A] })).toMatchObject({ answer: 'taken' });
    expect(polled).toEqual(new Set([B]));
    say({ generation: 2, entries: [entry(A)] });
    expect(polled).toEqual(new Set([A]));
  });

  it('ask for the whole list where the changes are of one that is not known', () => {
    const { polled, say } = world();
    expect(say({ part: null, entries: [entry(A)] })).toMatchObject({ answer: 'resend' });
    say({ entries: [entry(A)] });
    expect(say({ part: null, generation: 2 })).toMatchObject({ answer: 'resend' });
    expect(say({ part: null, instance: 'second' })).toMatchObject({ answer: 'resend' });
    expect(polled).toEqual(new Set([A]));
  });

  it('poll a wallet as long as any bot wants it, and forget a bot after an hour of silence', () => {
    const { state, polled, lists, say } = world();
    const two = { bot: 'two', shards: { ids: [1], count: 2 } };
    say({ entries: [entry(A)] });
    say({ ...two, entries: [entry(A, { guilds: ['h'] }), entry(B)] });
    say({ generation: 2, entries: [] });
    expect(polled).toEqual(new Set([A, B]));
    expect(lists.guildsOf(A)).toEqual(new Set(['h']));
    state.nowMs += 3_599_000;
    say({ part: null, generation: 2 });
    state.nowMs += 2_000;
    expect(lists.forgetSilent()).toEqual(['two']);
    expect(polled).toEqual(new Set());
  });

  it('know what a bot has missed: not while it is late, silent, or has not received it', () => {
    const { state, lists, say } = world();
    const endpoint = { wallet: A, name: 'activity' } as const;
    const published = { pollId: 7, atMs: 0 };
    const isMissed = () => lists.isMissed(endpoint, published);
    say({ entries: [entry(A, { committed: { activity: 5 } })] });
    expect(isMissed()).toBe(false);
    state.nowMs = 15_000;
    say({ part: null });
    expect(isMissed()).toBe(true);
    say({ part: null, isIdle: false, received: 6 });
    expect(isMissed()).toBe(false);
    say({ part: null, isIdle: false, received: 9 });
    expect(isMissed()).toBe(true);
    // What a bot of another store has from before says nothing of this page.
    say({ part: null, entries: [entry(A, { committed: { activity: 99 } })] });
    expect(isMissed()).toBe(true);
    say({ part: null, entries: [entry(A, { committed: { activity: 7 } })] });
    expect(isMissed()).toBe(false);
    say({ part: null, entries: [entry(A, { committed: {} })] });
    state.nowMs += 10_000;
    expect(isMissed()).toBe(false);
  });

  it('hurry an endpoint when a bot has something open there', () => {
    const { opened, lists, say } = world();
    say({ entries: [entry(A, { open: ['activity'] })] });
    say({ part: null, entries: [entry(A, { open: ['activity'] })] });
    expect(opened).toEqual([`${A} activity`]);
    expect(lists.isOpen({ wallet: A, name: 'activity' })).toBe(true);
    expect(lists.isOpen({ wallet: A, name: 'deposits-withdrawals' })).toBe(false);
  });

  it('refuse two bots of one store, bots whose shards overlap, and bots that count shards differently', () => {
    const { state, say } = world();
    say();
    expect(say({ instance: 'second' })).toMatchObject({ answer: 'taken' });
    expect(say()).toMatchObject({ answer: 'refused', reason: expect.stringMatching(/same store.*store -- copy/) });
    const answer = (shards: PollListMessage['shards']) => say({ bot: 'two', shards }).reason;
    expect(answer({ ids: [0, 1], count: 2 })).toMatch(/shard 0/);
    expect(answer({ ids: [1], count: 4 })).toMatch(/SHARD_COUNT 2, this one with 4/);
    expect(answer(null)).toMatch(/SHARDS=auto/);
    expect(answer({ ids: [1], count: 2 })).toBeNull();
    // Once the other one is gone, its shards are free.
    state.nowMs += 10_000;
    expect(answer({ ids: [0, 1], count: 2 })).toBeNull();
  });

  it('share polls between the servers that the bots name', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.uniqueArray(fc.constantFrom('g', 'h', 'i'))), {
            maxLength: 8,
          }),
          { maxLength: 8 },
        ),
        (generations) => {
          const { lists, polled, say } = world();
          let last = new Map<WalletAddress, readonly string[]>();
          for (const [index, list] of generations.entries()) {
            last = new Map(list.map(([of, guilds]) => [wallet(of), guilds]));
            say({ generation: index, entries: [...last].map(([of, guilds]) => entry(of, { guilds: [...guilds] })) });
          }
          expect(polled).toEqual(new Set(last.keys()));
          const guilds = new Set([...last.values()].flat());
          expect([...lists.guilds()]).toHaveLength(guilds.size);
          for (const guild of guilds) {
            const its = [...last].filter(([, of]) => of.includes(guild)).map(([of]) => of);
            expect(lists.walletsOf(guild)).toEqual(new Set(its));
          }
        },
      ),
    );
  });
});
