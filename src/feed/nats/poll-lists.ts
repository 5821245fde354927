import type { WalletAddress } from '../../domain/address.ts';
import type { Account } from '../../lib/fair-shares/account.ts';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { ListEntry, PollListMessage, PollListReply } from './wire.ts';

/** Silence after which a bot is deleted and nothing is polled for it, in ms. */
const FORGET_MS = HOUR_MS;
/** Silence after which a bot counts as not working, in ms. */
const SILENT_MS = 10_000;
/**
 * Silence after which another run may replace a bot's run, in ms. A bot sends every second, and
 * retries after three.
 */
const PRESENT_MS = 5_000;
/**
 * Time after the first bot's message in which a new feed hears from all working bots, in ms; each
 * sends once a second.
 */
const SETTLE_MS = 3_000;
/**
 * Time after publication within which a bot should have processed a page, in ms; later it counts as
 * missed.
 */
const TAKE_LIMIT_MS = 15_000;

interface Bot {
  instance: string;
  /**
   * Runs that were replaced by another one. One that still sends works on a copy of the same store.
   */
  readonly replaced: Set<string>;
  spokeMs: number;
  shards: PollListMessage['shards'];
  received: PollListMessage['received'];
  readonly entries: Map<WalletAddress, ListEntry>;
  /**
   * Incomplete whole list: the index of its next part, and the wallets of the parts so far; null if
   * it is complete.
   */
  coming: { nextPart: number; readonly wallets: Set<WalletAddress> } | null;
}

const SAME_STORE =
  'Another bot with the same store works. ' +
  'A copied store needs an id of its own: npm run store -- copy makes one.';

interface PollListEvents {
  readonly onAdded: (wallet: WalletAddress) => void;
  readonly onRemoved: (wallet: WalletAddress) => void;
  /** Its watchers, or their payers, may have changed. */
  readonly onWatchersChanged: (wallet: WalletAddress) => void;
  /** A bot wants another page of the endpoint soon. */
  readonly onOpen: (endpoint: Endpoint) => void;
  /** A bot has a page with this pollId; later pages must have greater ones. */
  readonly onCommitted: (pollId: number) => void;
}

export type PollLists = ReturnType<typeof createPollLists>;

/**
 * Combines the poll lists of all bots: which wallets they want polled, and which pages they have.
 */
export function createPollLists({ monotonicMs, log }: Machine, events: PollListEvents) {
  const bots = new Map<string, Bot>();
  const entries = createEntries(bots, events);
  const { owners } = entries;
  /** Time when the first bot sent a message, in monotonic ms; null if none has. */
  let listeningSinceMs: number | null = null;
  let areBotsExpected = false;

  const isSpeaking = (bot: Bot, withinMs = SILENT_MS) => monotonicMs() - bot.spokeMs < withinMs;

  /**
   * Whether bots that may still work with an earlier run of the feed have had time to send a
   * message.
   */
  const haveBotsReported = () => {
    listeningSinceMs ??= monotonicMs();
    return !areBotsExpected || monotonicMs() - listeningSinceMs >= SETTLE_MS;
  };

  /** Lists the active bot runs that conflict with this one, each with the reason. */
  const inTheWay = ({
    bot: id,
    instance,
    shards,
  }: Pick<PollListMessage, 'bot' | 'instance' | 'shards'>) => {
    const conflicts: { instance: string; reason: string }[] = [];
    for (const [other, bot] of bots) {
      if (bot.instance === instance || !isSpeaking(bot, PRESENT_MS)) continue;
      const reason = other === id ? SAME_STORE : shardConflict(shards, bot.shards);
      if (reason !== null) conflicts.push({ instance: bot.instance, reason });
    }
    return conflicts;
  };

  /** Records a message of a bot's run. A new run must send its whole list. */
  const noteSpoken = ({ bot: id, instance, shards, received }: PollListMessage): Bot => {
    const before = bots.get(id);
    const spoken = { instance, spokeMs: monotonicMs(), shards, received };
    const coming = { nextPart: 0, wallets: new Set<WalletAddress>() };
    const bot: Bot = before ?? {
      ...spoken,
      replaced: new Set(),
      entries: new Map(),
      coming,
    };
    bots.set(id, bot);
    if (before === undefined) log.info({ event: 'feed.bot_joined', bot: id });
    if (bot.instance !== instance) {
      bot.replaced.add(bot.instance);
      bot.coming = coming;
    }
    return Object.assign(bot, spoken);
  };

  return {
    take(message: PollListMessage): PollListReply {
      if (bots.get(message.bot)?.replaced.has(message.instance) === true) {
        return { answer: 'refused', reason: SAME_STORE };
      }
      const [conflict] = inTheWay(message);
      if (conflict !== undefined) return { answer: 'refused', reason: conflict.reason };
      // Later pages must have greater numbers than the pages that it has, even while it waits.
      const committed = message.entries.flatMap((entry) => Object.values(entry.committed));
      for (const pollId of committed) events.onCommitted(pollId);
      if (!haveBotsReported() && !message.isWorking) return { answer: 'wait', reason: null };
      return { answer: entries.take(noteSpoken(message), message), reason: null };
    },
    inTheWay,
    /**
     * Expects bots that worked with an earlier run of the feed and have not sent a message to this
     * one yet.
     */
    expectBots(): void {
      areBotsExpected = true;
    },
    /** Marks a bot's run as no longer connected. */
    gone(instance: string): void {
      const silentMs = monotonicMs() - SILENT_MS;
      for (const bot of bots.values()) {
        if (bot.instance === instance) bot.spokeMs = Math.min(bot.spokeMs, silentMs);
      }
    },
    forgetSilent(): void {
      for (const [id, bot] of [...bots]) {
        if (isSpeaking(bot, FORGET_MS)) continue;
        log.warn({ event: 'feed.bot_forgotten', bot: id });
        entries.keepOnly(bot, new Set());
        bots.delete(id);
      }
    },
    /**
     * Decides how to publish the next page of an endpoint. `again`: in any case, because a working
     * bot wants another look or has missed the last page. `whole`: if it has news, with all
     * records, because a bot has not confirmed the last page. `news`: if it has news, with the new
     * records.
     */
    nextPage(
      { wallet, name }: Endpoint,
      { pollId, atMs }: { readonly pollId: number; readonly atMs: number },
    ) {
      const watchers = watchersOf(bots, wallet);
      const isTimeUp = monotonicMs() - atMs >= TAKE_LIMIT_MS;
      const isAwaited = watchers.some(([bot, { committed, open }]) => {
        const isMissed =
          isTimeUp &&
          committed[name] !== pollId &&
          (bot.received === null || bot.received >= pollId);
        return isSpeaking(bot) && (isMissed || open.includes(name));
      });
      if (isAwaited) return 'again';
      if (watchers.some(([, { committed }]) => committed[name] !== pollId)) return 'whole';
      return 'news';
    },
    ownersOf: (wallet: WalletAddress) => ownersOf(bots, wallet),
    walletsOf: owners.walletsOf,
    owners: owners.ids,
    accountOf: owners.accountOf,
  };
}

type Bots = ReadonlyMap<string, Bot>;

/** Tracks the wallets that each bot watches, and reports changes for all bots together. */
function createEntries(bots: Bots, events: Omit<PollListEvents, 'onCommitted'>) {
  const owners = createOwners(bots);

  /** @param entry null if the bot no longer watches the wallet */
  const setEntry = (bot: Bot, wallet: WalletAddress, entry: ListEntry | null) => {
    const before = bot.entries.get(wallet);
    const isNew = entry !== null && watchersOf(bots, wallet).length === 0;
    if (entry === null) bot.entries.delete(wallet);
    else bot.entries.set(wallet, entry);
    owners.note(wallet, before?.watchers ?? [], entry?.watchers ?? []);
    if (isNew) events.onAdded(wallet);
    else events.onWatchersChanged(wallet);
    if (before !== undefined && watchersOf(bots, wallet).length === 0) events.onRemoved(wallet);
    for (const name of entry?.open ?? []) {
      // Each page that leaves the endpoint open asks for another one.
      const isKnown =
        before?.open.includes(name) === true && before.committed[name] === entry?.committed[name];
      if (!isKnown) events.onOpen({ wallet, name });
    }
  };

  const keepOnly = (bot: Bot, wallets: ReadonlySet<WalletAddress>): void => {
    for (const wallet of [...bot.entries.keys()]) {
      if (!wallets.has(wallet)) setEntry(bot, wallet, null);
    }
  };

  return {
    owners,
    keepOnly,
    /**
     * Applies changes, or the next part of a whole list. After its last part, the bot watches only
     * the listed wallets.
     */
    take(bot: Bot, { part, entries, removed }: PollListMessage): PollListReply['answer'] {
      if (part?.index === 0) bot.coming = { nextPart: 0, wallets: new Set() };
      const { coming } = bot;
      if (part?.index !== coming?.nextPart) return 'resend';
      for (const entry of entries) setEntry(bot, entry.wallet, entry);
      for (const wallet of removed) setEntry(bot, wallet, null);
      if (part === null || coming === null) return 'taken';
      coming.nextPart += 1;
      for (const { wallet } of entries) coming.wallets.add(wallet);
      if (coming.nextPart === part.count) {
        keepOnly(bot, coming.wallets);
        bot.coming = null;
      }
      return 'taken';
    },
  };
}

/** Tracks the owners that watch something, across all bots. */
function createOwners(bots: Bots) {
  const owners = new Map<string, { account: Account; readonly wallets: Set<WalletAddress> }>();
  return {
    /**
     * Records who watches a wallet.
     *
     * @param before, after one bot's watchers before and after the change
     */
    note(wallet: WalletAddress, before: readonly Account[], after: readonly Account[]): void {
      const present = ownersOf(bots, wallet);
      for (const account of after) {
        const wallets = owners.get(account.owner)?.wallets ?? new Set();
        owners.set(account.owner, { account, wallets: wallets.add(wallet) });
      }
      for (const { owner } of before) {
        const wallets = owners.get(owner)?.wallets;
        if (!present.has(owner)) wallets?.delete(wallet);
        if (wallets?.size === 0) owners.delete(owner);
      }
    },
    walletsOf: (ownerId: string): ReadonlySet<WalletAddress> =>
      owners.get(ownerId)?.wallets ?? new Set(),
    ids: (): Iterable<string> => owners.keys(),
    accountOf: (owner: string): Account =>
      owners.get(owner)?.account ?? { payer: owner, owner, weight: 1 },
  };
}

function watchersOf(bots: Bots, wallet: WalletAddress): [Bot, ListEntry][] {
  const watchers: [Bot, ListEntry][] = [];
  for (const bot of bots.values()) {
    const entry = bot.entries.get(wallet);
    if (entry !== undefined) watchers.push([bot, entry]);
  }
  return watchers;
}

function ownersOf(bots: Bots, wallet: WalletAddress): ReadonlySet<string> {
  const watchers = watchersOf(bots, wallet).flatMap(([, entry]) => entry.watchers);
  return new Set(watchers.map(({ owner }) => owner));
}

/** Returns why two bots must not work at the same time; null if they may. */
function shardConflict(
  ours: PollListMessage['shards'],
  theirs: PollListMessage['shards'],
): string | null {
  if (ours === null || theirs === null) {
    return (
      'Another bot works on the same NATS, and one of the two takes all shards (SHARDS=auto). ' +
      'Give each bot its SHARDS, all of one number, such as 0,1/4 and 2,3/4.'
    );
  }
  if (ours.count !== theirs.count) {
    return (
      `Another bot works with SHARDS of ${theirs.count}, this one with SHARDS of ${ours.count}. ` +
      'All bots need the same number.'
    );
  }
  const both = ours.ids.filter((id) => theirs.ids.includes(id));
  if (both.length === 0) return null;
  return `Another bot works with shard ${both.join(', ')}, too. Each shard belongs to one bot.`;
}
