import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { WalletAddress } from '../../domain/address.ts';
import type { EndpointName } from '../../domain/records.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { Committed } from '../feed.ts';
import {
  decode,
  encode,
  type ListEntry,
  POLL_LIST_SUBJECT,
  type PollListMessage,
  type PollListReply,
  pollListReply,
} from './wire.ts';

const REPLY_LIMIT_MS = 3_000;
/** Changes are said this often, ms, and that we are there even if there are none. */
const EVERY_MS = 1_000;
/** The whole list is said again this often, ms. */
const WHOLE_EVERY_MS = 3 * 60_000;
/** Of more servers that watch a wallet these stand for all: they say whose share its polls are. */
const GUILDS_PER_ENTRY = 50;
/** Entries in one message: with 50 servers each they are half of NATS' limit of 1 MiB. */
const ENTRIES_PER_MESSAGE = 400;
/** A refusal that lasts this long is final: until then the one that we replace may just not have been missed yet. */
const REFUSED_LIMIT_MS = 20_000;

export interface PollListClientDeps {
  readonly connection: Pick<NatsConnection, 'request'>;
  readonly bot: string;
  /** Random, of this run. */
  readonly instance: string;
  readonly shards: PollListMessage['shards'];
  readonly guildsOf: (wallet: WalletAddress) => readonly string[];
  readonly consumer: () => { readonly received: number; isIdle(): boolean };
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  /** The feed has taken us: from now on we may work. */
  readonly onTaken: () => void;
  /** The feed does not work with us. */
  readonly onRefused: (reason: string) => void;
}

/** Says to the feed which wallets are watched here, and which pages we have. */
export interface PollListClient {
  watch(wallet: WalletAddress, committed: Committed): void;
  unwatch(wallet: WalletAddress): void;
  /** The servers that watch the wallet may be others now. */
  changed(wallet: WalletAddress): void;
  committed(endpoint: Endpoint, pollId: number, isOpen: boolean): void;
  /** The pollId of the last page that was taken of an endpoint. */
  committedOf(endpoint: Endpoint): number | undefined;
  isWatched(wallet: WalletAddress): boolean;
  /** Why the feed has not taken us, in its own words; null if it has, or has not answered. */
  refusal(): string | null;
  /** Another run of the feed has begun: it is given the whole list. */
  sayAll(): void;
  start(): void;
  stop(): Promise<void>;
}

interface Known {
  committed: Partial<Record<EndpointName, number>>;
  readonly open: Set<EndpointName>;
}

export function createPollListClient(deps: PollListClientDeps): PollListClient {
  const { connection, bot, instance, shards, log } = deps;
  const known = new Map<WalletAddress, Known>();
  let changed = new Set<WalletAddress>();
  let removed = new Set<WalletAddress>();
  let generation = 0;
  let isWholeDue = true;
  let wholeSaidMs = Number.NEGATIVE_INFINITY;
  let refused: { readonly sinceMs: number; readonly reason: string } | null = null;
  let isWorking = false;
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;
  let saying: Promise<void> | null = null;

  const entryOf = (wallet: WalletAddress): readonly ListEntry[] => {
    const entry = known.get(wallet);
    if (entry === undefined) return [];
    return [
      {
        wallet,
        guilds: deps.guildsOf(wallet).slice(0, GUILDS_PER_ENTRY),
        committed: entry.committed,
        open: [...entry.open],
      },
    ];
  };

  const say = async (content: Pick<PollListMessage, 'part' | 'entries' | 'removed'>) => {
    const { received } = deps.consumer();
    const message: PollListMessage = {
      bot,
      instance,
      isWorking,
      shards,
      generation,
      ...content,
      received,
      isIdle: deps.consumer().isIdle(),
    };
    const reply = await connection.request(POLL_LIST_SUBJECT, encode(message), { timeout: REPLY_LIMIT_MS });
    return decode(pollListReply, reply.data);
  };

  const onAnswer = ({ answer, reason }: PollListReply) => {
    if (answer === 'refused') {
      const sinceMs = refused?.sinceMs ?? deps.monotonicMs();
      if (refused === null) log.warn({ event: 'feed.refused_us', reason });
      refused = { sinceMs, reason: reason ?? '' };
      if (deps.monotonicMs() - sinceMs > REFUSED_LIMIT_MS) deps.onRefused(refused.reason);
      return;
    }
    refused = null;
    if (answer === 'resend') isWholeDue = true;
    if (answer === 'wait' || isWorking) return;
    isWorking = true;
    deps.onTaken();
  };

  /** @returns whether the feed has taken it */
  const sayParts = async (
    parts: readonly Pick<PollListMessage, 'part' | 'entries' | 'removed'>[],
  ): Promise<boolean> => {
    for (const part of parts) {
      const reply = await say(part);
      onAnswer(reply);
      if (reply.answer !== 'taken') return false;
    }
    return true;
  };

  const sayWhole = async () => {
    const saidChanged = changed;
    const saidRemoved = removed;
    changed = new Set();
    removed = new Set();
    isWholeDue = false;
    generation += 1;
    const chunks = chunksOf([...known.keys()].flatMap(entryOf));
    const parts = chunks.map((entries, index) => ({ part: { index, count: chunks.length }, entries, removed: [] }));
    try {
      if (!(await sayParts(parts))) isWholeDue = true;
      wholeSaidMs = deps.monotonicMs();
    } catch (error) {
      isWholeDue = true;
      changed = new Set([...saidChanged, ...changed]);
      removed = new Set([...saidRemoved, ...removed]);
      throw error;
    }
  };

  const sayChanges = async () => {
    const said = [...changed];
    const saidRemoved = [...removed];
    changed = new Set();
    removed = new Set();
    const chunks = chunksOf(said.flatMap(entryOf));
    const parts = chunks.map((entries, index) => ({ part: null, entries, removed: index === 0 ? saidRemoved : [] }));
    try {
      await sayParts(parts);
    } catch (error) {
      // What of it has arrived is not known.
      isWholeDue = true;
      throw error;
    }
  };

  const sayWhatIsDue = async () => {
    try {
      if (isWholeDue || deps.monotonicMs() - wholeSaidMs > WHOLE_EVERY_MS) await sayWhole();
      else await sayChanges();
      if (isAway) log.info({ event: 'feed.reached_again' });
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ event: 'feed.not_reached', err: error });
      isAway = true;
    }
  };

  const sayInTurn = () => {
    saying ??= sayWhatIsDue().finally(() => {
      saying = null;
    });
    return saying;
  };

  return {
    watch(wallet, committed) {
      if (!known.has(wallet)) known.set(wallet, { committed: { ...committed }, open: new Set() });
      removed.delete(wallet);
      changed.add(wallet);
    },
    unwatch(wallet) {
      known.delete(wallet);
      changed.delete(wallet);
      removed.add(wallet);
    },
    changed: (wallet) => void changed.add(wallet),
    committed({ wallet, name }, pollId, isOpen) {
      const entry = known.get(wallet);
      if (entry === undefined) return;
      // An older page is dropped, and shows nothing of what the feed has published since.
      entry.committed = { ...entry.committed, [name]: Math.max(pollId, entry.committed[name] ?? 0) };
      if (isOpen) entry.open.add(name);
      else entry.open.delete(name);
      changed.add(wallet);
    },
    committedOf: ({ wallet, name }) => known.get(wallet)?.committed[name],
    isWatched: (wallet) => known.has(wallet),
    refusal: () => refused?.reason ?? null,
    sayAll() {
      isWholeDue = true;
    },
    start() {
      timer = setInterval(() => void sayInTurn(), EVERY_MS);
      void sayInTurn();
    },
    async stop() {
      clearInterval(timer);
      await saying;
    },
  };
}

/** At least one, which may be empty: it says that we are there. */
function chunksOf(entries: readonly ListEntry[]): ListEntry[][] {
  const chunks: ListEntry[][] = [];
  for (let at = 0; at < entries.length || at === 0; at += ENTRIES_PER_MESSAGE) {
    chunks.push(entries.slice(at, at + ENTRIES_PER_MESSAGE));
  }
  return chunks;
}
