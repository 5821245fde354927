import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { WalletAddress } from '../../venue/address.ts';
import { activityIdentity, transferIdentity } from '../../venue/identity.ts';
import { ENDPOINT_NAMES } from '../../venue/schema.ts';
import { type AnyPolledPage, LARGEST_LEAD_SECONDS, type TakePage } from '../polled-page.ts';
import type { PollLists, Published } from './poll-lists.ts';
import { ensureStream, STREAM } from './stream.ts';
import { encode, pageSubject, UNCHANGED_SUBJECT, type UnchangedPoll } from './wire.ts';

/** The server must say within this that it has stored a page. */
const ACK_LIMIT_MS = 5_000;
/** A page that shows no record that is believed, and has more behind them, is published this often: bots say so once a day. */
const BLIND_EVERY_MS = 3_600_000;
/** Of a message, NATS itself takes this for headers. */
const HEADER_BYTES = 1_024;

export interface PublisherDeps {
  readonly connection: Pick<NatsConnection, 'publish' | 'info'>;
  readonly jetStream: Pick<JetStreamClient, 'publish'>;
  readonly manager: JetStreamManager;
  readonly pollLists: Pick<PollLists, 'isOpen' | 'isMissed'>;
  /** Makes the next page of the endpoint a full one: whoever missed pages must see as far back as the venue shows. */
  readonly refetch: (endpoint: Endpoint) => void;
  /** Rejects unless the feed's store is ours: a feed that was replaced must publish nothing. */
  readonly fence: () => Promise<void>;
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
}

/** Publishes pages that bots lack. */
export interface Publisher {
  readonly takePage: TakePage;
  /** Tells the bots which endpoints were polled and had nothing new: best effort. */
  flushUnchanged(): void;
  forget(wallet: WalletAddress): void;
}

interface LastPublished extends Published {
  /** The first 64 bits of each record's identity, twins as often as they were shown. */
  readonly records: BigUint64Array;
}

export function createPublisher(deps: PublisherDeps): Publisher {
  const { connection, jetStream, manager, pollLists, log } = deps;
  const lastPublished = new Map<string, LastPublished>();
  let unchanged: UnchangedPoll[] = [];
  const keyOf = ({ wallet, name }: Endpoint) => `${wallet}:${name}`;

  const publish = async (endpoint: Endpoint, page: AnyPolledPage) => {
    await deps.fence();
    const bytes = fitting(page, (connection.info?.max_payload ?? 1_048_576) - HEADER_BYTES, log);
    const send = async () => {
      const options = { msgID: String(page.pollId), timeout: ACK_LIMIT_MS };
      const { duplicate } = await jetStream.publish(pageSubject(endpoint), bytes, options);
      // The next page has another number.
      if (duplicate)
        throw new Error(`NATS has a page with the number ${page.pollId} already, and has dropped this one.`);
    };
    try {
      await send();
    } catch (error) {
      // Nobody listens on its subjects: the stream is gone.
      if (!(error instanceof Error) || error.name !== 'JetStreamNotEnabled') throw error;
      await ensureStream(manager);
      log.warn({ event: 'nats.stream_made_anew', stream: STREAM });
      await send();
    }
  };

  return {
    async takePage(page) {
      const endpoint: Endpoint = { wallet: page.wallet, name: page.endpoint };
      const last = lastPublished.get(keyOf(endpoint));
      const records = recordsOf(page);
      const isMissed = last !== undefined && pollLists.isMissed(endpoint, last);
      if (isMissed && page.fromSeconds !== null) {
        // This page may begin after what the bot lacks: the next one is a full one.
        deps.refetch(endpoint);
        return { isOpen: true };
      }
      const isBlind = records.length === 0 && page.items.length > 0 && page.hasMore;
      const isDue = last === undefined || (isBlind && deps.monotonicMs() - last.atMs > BLIND_EVERY_MS);
      if (!isDue && !isMissed && !pollLists.isOpen(endpoint) && isPartOf(records, last.records)) {
        unchanged.push([endpoint.name, endpoint.wallet, last.pollId, page.venueSeconds]);
        return { isOpen: false };
      }
      await publish(endpoint, page);
      lastPublished.set(keyOf(endpoint), { pollId: page.pollId, atMs: deps.monotonicMs(), records });
      return { isOpen: false };
    },
    flushUnchanged() {
      if (unchanged.length === 0) return;
      connection.publish(UNCHANGED_SUBJECT, encode({ polls: unchanged }));
      unchanged = [];
    },
    forget(wallet) {
      for (const name of ENDPOINT_NAMES) lastPublished.delete(keyOf({ wallet, name }));
    },
  };
}

/** What the page shows but for records that are not believed yet: once they are, they are new. */
function recordsOf(page: AnyPolledPage): BigUint64Array {
  const isBelieved = ({ time }: { readonly time: number }) => time <= page.latestSeconds + LARGEST_LEAD_SECONDS;
  const identities =
    page.endpoint === 'activity'
      ? page.items.filter(isBelieved).map(activityIdentity)
      : page.items.filter(isBelieved).map(transferIdentity);
  return BigUint64Array.from(identities, (identity) => Buffer.from(identity, 'base64url').readBigUInt64LE(0)).sort();
}

/** Whether each record was there before, as often. @param records sorted, as `before` */
function isPartOf(records: BigUint64Array, before: BigUint64Array): boolean {
  let at = 0;
  for (const record of records) {
    while (at < before.length && (before[at] ?? 0n) < record) at += 1;
    if (before[at] !== record) return false;
    at += 1;
  }
  return true;
}

/** The page as a message that NATS takes: of one that is too large the oldest records are left out, as if the venue had more of them. */
function fitting(page: AnyPolledPage, limitBytes: number, log: Logger): Uint8Array {
  let bytes = encode({ page });
  for (let kept = page.items.length; bytes.length > limitBytes && kept > 0; ) {
    kept = Math.min(kept - 1, Math.floor((kept * limitBytes) / bytes.length));
    bytes = encode({ page: { ...page, items: page.items.slice(0, kept), hasMore: true } });
    log.warn({
      event: 'nats.page_cut',
      wallet: page.wallet,
      endpoint: page.endpoint,
      records: page.items.length,
      kept,
    });
  }
  return bytes;
}
