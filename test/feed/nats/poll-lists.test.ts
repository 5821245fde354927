import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { createPollLists } from '../../../src/feed/nats/poll-lists.ts';
import type { ListEntry, PollListMessage } from '../../../src/feed/nats/wire.ts';
import { accountOf } from '../../support/accounts.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { walletOf } from '../../support/wallets.ts';

const [A, B] = [walletOf(0), walletOf(1)];
const entry = (of: WalletAddress, changes: Partial<ListEntry> = {}): ListEntry => ({
  wallet: of,
  watchers: [accountOf('g')],
  committed: {},
  open: [],
  ...changes,
});

function openLists() {
  const state = { nowMs: 0 };
  const polled = new Set<WalletAddress>();
  const opened: string[] = [];
  const committed: number[] = [];
  const { log, lines } = collectingLog();
  const lists = createPollLists(testMachine({ monotonicMs: () => state.nowMs, log }), {
    onAdded: (added) => void polled.add(added),
    onRemoved: (removed) => void polled.delete(removed),
    onWatchersChanged: () => {},
    onOpen: ({ wallet: of, name }) => void opened.push(`${of} ${name}`),
    onCommitted: (pollId) => void committed.push(pollId),
  });
  const say = (changes: Partial<PollListMessage> = {}) =>
    lists.take({
      bot: 'one',
      instance: 'first',
      shards: { ids: [0], count: 2 },
      part: { index: 0, count: 1 },
      entries: [],
      removed: [],
      received: null,
      isWorking: true,
      ...changes,
    });
  return { state, polled, opened, committed, lists, lines, say };
}

describe('poll lists', () => {
  it('are taken part by part; what no part of a whole list names is polled no more, once all are there', () => {
    const { polled, say } = openLists();
    say({ part: { index: 0, count: 2 }, entries: [entry(A)] });
    expect(polled).toEqual(new Set([A]));
    say({ part: { index: 1, count: 2 }, entries: [entry(B)] });
    expect(polled).toEqual(new Set([A, B]));
    expect(say({ part: null, removed: [A] }).answer).toBe('taken');
    expect(polled).toEqual(new Set([B]));
    say({ part: { index: 0, count: 2 }, entries: [entry(A)] });
    expect(polled).toEqual(new Set([A, B]));
    say({ part: { index: 1, count: 2 } });
    expect(polled).toEqual(new Set([A]));
  });

  it('ask for the whole list where the changes, or a part, are of one that is not known', () => {
    const { polled, lists, say } = openLists();
    expect(say({ part: null, entries: [entry(A)] }).answer).toBe('resend');
    expect(say({ part: { index: 1, count: 2 }, entries: [entry(A)] }).answer).toBe('resend');
    expect(polled).toEqual(new Set());
    say({ entries: [entry(A)] });
    expect(say({ part: { index: 0, count: 3 }, entries: [entry(A)] }).answer).toBe('taken');
    expect(say({ part: { index: 2, count: 3 } }).answer).toBe('resend');
    expect(say({ part: null, removed: [A] }).answer).toBe('resend');
    say({ entries: [entry(A)] });
    lists.gone('first');
    expect(say({ part: null, instance: 'second' }).answer).toBe('resend');
    expect(polled).toEqual(new Set([A]));
  });

  it('poll a wallet as long as any bot wants it, and forget a bot after an hour of silence', () => {
    const { state, polled, lists, lines, say } = openLists();
    const two = { bot: 'two', shards: { ids: [1], count: 2 } };
    say({ entries: [entry(A)] });
    say({ ...two, entries: [entry(A, { watchers: [accountOf('h')] }), entry(B)] });
    say({ entries: [] });
    expect(polled).toEqual(new Set([A, B]));
    expect(lists.ownersOf(A)).toEqual(new Set(['h']));
    state.nowMs += 3_599_000;
    say({ part: null });
    state.nowMs += 2_000;
    lists.forgetSilent();
    expect(polled).toEqual(new Set());
    expect(lines).toEqual([
      expect.objectContaining({ event: 'feed.bot_joined', bot: 'one' }),
      expect.objectContaining({ event: 'feed.bot_joined', bot: 'two' }),
      expect.objectContaining({ event: 'feed.bot_forgotten', bot: 'two' }),
    ]);
  });

  it('know what a bot has missed: not while it is late, silent, or has not received it', () => {
    const { state, lists, say } = openLists();
    const endpoint = { wallet: A, name: 'activity' } as const;
    const published = { pollId: 7, atMs: 0 };
    const isMissed = () => lists.nextPage(endpoint, published) === 'again';
    say({ entries: [entry(A, { committed: { activity: 5 } })] });
    expect(isMissed()).toBe(false);
    state.nowMs = 15_000;
    say({ part: null });
    expect(isMissed()).toBe(true);
    say({ part: null, received: 6 });
    expect(isMissed()).toBe(false);
    say({ part: null, received: 9 });
    expect(isMissed()).toBe(true);
    // What a bot of another store has from before says nothing of this page.
    say({ part: null, entries: [entry(A, { committed: { activity: 99 } })] });
    expect(isMissed()).toBe(true);
    expect(lists.nextPage(endpoint, { pollId: 7, atMs: 1 })).toBe('whole');
    say({ part: null, entries: [entry(A, { committed: { activity: 7 } })] });
    expect(lists.nextPage(endpoint, published)).toBe('news');
    say({ part: null, entries: [entry(A, { committed: {} })] });
    state.nowMs += 10_000;
    expect(isMissed()).toBe(false);
  });

  it('hurry an endpoint when a bot has something open there', () => {
    const { opened, lists, say } = openLists();
    say({ entries: [entry(A, { open: ['activity'] })] });
    say({ part: null, entries: [entry(A, { open: ['activity'] })] });
    expect(opened).toEqual([`${A} activity`]);
    const published = { pollId: 7, atMs: 0 };
    expect(lists.nextPage({ wallet: A, name: 'activity' }, published)).toBe('again');
    expect(lists.nextPage({ wallet: A, name: 'deposits-withdrawals' }, published)).toBe('whole');
  });

  it('hurry an endpoint again with each page of it that is taken and leaves it open: a twin waits for two more', () => {
    const { opened, say } = openLists();
    say();
    for (const activity of [1, 1, 2, 3]) {
      say({ part: null, entries: [entry(A, { committed: { activity }, open: ['activity'] })] });
    }
    expect(opened).toHaveLength(3);
    say({ part: null, entries: [entry(A, { committed: { activity: 4 }, open: [] })] });
    expect(opened).toHaveLength(3);
  });

  it('refuse the newcomer of two bots of one store, of two whose shards overlap, and of two that count shards differently', () => {
    const { state, lists, say } = openLists();
    say();
    const asked = (changes: Partial<PollListMessage>) => say({ isWorking: false, ...changes });
    expect(asked({ instance: 'copy' })).toMatchObject({
      answer: 'refused',
      reason: expect.stringMatching(/same store.*store -- copy/),
    });
    const reasonOf = (shards: PollListMessage['shards']) =>
      asked({ bot: 'two', instance: 'two', shards }).reason;
    expect(reasonOf({ ids: [0, 1], count: 2 })).toMatch(/shard 0/);
    expect(reasonOf({ ids: [1], count: 4 })).toMatch(/SHARDS of 2, this one with SHARDS of 4/);
    expect(reasonOf(null)).toMatch(/SHARDS=auto/);
    expect(say().answer).toBe('taken');
    expect(reasonOf({ ids: [1], count: 2 })).toBeNull();
    const copy = { bot: 'one', instance: 'copy', shards: { ids: [0], count: 2 } };
    expect(lists.inTheWay(copy)).toMatchObject([{ instance: 'first' }]);
    // Once the other one has been silent for five seconds, its store and its shards are free.
    state.nowMs += 5_000;
    expect(lists.inTheWay(copy)).toEqual([]);
    expect(reasonOf({ ids: [0, 1], count: 2 })).toBeNull();
  });

  it('take the successor of a bot that is known to be gone at once, and refuse one that speaks again after it was replaced', () => {
    const { lists, say } = openLists();
    say();
    lists.gone('first');
    expect(say({ instance: 'second', isWorking: false }).answer).toBe('taken');
    expect(say()).toMatchObject({ answer: 'refused', reason: expect.stringMatching(/same store/) });
    expect(lists.inTheWay({ bot: 'one', instance: 'first', shards: null })).toMatchObject([
      { instance: 'second' },
    ]);
  });

  it('of an earlier run let a newcomer wait until the bots that work have been heard, three seconds at most', () => {
    const { state, lists, say } = openLists();
    lists.expectBots();
    const copy = () => say({ instance: 'copy', isWorking: false });
    expect(copy().answer).toBe('wait');
    expect(say({ bot: 'two', instance: 'two', shards: null, isWorking: false }).answer).toBe(
      'wait',
    );
    state.nowMs += 1_000;
    expect(say({ part: null }).answer).toBe('resend');
    expect(copy().answer).toBe('refused');
    const other = openLists();
    other.lists.expectBots();
    const known = entry(A, { committed: { activity: 99 } });
    expect(other.say({ isWorking: false, entries: [known] }).answer).toBe('wait');
    expect(other.committed).toEqual([99]);
    other.state.nowMs += 3_000;
    expect(other.say({ isWorking: false }).answer).toBe('taken');
  });

  it('share polls between the servers that the bots name', () => {
    const guilds = fc.uniqueArray(fc.constantFrom('g', 'h', 'i'));
    const watched = fc.tuple(fc.integer({ min: 1, max: 6 }).map(walletOf), guilds);
    const list = fc.array(watched, { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(list, { maxLength: 8 }), (generations) => {
        const { lists, polled, say } = openLists();
        for (const named of generations) {
          const entries = [...new Map(named)].map(([of, its]) =>
            entry(of, { watchers: its.map(accountOf) }),
          );
          say({ entries });
        }
        const last = new Map(generations.at(-1));
        expect(polled).toEqual(new Set(last.keys()));
        const all = new Set([...last.values()].flat());
        expect([...lists.owners()]).toHaveLength(all.size);
        for (const guild of all) {
          const its = [...last].filter(([, of]) => of.includes(guild)).map(([of]) => of);
          expect(lists.walletsOf(guild)).toEqual(new Set(its));
        }
      }),
    );
  });
});
