import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  activityIdentity,
  ENDPOINT_NAMES,
  type TransferItem,
  transferIdentity,
} from '../domain/records.ts';
import { createTroubleLog } from '../lib/log/trouble-log.ts';
import type { Machine } from '../lib/machine.ts';
import type { Ops } from '../ops/ops.ts';
import type { Endpoint, Schedule } from '../poll-policy/schedule.ts';
import { keyOf, PAGE_ITEMS } from '../poll-policy/types.ts';
import type { UnreadPage, VenueClient } from '../venue/client.ts';
import { VenueError } from '../venue/errors.ts';
import type { VenueAvailability } from './availability.ts';
import type { AnyPolledPage, PageSink, PolledPage } from './interface.ts';

/** A poll whose page could not be stored is tried again after this at the most. */
const STORE_RETRY_SECONDS = 10;

/** What is kept of the page of an endpoint that was taken last: what the next one is compared with. */
interface TakenPage {
  /** Unix seconds of the oldest record, where the venue has older ones: these were there before, whenever they are shown. */
  readonly endSeconds: number;
  /** The first 32 bits of each record's identity: a page has a hundred, and a wrong guess costs the schedule nothing. */
  readonly records: Uint32Array;
}

/** The page that was shown last of an endpoint. */
interface ShownPage {
  /** Of its bytes; null if it has not been taken, or has something that another look at the same bytes may change. */
  hash: string | null;
  /** Time of its newest record, Unix seconds. */
  readonly newestSeconds: number;
  /** Null: none of this endpoint was taken yet. */
  taken: TakenPage | null;
}

export type Poller = ReturnType<typeof createPoller>;

/** Polls endpoints of wallets and hands their pages on. */
export function createPoller(
  machine: Machine,
  deps: {
    readonly client: Pick<VenueClient, 'unread'>;
    /** Whether the wallet is on the poll list: what has left it while its poll waited is not asked for. */
    readonly isWatched: (wallet: WalletAddress) => boolean;
    readonly sink: () => Pick<PageSink, 'takePage' | 'unchanged'>;
    readonly schedule: Schedule;
    readonly availability: VenueAvailability;
    /** Venue clock, Unix seconds. */
    readonly nowSeconds: () => number;
    /** Called at each poll with the records of the page that the last one did not show; with all of a wallet's first page. */
    readonly onActivity: (wallet: WalletAddress, items: readonly ActivityItem[]) => void;
    /** Called with how each poll has ended. */
    readonly onOutcome?: Ops['polled'];
  },
) {
  const { nowMs } = machine;
  const { client, sink, schedule, availability } = deps;
  const shown = new Map<string, ShownPage>();
  const running = new Set<string>();
  let lastPollId = 0;
  const trouble = createTroubleLog(machine, 'error', { event: 'poll.failed' }, { event: 'poll.works_again' });

  const polledPage = <Item>(wallet: WalletAddress, answer: UnreadPage<Item>): PolledPage<Item> => {
    const page = answer.read();
    // By the clock, so that it grows over restarts; by one at least, and beyond what anybody has, where the clock was set back.
    lastPollId = Math.max(lastPollId + 1, nowMs());
    return {
      wallet,
      pollId: lastPollId,
      items: page.items,
      hasMore: page.hasMore,
      unreadable: page.skipped.flatMap(({ row }) => row ?? []),
      fromSeconds: null,
      venueSeconds: answer.venueNowMs / 1000,
      earliestSeconds: answer.earliestNowMs / 1000,
      latestSeconds: answer.latestNowMs / 1000,
    };
  };

  /** @returns the records that the last page did not show; all of a wallet's first page */
  const handOn = async <Item extends ActivityItem | TransferItem>(
    endpoint: Endpoint,
    answer: UnreadPage<Item>,
    identify: (item: Item) => string,
  ): Promise<readonly Item[]> => {
    const { wallet, name } = endpoint;
    const atSeconds = answer.venueNowMs / 1000;
    const before = shown.get(keyOf(endpoint));
    // By the clock of now too: it may have been set back.
    const isSame = before?.hash === answer.hash() && before.newestSeconds <= answer.earliestNowMs / 1000;
    if (isSame && sink().unchanged(wallet, name, atSeconds)) {
      schedule.polled(endpoint, { atSeconds, freshTimesSeconds: [], pageTimesSeconds: [] });
      return [];
    }
    const page = polledPage(wallet, answer);
    const newestSeconds = Math.max(...page.items.map(({ time }) => time));
    const last: ShownPage = { hash: null, newestSeconds, taken: before?.taken ?? null };
    // From now on the page before is not known to be the one that was taken last; a wallet that is forgotten meanwhile keeps nothing.
    shown.set(keyOf(endpoint), last);
    const { isOpen } = await sink().takePage({ endpoint: name, ...page } as AnyPolledPage);
    if (page.unreadable.length === 0 && newestSeconds <= page.earliestSeconds) last.hash = answer.hash();
    const { taken, fresh } = comparePages(page, last.taken, identify);
    last.taken = taken;
    const freshTimesSeconds = (fresh ?? []).map(({ time }) => time);
    // What is dated far ahead would be taken for a burst to come.
    const pageTimesSeconds = page.items.map(({ time }) => time).filter((time) => time <= page.latestSeconds);
    schedule.polled(endpoint, { atSeconds, freshTimesSeconds, pageTimesSeconds });
    if (isOpen) schedule.expedite(endpoint);
    return fresh ?? page.items;
  };

  const ask = async (endpoint: Endpoint, signal: AbortSignal): Promise<void> => {
    const { wallet, name } = endpoint;
    const call = [wallet, { limit: PAGE_ITEMS }, { priority: 'poller', signal }] as const;
    if (name === 'activity') {
      deps.onActivity(wallet, await handOn(endpoint, await client.unread.activity(...call), activityIdentity));
    } else await handOn(endpoint, await client.unread.transfers(...call), transferIdentity);
  };

  const onFailure = (endpoint: Endpoint, error: unknown, signal: AbortSignal) => {
    const { wallet, name } = endpoint;
    const isOfVenue = error instanceof VenueError;
    // The venue is not to be asked over and over while it fails; our own store may be back at any moment.
    schedule.failed(endpoint, deps.nowSeconds(), isOfVenue ? undefined : STORE_RETRY_SECONDS);
    if (!signal.aborted) deps.onOutcome?.(name, isOfVenue ? error.kind : 'error');
    if (isOfVenue) availability.failed(name, error);
    else if (!signal.aborted) trouble.failed(keyOf(endpoint), { wallet, endpoint: name, err: error });
  };

  return {
    /** Asks for the endpoint's first page and waits until it has been taken. Never rejects. */
    async poll(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
      const { wallet, name } = endpoint;
      const key = keyOf(endpoint);
      // Two polls of one endpoint at once would both find the same records new.
      if (running.has(key) || !deps.isWatched(wallet)) return;
      running.add(key);
      try {
        await ask(endpoint, signal);
        availability.succeeded(name);
        trouble.succeeded(key);
        deps.onOutcome?.(name, 'ok');
      } catch (error) {
        onFailure(endpoint, error, signal);
      } finally {
        running.delete(key);
      }
    },
    /** Pages from now on have greater pollIds than this. */
    raisePollId(pollId: number): void {
      lastPollId = Math.max(lastPollId, pollId);
    },
    /** Forgets what was seen of a wallet that has left the poll list. */
    forget(wallet: WalletAddress): void {
      for (const name of ENDPOINT_NAMES) {
        trouble.succeeded(keyOf({ wallet, name }));
        shown.delete(keyOf({ wallet, name }));
      }
    },
  };
}

/**
 * @param identify names a record, the same whenever it is shown
 * @returns what to keep of the page, and its records that the page before did not show; null for a wallet's first page
 */
export function comparePages<Item extends { readonly time: number }>(
  { items, hasMore }: Pick<PolledPage<Item>, 'items' | 'hasMore'>,
  before: TakenPage | null,
  identify: (item: Item) => string,
) {
  const records = Uint32Array.from(items, (item) => Buffer.from(identify(item), 'base64url').readUInt32LE(0));
  const endSeconds = hasMore ? Math.min(...items.map(({ time }) => time)) : Number.NEGATIVE_INFINITY;
  const taken: TakenPage = { endSeconds, records };
  if (before === null) return { taken, fresh: null };
  const known = new Set(before.records);
  const fresh = items.filter(({ time }, index) => time >= before.endSeconds && !known.has(records[index] ?? 0));
  return { taken, fresh };
}
