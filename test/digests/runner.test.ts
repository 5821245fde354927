import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPost } from '../../src/delivery/post.ts';
import { createSendGate } from '../../src/delivery/send-gate.ts';
import {
  type Digest,
  digestKind,
  type UnderWay,
  withSchedule,
} from '../../src/digests/documents.ts';
import { createDigestRunner } from '../../src/digests/runner.ts';
import { type Schedule, WEEKDAYS } from '../../src/digests/schedule.ts';
import { withNote } from '../../src/discord/attachments.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { deliveryWorkerOf } from '../support/delivery-worker.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { randomRuns } from '../support/thorough.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

const CHANNEL = '100000000000000002';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DUE = Date.UTC(2026, 10, 21, 18);

const digest: Digest = {
  ownerId: '100000000000000001',
  channelId: CHANNEL,
  schedule: { every: 'day', atMinutes: 18 * 60, weekday: 'Monday', timeZone: 'UTC' },
  offSinceMs: null,
  doneUntilMs: DUE - HOUR,
  coveredMs: null,
  underWay: null,
};

interface Sent {
  readonly nonce: string;
  readonly hasPicture: boolean;
  readonly note: string;
  readonly underWay: UnderWay;
}

const weekly: Schedule = { ...digest.schedule, every: 'week' };

/** The times that digests cover, in UTC. */
const spans = (sent: readonly Sent[]) =>
  sent.map(({ underWay: { fromMs, startedAtMs } }) =>
    [fromMs, startedAtMs].map((atMs) => new Date(atMs).toISOString().slice(0, 16)).join(' – '),
  );

const refusal = (status: number, code: number | undefined) =>
  Object.assign(new Error('refused'), { status, code });

/** A digest runner with a clock of its own, in front of a channel that keeps what it gets. */
function openRunner({
  nowMs: startMs,
  stored = digest,
}: {
  readonly nowMs: number;
  readonly stored?: Digest;
}) {
  const store = documentStore();
  store.documents.set(digestKind.prefix + CHANNEL, stored);
  const { now, sleep, pass } = createVirtualTime(startMs);
  const clock = { aheadMs: 0 };
  const nowMs = () => now() + clock.aheadMs;
  const sent: Sent[] = [];
  const arrived: Sent[] = [];
  const channel = {
    inIt: new Set<string>(),
    errors: [] as unknown[],
    mayAttach: true,
    isMissing: false,
    isRead: true,
    watches: 1,
    leavesAtMs: undefined as number | undefined,
    onSend() {},
  };
  const { log, lines } = collectingLog();
  const counts = { sleeps: 0 };
  const start = async () => {
    const documents = digestKind.open(testMachine(), store);
    for (const [key, document] of store.documents) documents.load(key, structuredClone(document));
    let announced: UnderWay | undefined;
    const machine = testMachine({
      nowMs,
      monotonicMs: now,
      random: () => 1,
      log,
      sleep(delayMs, signal) {
        // What has been called, or stopped, asks for no time.
        if (!signal.aborted) counts.sleeps += 1;
        return sleep(delayMs, signal);
      },
    });
    const source = createDigestRunner(machine, {
      documents,
      clock: { lagMs: () => 0 },
      registry: {
        ofChannel: () =>
          Array.from(
            { length: channel.watches },
            () => ({ leavesAtMs: channel.leavesAtMs }) as Watch,
          ),
      },
      async compose(_digest, underWay, reference) {
        announced = underWay;
        const embed = { footer: { text: `#${reference}` } };
        return {
          body: {
            embeds: [embed],
            picture: { name: 'digest.png', description: '', attachment: Buffer.alloc(1) },
          },
          withoutPicture: () => ({ embeds: [withNote(embed, 'no chart')] }),
        };
      },
      isRead: () => channel.isRead,
      canAttach: () => channel.mayAttach,
      isQuietAt: () => false,
      sender: {
        async send(_channelId, { body: { embeds: [embed] = [], picture }, nonce }) {
          if (announced === undefined) throw new Error('Nothing was composed.');
          const hasPicture = picture !== undefined;
          const shown = { nonce, hasPicture, note: embed?.description ?? '', underWay: announced };
          sent.push(shown);
          channel.onSend();
          const next = channel.errors.shift();
          // What has been accepted is not refused by its form later: the nonce brings the same
          // message.
          const isThere = channel.inIt.has(embed?.footer?.text.slice(1) ?? '');
          const error =
            isThere && (next as { status?: number } | undefined)?.status === 400 ? undefined : next;
          if (error === undefined || error === 'lost answer') {
            channel.inIt.add(embed?.footer?.text.slice(1) ?? '');
            arrived.push(shown);
          }
          if (error !== undefined) throw error;
          return '100000000000000003';
        },
      },
      post: createPost(machine, {
        findReferences: async (_channelId, references) =>
          new Map(
            references.flatMap((reference) =>
              channel.inIt.has(reference) ? [[reference, reference]] : [],
            ),
          ),
      }),
    });
    const worker = deliveryWorkerOf(machine, {
      sources: [source],
      channelQueues: channelQueuesIn(store, nowMs),
      gate: createSendGate({ ...machine, random: () => 0 }),
      reachOf: () => ({ kind: channel.isMissing ? 'missing' : 'unknown', lacks: null }),
      onRefused: (reason) => void lines.push({ event: 'refused', reason }),
    });
    const change = (schedule: Partial<Schedule>) =>
      documents.change(CHANNEL, (before) =>
        withSchedule(before, digest, { ...(before ?? digest).schedule, ...schedule }, nowMs()),
      );
    worker.start();
    onTestFinished(() => worker.stop());
    await pass(0);
    return { documents, change, ...worker };
  };
  return {
    store,
    clock,
    nowMs,
    sent,
    arrived,
    channel,
    start,
    pass,
    counts,
    events: () => lines.map(({ event }) => event),
  };
}

describe('the digest runner', () => {
  it('sends when it is due, once, and again the next day', async () => {
    const setup = openRunner({ nowMs: DUE - 90_000 });
    await setup.start();
    expect(setup.sent).toEqual([]);
    await setup.pass(5 * 60_000);
    expect(setup.sent.map(({ underWay }) => underWay)).toEqual([
      { dueMs: DUE, fromMs: DUE - DAY, startedAtMs: DUE },
    ]);
    await setup.pass(DAY);
    expect(setup.sent.map(({ underWay }) => underWay.dueMs)).toEqual([DUE, DUE + DAY]);
    expect(new Set(setup.sent.map(({ nonce }) => nonce)).size).toBe(2);
  });

  it('rests until it is due, and looks once an hour whether the clock has been set', async () => {
    const setup = openRunner({ nowMs: DUE - 20 * HOUR });
    await setup.start();
    await setup.pass(19.5 * HOUR);
    expect(setup.counts.sleeps).toBeLessThanOrEqual(21);
    setup.clock.aheadMs = 5 * DAY + HOUR / 2;
    await setup.pass(HOUR);
    expect(setup.sent.map(({ underWay }) => underWay.dueMs)).toEqual([DUE + 5 * DAY]);
  });

  it('sends one of several that were due while no bot ran, from where the last one ended until now', async () => {
    const setup = openRunner({ nowMs: DUE + 3 * DAY + HOUR });
    await setup.start();
    const underWay = { dueMs: DUE + 3 * DAY, fromMs: DUE - DAY, startedAtMs: DUE + 3 * DAY + HOUR };
    expect(setup.sent).toMatchObject([{ underWay }]);
  });

  it('waits until the wallets have been looked at, but not for ever', async () => {
    const setup = openRunner({ nowMs: DUE });
    setup.channel.isRead = false;
    await setup.start();
    await setup.pass(60_000);
    expect(setup.sent).toEqual([]);
    setup.channel.isRead = true;
    await setup.pass(1_000);
    expect(setup.sent).toHaveLength(1);
    setup.channel.isRead = false;
    await setup.pass(DAY + 60_000);
    expect(setup.sent).toHaveLength(1);
    await setup.pass(2 * 60_000);
    expect(setup.sent).toHaveLength(2);
  });

  it('tries again with the same nonce, and looks at the history once the nonce may be forgotten', async () => {
    const setup = openRunner({ nowMs: DUE });
    setup.channel.errors = [
      refusal(500, 0),
      'lost answer',
      ...Array.from({ length: 9 }, () => refusal(502, 0)),
    ];
    await setup.start();
    await setup.pass(5 * 60_000);
    // Discord had it the second time: while the nonce holds it may be asked again, later it is
    // found.
    expect(setup.sent.length).toBeLessThan(12);
    expect(new Set(setup.sent.map(({ nonce }) => nonce)).size).toBe(1);
    expect(setup.events()).toContain('digest.found');
    await setup.pass(2 * HOUR);
    expect(setup.channel.inIt.size).toBe(1);
    expect(setup.events().filter((event) => event === 'digest.found')).toHaveLength(1);
  });

  it.each([
    ['does not tell again what had arrived', 'lost answer', DUE],
    ['covers with the next one alone what had not arrived', refusal(500, 0), DUE - DAY],
  ])('%s before the next one was due', async (_what, error, fromMs) => {
    const setup = openRunner({ nowMs: DUE });
    setup.channel.errors = [error];
    const runner = await setup.start();
    await runner.stop();
    await setup.pass(DAY + HOUR);
    await setup.start();
    const underWay = { dueMs: DUE + DAY, fromMs, startedAtMs: DUE + DAY + HOUR };
    expect(setup.sent.slice(1).map((sent) => sent.underWay)).toEqual([underWay]);
  });

  const PICTURE = [true, ''];
  const NOTE = [false, '-# ⚠️ no chart'];
  it.each([
    ['that is what is refused', { errors: [refusal(403, 50013)] }, [PICTURE, NOTE]],
    ['files may not be attached', { mayAttach: false }, [NOTE]],
    [
      'Discord fails at it twice',
      { errors: [refusal(503, 0), refusal(503, 0)] },
      [PICTURE, PICTURE, NOTE],
    ],
  ])('goes without its picture where %s, and says so', async (_why, changes, wanted) => {
    const setup = openRunner({ nowMs: DUE });
    Object.assign(setup.channel, changes);
    await setup.start();
    await setup.pass(60_000);
    expect(setup.sent.map(({ hasPicture, note }) => [hasPicture, note])).toEqual(wanted);
    expect(new Set(setup.sent.map(({ nonce }) => nonce)).size).toBe(1);
    expect(setup.events().filter((event) => event !== 'digest.retry')).toEqual(['digest.sent']);
  });

  it('waits for a channel that cannot be written, says why, and goes on when it can', async () => {
    const setup = openRunner({ nowMs: DUE });
    setup.channel.errors = Array.from({ length: 2 }, () => refusal(403, 50013));
    const runner = await setup.start();
    expect(runner.block(CHANNEL)?.reason).toContain('50013');
    await setup.pass(HOUR / 6);
    expect(setup.sent).toHaveLength(2);
    await runner.unblock(CHANNEL);
    await setup.pass(1_000);
    expect(setup.channel.inIt.size).toBe(1);
    expect(runner.block(CHANNEL)).toBeNull();
  });

  it('asks once more where a channel was put right while Discord was still refusing it', async () => {
    const setup = openRunner({ nowMs: DUE - 1_000 });
    setup.channel.errors = Array.from({ length: 2 }, () => refusal(403, 50013));
    const runner = await setup.start();
    setup.channel.onSend = () => void runner.unblock(CHANNEL);
    await setup.pass(1_000);
    expect(setup.sent.length).toBeGreaterThanOrEqual(2);
    setup.channel.onSend = () => {};
    await setup.pass(2_000);
    expect(setup.channel.inIt.size).toBe(1);
    expect(runner.block(CHANNEL)).toBeNull();
  });

  it('takes no page of a proxy for Discord’s word: it goes on, without the picture too', async () => {
    const setup = openRunner({ nowMs: DUE });
    setup.channel.errors = [404, 400, 405, 413].flatMap((status) => [
      refusal(status, undefined),
      refusal(status, 0),
    ]);
    await setup.start();
    await setup.pass(HOUR);
    const inTurn = Array.from({ length: 9 }, (_, index) => index % 2 === 0);
    expect(setup.sent.map(({ hasPicture }) => hasPicture)).toEqual(inTurn);
    expect(new Set(setup.sent.map(({ nonce }) => nonce)).size).toBe(1);
    expect(setup.channel.inIt.size).toBe(1);
    expect(setup.events()).not.toContain('digest.rejected');
  });

  it('forgets a channel that is gone', async () => {
    const { channel, start, pass, store } = openRunner({ nowMs: DUE });
    channel.errors = Array.from({ length: 20 }, () => refusal(404, 10003));
    channel.isMissing = true;
    await start();
    await pass(HOUR);
    expect([...store.documents.keys()]).not.toContain(digestKind.prefix + CHANNEL);
  });

  it('gives a message up that Discord will never accept, and covers its time in the next one', async () => {
    const { channel, start, pass, sent, events } = openRunner({ nowMs: DUE });
    channel.errors = [refusal(400, 50035), refusal(400, 50035)];
    await start();
    await pass(HOUR);
    expect(sent).toHaveLength(2);
    expect(events()).toEqual(['digest.rejected']);
    await pass(DAY - HOUR);
    expect(spans(sent.slice(2))).toEqual(['2026-11-20T18:00 – 2026-11-22T18:00']);
  });

  it('sends nothing where no wallet is watched, and nothing of it later', async () => {
    const setup = openRunner({ nowMs: DUE });
    setup.channel.watches = 0;
    await setup.start();
    setup.channel.watches = 1;
    await setup.pass(HOUR);
    expect(setup.sent).toEqual([]);
    setup.channel.leavesAtMs = DUE + DAY;
    await setup.pass(DAY);
    expect(setup.sent).toEqual([]);
  });

  it('does not stay silent because the clock was once far ahead', async () => {
    const setup = openRunner({
      nowMs: DUE - HOUR,
      stored: { ...digest, doneUntilMs: DUE + 400 * DAY },
    });
    await setup.start();
    await setup.pass(2 * HOUR);
    expect(setup.sent.map(({ underWay }) => underWay.dueMs)).toEqual([DUE]);
  });

  it('goes on from where the last one ended, whatever the schedule is by then', async () => {
    const setup = openRunner({
      nowMs: Date.UTC(2026, 10, 16, 18),
      stored: { ...digest, schedule: weekly, doneUntilMs: Date.UTC(2026, 10, 16) },
    });
    const { change } = await setup.start();
    // Sent on Monday at 18:00. On Thursday at 12:00 it becomes a daily one, later one of the
    // morning, then of another zone.
    await setup.pass(2 * DAY + 18 * HOUR);
    await change({ every: 'day' });
    await setup.pass(DAY);
    await change({ atMinutes: 8 * 60 });
    await setup.pass(DAY);
    await change({ timeZone: 'Asia/Tokyo' });
    await setup.pass(DAY);
    expect(spans(setup.sent)).toEqual([
      '2026-11-09T18:00 – 2026-11-16T18:00',
      '2026-11-16T18:00 – 2026-11-19T18:00',
      '2026-11-19T18:00 – 2026-11-21T08:00',
      '2026-11-21T08:00 – 2026-11-21T23:00',
    ]);
  });

  it('sends nothing of a time without a full hour, and leaves it to the next one', async () => {
    const { start, pass, sent } = openRunner({ nowMs: DUE - HOUR });
    const runner = await start();
    await pass(HOUR);
    expect(sent).toHaveLength(1);
    await runner.change({ atMinutes: 18 * 60 + 30 });
    runner.reconsider(CHANNEL);
    await pass(1);
    await pass(HOUR / 2);
    expect(sent).toHaveLength(1);
    await pass(DAY);
    expect(spans(sent)).toEqual([
      '2026-11-20T18:00 – 2026-11-21T18:00',
      '2026-11-21T18:00 – 2026-11-22T18:30',
    ]);
  });

  it('tells nothing of the time before it was switched on again', async () => {
    const setup = openRunner({ nowMs: DUE });
    const runner = await setup.start();
    const off = () =>
      runner.documents.change(CHANNEL, (so) => so && { ...so, offSinceMs: setup.nowMs() });
    const on = async () => {
      await runner.change({});
      runner.reconsider(CHANNEL);
    };
    await off();
    await setup.pass(2 * DAY + HOUR);
    await on();
    await setup.pass(DAY);
    await off();
    await setup.pass(9 * DAY);
    await on();
    await setup.pass(DAY);
    expect(spans(setup.sent)).toEqual([
      '2026-11-20T18:00 – 2026-11-21T18:00',
      '2026-11-23T19:00 – 2026-11-24T18:00',
      '2026-12-03T19:00 – 2026-12-04T18:00',
    ]);
  });

  it('finds out whether one came whose answer was lost before another one that is due tells the same', async () => {
    const setup = openRunner({ nowMs: DUE + 30_000 });
    setup.channel.errors = ['lost answer'];
    const runner = await setup.start();
    await runner.change({ atMinutes: 18 * 60 + 1 });
    setup.clock.aheadMs = 30_000;
    runner.reconsider(CHANNEL);
    await setup.pass(10_000);
    expect(spans(setup.sent)).toEqual(['2026-11-20T18:00 – 2026-11-21T18:00']);
    expect(setup.events()).toContain('digest.found');
  });

  it('leaves no time out and covers none twice, over changes, outages, restarts and answers that get lost', async () => {
    const schedules = fc.record({
      every: fc.constantFrom('day' as const, 'week' as const),
      atMinutes: fc.constantFrom(0, 480, 1_080, 1_439),
      weekday: fc.constantFrom(...WEEKDAYS),
      timeZone: fc.constantFrom('UTC', 'Asia/Tokyo', 'America/New_York'),
    });
    const deed = fc.record({
      hours: fc.integer({ min: 0, max: 80 }),
      what: fc.oneof(
        { weight: 3, arbitrary: fc.record({ schedule: schedules }) },
        fc.constantFrom(...(['away', 'restart', 'unsent', 'lost answer', 'refused'] as const)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(schedules, fc.array(deed, { maxLength: 8 }), async (schedule, deeds) => {
        const setup = openRunner({ nowMs: DUE, stored: { ...digest, schedule, doneUntilMs: DUE } });
        let runner = await setup.start();
        for (const { hours, what } of deeds) {
          await setup.pass(hours * HOUR);
          if (typeof what === 'object') {
            await runner.change(what.schedule);
            runner.reconsider(CHANNEL);
          } else if (what === 'unsent') setup.channel.errors.push(refusal(502, 0), refusal(502, 0));
          else if (what === 'lost answer') setup.channel.errors.push('lost answer');
          else if (what === 'refused')
            setup.channel.errors.push(refusal(400, 50035), refusal(400, 50035));
          else {
            await runner.stop();
            if (what === 'away') await setup.pass(50 * HOUR);
            runner = await setup.start();
          }
        }
        // What is still to go wrong would cost a weekly digest all its times.
        setup.channel.errors = [];
        await setup.pass(16 * DAY);
        await runner.stop();
        const arrived = [
          ...new Map(setup.arrived.map(({ underWay }) => [underWay.dueMs, underWay])).values(),
        ];
        expect(arrived.length, JSON.stringify([...new Set(setup.events())])).toBeGreaterThan(1);
        expect(arrived.slice(1).map(({ fromMs }) => fromMs)).toEqual(
          arrived.slice(0, -1).map(({ startedAtMs }) => startedAtMs),
        );
      }),
      randomRuns(20),
    );
  });
});
