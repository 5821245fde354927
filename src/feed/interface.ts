/**
 * Everything that the bot half knows of the feed half (docs/architecture.md): the pages that the
 * feed delivers, their terms, and how a lookup fails. The bot half imports nothing else from
 * `feed/`, `venue/` and `poll-policy/` (test/build/walls.test.ts).
 */
import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import type { EndpointName, RecordOf } from '../domain/records.ts';
import type { Settlement } from '../domain/settlement.ts';
import type { LocalizedText } from '../language/language.ts';
import { DAY_SECONDS } from '../lib/time.ts';
import type { Endpoint } from '../poll-policy/schedule.ts';
import type { Lookups, VenueClient } from '../venue/client.ts';
import type { ProxyLookup } from '../venue/proxy-lookup.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import { type UnreadableRow, unreadableRowSchema, type VenuePage } from '../venue/read.ts';
import type { VenueAvailability } from './availability.ts';

export type { ActivityFilters, Lookups } from '../venue/client.ts';
export { VenueError } from '../venue/errors.ts';
export { type Budget, type BudgetSnapshot, mayAskBeside } from '../venue/rate-limit/budget.ts';
export type { VenueAvailability } from './availability.ts';
export { SETTLEMENTS_LIMIT } from './settlements/settlements.ts';
export type { UnreadableRow, VenuePage };

/**
 * One endpoint of one wallet as the venue showed it at one moment; the only data that the feed
 * passes to the bot. It is a snapshot: the bot finds out which of its records are new.
 */
export type PolledPage<Item> = Readonly<z.infer<z.ZodObject<typeof polledPageFields>>> & {
  /** Newest first, as the venue orders them. */
  readonly items: readonly Item[];
};

export const polledPageFields = {
  wallet: walletSchema,
  /**
   * Increases with every poll, across restarts too: the page with the greater pollId is the later
   * one.
   */
  pollId: z.int().min(0),
  hasMore: z.boolean(),
  unreadable: z.array(unreadableRowSchema).readonly(),
  /**
   * Records older than this, in Unix seconds, were left out because an earlier page had them. Null:
   * none were left out.
   */
  fromSeconds: z.number().nullable(),
  /** The venue's clock at its response, in Unix seconds. */
  venueSeconds: z.number(),
  /** Bounds of the venue's true time, in Unix seconds; valid even if its clock is not trusted. */
  earliestSeconds: z.number(),
  latestSeconds: z.number(),
};

/**
 * Maximum time that a record may be dated ahead of its page's `latestSeconds`, in seconds. One
 * dated later is ignored until that time comes.
 */
export const LARGEST_LEAD_SECONDS = DAY_SECONDS;

export type AnyPolledPage = {
  [Name in EndpointName]: { readonly endpoint: Name } & PolledPage<RecordOf<Name>>;
}[EndpointName];

/** Receiver of a feed's pages. */
export interface PageSink {
  /**
   * Accepts a page. Resolves when its effects have been stored; until then the feed treats the page
   * as not accepted.
   *
   * @returns `isOpen`: whether another page of the endpoint is wanted soon, because this one left
   *   something open; `pollId`: that of the newest accepted page; if it is greater than the page's
   *   own, this page was dropped as outdated
   */
  takePage(page: AnyPolledPage): Promise<{ readonly isOpen: boolean; readonly pollId: number }>;
  /**
   * Reports a poll that returned the same page as the last accepted one, with no record dated after
   * that time.
   *
   * @param seconds the venue's time, in Unix seconds
   * @returns false if the page could have an effect nevertheless
   */
  unchanged(wallet: WalletAddress, endpoint: AnyPolledPage['endpoint'], seconds: number): boolean;
  /** Gives up a page that repeatedly could not be accepted. */
  abandon(page: AnyPolledPage): Promise<void>;
}

/** PollIds by endpoint. */
export type Committed = Readonly<Partial<Record<EndpointName, number>>>;

/**
 * The feed half: delivers what the venue shows of the wallets on its poll list, as early as the
 * budget allows. It runs in this process (`feed.ts`) or in another one (`nats/remote-feed.ts`).
 */
export interface Feed {
  /** Calls for pages that people look up. They also show whether the venue accepts the key. */
  readonly lookups: Lookups;
  readonly proxyOf: ProxyLookup;
  readonly availability: Pick<
    VenueAvailability,
    'trouble' | 'reachedSinceMs' | 'listing' | 'isOpen'
  >;
  /**
   * The key's rate limit and the venue's clock. For a feed in another process the data is one
   * second old, and `acquire` does not wait.
   */
  readonly budget: Omit<Budget, 'pollAllowance' | 'learnedLimits' | 'restoreLimits'>;
  stats(): ReturnType<VenueClient['stats']>;
  /** Loads a stored document that belongs to the feed. Returns false if it cannot be read. */
  load(key: string, document: unknown): boolean;
  /** Puts a wallet on the poll list. */
  watch(wallet: WalletAddress): void;
  /**
   * Reports which pages of a wallet were accepted last, before this start.
   *
   * @param committed their pollIds
   */
  noteTaken(wallet: WalletAddress, committed: Committed): void;
  /**
   * Polls a quarter as often while this process has more urgent work. A feed in another process
   * ignores this, because it has its own processor.
   */
  giveWay(isBusy: () => boolean): void;
  unwatch(wallet: WalletAddress): void;
  /** Reports that the owners watching a wallet may have changed. */
  watchersChanged(wallet: WalletAddress): void;
  /** Returns when an endpoint was last polled, in Unix seconds; null if unknown. */
  lastSeconds(endpoint: Endpoint): number | null;
  /**
   * Returns how markets ended, as known at the last full hour.
   *
   * @param markets short hashes of their condition ids, at most 1,000
   * @returns rejects if there are more, or if a feed in another process does not respond
   */
  settlements(markets: readonly string[]): Promise<readonly Settlement[]>;
  /**
   * Waits for this process's turn to log in a shard if other processes log in shards too; null if
   * there are none.
   */
  readonly awaitIdentify: ((bucket: number, signal: AbortSignal) => Promise<void>) | null;
  /**
   * Resolves once the feed has accepted this process, which must not log in to Discord or send
   * before that.
   */
  readonly taken: Promise<void>;
  /**
   * Returns why a feed in another process cannot be reached, or has not accepted this bot; null if
   * all is well or the feed is in this process.
   */
  trouble(): LocalizedText | null;
  /** Returns when its last poll succeeded, in epoch ms; null if unknown. */
  lastPollMs(): number | null;
  /** Begins to deliver pages. */
  start(sink: PageSink): Promise<void> | void;
  /** Stops polling, waits for the pages in progress, and ends lookups. */
  stop(): Promise<void>;
}
