import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../domain/address.ts';
import { ENDPOINT_NAMES } from '../../domain/records.ts';
import type { Machine } from '../../lib/machine.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { ListEntry, PollListMessage, PollListReply } from './wire.ts';

/** A bot that has said nothing for this long is forgotten: nobody polls for it any more. */
const FORGET_MS = 3_600_000;
/** A bot that has said nothing for this long does not work at present. */
const SILENT_MS = 10_000;
/** Another one may take its place after this: it speaks once a second, and says again what has no answer within three seconds. */
const PRESENT_MS = 5_000;
/** After a restart the feed hears those that work within this: they speak once a second, ms. */
const SETTLE_MS = 3_000;
/** A bot has this long to take a page that was published before it counts as missed. */
const TAKE_LIMIT_MS = 15_000;

export const POLL_LIST_PREFIX = 'poll-list:';

/** A part of what a bot wants polled, as the feed keeps it over restarts. */
export const storedListSchema = z.object({
  version: z.literal(1),
  bot: z.string(),
  entries: z.array(
    z.object({
      wallet: walletSchema,
      guilds: z.array(z.string()),
      committed: z.partialRecord(z.enum(ENDPOINT_NAMES), z.number()),
    }),
  ),
});

/** The last page of an endpoint that was published. */
export interface Published {
  readonly pollId: number;
  /** When, monotonic ms. */
  readonly atMs: number;
}

interface Bot {
  instance: string | null;
  /** Runs that were replaced by another one: one that still speaks works on a copy of the same store. */
  readonly replaced: Set<string>;
  spokeMs: number;
  generation: number;
  shards: PollListMessage['shards'];
  received: number;
  isIdle: boolean;
  readonly entries: Map<WalletAddress, ListEntry>;
  /** Parts of a whole list that is not complete yet. */
  coming: { readonly generation: number; readonly parts: Map<number, readonly ListEntry[]> } | null;
}

const SAME_STORE =
  'Another bot with the same store works. A copied store needs an id of its own: npm run store -- copy makes one.';

export type PollLists = ReturnType<typeof createPollLists>;

/** What all bots want to be polled, and which pages they have. */
export function createPollLists(
  { monotonicMs }: Machine,
  deps: {
    readonly onAdded: (wallet: WalletAddress) => void;
    readonly onRemoved: (wallet: WalletAddress) => void;
    /** A bot wants another page of the endpoint soon. */
    readonly onOpen: (endpoint: Endpoint) => void;
    /** A bot has a page with this pollId: later ones must be greater. */
    readonly onCommitted: (pollId: number) => void;
  },
) {
  const { onAdded, onRemoved, onOpen, onCommitted } = deps;
  const bots = new Map<string, Bot>();
  /** The bots that watch a wallet, each with what it says of it. */
  const watchersByWallet = new Map<WalletAddress, Map<Bot, ListEntry>>();
  const walletsByGuild = new Map<string, Set<WalletAddress>>();
  /** When a bot first spoke, monotonic ms; null if none has. */
  let heardMs: number | null = null;

  /** The bot with this id, noted from now on. */
  const botOf = (id: string): Bot => {
    const bot: Bot = bots.get(id) ?? {
      instance: null,
      replaced: new Set(),
      spokeMs: monotonicMs(),
      generation: -1,
      shards: null,
      received: 0,
      isIdle: false,
      entries: new Map(),
      coming: null,
    };
    bots.set(id, bot);
    return bot;
  };

  const isSpeaking = (bot: Bot, withinMs = SILENT_MS) =>
    bot.instance !== null && monotonicMs() - bot.spokeMs < withinMs;

  const watchersOf = (wallet: WalletAddress): [Bot, ListEntry][] => [...(watchersByWallet.get(wallet) ?? [])];

  const guildsOf = (wallet: WalletAddress): ReadonlySet<string> =>
    new Set(watchersOf(wallet).flatMap(([, { guilds }]) => guilds));

  const unlist = (wallet: WalletAddress, guilds: readonly string[]) => {
    const left = guildsOf(wallet);
    for (const guildId of guilds) {
      if (left.has(guildId)) continue;
      const wallets = walletsByGuild.get(guildId);
      wallets?.delete(wallet);
      if (wallets?.size === 0) walletsByGuild.delete(guildId);
    }
  };

  const noteCommitted = ({ committed }: ListEntry) => {
    for (const pollId of Object.values(committed)) onCommitted(pollId);
  };

  const setEntry = (bot: Bot, entry: ListEntry) => {
    const { wallet } = entry;
    const before = bot.entries.get(wallet);
    bot.entries.set(wallet, entry);
    const watchers = watchersByWallet.get(wallet) ?? new Map<Bot, ListEntry>();
    const isNew = watchers.size === 0;
    watchersByWallet.set(wallet, watchers.set(bot, entry));
    for (const guildId of entry.guilds) {
      walletsByGuild.set(guildId, (walletsByGuild.get(guildId) ?? new Set()).add(wallet));
    }
    unlist(wallet, before?.guilds ?? []);
    noteCommitted(entry);
    if (isNew) onAdded(wallet);
    for (const name of entry.open) {
      // Each page that leaves it open wants another one.
      const isKnown = before?.open.includes(name) === true && before.committed[name] === entry.committed[name];
      if (!isKnown) onOpen({ wallet, name });
    }
  };

  const removeEntry = (bot: Bot, wallet: WalletAddress) => {
    const before = bot.entries.get(wallet);
    if (before === undefined) return;
    bot.entries.delete(wallet);
    const watchers = watchersByWallet.get(wallet);
    watchers?.delete(bot);
    unlist(wallet, before.guilds);
    if (watchers?.size !== 0) return;
    watchersByWallet.delete(wallet);
    onRemoved(wallet);
  };

  const replaceEntries = (bot: Bot, entries: readonly ListEntry[]) => {
    const kept = new Set(entries.map(({ wallet }) => wallet));
    for (const entry of entries) setEntry(bot, entry);
    for (const wallet of [...bot.entries.keys()]) if (!kept.has(wallet)) removeEntry(bot, wallet);
  };

  /** Takes what has changed, or one part of a whole list, which counts once all parts are there. */
  const takeEntries = (bot: Bot, { generation, part, entries, removed }: PollListMessage) => {
    if (part === null) {
      for (const entry of entries) setEntry(bot, entry);
      for (const wallet of removed) removeEntry(bot, wallet);
      return;
    }
    if (bot.coming?.generation !== generation) bot.coming = { generation, parts: new Map() };
    bot.coming.parts.set(part.index, entries);
    if (bot.coming.parts.size < part.count) return;
    const { parts } = bot.coming;
    bot.coming = null;
    bot.generation = generation;
    replaceEntries(bot, [...parts.values()].flat());
  };

  /** Runs of bots that speak, and beside which this one must not work, each with the reason. */
  const inTheWay = ({ bot: id, instance, shards }: Pick<PollListMessage, 'bot' | 'instance' | 'shards'>) =>
    [...bots].flatMap(([other, bot]) => {
      if (bot.instance === null || bot.instance === instance || !isSpeaking(bot, PRESENT_MS)) return [];
      const reason = other === id ? SAME_STORE : shardConflict(shards, bot.shards);
      return reason === null ? [] : [{ instance: bot.instance, reason }];
    });

  return {
    /** Takes what a bot says. */
    take(message: PollListMessage): PollListReply {
      const { bot: id, instance, shards, received, isIdle, generation, part, entries } = message;
      if (bots.get(id)?.replaced.has(instance) === true) return { answer: 'refused', reason: SAME_STORE };
      const [conflict] = inTheWay(message);
      if (conflict !== undefined) return { answer: 'refused', reason: conflict.reason };
      heardMs ??= monotonicMs();
      // Bots that an earlier run of the feed knew may work without having been heard yet.
      const isSettled =
        monotonicMs() - heardMs >= SETTLE_MS || [...bots.values()].every((bot) => bot.instance !== null);
      if (!isSettled && !message.isWorking) {
        // What is polled meanwhile must be above the pages that it has.
        entries.forEach(noteCommitted);
        return { answer: 'wait', reason: null };
      }
      const bot = botOf(id);
      if (bot.instance !== instance) {
        if (bot.instance !== null) bot.replaced.add(bot.instance);
        Object.assign(bot, { instance, generation: -1, coming: null });
      }
      Object.assign(bot, { spokeMs: monotonicMs(), shards, received, isIdle });
      if (part === null && bot.generation !== generation) return { answer: 'resend', reason: null };
      takeEntries(bot, message);
      return { answer: 'taken', reason: null };
    },
    inTheWay,
    /** A run of a bot is not connected any more. */
    gone(instance: string): void {
      const silentMs = monotonicMs() - SILENT_MS;
      for (const bot of bots.values()) if (bot.instance === instance) bot.spokeMs = Math.min(bot.spokeMs, silentMs);
    },
    /** Takes a list that was stored by an earlier run; its bot has not spoken yet. */
    restore(id: string, entries: readonly ListEntry[]): void {
      const bot = botOf(id);
      for (const entry of entries) setEntry(bot, entry);
    },
    /** For the store. */
    entriesOf: (id: string): readonly ListEntry[] => [...(bots.get(id)?.entries.values() ?? [])],
    has: (id: string) => bots.has(id),
    /** Forgets bots that have been silent for an hour. @returns them */
    forgetSilent(): readonly string[] {
      const silent = [...bots].filter(([, bot]) => monotonicMs() - bot.spokeMs > FORGET_MS);
      for (const [id, bot] of silent) {
        replaceEntries(bot, []);
        bots.delete(id);
      }
      return silent.map(([id]) => id);
    },
    /** Whether some bot that works wants another page of the endpoint soon. */
    isOpen: ({ wallet, name }: Endpoint) =>
      watchersOf(wallet).some(([bot, { open }]) => isSpeaking(bot) && open.includes(name)),
    /** Whether some bot that works lacks the endpoint's last page, although it must have received it by now. */
    isMissed: ({ wallet, name }: Endpoint, { pollId, atMs }: Published) =>
      monotonicMs() - atMs >= TAKE_LIMIT_MS &&
      watchersOf(wallet).some(
        ([bot, { committed }]) =>
          isSpeaking(bot) && committed[name] !== pollId && (bot.isIdle || bot.received >= pollId),
      ),
    /** Whether some bot that wants the endpoint has not said that it has its last page. */
    isBehind: ({ wallet, name }: Endpoint, { pollId }: Pick<Published, 'pollId'>) =>
      watchersOf(wallet).some(([, { committed }]) => committed[name] !== pollId),
    guildsOf,
    walletsOf: (guildId: string): ReadonlySet<WalletAddress> => walletsByGuild.get(guildId) ?? new Set(),
    guilds: (): Iterable<string> => walletsByGuild.keys(),
    walletCount: () => watchersByWallet.size,
  };
}

/** Why two bots must not work at the same time; null if they may. */
function shardConflict(ours: PollListMessage['shards'], theirs: PollListMessage['shards']): string | null {
  if (ours === null || theirs === null) {
    return 'Another bot works on the same NATS, and one of the two takes all shards (SHARDS=auto). Give each bot its SHARDS, with one SHARD_COUNT.';
  }
  if (ours.count !== theirs.count) {
    return `Another bot works with SHARD_COUNT ${theirs.count}, this one with ${ours.count}. All bots need the same.`;
  }
  const both = ours.ids.filter((id) => theirs.ids.includes(id));
  return both.length === 0
    ? null
    : `Another bot works with shard ${both.join(', ')}, too. Each shard belongs to one bot.`;
}
