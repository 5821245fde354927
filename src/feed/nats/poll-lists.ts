import type { WalletAddress } from '../../domain/address.ts';
import type { Account } from '../../lib/fair-shares/account.ts';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { ListEntry, PollListMessage, PollListReply } from './wire.ts';

/** A bot that has said nothing for this long, ms, is forgotten: nobody polls for it any more. */
const FORGET_MS = HOUR_MS;
/** A bot that has said nothing for this long does not work at present. */
const SILENT_MS = 10_000;
/**
 * After this silence, ms, another run may take a bot's place; a bot speaks each second, and repeats
 * after three.
 */
const PRESENT_MS = 5_000;
/**
 * A feed that has begun hears the bots that work within this after the first one: they speak once a
 * second, ms.
 */
const SETTLE_MS = 3_000;
/** A bot has this long to take a page that was published before it counts as missed. */
const TAKE_LIMIT_MS = 15_000;

interface Bot {
  instance: string;
  /**
   * Runs that were replaced by another one: one that still speaks works on a copy of the same
   * store.
   */
  readonly replaced: Set<string>;
  spokeMs: number;
  shards: PollListMessage['shards'];
  received: PollListMessage['received'];
  readonly entries: Map<WalletAddress, ListEntry>;
  /**
   * Whole list that is not complete yet: its next part, and the wallets of the parts before; null:
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
  /** Others may watch it now, or pay for it. */
  readonly onWatchersChanged: (wallet: WalletAddress) => void;
  /** A bot wants another page of the endpoint soon. */
  readonly onOpen: (endpoint: Endpoint) => void;
  /** A bot has a page with this pollId: later ones must be greater. */
  readonly onCommitted: (pollId: number) => void;
}

export type PollLists = ReturnType<typeof createPollLists>;

/** Wallets that all bots want to be polled, and which pages they have. */
export function createPollLists({ monotonicMs, log }: Machine, events: PollListEvents) {
  const bots = new Map<string, Bot>();
  const entries = createEntries(bots, events);
  const { owners } = entries;
  /** Time at which a bot first spoke, monotonic ms; null if none has. */
  let heardMs: number | null = null;
  let areBotsExpected = false;

  const isSpeaking = (bot: Bot, withinMs = SILENT_MS) => monotonicMs() - bot.spokeMs < withinMs;

  /** Tells whether bots that may still work with an earlier run of the feed had time to speak. */
  const areBotsHeard = () => {
    heardMs ??= monotonicMs();
    return !areBotsExpected || monotonicMs() - heardMs >= SETTLE_MS;
  };

  /** Runs of bots that speak, and beside which this one must not work, each with the reason. */
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

  /** Notes that a run of a bot has spoken; one unlike before has to say its whole list. */
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
      // Pages from now on must have numbers above those of the pages that it has, also while it
      // waits.
      const committed = message.entries.flatMap((entry) => Object.values(entry.committed));
      for (const pollId of committed) events.onCommitted(pollId);
      if (!areBotsHeard() && !message.isWorking) return { answer: 'wait', reason: null };
      return { answer: entries.take(noteSpoken(message), message), reason: null };
    },
    inTheWay,
    /**
     * Bots have worked with an earlier run of the feed: they may do so still, and have not been
     * heard yet.
     */
    expectBots(): void {
      areBotsExpected = true;
    },
    /** A run of a bot is not connected any more. */
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
     * Tells which page of an endpoint comes next for the bots that want it: one `again`, whatever
     * it shows, where a bot that works wants another look, or lacks the last one although it must
     * have received it by now; else one with `news`, and a `whole` one of these where a bot has not
     * said that it has the last one.
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

/** Keeps the wallets that each bot watches, and says what changes for all of them together. */
function createEntries(bots: Bots, events: Omit<PollListEvents, 'onCommitted'>) {
  const owners = createOwners(bots);

  /** @param entry null: the bot does not watch the wallet any more */
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
      // Each page that leaves it open wants another one.
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
     * Takes what has changed, or the next part of a whole list: after the last one the bot watches
     * nothing else.
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

/** Keeps the owners that watch something with any bot. */
function createOwners(bots: Bots) {
  const owners = new Map<string, { account: Account; readonly wallets: Set<WalletAddress> }>();
  return {
    /**
     * Notes who watches a wallet now.
     *
     * @param before, after as one bot says it
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

/** Why two bots must not work at the same time; null if they may. */
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
