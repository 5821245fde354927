import { jetstream } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import { explainToPerson } from '../../../src/discord/explain.ts';
import { createRemoteLookups } from '../../../src/feed/nats/remote-feed.ts';
import {
  decode,
  encode,
  IDENTIFY,
  LOOKUP,
  OtherVersion,
  POLL_LIST,
  pageSubject,
  SETTLEMENTS,
  STATE,
  UNCHANGED,
  WIRE_VERSION,
} from '../../../src/feed/nats/wire.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import { accountOf } from '../../support/accounts.ts';
import { polledPage, sampleTrade, sampleTransfer } from '../../support/records.ts';
import { hasNats } from '../../support/servers.ts';
import { WALLET_A as A, WALLET_B as B } from '../../support/wallets.ts';
import { openFeedWorld, openNats, shows, watch } from '../feed-world.ts';

/** All that the venue may ever be asked. */
const TWO_ENDPOINTS =
  /^GET \/v1\/[\w/-]*0x[0-9a-f]{40}\/(?:activity|deposits-withdrawals)(?:\?[\w=&%.+-]*)?$/;
const PERSON = { priority: 'person' } as const;

/** Every value in a message in turn, in place of which something else is put. */
function* forgeries(message: object): Generator<object> {
  const texts = ['', '../../orders', `${A}/../../../keys`, 'x\r\nHost: evil', `${A}?wallet=${B}`];
  const wrong = [null, -1, 1e300, ...texts, [], {}, [{}]];
  for (const [key, value] of Object.entries(message)) {
    for (const other of wrong) yield { ...message, [key]: other };
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const inner of forgeries(value)) yield { ...message, [key]: inner };
    }
    if (Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null) {
      for (const inner of forgeries(value[0])) yield { ...message, [key]: [inner] };
    }
  }
}

describe.skipIf(!hasNats)('forged messages over NATS', () => {
  it('make the feed ask the venue for nothing but the two endpoints of a wallet, and it goes on', async () => {
    const world = await openFeedWorld('over NATS');
    world.venue.activity = [sampleTrade()];
    await watch(world, A);
    const intruder = await world.intruder();
    // An answer there would be a page, or the feed's own word, if that were what the subject is
    // for.
    const answers: string[] = [];
    intruder.subscribe('nobody', { callback: (_, { subject }) => void answers.push(subject) });
    const blocks = { fromBlock: 1, toBlock: 2, fromTimestampSeconds: 1, toTimestampSeconds: 2 };
    const markets = { marketIds: ['901&wallet=0x1', '../../keys'], txHash: '0x1/../../keys' };
    const asked = { endpoint: 'activity', wallet: A, priority: 'background', account: null };
    const request = { ...asked, withinMs: 5_000, limit: 10, cursor: 'c', ...markets, ...blocks };
    const open = { watchers: [accountOf('g')], committed: { activity: 1 }, open: ['activity'] };
    const list = { part: { index: 0, count: 1 }, entries: [{ wallet: B, ...open }], removed: [] };
    const forger = { bot: 'forger', instance: 'i', isWorking: true, received: 0 };
    const poll = { ...forger, shards: { ids: [7], count: 9 }, ...list };
    const [lookups, lists] = [[...forgeries(request)], [...forgeries(poll)]];
    const settlements = [
      ...forgeries({ markets: ['0123456789'] }),
      { markets: Array(1_001).fill('0123456789') },
    ];
    expect(lookups.length + lists.length).toBeGreaterThan(250);
    // Those that pass for a look-up are counted: each is a request of the two endpoints.
    const passing = lookups.filter((forged) => LOOKUP.asked.safeParse(forged).success);
    expect(passing.length).toBeLessThan(lookups.length / 3);
    for (const [subject, messages] of [
      [LOOKUP.subject, lookups],
      [POLL_LIST.subject, lists],
      [IDENTIFY.subject, [...forgeries({ bucket: 0 })]],
      [SETTLEMENTS.subject, settlements],
    ] as const) {
      for (const forged of messages) intruder.publish(subject, encode(forged), { reply: 'nobody' });
      const texts = ['', '{', 'null', '[]', `{"version":${WIRE_VERSION}}`, 'x'.repeat(100_000)];
      for (const text of texts) intruder.publish(subject, text);
    }
    await intruder.flush();
    // Behind all of them in the queue: when it is answered, they have been looked at.
    await world.feed.lookups.transfers(A, { limit: 3 }, PERSON);
    world.venue.activity = [{ ...sampleTrade(), quantity: 2 }, sampleTrade()];
    await world.page(({ wallet, items }) => wallet === A && items.length === 2);
    expect(world.venue.requests.filter((asked) => !TWO_ENDPOINTS.test(asked))).toEqual([]);
    const wallets = new Set(world.venue.requests.map((asked) => /0x[0-9a-f]{40}/.exec(asked)?.[0]));
    expect([...wallets].filter((wallet) => wallet !== A && wallet !== B)).toEqual([]);
    await intruder.flush();
    expect(answers).toEqual([]);
    // One line a subject and minute, not one a message.
    const refusals = world.lines.filter(({ event }) => event === 'feed.message_refused');
    expect(refusals.length).toBeLessThanOrEqual(4);
  });

  it('bring a bot no page of another endpoint than their subject names, and none that is damaged', async () => {
    const world = await openFeedWorld('over NATS');
    world.feed.watch(A);
    world.feed.watch(B);
    await world.page(({ wallet }) => wallet === A);
    const intruder = await world.intruder();
    const forged = (changes: Parameters<typeof polledPage>[0]) =>
      polledPage({ wallet: B, items: [sampleTrade()], ...changes });
    const publish = (page: object, subject = pageSubject({ wallet: A, name: 'activity' })) =>
      jetstream(intruder).publish(subject, encode({ page }));
    const items = [{ ...sampleTrade(), quantity: 99 }];
    const own = forged({ wallet: A, pollId: Date.now() + 60_000, items });
    await publish(forged({ pollId: 1 }));
    await publish(
      forged({ wallet: A, pollId: 2, endpoint: 'deposits-withdrawals', items: [sampleTransfer()] }),
    );
    for (const page of forgeries(own)) await publish(page);
    await publish(own);
    await world.page(shows(99));
    const taken = world.pages.filter(({ pollId }) => pollId <= 2 || pollId === own.pollId);
    for (const page of taken) expect(page).toMatchObject({ wallet: A, endpoint: 'activity' });
    expect(taken.filter(({ pollId }) => pollId <= 2)).toEqual([]);
    const unreadable = world.lines.filter(({ event }) => event === 'page.unreadable');
    expect(unreadable.length).toBeLessThanOrEqual(1);
    expect(world.unusable).toEqual([]);
  });

  it('fail a look-up with a reason', async () => {
    const { connection } = await openNats();
    const lookups = createRemoteLookups(connection, () => {});
    const asked = () => lookups.activity(A, { limit: 10 }, PERSON);
    const noFeed = await asked().catch((error: unknown) => error);
    expect(noFeed).toMatchObject({ kind: 'unreachable', isFeedAway: true });
    expect(explainToPerson(noFeed, ENGLISH)).toMatch(/^My data feed isn’t responding/);
    let answer = '';
    connection.subscribe(LOOKUP.subject, {
      callback: (_error, message) => void message.respond(answer),
    });
    for (const forged of [
      '{',
      JSON.stringify({ version: WIRE_VERSION, page: { items: 'all' } }),
      JSON.stringify({ version: WIRE_VERSION + 1 }),
    ]) {
      answer = forged;
      await expect(asked(), forged).rejects.toMatchObject({ kind: 'badResponse' });
    }
  });

  it('tell a bot of no settlement that it has not asked for, nor of one that cannot be', async () => {
    const world = await openFeedWorld('over NATS');
    const intruder = await world.intruder();
    const asked = '0123456789';
    const answers: object[] = [];
    intruder.subscribe(SETTLEMENTS.subject, {
      callback: (_error, message) => void message.respond(encode(answers[0] ?? {})),
    });
    await intruder.flush();
    await world.whileFeedIsAway(async () => {
      const settled = { market: asked, payouts: [['abcdefghij', 1]], atSeconds: 3_600 };
      answers[0] = { settlements: [settled, { ...settled, market: '9876543210' }] };
      expect(await world.feed.settlements([asked])).toEqual([
        { ...settled, payouts: new Map([['abcdefghij', 1]]) },
      ]);
      for (const forged of [
        { market: 'x' },
        { payouts: [['abcdefghij', 2]] },
        { payouts: [['abcdefghij', 0]] },
        { payouts: Array(33).fill(['abcdefghij', 0.01]) },
        { atSeconds: 'now' },
      ]) {
        answers[0] = { settlements: [{ ...settled, ...forged }] };
        await expect(world.feed.settlements([asked]), JSON.stringify(forged)).rejects.toThrow(
          /cannot be read/,
        );
      }
    });
  });

  it('are no word of the feed', async () => {
    const world = await openFeedWorld('over NATS');
    await watch(world, A);
    const intruder = await world.intruder();
    intruder.publish(UNCHANGED.subject, encode({ polls: [['activity', A, 1, 1e12]] }));
    intruder.publish(UNCHANGED.subject, encode({ polls: [['orders', A, 1, 1]] }));
    intruder.publish(STATE.subject, `{"version":${WIRE_VERSION},"feed":"x"}`);
    await intruder.flush();
    await world.feed.lookups.activity(A, { limit: 10 }, PERSON);
    expect(world.unchanged.get(`${A}:activity`) ?? 0).toBeLessThan(1e12);
    expect(world.unusable).toEqual([]);
    expect(world.lines.map(({ event }) => event)).toContain('nats.message_unreadable');
  });

  it('of another release end the bot once they last, with a reason that names both, and a single one does not', async () => {
    let leapMs = 0;
    const world = await openFeedWorld('over NATS', {
      botMonotonicMs: () => performance.now() + leapMs,
    });
    const intruder = await world.intruder();
    const other = JSON.stringify({ version: WIRE_VERSION + 1, feed: 'of the future' });
    expect(() => decode(STATE.asked, Buffer.from(other))).toThrow(OtherVersion);
    const isLogged = () => world.lines.some(({ event }) => event === 'feed.other_version');
    await world.whileFeedIsAway(async () => {
      intruder.publish(STATE.subject, other);
      await expect.poll(isLogged).toBe(true);
      leapMs += 60_000;
      intruder.publish(STATE.subject, other);
      intruder.publish(STATE.subject, other);
      await intruder.flush();
      expect(world.unusable).toEqual([]);
      const repeat = () => {
        leapMs += 1_000;
        intruder.publish(STATE.subject, other);
        return world.unusable.length;
      };
      await expect.poll(repeat).toBe(1);
    });
    expect(world.unusable).toEqual([
      expect.stringContaining(
        `version ${WIRE_VERSION + 1}, and this walletbell speaks version ${WIRE_VERSION}.`,
      ),
    ]);
  });
});
