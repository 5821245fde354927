import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { clock, openUnlimitedFixture, TOKEN } from '../../packages/local-discord/test/fixture.ts';
import { classifyFailure } from '../../src/delivery/failures.ts';
import { createPost } from '../../src/delivery/post.ts';
import { createSender } from '../../src/delivery/sender.ts';
import { createRest } from '../../src/discord/client.ts';
import { createVenueAvailability } from '../../src/feed/availability.ts';
import { languageFor } from '../../src/language/language.ts';
import {
  lateNoticeKind,
  lateOutageKind,
  nextLateOutage,
  nextOutage,
  noticeKind,
  outageKind,
} from '../../src/notices/outage.ts';
import { createNoticeRunner } from '../../src/notices/runner.ts';
import { VenueError } from '../../src/venue/errors.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { type Watch, watchSchema } from '../../src/watches/watch.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { WALLET_A } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const MINUTE_MS = 60_000;
const call = { endpoint: 'activity', wallet: WALLET_A } as const;
const cut = new VenueError('unreachable', 'no answer', { call, cause: new Error('cut') });

/**
 * The bot's part that sends notices of the venue, against the fake Discord; it can be killed at any
 * moment.
 */
async function openNotices({
  channels = 1,
  language = 'en-US',
  machineAheadMs = 0,
  isOfLists = false,
} = {}) {
  const time = clock();
  const fixture = await openUnlimitedFixture({ now: time.now });
  const { discord, guildId: ownerId } = fixture;
  const names = Array.from({ length: channels }, (_, index) => `channel-${index}`);
  const channelIds = names.map((name) => discord.createChannel(ownerId, { name }).id);
  const store = documentStore();
  const registry = createRegistry(testMachine(), documentStore());
  const watch = (channelId: string, changes: Partial<Watch> = {}) =>
    registry.add(watchOf({ ownerId, channelId, wallet: WALLET_A, sinceSeconds: 0, ...changes }));
  for (const channelId of channelIds) await watch(channelId);
  const rest = createRest({ apiUrl: discord.apiUrl, token: TOKEN });
  const { log, lines } = collectingLog();
  const begin = () => {
    const availability = createVenueAvailability(testMachine({ nowMs: time.now }), () => {});
    const outages = (isOfLists ? lateOutageKind : outageKind).open(testMachine(), store);
    const notices = (isOfLists ? lateNoticeKind : noticeKind).open(testMachine(), store);
    for (const [key, document] of store.documents) {
      expect([outages, notices].find(({ holds }) => holds(key))?.load(key, document), key).toBe(
        'kept',
      );
    }
    const sender = createSender({ rest, selfId: () => discord.bot.id, canReadHistory: () => true });
    const machine = testMachine({
      nowMs: () => time.now() + machineAheadMs,
      monotonicMs: time.now,
      log,
    });
    const runner = createNoticeRunner(machine, {
      outages,
      notices,
      nextOutage: isOfLists ? nextLateOutage : nextOutage,
      registry,
      availability,
      sender,
      post: createPost(machine, sender),
      languageOf: () => languageFor(language),
      venueNowMs: time.now,
    });
    return { availability, runner };
  };
  let run = begin();
  const kindsSent: string[] = [];
  discord.events.on('request', ({ method, pattern }) => {
    if (pattern.includes('/messages') && method !== 'GET') kindsSent.push(method);
  });
  /**
   * What the channel's work does now.
   *
   * @returns how long it rests then, ms
   */
  const work = async (channelId: string): Promise<number | null> => {
    for (;;) {
      const step = await run.runner.next(channelId);
      if (typeof step === 'number') return step;
      const failure = await step.send().then(() => null, classifyFailure);
      if (failure?.kind === 'messageGone') await step.onMessageGone();
      else if (failure?.kind === 'rejected') await step.reject(failure.reason);
      else if (failure !== null) return null;
    }
  };
  const pass = async (minutes: number, isUp: boolean) => {
    for (let halfMinute = 0; halfMinute < minutes * 2; halfMinute += 1) {
      if (isOfLists) run.availability.listed('activity', isUp ? 60 : 61);
      if (isUp || isOfLists) run.availability.succeeded('activity');
      else run.availability.failed('activity', cut);
      await run.runner.look();
      for (const channelId of channelIds) await work(channelId);
      time.forward(MINUTE_MS / 2);
    }
  };
  return {
    ...fixture,
    store,
    lines,
    time,
    channelIds,
    channelId: channelIds[0] ?? '',
    registry,
    watch,
    work,
    pass,
    look: () => run.runner.look(),
    kindsSent,
    fail: () => run.availability.failed('activity', cut),
    restart() {
      run = begin();
    },
    notices: (channelId = channelIds[0] ?? '') =>
      discord.messages(channelId).map(({ embeds: [embed] }) => embed?.description ?? ''),
  };
}

describe('a channel with an active watch', () => {
  it('gets one notice that the venue lists late, over a restart, and reads when that was over', async () => {
    const { pass, notices, restart } = await openNotices({ isOfLists: true });
    await pass(4, false);
    expect(notices()).toEqual([]);
    await pass(10, false);
    restart();
    await pass(2, false);
    const since = '<t:\\d+:f>';
    expect(notices()).toEqual([
      expect.stringMatching(
        `^⚠️ The exchange has been listing trades and redemptions late since ${since}`,
      ),
    ]);
    await pass(5, true);
    expect(notices()).toEqual([
      expect.stringMatching(
        `^✅ The exchange listed trades and redemptions late from ${since} to ${since}`,
      ),
    ]);
  });

  it('gets one notice without a sound that the venue is away, in a message that says in the end how it went', async () => {
    const { pass, notices, discord, channelId, store, kindsSent } = await openNotices();
    await pass(4, false);
    expect(notices()).toEqual([]);
    await pass(10, false);
    const [away] = notices();
    expect(away).toMatch(
      /^⚠️ The exchange hasn’t answered since <t:\d+:f>\. Alerts for trades and redemptions will be late/,
    );
    const [message] = discord.messages(channelId);
    expect([message?.silent, message?.pings.userIds, message?.content]).toEqual([true, [], '']);
    await pass(5, true);
    expect(notices()).toEqual([
      expect.stringMatching(/^✅ The exchange was down from <t:\d+:f> to <t:\d+:f>/),
    ]);
    expect(kindsSent).toEqual(['POST', 'PATCH']);
    await pass(30, true);
    expect([...store.documents.keys()]).toEqual([]);
    expect(kindsSent).toHaveLength(2);
    expect(discord.rejections).toEqual([]);
  });

  it('reads it in its own language', async () => {
    const { pass, notices } = await openNotices({ language: 'de' });
    await pass(6, false);
    expect(notices()[0]).toMatch(/^⚠️ Die Plattform antwortet seit <t:\d+:f> nicht/);
  });

  it('gets no further message where the venue comes and goes', async () => {
    const { pass, notices, kindsSent } = await openNotices();
    for (let round = 0; round < 4; round += 1) {
      await pass(7, false);
      await pass(5, true);
    }
    expect(notices()).toHaveLength(1);
    expect(kindsSent).toEqual(['POST', ...Array.from({ length: 7 }, () => 'PATCH')]);
  });

  it('gets one notice though the bot is killed at any instant, and whatever Discord says', async () => {
    for (const downMinutes of [0, 3, 60]) {
      for (const fault of ['cutBeforeAccept', 'cutAfterAccept'] as const) {
        const { pass, notices, discord, restart, time, store, channelId, kindsSent } =
          await openNotices();
        discord.faults[fault]({ route: `/channels/${channelId}/messages` });
        await pass(6, false);
        expect(kindsSent).toEqual(['POST']);
        restart();
        time.forward(downMinutes * MINUTE_MS);
        await pass(6, false);
        expect(notices(), `${fault} ${downMinutes}`).toHaveLength(1);
        restart();
        time.forward(downMinutes * MINUTE_MS);
        discord.faults[fault]({ route: `PATCH /channels/${channelId}/messages` });
        await pass(2, true);
        restart();
        await pass(2, true);
        expect(notices()).toEqual([expect.stringMatching(/^✅/)]);
        await pass(30, true);
        expect(store.documents.size).toBe(0);
      }
    }
  });

  it('reads that the venue is back once Discord takes edits again, which it had held back', async () => {
    const { pass, notices, discord, kindsSent } = await openNotices();
    await pass(6, false);
    discord.faults.limitEdits({ retryAfterMs: 7 * MINUTE_MS });
    await pass(6, true);
    expect(notices()).toEqual([expect.stringMatching(/^⚠️/)]);
    expect(kindsSent).toEqual(['POST', 'PATCH']);
    await pass(7, true);
    expect(notices()).toEqual([expect.stringMatching(/^✅/)]);
    expect(kindsSent).toEqual(['POST', 'PATCH', 'PATCH']);
  });

  it('gets no notice when the outage is over before it could be', async () => {
    const { pass, notices, discord, store, channelId } = await openNotices();
    const removeFault = discord.faults.refuseRest({
      status: 503,
      times: Infinity,
      route: `/channels/${channelId}`,
    });
    await pass(7, false);
    expect(store.documents.size).toBe(2);
    await pass(3, true);
    removeFault();
    await pass(3, true);
    expect(notices()).toEqual([]);
  });

  it('does not get again what a moderator has deleted, nor what Discord will never take', async () => {
    const { pass, notices, discord, channelId, kindsSent } = await openNotices();
    await pass(6, false);
    discord.deleteMessage(discord.messages(channelId)[0]?.id ?? '');
    await pass(20, true);
    expect(notices()).toEqual([]);
    expect(kindsSent).toEqual(['POST', 'PATCH']);

    const other = await openNotices();
    other.discord.faults.refuseRest({
      status: 400,
      code: 200_000,
      message: 'blocked',
      route: 'POST /channels',
    });
    await other.pass(12, false);
    expect(other.kindsSent).toEqual(['POST']);
    expect(other.lines).toContainEqual(expect.objectContaining({ event: 'notice.rejected' }));
  });

  it('gets no notice while it is paused by the venue’s clock, whatever this machine’s says', async () => {
    for (const machineAheadMs of [60 * MINUTE_MS, -60 * MINUTE_MS]) {
      const { channelId, registry, time, pass, notices, watch } = await openNotices({
        machineAheadMs,
      });
      const untilSeconds = time.now() / 1000 + 30 * 60;
      await registry.remove(channelId, WALLET_A);
      await watch(channelId, { pause: { untilSeconds } });
      await pass(10, false);
      expect(notices()).toEqual([]);
    }
  });

  it('gets no notice of what it does not watch, has paused or removed', async () => {
    const { pass, notices, registry, channelId, watch } = await openNotices();
    const settings = watchSchema.shape.settings.parse({ kinds: ['deposit'] });
    for (const [minutes, changes] of [
      [6, { settings }],
      [2, { pause: { untilSeconds: null } }],
      [1, { leavesAtMs: Number.MAX_SAFE_INTEGER }],
    ] as const) {
      await registry.remove(channelId, WALLET_A);
      await watch(channelId, changes);
      await pass(minutes, false);
      expect(notices()).toEqual([]);
    }
    // One that begins during the outage gets it.
    await registry.remove(channelId, WALLET_A);
    await watch(channelId);
    await pass(1, false);
    expect(notices()).toHaveLength(1);
  });

  it('is left to the worker, which blocks it, where it cannot be written', async () => {
    const { pass, notices, discord, channelId, work, kindsSent } = await openNotices();
    discord.setBotPermissions(channelId, PermissionFlagsBits.ViewChannel);
    await pass(6, false);
    expect(await work(channelId)).toBeNull();
    expect(notices()).toEqual([]);
    expect(kindsSent.every((method) => method === 'POST')).toBe(true);
  });
});

describe('many channels', () => {
  it('get them one after the other, so that alerts find room between the notices', async () => {
    const { channelIds, fail, time, look, work, kindsSent, notices } = await openNotices({
      channels: 40,
    });
    fail();
    time.forward(5 * MINUTE_MS);
    await look();
    const delays: number[] = [];
    for (const channelId of channelIds) delays.push((await work(channelId)) ?? 0);
    expect(kindsSent).toEqual([]);
    expect(Math.max(...delays)).toBeLessThanOrEqual(40 * 50);
    expect(new Set(delays).size).toBe(40);
    time.forward(1_000);
    for (const channelId of channelIds) await work(channelId);
    expect(kindsSent.length).toBeGreaterThan(10);
    expect(kindsSent.length).toBeLessThan(30);
    time.forward(1_000);
    for (const channelId of channelIds) await work(channelId);
    expect(channelIds.map((channelId) => notices(channelId).length)).toEqual(
      channelIds.map(() => 1),
    );
  });
});
