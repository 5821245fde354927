import type { JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { WalletAddress } from '../../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName, hashesOf } from '../../domain/records.ts';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_MS, HOUR_SECONDS } from '../../lib/time.ts';
import { type Endpoint, keyOf } from '../../poll-policy/types.ts';
import { type AnyPolledPage, LARGEST_LEAD_SECONDS } from '../interface.ts';
import type { PollLists } from './poll-lists.ts';
import { openStream } from './stream.ts';
import { encode, pageSubject, UNCHANGED, type UnchangedPolls } from './wire.ts';

/** Time within which the server must confirm that it has stored a page, in ms. */
const ACK_LIMIT_MS = 5_000;
/**
 * Interval for publishing a page that is not the last one but has no record with a credible time,
 * in ms. Bots report such pages once a day.
 */
const BLIND_EVERY_MS = HOUR_MS;
/** Bytes of a message reserved for NATS' headers. */
const HEADER_BYTES = 1_024;
/**
 * Overlap of a published page with the one before it, in seconds, so that a lost page does not show
 * as a gap.
 */
const OVERLAP_SECONDS = HOUR_SECONDS;

interface LastPublished {
  readonly pollId: number;
  /** Time when it was published, in monotonic ms. */
  readonly atMs: number;
  /**
   * The first 64 bits of each displayed record's version, with duplicates. A changed record is
   * published again.
   */
  readonly records: BigUint64Array;
  /** Time of the newest record, at most the venue's own time, in Unix seconds. */
  readonly newestSeconds: number;
}

/** Publishes pages that bots lack. */
export function createPublisher(
  { monotonicMs, log }: Machine,
  {
    connection,
    jetStream,
    pollLists,
    fence,
  }: {
    readonly connection: NatsConnection;
    readonly jetStream: Pick<JetStreamClient, 'publish'>;
    readonly pollLists: Pick<PollLists, 'nextPage'>;
    /**
     * Rejects unless this feed owns the store, because a feed that was replaced must publish
     * nothing.
     */
    readonly fence: () => Promise<void>;
  },
) {
  const lastPublished = new Map<string, LastPublished>();
  let unchanged: UnchangedPolls = [];

  const publish = async (endpoint: Endpoint, page: AnyPolledPage) => {
    await fence();
    const bytes = fitting(page, (connection.info?.max_payload ?? 1_048_576) - HEADER_BYTES, log);
    const options = { msgID: String(page.pollId), timeout: ACK_LIMIT_MS };
    const send = () => jetStream.publish(pageSubject(endpoint), bytes, options);
    const { duplicate } = await send().catch(async (error: unknown) => {
      // There is no listener on its subjects, so the stream is gone.
      if (!(error instanceof Error) || error.name !== 'JetStreamNotEnabled') throw error;
      await openStream(connection, log);
      return send();
    });
    // The next page has another number.
    if (duplicate) {
      throw new Error(
        `NATS has a page with the number ${page.pollId} already, and has dropped this one.`,
      );
    }
  };

  return {
    unchanged(wallet: WalletAddress, name: EndpointName, seconds: number): boolean {
      const last = lastPublished.get(keyOf({ wallet, name }));
      if (last === undefined || pollLists.nextPage({ wallet, name }, last) === 'again') {
        return false;
      }
      unchanged.push([name, wallet, last.pollId, seconds]);
      return true;
    },
    async takePage(page: AnyPolledPage) {
      const endpoint: Endpoint = { wallet: page.wallet, name: page.endpoint };
      const last = lastPublished.get(keyOf(endpoint));
      const shown = recordsOf(page);
      const isBlind = shown.length === 0 && page.items.length > 0 && page.hasMore;
      const isDue = last === undefined || (isBlind && monotonicMs() - last.atMs > BLIND_EVERY_MS);
      const wanted = isDue ? 'again' : pollLists.nextPage(endpoint, last);
      let given = page;
      // With `again`, a bot that missed pages or waits for another look gets the whole page.
      if (last !== undefined && wanted !== 'again') {
        const newsSeconds = oldestNews(shown, last.records);
        if (newsSeconds === null) {
          unchanged.push([endpoint.name, endpoint.wallet, last.pollId, page.venueSeconds]);
          return { isOpen: false, pollId: page.pollId };
        }
        // A bot that has not confirmed the previous page also gets the whole page.
        if (wanted === 'news') {
          given = from(page, Math.min(newsSeconds, last.newestSeconds - OVERLAP_SECONDS));
        }
      }
      await publish(endpoint, given);
      const newestSeconds = Math.max(...page.items.map(({ time }) => time));
      lastPublished.set(keyOf(endpoint), {
        pollId: page.pollId,
        atMs: monotonicMs(),
        records: BigUint64Array.from(shown, ({ record }) => record),
        newestSeconds: Math.min(page.earliestSeconds, newestSeconds),
      });
      return { isOpen: false, pollId: page.pollId };
    },
    /** Sends the bots the endpoints that were polled without news. Best effort. */
    flushUnchanged(): void {
      if (unchanged.length === 0) return;
      connection.publish(UNCHANGED.subject, encode({ polls: unchanged }));
      unchanged = [];
    },
    forget(wallet: WalletAddress): void {
      for (const name of ENDPOINT_NAMES) lastPublished.delete(keyOf({ wallet, name }));
    },
  };
}

/**
 * Returns 64 bits of each record's version and its time in Unix seconds. Records dated too far
 * ahead are left out; once their time is credible, they are new.
 */
function recordsOf(page: AnyPolledPage) {
  const records: { readonly record: bigint; readonly seconds: number }[] = [];
  const add = (name: string, seconds: number) => {
    if (seconds > page.latestSeconds + LARGEST_LEAD_SECONDS) return;
    const record = Buffer.from(name, 'base64url').readBigUInt64LE(0);
    records.push({ record, seconds });
  };
  for (const [index, version] of hashesOf(page.endpoint, page.items, 'version').entries()) {
    add(version, page.items[index]?.time ?? 0);
  }
  for (const { identity, fromSeconds } of page.unreadable) add(identity, fromSeconds);
  return records;
}

/**
 * Returns the time of the oldest record that was not shown before, or not as often, in Unix
 * seconds; null if there is none.
 */
function oldestNews(shown: ReturnType<typeof recordsOf>, before: BigUint64Array): number | null {
  const left = new Map<bigint, number>();
  for (const record of before) left.set(record, (left.get(record) ?? 0) + 1);
  const news = shown.filter(({ record }) => {
    const times = left.get(record) ?? 0;
    left.set(record, times - 1);
    return times <= 0;
  });
  if (news.length === 0) return null;
  return Math.min(...news.map(({ seconds }) => seconds));
}

/**
 * Removes older records, which bots already have, because every published page takes space in the
 * stream.
 */
function from(page: AnyPolledPage, fromSeconds: number): AnyPolledPage {
  const items = page.items.filter(({ time }) => time >= fromSeconds);
  if (items.length === page.items.length) return page;
  const unreadable = page.unreadable.filter(({ toSeconds }) => toSeconds >= fromSeconds);
  return {
    ...page,
    items,
    unreadable,
    hasMore: false,
    fromSeconds,
  } as AnyPolledPage;
}

/**
 * Encodes the page as a message within NATS' size limit. A page that is too large loses its oldest
 * records, as if the venue had more of them.
 */
function fitting(page: AnyPolledPage, limitBytes: number, log: Logger): Uint8Array {
  let bytes = encode({ page });
  for (let kept = page.items.length; bytes.length > limitBytes && kept > 0; ) {
    kept = Math.min(kept - 1, Math.floor((kept * limitBytes) / bytes.length));
    const { wallet, endpoint, items } = page;
    const cut = { ...page, items: items.slice(0, kept), hasMore: true };
    bytes = encode({ page: cut });
    log.warn({
      event: 'nats.page_cut',
      wallet,
      endpoint,
      records: items.length,
      kept,
    });
  }
  return bytes;
}
