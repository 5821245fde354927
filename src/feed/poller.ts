import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName, hashesOf, type RecordOf } from '../domain/records.ts';
import { createTroubleLog } from '../lib/log/trouble-log.ts';
import type { Machine } from '../lib/machine.ts';
import type { Ops } from '../ops/ops.ts';
import type { Endpoint, Schedule } from '../poll-policy/schedule.ts';
import { keyOf, PAGE_ITEMS } from '../poll-policy/types.ts';
import type { UnreadPage, VenueClient } from '../venue/client.ts';
import { VenueError } from '../venue/errors.ts';
import type { VenuePage } from '../venue/read.ts';
import type { VenueAvailability } from './availability.ts';
import type { AnyPolledPage, PageSink, PolledPage } from './interface.ts';
import type { Learning } from './learning.ts';

/** Maximum delay before retrying a poll whose page could not be stored, in seconds. */
const STORE_RETRY_SECONDS = 10;
/**
 * Maximum delay after a poll that failed because the venue is down or rejects the key, in seconds.
 * All wallets have failed then, and none should wait long once it works again.
 */
const OUTAGE_RETRY_SECONDS = 30;

/** Summary of an endpoint's last accepted page, for comparison with the next one. */
interface TakenPage {
  /**
   * Time of the oldest record if the venue has older ones, in Unix seconds. Records before it
   * existed earlier, whenever they are shown.
   */
  readonly endSeconds: number;
  /**
   * The first 32 bits of each record's identity. A page has 100 records, and a collision costs the
   * schedule nothing.
   */
  readonly records: Uint32Array;
  /** Hashes of the key that each record shares with its amended versions. */
  readonly keys: Uint32Array;
}

interface ShownPage {
  /**
   * Hash of its bytes; null if the page has not been accepted, or if the same bytes may have
   * another effect later.
   */
  hash: string | null;
  /** Time of its newest record, in Unix seconds. */
  readonly newestSeconds: number;
  /** Null if no page of this endpoint has been accepted yet. */
  taken: TakenPage | null;
}

interface PollerDeps {
  readonly client: Pick<VenueClient, 'unread'>;
  /** The poll list. A wallet that has left it while its poll waited is not polled. */
  readonly watched: Pick<ReadonlySet<WalletAddress>, 'has'>;
  readonly sink: () => Pick<PageSink, 'takePage' | 'unchanged'>;
  readonly schedule: Schedule;
  readonly learning: Pick<Learning, 'changed'>;
  readonly availability: VenueAvailability;
  /** The venue's clock, in Unix seconds. */
  readonly nowSeconds: () => number;
  /**
   * Called after each poll of the endpoint with the records that the previous page did not show;
   * for a wallet's first page, with all of them.
   */
  readonly onRecords: {
    readonly [Name in EndpointName]?: (
      wallet: WalletAddress,
      records: readonly RecordOf<Name>[],
    ) => void;
  };
  readonly onOutcome: Ops['polled'];
}

export type Poller = ReturnType<typeof createPoller>;

/** Polls endpoints of wallets and passes their pages to the sink. */
export function createPoller(machine: Machine, deps: PollerDeps) {
  const { client, schedule, availability } = deps;
  const pages = createPages(machine, deps);
  const running = new Set<string>();
  const trouble = createTroubleLog(
    machine,
    'error',
    { event: 'poll.failed' },
    { event: 'poll.works_again' },
  );

  const pollPage = async <Name extends EndpointName>(
    wallet: WalletAddress,
    name: Name,
    signal: AbortSignal,
  ) => {
    const options = { priority: 'poller', signal } as const;
    const answer = await client.unread(name, wallet, { limit: PAGE_ITEMS }, options);
    availability.listed(name, answer.listingDelaySeconds);
    const records = await pages.deliverPage(wallet, name, answer);
    deps.onRecords[name]?.(wallet, records);
  };

  const onFailed = (
    endpoint: Endpoint,
    error: unknown,
    { aborted: isAborted }: AbortSignal,
  ): void => {
    const { wallet, name } = endpoint;
    const venueError = error instanceof VenueError ? error : null;
    if (venueError !== null) availability.failed(name, venueError);
    const isEverybodys = availability.trouble(name) !== null;
    schedule.failed(endpoint, deps.nowSeconds(), retryLimitSeconds(venueError, isEverybodys));
    if (isAborted) return;
    deps.onOutcome(name, venueError?.kind ?? 'error');
    const isWallets = venueError === null || venueError.kind === 'badResponse';
    if (isWallets) trouble.failed(keyOf(endpoint), { wallet, endpoint: name, err: error });
  };

  return {
    /** Requests the endpoint's first page and waits until it has been accepted. Never rejects. */
    async poll(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
      const { wallet, name } = endpoint;
      const key = keyOf(endpoint);
      // Two simultaneous polls of one endpoint would both find the same records new.
      if (running.has(key) || !deps.watched.has(wallet)) return;
      running.add(key);
      try {
        await pollPage(wallet, name, signal);
        availability.succeeded(name);
        trouble.succeeded(key);
        deps.onOutcome(name, 'ok');
      } catch (error) {
        onFailed(endpoint, error, signal);
      } finally {
        running.delete(key);
      }
    },
    /** Gives later pages greater pollIds than this one. */
    raisePollId: pages.raisePollId,
    forget(wallet: WalletAddress): void {
      for (const name of ENDPOINT_NAMES) {
        trouble.succeeded(keyOf({ wallet, name }));
        pages.forget({ wallet, name });
      }
    },
  };
}

/**
 * Passes pages to the sink, each with its own number, and compares each with the endpoint's
 * previous one.
 */
function createPages(machine: Machine, { sink, schedule, learning }: PollerDeps) {
  const shown = new Map<string, ShownPage>();
  let lastPollId = 0;

  const raisePollId = (pollId: number): void => {
    lastPollId = Math.max(lastPollId, pollId);
  };

  /**
   * @returns the records that the previous page did not show; for a wallet's first page, all of
   *   them
   */
  const deliverPage = async <Name extends EndpointName>(
    wallet: WalletAddress,
    name: Name,
    answer: UnreadPage<RecordOf<Name>>,
  ): Promise<readonly RecordOf<Name>[]> => {
    const endpoint: Endpoint = { wallet, name };
    const atSeconds = answer.venueNowMs / 1000;
    const before = shown.get(keyOf(endpoint));
    // Checked against the present clock too, because it may have been set back.
    const isSame =
      before?.hash === answer.hash() && before.newestSeconds <= answer.earliestNowMs / 1000;
    if (isSame && sink().unchanged(wallet, name, atSeconds)) {
      schedule.polled(endpoint, { atSeconds, freshTimesSeconds: [], pageTimesSeconds: [] });
      return [];
    }
    const read = answer.read();
    // By the clock, so that it increases across restarts. If the clock was set back, it increases
    // by at least one, and above every known pollId.
    lastPollId = Math.max(lastPollId + 1, machine.nowMs());
    const page = pageOf(wallet, lastPollId, answer, read);
    const newestSeconds = Math.max(...page.items.map(({ time }) => time));
    const last: ShownPage = { hash: null, newestSeconds, taken: before?.taken ?? null };
    // Until the page is accepted, the previous page is not known to be the last accepted one. A
    // wallet deleted in between keeps nothing.
    shown.set(keyOf(endpoint), last);
    const { isOpen, pollId } = await sink().takePage({ endpoint: name, ...page } as AnyPolledPage);
    if (pollId > page.pollId) {
      // The clock was set back across a restart, so the page was dropped as outdated. The next one
      // gets a greater number.
      raisePollId(pollId);
      schedule.polled(endpoint, { atSeconds, freshTimesSeconds: [], pageTimesSeconds: [] });
      schedule.expedite(endpoint);
      return [];
    }
    if (page.unreadable.length === 0 && newestSeconds <= page.earliestSeconds) {
      last.hash = answer.hash();
    }
    const { taken, fresh } = comparePages(name, page, last.taken);
    last.taken = taken;
    const freshTimesSeconds = (fresh ?? []).map(({ time }) => time);
    // A record dated far ahead would look like a burst to come.
    const pageTimesSeconds = page.items
      .map(({ time }) => time)
      .filter((time) => time <= page.latestSeconds);
    schedule.polled(endpoint, { atSeconds, freshTimesSeconds, pageTimesSeconds });
    if (page.items.length > 0) learning.changed(wallet);
    if (isOpen) schedule.expedite(endpoint);
    return fresh ?? page.items;
  };

  return {
    deliverPage,
    raisePollId,
    forget: (endpoint: Endpoint): void => void shown.delete(keyOf(endpoint)),
  };
}

function pageOf<Item>(
  wallet: WalletAddress,
  pollId: number,
  { venueNowMs, earliestNowMs, latestNowMs }: UnreadPage<Item>,
  { items, skipped, hasMore }: VenuePage<Item>,
): PolledPage<Item> {
  return {
    wallet,
    pollId,
    items,
    hasMore,
    unreadable: skipped.flatMap(({ row }) => row ?? []),
    fromSeconds: null,
    venueSeconds: venueNowMs / 1000,
    earliestSeconds: earliestNowMs / 1000,
    latestSeconds: latestNowMs / 1000,
  };
}

/**
 * Maximum delay from a failed poll to the next one, in seconds; undefined: the schedule decides.
 */
function retryLimitSeconds(error: VenueError | null, isEverybodys: boolean): number | undefined {
  if (error === null) return STORE_RETRY_SECONDS;
  if (isEverybodys) return OUTAGE_RETRY_SECONDS;
  return undefined;
}

/**
 * Compares a page with the previous one.
 *
 * @returns the summary to keep of the page, and its records that the previous page did not show;
 *   null for a wallet's first page
 */
export function comparePages<Name extends EndpointName>(
  name: Name,
  { items, hasMore }: Pick<PolledPage<RecordOf<Name>>, 'items' | 'hasMore'>,
  before: TakenPage | null,
) {
  const numbersOf = (by: 'identity' | 'key') =>
    Uint32Array.from(hashesOf(name, items, by), (hash) =>
      Buffer.from(hash, 'base64url').readUInt32LE(0),
    );
  const records = numbersOf('identity');
  const keys = numbersOf('key');
  const endSeconds = hasMore
    ? Math.min(...items.map(({ time }) => time))
    : Number.NEGATIVE_INFINITY;
  const taken: TakenPage = { endSeconds, records, keys };
  if (before === null) return { taken, fresh: null };
  const known = new Set(before.records);
  const amended = goneByKey(before, records);
  const fresh = items.filter(({ time }, index) => {
    if (time < before.endSeconds || known.has(records[index] ?? 0)) return false;
    const key = keys[index] ?? 0;
    const gone = amended.get(key) ?? 0;
    amended.set(key, gone - 1);
    // It replaces a record that is gone because the venue has amended it.
    return gone <= 0;
  });
  return { taken, fresh };
}

/** Counts the records that the previous page showed and this one does not, by key. */
function goneByKey(before: TakenPage, records: Uint32Array): Map<number, number> {
  const shown = new Set(records);
  const gone = new Map<number, number>();
  for (const [index, record] of before.records.entries()) {
    if (shown.has(record)) continue;
    const key = before.keys[index] ?? 0;
    gone.set(key, (gone.get(key) ?? 0) + 1);
  }
  return gone;
}
