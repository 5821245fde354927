import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import type { UnreadableRow } from '../venue/read.ts';

/**
 * What the venue showed of one endpoint of one wallet at one moment: the only thing that crosses from the feed to the bot.
 * A snapshot: which of its records are new is for the bot to find out.
 */
export interface PolledPage<Item> {
  readonly wallet: WalletAddress;
  /** Grows with every poll, over restarts too: of two pages of an endpoint the greater one was shown later. */
  readonly pollId: number;
  /** Newest first, as the venue orders them. */
  readonly items: readonly Item[];
  /** Whether the venue has older records than these. */
  readonly hasMore: boolean;
  /** Records on the page that could not be read. */
  readonly unreadable: readonly UnreadableRow[];
  /** Unix seconds: older records were left out, because an earlier page had them. Null: none were left out. */
  readonly fromSeconds: number | null;
  /** The venue's clock when it answered, Unix seconds. */
  readonly venueSeconds: number;
  /** The venue's true time lies between these, Unix seconds, also where its clock is not believed. */
  readonly earliestSeconds: number;
  readonly latestSeconds: number;
}

/** A record that a page shows with a time further than this, s, ahead of its `latestSeconds` is not believed before that time has come. */
export const LARGEST_LEAD_SECONDS = 86_400;

export type AnyPolledPage =
  | ({ readonly endpoint: 'activity' } & PolledPage<ActivityItem>)
  | ({ readonly endpoint: 'deposits-withdrawals' } & PolledPage<TransferItem>);

/**
 * Takes a page over. Resolves when what follows from it is stored; until then the feed goes on as if the page had not been.
 *
 * @returns whether another page of the endpoint is wanted soon, because something on this one is open
 */
export type TakePage = (page: AnyPolledPage) => Promise<{ readonly isOpen: boolean }>;

/** Where a feed's pages go. */
export interface PageSink {
  readonly takePage: TakePage;
  /**
   * The endpoint was polled, and showed what the page that was taken last has, all of it of times that had come by then.
   *
   * @param seconds the venue's time, Unix seconds
   * @returns false if the page may bring something all the same
   */
  unchanged(wallet: WalletAddress, endpoint: AnyPolledPage['endpoint'], seconds: number): boolean;
  /** Gives up a page that cannot be taken, again and again. */
  abandon(page: AnyPolledPage): Promise<void>;
}
