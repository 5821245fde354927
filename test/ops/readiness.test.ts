import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LocalizedText } from '../../src/language/language.ts';
import {
  createReadiness,
  type ReadinessParts,
  type VenueTrouble,
} from '../../src/ops/readiness.ts';
import { testMachine } from '../support/machine.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NOT_IN_PLAN: VenueTrouble = {
  kind: 'plan',
  hasAnswered: false,
  say: () => 'Not in the plan (403).',
};

describe('readiness', () => {
  const initial = () => ({
    nowMs: 1_800_000_000_000,
    watches: 1,
    pause: null as ReturnType<ReadinessParts['budget']['snapshot']>['pause'],
    isGatewayUp: true,
    upByShard: [] as readonly boolean[],
    activity: null as VenueTrouble | null,
    flows: null as VenueTrouble | null,
    canWrite: true,
    spaceBytes: Number.POSITIVE_INFINITY,
    writes: 0,
    feedTrouble: null as LocalizedText | null,
    lastPollMs: null as number | null,
  });
  let state = initial();
  let readiness: ReturnType<typeof createReadiness>;

  beforeEach(() => {
    state = initial();
    openReadiness();
  });

  const openReadiness = (pollMinMs = SECOND, isPolledElsewhere = false) => {
    const clock = testMachine({ nowMs: () => state.nowMs, monotonicMs: () => state.nowMs });
    const parts = () => ({
      gateway: {
        isUp: () => state.isGatewayUp,
        isTokenShared: () => false,
        shards: () => state.upByShard.map((isUp, id) => ({ id, isUp })),
      },
      feed: {
        trouble: () => state.feedTrouble,
        lastPollMs: () => state.lastPollMs,
        availability: {
          trouble: (name: string) => (name === 'activity' ? state.activity : state.flows),
        },
      },
      budget: { snapshot: () => ({ pause: state.pause }) },
      store: {
        async set(_key: string, document: unknown) {
          state.writes += 1;
          const isTooLarge = JSON.stringify(document).length > state.spaceBytes;
          if (state.canWrite && !isTooLarge) return;
          readiness.storeFailed(10);
          throw new Error('disk full');
        },
      },
      isIdle: () => state.watches === 0,
    });
    const made = createReadiness(clock, parts, pollMinMs, isPolledElsewhere);
    // As the feed notes it, with the same outcome.
    const polled = (outcome: string) => {
      if (outcome === 'ok') state.lastPollMs = state.nowMs;
      made.polled(outcome);
    };
    readiness = { ...made, polled };
  };

  const tick = (count: number, planned: number) => {
    for (let nth = 0; nth < count; nth += 1) {
      readiness.ticked(planned, state.nowMs + 5 * SECOND);
      state.nowMs += 5 * SECOND;
    }
  };

  const work = (durationMs: number, outcome: 'ok' | 'unreachable' | 'error' = 'ok') => {
    for (const endMs = state.nowMs + durationMs; state.nowMs < endMs; state.nowMs += 5 * SECOND) {
      readiness.ticked(10, state.nowMs + 5 * SECOND);
      readiness.polled(outcome);
    }
  };
  const faults = () =>
    Object.entries(readiness.report().checks)
      .filter(([, { ok }]) => !ok)
      .map(([name]) => name);

  it('names the shards that are not connected where there are several', () => {
    work(MINUTE);
    state.isGatewayUp = false;
    const reason = () => readiness.report().checks.gateway.reason;
    state.upByShard = [false];
    expect(reason()).toBe('Not connected to Discord’s gateway. Connecting.');
    state.upByShard = [true, false, true, false];
    expect(reason()).toBe('Shards not connected to Discord’s gateway: 1, 3 (of 4). Connecting.');
    state.isGatewayUp = true;
    state.upByShard = [true, true];
    expect(faults()).toEqual([]);
  });

  it('says so when another process polls for this one, and cannot be heard or does not succeed', () => {
    openReadiness(SECOND, true);
    expect(faults()).toEqual(['lastPoll']);
    state.lastPollMs = state.nowMs;
    state.nowMs += 2 * MINUTE;
    expect(faults()).toEqual([]);
    state.nowMs += MINUTE;
    expect(faults()).toEqual(['lastPoll']);
    expect(readiness.lastPollMs()).toBe(state.lastPollMs);
    state.feedTrouble = ({ texts }) => texts.watch.status.feedAway('now');
    expect(faults()).toEqual(['feed', 'lastPoll']);
    expect(readiness.report().checks.feed.reason).toMatch(/^No data since now\./);
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
    expect(checks.lastPoll).toMatchObject({ ok: false, sinceMs: state.nowMs });
    expect(checks.lastPoll.reason).toMatch(/No poll has succeeded since 2027-01-15T08:00:55.000Z/);
    work(5 * SECOND);
    expect(faults()).toEqual([]);
  });

  it('does not miss polls of wallets that may not be polled yet', () => {
    const spaced = (pollMinMs: number) => {
      openReadiness(pollMinMs);
      readiness.polled('ok');
      tick(60, 10);
      return faults();
    };
    expect(spaced(10 * MINUTE)).toEqual([]);
    expect(spaced(SECOND)).toEqual(['lastPoll']);
  });

  it('says since when it has been so, whoever asks and whenever', async () => {
    const since = (name: 'gateway' | 'store') => readiness.report().checks[name].sinceMs;
    const startMs = state.nowMs;
    readiness.report();
    state.nowMs += 20 * SECOND;
    state.canWrite = false;
    readiness.storeFailed(1_000);
    const storeFailedMs = state.nowMs;
    state.nowMs += 10 * SECOND;
    state.isGatewayUp = false;
    readiness.report();
    const gatewayLostMs = state.nowMs;
    state.nowMs += 60 * SECOND;
    expect(since('gateway')).toBe(gatewayLostMs);
    expect(since('store')).toBe(storeFailedMs);
    state.canWrite = true;
    state.isGatewayUp = true;
    await setImmediate();
    state.nowMs += 5 * SECOND;
    readiness.report();
    const gatewayBackMs = state.nowMs;
    await setImmediate();
    state.nowMs += 5 * SECOND;
    readiness.report();
    await setImmediate();
    const storeBackMs = state.nowMs;
    state.nowMs += 60 * SECOND;
    expect(since('gateway')).toBe(gatewayBackMs);
    expect(since('store')).toBe(storeBackMs);
    expect(readiness.report().checks.venue.sinceMs).toBe(startMs);
  });

  it('says so when the tick itself does not come', () => {
    work(MINUTE);
    state.nowMs += 3 * MINUTE;
    expect(readiness.report().checks.lastPoll.reason).toMatch(/tick of POLL_CRON is 180 s late/);
  });

  it('takes an hourly tick, or a budget that allows nothing for a while, as it is', () => {
    readiness.ticked(10, state.nowMs + 60 * MINUTE);
    readiness.polled('ok');
    state.nowMs += 59 * MINUTE;
    expect(faults()).toEqual([]);
    tick(100, 0);
    expect(faults()).toEqual([]);
  });

  it('is ready with nothing to watch, and does not hold that time against the first watch', () => {
    work(MINUTE);
    state.watches = 0;
    tick(100, 10);
    expect(faults()).toEqual([]);
    state.watches = 1;
    readiness.ticked(10, state.nowMs + 5 * SECOND);
    expect(faults()).toEqual([]);
  });

  it('is not ready without gateway, with a refused key, or with a venue that does not answer', () => {
    work(MINUTE);
    state.isGatewayUp = false;
    expect(faults()).toEqual(['gateway']);
    state.isGatewayUp = true;
    for (const kind of ['key', 'unreachable'] as const) {
      state.activity = { ...NOT_IN_PLAN, kind };
      expect(faults()).toEqual(['venue']);
    }
  });

  it('is ready with a plan that lacks one endpoint, and says so; not with one that lacks both', () => {
    work(MINUTE);
    state.flows = NOT_IN_PLAN;
    expect(readiness.report().checks.venue).toMatchObject({
      ok: true,
      reason: 'Not in the plan (403).',
    });
    state.activity = NOT_IN_PLAN;
    expect(faults()).toEqual(['venue']);
  });

  it('is not ready with an endpoint that the key is refused although it had answered', () => {
    work(MINUTE);
    state.flows = { ...NOT_IN_PLAN, hasAnswered: true };
    expect(faults()).toEqual(['venue']);
    state.activity = NOT_IN_PLAN;
    expect(faults()).toEqual(['venue']);
    state.flows = null;
    expect(faults()).toEqual([]);
  });

  it('is not ready while the rate limit holds requests back for more than two minutes, and says until when', () => {
    work(MINUTE);
    state.pause = { sinceMs: state.nowMs, untilMs: state.nowMs + 2 * MINUTE };
    expect(faults()).toEqual([]);
    state.pause = { sinceMs: state.nowMs, untilMs: state.nowMs + 15 * MINUTE };
    expect(faults()).toEqual(['venue']);
    expect(readiness.report().checks.venue.reason).toMatch(
      /rate limit is used up.*Next try: 2027-01-15T08:16:00/,
    );
    // A plan that lacks an endpoint does not hide it.
    state.flows = NOT_IN_PLAN;
    expect(faults()).toEqual(['venue']);
    state.pause = null;
    expect(faults()).toEqual([]);
  });

  it('tries a store that has failed by writes of its own, every five seconds, until two in a row are written', async () => {
    work(MINUTE);
    readiness.report();
    expect(state.writes).toBe(0);
    state.canWrite = false;
    readiness.storeFailed(1_000);
    expect(faults()).toEqual(['store']);
    expect(faults()).toEqual(['store']);
    expect(state.writes).toBe(1);
    state.canWrite = true;
    const probed = async () => {
      await setImmediate();
      state.nowMs += 5 * SECOND;
      faults();
      await setImmediate();
      return faults();
    };
    expect(await probed()).toEqual(['store']);
    // Between two probes something else has failed.
    readiness.storeFailed(10);
    expect(await probed()).toEqual(['store']);
    expect(await probed()).toEqual([]);
  });

  it('does not take a full disk for a working one because a small document still fits', async () => {
    work(MINUTE);
    readiness.report();
    state.nowMs += SECOND;
    state.spaceBytes = 500;
    readiness.storeFailed(1_000);
    const failedMs = state.nowMs;
    for (let probe = 0; probe < 20; probe += 1) {
      readiness.report();
      await setImmediate();
      state.nowMs += 5 * SECOND;
      const { store } = readiness.report().checks;
      expect([store.ok, store.sinceMs]).toEqual([false, failedMs]);
    }
    expect(state.writes).toBeGreaterThan(10);
  });
});
