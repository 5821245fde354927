/** A shard of Discord's gateway. */
export interface ShardFigures {
  readonly id: number;
  readonly isUp: boolean;
  /** Round trip of the last heartbeat, ms; null before the first. */
  readonly pingMs: number | null;
  readonly guilds: number;
}

/** Whose requests: the polls', people's, and what the bot asks by itself. */
export const PRIORITIES = ['poller', 'person', 'background'] as const;
type PerPriority = Readonly<Record<(typeof PRIORITIES)[number], number>>;

/** The venue's rate limit, requests in the present window; null: not known. */
export interface BudgetFigures {
  /** Of the key, as the venue says. */
  readonly limit: number | null;
  /** The part of the limit that the bot may use. */
  readonly allowance: number | null;
  readonly remaining: number | null;
  /** Epoch ms. */
  readonly resetAtMs: number | null;
  /** Sent in this window. */
  readonly used: PerPriority;
  /** Waiting to be sent. */
  readonly waiting: PerPriority;
  /** Epoch ms; set while a 429 is waited out. */
  readonly blockedUntilMs: number | null;
}

/** Alerts that wait for a channel. */
export interface Waiting {
  readonly alerts: number;
  /** Seconds since the oldest was first seen, by the venue's clock; 0 if none waits. */
  readonly oldestSeconds: number;
}

/** Figures of the moment, of the whole process. */
export interface Figures {
  readonly budget: BudgetFigures;
  /** Totals since the start. `retries` are part of `requests`; `skippedItems` could not be read. */
  readonly venue: { readonly requests: number; readonly retries: number; readonly skippedItems: number };
  /** For channels that the bot can write to, and for those that it cannot at present. */
  readonly waiting: Readonly<Record<'open' | 'blocked', Waiting>>;
  /** Since the first attempt of the message that has been tried for the longest, in an open channel; 0 if there is none. */
  readonly sendingSeconds: number;
  readonly blockedChannels: number;
  readonly deadLetters: number;
  readonly watches: number;
  /** Watches of resting guilds: those that have removed the bot or are not served. */
  readonly restingWatches: number;
  readonly wallets: number;
  /** Guilds that the bot is in. */
  readonly guilds: number;
  /** Mean over the shards; null while it is not known. */
  readonly gatewayPingMs: number | null;
  readonly shards: readonly ShardFigures[];
}

/** Figures of one server, or of a person alone. */
export interface OwnerFigures {
  readonly watches: number;
  readonly waiting: Waiting;
  /** Ids of its channels that the bot cannot write to at present. */
  readonly blockedChannels: readonly string[];
  readonly deadLetters: number;
}
