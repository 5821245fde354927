import { describe, expect, it } from 'vitest';
import type { Published } from '../../../src/feed/nats/poll-lists.ts';
import { createPublisher, type PublisherDeps } from '../../../src/feed/nats/publisher.ts';
import { decode, pageMessage, readPageSubject, unchangedMessage } from '../../../src/feed/nats/wire.ts';
import type { AnyPolledPage } from '../../../src/feed/polled-page.ts';
import type { WalletAddress } from '../../../src/venue/address.ts';
import { collectingLog } from '../../support/log.ts';
import { activityItem } from '../../venue/samples.ts';

const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;
let pollId = 0;

/** A page with a record for each quantity. */
function page(quantities: readonly number[], changes: Partial<AnyPolledPage> = {}): AnyPolledPage {
  pollId += 1;
  return {
    endpoint: 'activity',
    wallet: WALLET,
    pollId,
    items: quantities.map((quantity) => ({ ...activityItem(), quantity })),
    hasMore: false,
    unreadable: 0,
    fromSeconds: null,
    venueSeconds: pollId,
    earliestSeconds: activityItem().time,
    latestSeconds: activityItem().time,
    ...changes,
  } as AnyPolledPage;
}

/** @param maxPayload bytes that the server takes in a message */
function world(maxPayload = 1_000_000) {
  const state = { isOpen: false, isMissed: false, isDuplicate: false, nowMs: 0 };
  const published: AnyPolledPage[] = [];
  const refetched: string[] = [];
  const unchanged: unknown[] = [];
  const deps = {
    connection: {
      publish: (_subject: string, bytes: Uint8Array) => unchanged.push(decode(unchangedMessage, bytes).polls),
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
    manager: {},
    pollLists: { isOpen: () => state.isOpen, isMissed: (_endpoint: unknown, _last: Published) => state.isMissed },
    refetch: ({ wallet }: { readonly wallet: string }) => refetched.push(wallet),
    fence: async () => {},
    monotonicMs: () => state.nowMs,
    log: collectingLog().log,
  } as unknown as PublisherDeps;
  return { state, published, refetched, unchanged, publisher: createPublisher(deps) };
}

describe('the publisher', () => {
  it('publishes a first page, and then what shows a record that the last one did not, or one more often', async () => {
    const { published, unchanged, publisher } = world();
    await publisher.takePage(page([3, 2, 1]));
    await publisher.takePage(page([3, 2, 1]));
    // What the request was narrowed to leaves old records out; that is no news.
    await publisher.takePage(page([3], { fromSeconds: 1 }));
    expect(published.map(({ items }) => items.length)).toEqual([3]);
    publisher.flushUnchanged();
    publisher.flushUnchanged();
    const first = published[0]?.pollId;
    expect(unchanged).toEqual([
      [
        ['activity', WALLET, first, expect.any(Number)],
        ['activity', WALLET, first, expect.any(Number)],
      ],
    ]);
    await publisher.takePage(page([4, 3, 2]));
    await publisher.takePage(page([4, 4, 3]));
    await publisher.takePage(page([4, 4, 3, 2, 1]));
    expect(published.map(({ items }) => items.length)).toEqual([3, 3, 3, 5]);
  });

  it('publishes unchanged pages while a bot has something open', async () => {
    const { state, published, publisher } = world();
    await publisher.takePage(page([1]));
    state.isOpen = true;
    await publisher.takePage(page([1]));
    await publisher.takePage(page([1]));
    expect(published).toHaveLength(3);
  });

  it('gives a bot that has missed pages a full one', async () => {
    const { state, published, refetched, publisher } = world();
    await publisher.takePage(page([1]));
    state.isMissed = true;
    expect(await publisher.takePage(page([1], { fromSeconds: 5 }))).toEqual({ isOpen: true });
    expect(published).toHaveLength(1);
    expect(refetched).toEqual([WALLET]);
    await publisher.takePage(page([1]));
    expect(published).toHaveLength(2);
  });

  it('publishes a page once a record on it is believed that was dated more than a day ahead', async () => {
    const { published, publisher } = world();
    const ahead = { ...activityItem(), time: 1_000_000 };
    const at = (latestSeconds: number) => page([], { items: [ahead], earliestSeconds: latestSeconds, latestSeconds });
    await publisher.takePage(at(900_000));
    await publisher.takePage(at(913_599));
    expect(published).toHaveLength(1);
    await publisher.takePage(at(913_600));
    await publisher.takePage(at(913_700));
    expect(published).toHaveLength(2);
  });

  it('publishes a page on which nothing is believed again in an hour: its channels are told once a day', async () => {
    const { state, published, publisher } = world();
    const ahead = { ...activityItem(), time: activityItem().time + 86_401 };
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
    const { state, published, publisher } = world();
    state.isDuplicate = true;
    await expect(publisher.takePage(page([1]))).rejects.toThrow(/has a page with the number/);
    state.isDuplicate = false;
    await publisher.takePage(page([1]));
    expect(published).toHaveLength(2);
  });

  it('cuts a page that is larger than NATS takes, and says that there is more', async () => {
    const { published, publisher } = world(10_000);
    const quantities = Array.from({ length: 100 }, (_, index) => index);
    await publisher.takePage(page(quantities));
    expect(published[0]?.hasMore).toBe(true);
    expect(published[0]?.items.length).toBeGreaterThan(3);
    const kept = published[0]?.items.map((item) => ('quantity' in item ? item.quantity : null));
    expect(kept).toEqual(quantities.slice(0, kept?.length));
  });
});
