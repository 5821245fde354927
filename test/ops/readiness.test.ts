import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LocalizedText } from '../../src/language/language.ts';
import { createReadiness, type Readiness, type ReadinessParts, type VenueTrouble } from '../../src/ops/readiness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('readiness', () => {
  let nowMs: number;
  let watches: number;
  let pause: ReturnType<ReadinessParts['budget']['snapshot']>['pause'];
  let isGatewayUp: boolean;
  let upByShard: readonly boolean[];
  let troubles: { activity: VenueTrouble | null; flows: VenueTrouble | null };
  let canWrite: boolean;
  let writes: number;
  let readiness: Readiness;
  let feedTrouble: LocalizedText | null;
  let polledElsewhereMs: (() => number | null) | null;
  let lastPolledMs: number | null;

  beforeEach(() => {
    nowMs = 1_800_000_000_000;
    watches = 1;
    pause = null;
    isGatewayUp = true;
    upByShard = [];
    troubles = { activity: null, flows: null };
    canWrite = true;
    writes = 0;
    feedTrouble = null;
    polledElsewhereMs = null;
    open();
  });

  const open = (pollMinMs = SECOND) => {
    const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
    const parts = () => ({
      gateway: {
        isUp: () => isGatewayUp,
        shards: () => upByShard.map((isUp, id) => ({ id, isUp })),
      },
      feed: {
        trouble: () => feedTrouble,
        lastPollMs: () => (polledElsewhereMs === null ? lastPolledMs : polledElsewhereMs()),
        availability: { trouble: (name: string) => (name === 'activity' ? troubles.activity : troubles.flows) },
      },
      budget: { snapshot: () => ({ pause }) },
      store: {
        async set() {
          writes += 1;
          readiness.stored('set', canWrite);
          if (!canWrite) throw new Error('disk full');
        },
      },
      isIdle: () => watches === 0,
      isPolledElsewhere: polledElsewhereMs !== null,
    });
    lastPolledMs = null;
    const made = createReadiness(clock, parts, pollMinMs);
    // As the feed notes it, with the same outcome.
    const polled = (outcome: string) => {
      if (outcome === 'ok') lastPolledMs = nowMs;
      made.polled(outcome);
    };
    readiness = { ...made, polled };
  };

  const work = (durationMs: number, outcome: 'ok' | 'unreachable' | 'error' = 'ok') => {
    for (const endMs = nowMs + durationMs; nowMs < endMs; nowMs += 5 * SECOND) {
      readiness.ticked(10, nowMs + 5 * SECOND);
      readiness.polled(outcome);
    }
  };
  const faults = () =>
    Object.entries(readiness.report().checks)
      .filter(([, { ok }]) => !ok)
      .map(([name]) => name);

  it('names the shards that are not connected where there are several', () => {
    work(MINUTE);
    isGatewayUp = false;
    const reason = () => readiness.report().checks.gateway.reason;
    upByShard = [false];
    expect(reason()).toBe('Not connected to Discord’s gateway. Connecting.');
    upByShard = [true, false, true, false];
    expect(reason()).toBe('Shards not connected to Discord’s gateway: 1, 3 (of 4). Connecting.');
    isGatewayUp = true;
    upByShard = [true, true];
    expect(faults()).toEqual([]);
  });

  it('says so when another process polls for this one, and cannot be heard or does not succeed', () => {
    let lastPollMs: number | null = null;
    polledElsewhereMs = () => lastPollMs;
    open();
    expect(faults()).toEqual(['lastPoll']);
    lastPollMs = nowMs;
    nowMs += 2 * MINUTE;
    expect(faults()).toEqual([]);
    nowMs += MINUTE;
    expect(faults()).toEqual(['lastPoll']);
    expect(readiness.lastPollMs()).toBe(lastPollMs);
    feedTrouble = ({ texts }) => texts.watch.status.feedAway('now');
    expect(faults()).toEqual(['feed', 'lastPoll']);
    expect(readiness.report().checks.feed.reason).toMatch(/feed since now/);
  });

  it('waits for the first poll, then is ready as long as polls succeed', () => {
    expect(faults()).toEqual(['lastPoll']);
    work(10 * MINUTE);
    expect(faults()).toEqual([]);
  });

  it('says that the venue has not been asked only until it has answered, also where its pages cannot be stored', () => {
    const reason = () => readiness.report().checks.venue.reason;
    work(MINUTE, 'unreachable');
    expect(reason()).toBe('No request has been sent yet.');
    work(5 * SECOND, 'error');
    expect(reason()).toBeNull();
  });

  it('says so when requests were planned and none has succeeded for two minutes, and since when', () => {
    work(MINUTE);
    work(2 * MINUTE, 'unreachable');
    expect(faults()).toEqual([]);
    work(10 * SECOND, 'unreachable');
    const { ready, checks } = readiness.report();
    expect(ready).toBe(false);
    expect(checks.lastPoll).toMatchObject({ ok: false, sinceMs: nowMs });
    expect(checks.lastPoll.reason).toMatch(/No poll has succeeded since 2027-01-15T08:00:55.000Z/);
    work(5 * SECOND);
    expect(faults()).toEqual([]);
  });

  it('does not miss polls of wallets that may not be polled yet', () => {
    const spaced = (pollMinMs: number) => {
      open(pollMinMs);
      readiness.polled('ok');
      for (let tick = 0; tick < 60; tick += 1) {
        readiness.ticked(10, nowMs + 5 * SECOND);
        nowMs += 5 * SECOND;
      }
      return faults();
    };
    expect(spaced(10 * MINUTE)).toEqual([]);
    expect(spaced(SECOND)).toEqual(['lastPoll']);
  });

  it('says since when it has been so, whoever asks and whenever', async () => {
    const since = (name: 'gateway' | 'store') => readiness.report().checks[name].sinceMs;
    const startMs = nowMs;
    readiness.report();
    nowMs += 20 * SECOND;
    canWrite = false;
    readiness.stored('set', false);
    const storeFailedMs = nowMs;
    nowMs += 10 * SECOND;
    isGatewayUp = false;
    readiness.report();
    const gatewayLostMs = nowMs;
    nowMs += 60 * SECOND;
    expect(since('gateway')).toBe(gatewayLostMs);
    expect(since('store')).toBe(storeFailedMs);
    canWrite = true;
    isGatewayUp = true;
    await setImmediate();
    nowMs += 5 * SECOND;
    readiness.report();
    const backMs = nowMs;
    nowMs += 60 * SECOND;
    expect(since('gateway')).toBe(backMs);
    expect(since('store')).toBe(backMs);
    expect(readiness.report().checks.venue.sinceMs).toBe(startMs);
  });

  it('says so when the tick itself does not come', () => {
    work(MINUTE);
    nowMs += 3 * MINUTE;
    expect(readiness.report().checks.lastPoll.reason).toMatch(/tick of POLL_CRON is 180 s late/);
  });

  it('takes an hourly tick, or a budget that allows nothing for a while, as it is', () => {
    readiness.ticked(10, nowMs + 60 * MINUTE);
    readiness.polled('ok');
    nowMs += 59 * MINUTE;
    expect(faults()).toEqual([]);
    for (let tick = 0; tick < 100; tick += 1) {
      readiness.ticked(0, nowMs + 5 * SECOND);
      nowMs += 5 * SECOND;
    }
    expect(faults()).toEqual([]);
  });

  it('is ready with nothing to watch, and does not hold that time against the first watch', () => {
    work(MINUTE);
    watches = 0;
    for (let tick = 0; tick < 100; tick += 1) {
      readiness.ticked(10, nowMs + 5 * SECOND);
      nowMs += 5 * SECOND;
    }
    expect(faults()).toEqual([]);
    watches = 1;
    readiness.ticked(10, nowMs + 5 * SECOND);
    expect(faults()).toEqual([]);
  });

  it('is not ready without gateway, with a refused key, or with a venue that does not answer', () => {
    work(MINUTE);
    isGatewayUp = false;
    expect(faults()).toEqual(['gateway']);
    isGatewayUp = true;
    troubles.activity = { kind: 'key', say: () => 'The venue refused the key (401).' };
    expect(faults()).toEqual(['venue']);
    troubles.activity = { kind: 'unreachable', say: () => 'The venue does not answer.' };
    expect(faults()).toEqual(['venue']);
  });

  it('is ready with a plan that lacks one endpoint, and says so; not with one that lacks both', () => {
    work(MINUTE);
    troubles.flows = { kind: 'plan', say: () => 'Not in the plan (403).' };
    expect(readiness.report().checks.venue).toMatchObject({ ok: true, reason: 'Not in the plan (403).' });
    troubles.activity = { kind: 'plan', say: () => 'Not in the plan (403).' };
    expect(faults()).toEqual(['venue']);
  });

  it('is not ready while the rate limit holds requests back for more than two minutes, and says until when', () => {
    work(MINUTE);
    pause = { sinceMs: nowMs, untilMs: nowMs + 2 * MINUTE };
    expect(faults()).toEqual([]);
    pause = { sinceMs: nowMs, untilMs: nowMs + 15 * MINUTE };
    expect(faults()).toEqual(['venue']);
    expect(readiness.report().checks.venue.reason).toMatch(/rate limit is used up.*Next try: 2027-01-15T08:16:00/);
    // A plan that lacks an endpoint does not hide it.
    troubles.flows = { kind: 'plan', say: () => 'Not in the plan (403).' };
    expect(faults()).toEqual(['venue']);
    pause = null;
    expect(faults()).toEqual([]);
  });

  it('tries a store that has failed by a write of its own, at most every five seconds, until one succeeds', async () => {
    work(MINUTE);
    readiness.report();
    expect(writes).toBe(0);
    canWrite = false;
    readiness.stored('set', false);
    expect(faults()).toEqual(['store']);
    expect(faults()).toEqual(['store']);
    expect(writes).toBe(1);
    canWrite = true;
    await setImmediate();
    nowMs += 5 * SECOND;
    faults();
    expect(faults()).toEqual([]);
    expect(writes).toBe(2);
  });
});
