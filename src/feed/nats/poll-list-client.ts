import type { NatsConnection } from '@nats-io/transport-node';
import type { WalletAddress } from '../../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../../domain/records.ts';
import type { Account } from '../../lib/fair-shares/account.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { Committed } from '../interface.ts';
import * as wire from './wire.ts';

const REPLY_LIMIT_MS = 3_000;
/**
 * Interval at which changes are sent, in ms. Messages without changes show that the bot is alive.
 */
const EVERY_MS = 1_000;
/** Interval at which the whole list is sent, in ms. */
const WHOLE_EVERY_MS = 3 * 60_000;
/** Maximum owners per wallet; the cost of its polls is shared among them. */
const WATCHERS_PER_ENTRY = 50;
/** Maximum entries per message. With 50 owners each they take half of NATS' limit of 1 MiB. */
const ENTRIES_PER_MESSAGE = 200;
/**
 * Time for which a rejection must last before the bot ends, in ms. Until then the run that it
 * replaces may not have been missed yet.
 */
const REFUSED_LIMIT_MS = 20_000;

/** Tells the feed which wallets this bot watches, and which pages it has. */
export function createPollListClient(
  machine: Machine,
  deps: Pick<wire.PollListMessage, 'bot' | 'instance' | 'shards'> & {
    readonly connection: Pick<NatsConnection, 'request'>;
    readonly watchersOf: (wallet: WalletAddress) => readonly Account[];
    readonly onRefused: (reason: string) => void;
  },
) {
  const { monotonicMs } = machine;
  const { connection, bot, instance, shards } = deps;
  const list = createWatchedList(deps.watchersOf);
  const admission = createAdmission(machine, deps.onRefused);
  const reaching = createTroubleLog(
    machine,
    'warn',
    { event: 'feed.not_reached' },
    { event: 'feed.reached_again' },
  );
  let received: () => number | null = () => 0;
  /**
   * Time when sending the whole list last began, in monotonic ms; -Infinity if never or
   * unsuccessfully, so that it is due.
   */
  let wholeSaidMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let saying: Promise<void> | null = null;

  /** @returns whether the feed has accepted it */
  const say = async (part: Pick<wire.PollListMessage, 'part' | 'entries' | 'removed'>) => {
    const isWorking = admission.isWorking();
    const message = {
      bot,
      instance,
      isWorking,
      shards,
      ...part,
      received: received(),
    };
    const reply = await wire.ask(connection, wire.POLL_LIST, message, REPLY_LIMIT_MS);
    admission.onAnswer(reply);
    return reply.answer === 'taken';
  };

  const sayWhatIsDue = async () => {
    const isWhole = monotonicMs() - wholeSaidMs > WHOLE_EVERY_MS;
    const { entries, removed } = list.takeDue(isWhole);
    if (isWhole) wholeSaidMs = monotonicMs();
    // At least one message, even an empty one, to show that the bot is alive.
    const count = Math.max(1, Math.ceil(entries.length / ENTRIES_PER_MESSAGE));
    let isTaken = true;
    try {
      for (let index = 0; index < count && isTaken; index += 1) {
        isTaken = await say({
          part: isWhole ? { index, count } : null,
          entries: entries.slice(index * ENTRIES_PER_MESSAGE, (index + 1) * ENTRIES_PER_MESSAGE),
          removed: index === 0 ? removed : [],
        });
      }
      reaching.succeeded('feed');
    } catch (error) {
      isTaken = false;
      reaching.failed('feed', { err: error });
    }
    // It is unknown how much of it arrived.
    if (!isTaken) wholeSaidMs = Number.NEGATIVE_INFINITY;
  };

  const sayInTurn = () => {
    saying ??= sayWhatIsDue().finally(() => {
      saying = null;
    });
  };

  return {
    ...list,
    taken: admission.taken,
    refusal: admission.refusal,
    /** Sends the whole list again, because another run of the feed has begun. */
    sayAll(): void {
      wholeSaidMs = Number.NEGATIVE_INFINITY;
    },
    /**
     * @param processed returns the pollId up to which all pages have been processed, as in the
     *   message
     */
    start(processed: typeof received): void {
      received = processed;
      timer = setInterval(sayInTurn, EVERY_MS);
      sayInTurn();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await saying;
    },
  };
}

/**
 * Tracks which wallets are watched here, which of their pages this bot has, and what has changed.
 */
function createWatchedList(watchersOf: (wallet: WalletAddress) => readonly Account[]) {
  const known = new Map<
    WalletAddress,
    { committed: Committed; readonly open: Set<EndpointName> }
  >();
  /** Sent with the next changes; wallets that are no longer known are sent as removed. */
  let changed = new Set<WalletAddress>();

  const entryOf = (wallet: WalletAddress): wire.ListEntry[] => {
    const entry = known.get(wallet);
    if (entry === undefined) return [];
    const watchers = onePayerFirst(watchersOf(wallet)).slice(0, WATCHERS_PER_ENTRY);
    const { committed, open } = entry;
    return [{ wallet, watchers, committed, open: [...open] }];
  };

  return {
    watch(wallet: WalletAddress): void {
      if (!known.has(wallet)) known.set(wallet, { committed: {}, open: new Set() });
      changed.add(wallet);
    },
    /** Records the last pages of an earlier run, unless this run has later ones. */
    noteTaken(wallet: WalletAddress, taken: Committed): void {
      const entry = known.get(wallet);
      if (entry === undefined || Object.keys(taken).length === 0) return;
      entry.committed = latest(entry.committed, taken);
      changed.add(wallet);
    },
    unwatch(wallet: WalletAddress): void {
      known.delete(wallet);
      changed.add(wallet);
    },
    /** Called when the owners that watch the wallet may have changed. */
    changed: (wallet: WalletAddress) => void changed.add(wallet),
    committed({ wallet, name }: Endpoint, pollId: number, isOpen: boolean): void {
      const entry = known.get(wallet);
      if (entry === undefined) return;
      // An older page was dropped. It says nothing about what the feed has published since, so
      // `latest` ignores it.
      entry.committed = latest(entry.committed, { [name]: pollId });
      entry.open[isOpen ? 'add' : 'delete'](name);
      changed.add(wallet);
    },
    committedOf: ({ wallet, name }: Endpoint) => known.get(wallet)?.committed[name],
    isWatched: (wallet: WalletAddress) => known.has(wallet),
    /** Returns what has changed since the last call, or the whole list. */
    takeDue(isWhole: boolean): Pick<wire.PollListMessage, 'entries' | 'removed'> {
      const due = changed;
      changed = new Set();
      if (isWhole) return { entries: [...known.keys()].flatMap(entryOf), removed: [] };
      const removed = [...due].filter((wallet) => !known.has(wallet));
      return { entries: [...due].flatMap(entryOf), removed };
    },
  };
}

/** Returns the later page of each endpoint. */
function latest(some: Committed, others: Committed): Committed {
  const all = { ...some };
  for (const name of ENDPOINT_NAMES) {
    const other = others[name];
    if (other !== undefined) all[name] = Math.max(other, all[name] ?? 0);
  }
  return all;
}

/** Tracks whether the feed has accepted this bot. */
function createAdmission({ monotonicMs, log }: Machine, onRefused: (reason: string) => void) {
  let refused: { readonly sinceMs: number; readonly reason: string } | null = null;
  let isWorking = false;
  let onTaken = () => {};
  const taken = new Promise<void>((resolve) => {
    onTaken = resolve;
  });
  return {
    /** Resolves once the feed has accepted this bot, which may then work. */
    taken,
    isWorking: () => isWorking,
    /** Returns why the feed has not accepted this bot, in the feed's words; null if it has. */
    refusal(): string | null {
      if (isWorking) return null;
      return refused?.reason ?? 'The feed has not answered yet.';
    },
    onAnswer({ answer, reason }: wire.PollListReply): void {
      if (answer === 'refused') {
        if (refused === null) log.warn({ event: 'feed.refused_us', reason });
        refused = { sinceMs: refused?.sinceMs ?? monotonicMs(), reason: reason ?? '' };
        if (monotonicMs() - refused.sinceMs > REFUSED_LIMIT_MS) onRefused(refused.reason);
        return;
      }
      refused = null;
      if (answer === 'wait' || isWorking) return;
      isWorking = true;
      onTaken();
    },
  };
}

/** Returns the first account of each payer, then all others. */
function onePayerFirst(accounts: readonly Account[]): readonly Account[] {
  const first = new Map<string, Account>();
  const others: Account[] = [];
  for (const account of accounts) {
    if (first.has(account.payer)) others.push(account);
    else first.set(account.payer, account);
  }
  return [...first.values(), ...others];
}
