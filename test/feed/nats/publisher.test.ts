import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DetectionState, detect, initialDetectionState } from '../../../src/alerts/detect.ts';
import { type ActivityItem, activityIdentity } from '../../../src/domain/records.ts';
import type { AnyPolledPage } from '../../../src/feed/interface.ts';
import { createPublisher } from '../../../src/feed/nats/publisher.ts';
import { decode, pageMessage, readPageSubject, UNCHANGED } from '../../../src/feed/nats/wire.ts';
import { testMachine } from '../../support/machine.ts';
import { polledPage, sampleTrade } from '../../support/records.ts';
import { randomRuns } from '../../support/thorough.ts';
import { WALLET_A } from '../../support/wallets.ts';

const NOW = 1_800_000_000;
let pollId = 0;

/** A page with a record for each quantity. */
function page(
  quantities: readonly number[],
  changes: Parameters<typeof polledPage>[0] = {},
): AnyPolledPage {
  pollId += 1;
  const { time } = sampleTrade();
  const items = quantities.map((quantity) => ({ ...sampleTrade(), quantity }));
  const times = { venueSeconds: pollId, earliestSeconds: time, latestSeconds: time };
  return polledPage({ pollId, items, ...times, ...changes });
}

/** @param maxPayload bytes that the server takes in a message */
function openPublisher(maxPayload = 1_000_000) {
  const state = { isAwaited: false, isBehind: false, isDuplicate: false, nowMs: 0 };
  const published: AnyPolledPage[] = [];
  const unchanged: unknown[] = [];
  const deps = {
    connection: {
      publish: (_subject: string, bytes: Uint8Array) =>
        unchanged.push(decode(UNCHANGED.asked, bytes).polls),
      info: { max_payload: maxPayload },
    },
    jetStream: {
      async publish(subject: string, bytes: Uint8Array, options: { readonly msgID: string }) {
        const { page: sent } = decode(pageMessage, bytes);
        expect(readPageSubject(subject)).toEqual({ wallet: sent.wallet, name: sent.endpoint });
        expect(options.msgID).toBe(String(sent.pollId));
        expect(bytes.length).toBeLessThanOrEqual(maxPayload);
        published.push(sent);
        return { duplicate: state.isDuplicate };
      },
    },
    pollLists: {
      nextPage: () => (state.isAwaited ? 'again' : state.isBehind ? 'whole' : 'news'),
    },
    fence: async () => {},
  } as unknown as Parameters<typeof createPublisher>[1];
  const publisher = createPublisher(testMachine({ monotonicMs: () => state.nowMs }), deps);
  return { state, published, unchanged, publisher };
}

/** What a bot makes of pages. */
function detector(sinceSeconds: number) {
  let state: DetectionState<ActivityItem> = initialDetectionState(sinceSeconds);
  const [announced, gaps]: [number[], unknown[]] = [[], []];
  return {
    announced,
    gaps,
    take(shown: AnyPolledPage) {
      const items = shown.items.flatMap((each) => ('quantity' in each ? [each] : []));
      const detection = detect({ ...shown, items }, state, activityIdentity);
      state = detection.state;
      announced.push(...detection.fresh.map(({ item }) => item.quantity));
      if (detection.gap !== null) gaps.push(detection.gap);
    },
  };
}

describe('the publisher', () => {
  it('publishes a first page, and then what shows a record that the last one did not, or one more often', async () => {
    const { published, unchanged, publisher } = openPublisher();
    await publisher.takePage(page([3, 2, 1]));
    await publisher.takePage(page([3, 2, 1]));
    // The oldest has sunk below the page; that is no news.
    await publisher.takePage(page([3, 2], { hasMore: true }));
    expect(published.map(({ items }) => items.length)).toEqual([3]);
    publisher.flushUnchanged();
    publisher.flushUnchanged();
    const first = published[0]?.pollId;
    const same = ['activity', WALLET_A, first, expect.any(Number)];
    expect(unchanged).toEqual([[same, same]]);
    await publisher.takePage(page([4, 3, 2]));
    await publisher.takePage(page([4, 4, 3]));
    await publisher.takePage(page([4, 4, 3, 2, 1]));
    expect(published.map(({ items }) => items.length)).toEqual([3, 3, 3, 5]);
  });

  it('publishes a page again on which a fee or a role has changed, and leaves out nothing from there on', async () => {
    const { published, publisher } = openPublisher();
    const first = page([3, 2, 1]);
    await publisher.takePage(first);
    const again = page([3, 2, 1]);
    const items = again.items.map((item, place) => (place === 1 ? { ...item, fee: 9 } : item));
    await publisher.takePage({ ...again, items } as AnyPolledPage);
    expect(published[1]?.items).toEqual(items);
  });

  it('publishes unchanged pages while a bot has something open', async () => {
    const { state, published, publisher } = openPublisher();
    await publisher.takePage(page([1]));
    state.isAwaited = true;
    await publisher.takePage(page([1]));
    await publisher.takePage(page([1]));
    expect(published).toHaveLength(3);
  });

  it('need not be shown the page of the last poll again, unless a bot lacks it or waits for a second look', async () => {
    const { state, published, unchanged, publisher } = openPublisher();
    const isSame = (seconds: number) => publisher.unchanged(WALLET_A, 'activity', seconds);
    expect(isSame(1)).toBe(false);
    await publisher.takePage(page([1]));
    expect(isSame(2)).toBe(true);
    state.isAwaited = true;
    expect(isSame(3)).toBe(false);
    state.isAwaited = false;
    publisher.flushUnchanged();
    expect(unchanged).toEqual([[['activity', WALLET_A, published[0]?.pollId, 2]]]);
    publisher.forget(WALLET_A);
    expect(isSame(4)).toBe(false);
  });

  it('leaves out what is older than an hour and than its news, unless a bot has missed pages or waits for a second look', async () => {
    const { state, published, publisher } = openPublisher();
    const hours = (...ages: number[]): AnyPolledPage => {
      const trade = sampleTrade();
      const items = ages.map((age) => ({ ...trade, quantity: age, time: NOW - age * 3_600 }));
      return page([], { items, venueSeconds: NOW, earliestSeconds: NOW, latestSeconds: NOW });
    };
    const last = () => published.at(-1);
    const shown = () => [
      last()?.items.map(({ time }) => (NOW - time) / 3_600),
      last()?.fromSeconds,
      last()?.hasMore,
    ];
    await publisher.takePage({ ...hours(3, 5, 9), hasMore: true });
    expect(shown()).toEqual([[3, 5, 9], null, true]);
    await publisher.takePage({ ...hours(2, 3, 5, 9), hasMore: true });
    expect(shown()).toEqual([[2, 3], NOW - 4 * 3_600, false]);
    await publisher.takePage(hours(1, 2, 3, 5, 7, 9));
    expect(shown()).toEqual([[1, 2, 3, 5, 7], NOW - 7 * 3_600, false]);
    const atSeconds = NOW - 4 * 3_600;
    const row = { identity: 'AAAAAAAAAAAA', fromSeconds: atSeconds, toSeconds: atSeconds };
    await publisher.takePage({ ...hours(1, 2, 3, 5, 7, 9), unreadable: [row] });
    expect([...shown(), last()?.unreadable]).toEqual([[1, 2, 3], NOW - 4 * 3_600, false, [row]]);
    await publisher.takePage({ ...hours(0, 1, 2, 3, 5, 7, 9), unreadable: [row] });
    expect([...shown(), last()?.unreadable]).toEqual([[0, 1, 2], NOW - 2 * 3_600, false, []]);
    const before = published.length;
    await publisher.takePage({ ...hours(0, 1, 2, 3, 5, 7, 9), unreadable: [row] });
    expect(published).toHaveLength(before);
    state.isAwaited = true;
    await publisher.takePage(hours(0, 1, 2, 3, 5, 7, 9));
    expect(shown()).toEqual([[0, 1, 2, 3, 5, 7, 9], null, false]);
    state.isAwaited = false;
    // The bot has not said that it has the page before: with that one lost, a narrowed one would
    // show a gap that is none.
    state.isBehind = true;
    await publisher.takePage(hours(0, 0.5, 1, 2, 3, 5, 7, 9));
    expect(shown()).toEqual([[0, 0.5, 1, 2, 3, 5, 7, 9], null, false]);
  });

  it('leaves nothing out that a bot needs: it announces what it would on full pages, however late a record is listed', async () => {
    const arrival = fc.record({
      ageSeconds: fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 100_000 })),
      waitSeconds: fc.nat({ max: 5_000 }),
    });
    const rounds = fc.array(fc.array(arrival, { maxLength: 4 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.integer({ min: 4, max: 12 }), async (polls, size) => {
        const { published, publisher } = openPublisher();
        const onFull = detector(NOW - 200_000);
        const onPublished = detector(NOW - 200_000);
        const ledger: ActivityItem[] = [];
        let now = NOW;
        for (const arrivals of polls) {
          for (const { ageSeconds, waitSeconds } of arrivals) {
            now += waitSeconds;
            ledger.push({ ...sampleTrade(), quantity: ledger.length, time: now - ageSeconds });
          }
          const items = ledger.toSorted((a, b) => b.time - a.time).slice(0, size);
          const times = { venueSeconds: now, earliestSeconds: now, latestSeconds: now };
          const shown = page([], { ...times, items, hasMore: ledger.length > size });
          const before = published.length;
          await publisher.takePage(shown);
          onFull.take(shown);
          for (const each of published.slice(before)) onPublished.take(each);
        }
        expect(onPublished.announced).toEqual(onFull.announced);
        expect(onPublished.gaps).toEqual(onFull.gaps);
      }),
      randomRuns(200),
    );
  });

  it('publishes a page once a record on it is believed that was dated more than a day ahead', async () => {
    const { published, publisher } = openPublisher();
    const ahead = { ...sampleTrade(), time: 1_000_000 };
    const at = (latestSeconds: number) =>
      page([], { items: [ahead], earliestSeconds: latestSeconds, latestSeconds });
    await publisher.takePage(at(900_000));
    await publisher.takePage(at(913_599));
    expect(published).toHaveLength(1);
    await publisher.takePage(at(913_600));
    await publisher.takePage(at(913_700));
    expect(published).toHaveLength(2);
  });

  it('publishes a page on which nothing is believed again in an hour: its channels are told once a day', async () => {
    const { state, published, publisher } = openPublisher();
    const ahead = { ...sampleTrade(), time: sampleTrade().time + 86_401 };
    const blind = () => page([], { items: [ahead], hasMore: true });
    await publisher.takePage(blind());
    state.nowMs = 3_599_000;
    await publisher.takePage(blind());
    expect(published).toHaveLength(1);
    state.nowMs = 3_601_000;
    await publisher.takePage(blind());
    await publisher.takePage(blind());
    expect(published).toHaveLength(2);
  });

  it('does not count a page as published that NATS takes for another one with the same number', async () => {
    const { state, published, publisher } = openPublisher();
    state.isDuplicate = true;
    await expect(publisher.takePage(page([1]))).rejects.toThrow(/has a page with the number/);
    state.isDuplicate = false;
    await publisher.takePage(page([1]));
    expect(published).toHaveLength(2);
  });

  it('cuts a page that is larger than NATS takes, and says that there is more', async () => {
    const { published, publisher } = openPublisher(10_000);
    const quantities = Array.from({ length: 100 }, (_, index) => index);
    await publisher.takePage(page(quantities));
    expect(published[0]?.hasMore).toBe(true);
    expect(published[0]?.items.length).toBeGreaterThan(3);
    const kept = published[0]?.items.map((item) => ('quantity' in item ? item.quantity : null));
    expect(kept).toEqual(quantities.slice(0, kept?.length));
  });
});
