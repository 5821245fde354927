/**
 * All that the bot half knows of the feed half (docs/architecture.md): what the feed shows, in
 * which terms, and how a look-up fails. The bot half imports nothing else from `feed/`, `venue/`
 * and `poll-policy/` (test/build/walls.test.ts).
 */
import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import type { EndpointName, RecordOf } from '../domain/records.ts';
import type { Settlement } from '../domain/settlement.ts';
import type { LocalizedText } from '../language/language.ts';
import { DAY_SECONDS } from '../lib/time.ts';
import type { Endpoint } from '../poll-policy/schedule.ts';
import type { LookUps, VenueClient } from '../venue/client.ts';
import type { ProxyLookup } from '../venue/proxy-lookup.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import { type UnreadableRow, unreadableRowSchema, type VenuePage } from '../venue/read.ts';
import type { VenueAvailability } from './availability.ts';

export type { ActivityFilters, LookUps } from '../venue/client.ts';
export { VenueError } from '../venue/errors.ts';
export { type Budget, type BudgetSnapshot, mayAskBeside } from '../venue/rate-limit/budget.ts';
export type { VenueAvailability } from './availability.ts';
export { SETTLEMENTS_LIMIT } from './settlements/settlements.ts';
export type { UnreadableRow, VenuePage };

/**
 * One endpoint of one wallet as the venue showed it at one moment: the only thing that crosses from
 * the feed to the bot. A snapshot: which of its records are new is for the bot to find out.
 */
export type PolledPage<Item> = Readonly<z.infer<z.ZodObject<typeof polledPageFields>>> & {
  /** Newest first, as the venue orders them. */
  readonly items: readonly Item[];
};

export const polledPageFields = {
  wallet: walletSchema,
  /**
   * Grows with every poll, over restarts too: of two pages of an endpoint the greater one was shown
   * later.
   */
  pollId: z.int().min(0),
  hasMore: z.boolean(),
  unreadable: z.array(unreadableRowSchema).readonly(),
  /**
   * Unix seconds: older records were left out, because an earlier page had them. Null: none were
   * left out.
   */
  fromSeconds: z.number().nullable(),
  /** The venue's clock when it answered, Unix seconds. */
  venueSeconds: z.number(),
  /**
   * The venue's true time lies between these, Unix seconds, also where its clock is not believed.
   */
  earliestSeconds: z.number(),
  latestSeconds: z.number(),
};

/**
 * A page's record dated further than this, s, ahead of its `latestSeconds` is not believed before
 * that time.
 */
export const LARGEST_LEAD_SECONDS = DAY_SECONDS;

export type AnyPolledPage = {
  [Name in EndpointName]: { readonly endpoint: Name } & PolledPage<RecordOf<Name>>;
}[EndpointName];

/** Taker of a feed's pages. */
export interface PageSink {
  /**
   * Takes a page over. Resolves when what follows from it is stored; until then the feed goes on as
   * if it had not been.
   *
   * @returns `isOpen`: whether another page of the endpoint is wanted soon, because something on
   *   this one is open; `pollId`: of the newest page that is taken; one above the page's own says
   *   that this one was dropped as older
   */
  takePage(page: AnyPolledPage): Promise<{ readonly isOpen: boolean; readonly pollId: number }>;
  /**
   * The endpoint was polled, and showed what the page taken last has, all of it of times that had
   * come by then.
   *
   * @param seconds the venue's time, Unix seconds
   * @returns false if the page may bring something all the same
   */
  unchanged(wallet: WalletAddress, endpoint: AnyPolledPage['endpoint'], seconds: number): boolean;
  /** Gives up a page that cannot be taken, again and again. */
  abandon(page: AnyPolledPage): Promise<void>;
}

/** PollIds by endpoint. */
export type Committed = Readonly<Partial<Record<EndpointName, number>>>;

/**
 * The feed half: shows what the venue shows of the wallets on its poll list, as early as the budget
 * allows. In this process (`feed.ts`) or in another one (`nats/remote-feed.ts`).
 */
export interface Feed {
  /** Calls for pages that people look up; they also show whether the venue accepts the key. */
  readonly lookUps: LookUps;
  readonly proxyOf: ProxyLookup;
  readonly availability: Pick<
    VenueAvailability,
    'trouble' | 'reachedSinceMs' | 'listing' | 'isOpen'
  >;
  /**
   * The key's rate limit and the venue's clock. Of another process: a second old, and `acquire`
   * waits for nothing.
   */
  readonly budget: Omit<Budget, 'pollAllowance' | 'learnedLimits' | 'restoreLimits'>;
  stats(): ReturnType<VenueClient['stats']>;
  /** Takes a document of the store that is the feed's own. False if it cannot be read. */
  load(key: string, document: unknown): boolean;
  /** Puts a wallet on the poll list. */
  watch(wallet: WalletAddress): void;
  /**
   * Says which pages of a wallet were taken last, before this start.
   *
   * @param committed their pollIds
   */
  noteTaken(wallet: WalletAddress, committed: Committed): void;
  /**
   * Polls a quarter as often while this process has more urgent work. A feed of another process goes
   * on as before, because it has a processor of its own.
   */
  giveWay(isBusy: () => boolean): void;
  unwatch(wallet: WalletAddress): void;
  /** The owners that watch a wallet may be others now. */
  watchersChanged(wallet: WalletAddress): void;
  /** Time of an endpoint's last poll, Unix seconds; null where that is not known. */
  lastSeconds(endpoint: Endpoint): number | null;
  /**
   * Ends of markets, as far as that was known at the last full hour.
   *
   * @param markets short hashes of their condition ids, at most 1,000
   * @returns rejects if there are more, or a feed of another process does not answer
   */
  settlements(markets: readonly string[]): Promise<readonly Settlement[]>;
  /**
   * Waits for this process's turn to log a shard in, where other processes have others; null if
   * there are none.
   */
  readonly awaitIdentify: ((bucket: number, signal: AbortSignal) => Promise<void>) | null;
  /**
   * Resolves once the feed works with this process: before, it must not log in to Discord nor send.
   */
  readonly taken: Promise<void>;
  /**
   * Why a feed of another process cannot be heard, or has not taken us; null if it is well, or is
   * this process.
   */
  trouble(): LocalizedText | null;
  /** Time of its last poll that succeeded, epoch ms; null where that is not known. */
  lastPollMs(): number | null;
  /** Begins to hand pages on. */
  start(sink: PageSink): Promise<void> | void;
  /** Plans no more, waits for the pages under way, and ends look-ups. */
  stop(): Promise<void>;
}
