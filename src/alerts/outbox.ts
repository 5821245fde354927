import { LRUCache } from 'lru-cache';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import type { Committed } from '../feed/interface.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import { quarantine } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import type { BegunWatch } from '../watches/registry.ts';
import type { Alert } from './alert.ts';
import { type AlertBuilder, gapNotice, type Learn } from './build.ts';
import { kindOf } from './kinds/kinds.ts';
import {
  type Change,
  type NewAlert,
  RECENT_MS,
  readWalletDocument,
  WALLET_PREFIX,
  type WalletDocument,
  type WalletState,
} from './wallet-document.ts';

/**
 * Alerts of a wallet that wait at the most: each commit writes them all. Beyond, the older half
 * becomes a notice.
 */
const OUTBOX_LIMIT = 1_000;
/** So many of them are kept, of all wallets together. */
const RECENT_LIMIT = 5_000;
/**
 * Documents that are kept as they were read or written last, some 100 kB each: those of the wallets
 * that trade now.
 */
const DOCUMENTS_KEPT = 100;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * One document a wallet holds how far it has been read and what has not been delivered, so that
 * both change in one write: a crash before the write repeats the poll, a crash after it repeats the
 * delivery.
 *
 * @param parts `builder` says what follows from a delivery, and what a wallet begins with whose
 *   document cannot be read
 */
export function createOutbox(
  { log, onFailpoint }: Pick<Machine, 'log' | 'onFailpoint'>,
  {
    store,
    builder,
  }: { readonly store: Pick<Store, 'get' | 'set' | 'delete'>; readonly builder: AlertBuilder },
) {
  const mutex = createKeyedMutex();
  const documents = new LRUCache<WalletAddress, WalletDocument>({ max: DOCUMENTS_KEPT });
  /** By channel and wallet what the wallets' documents hold. */
  const queued = new Map<string, Map<WalletAddress, readonly Alert[]>>();
  const listeners: ((channelIds: readonly string[]) => void)[] = [];
  /** Wallets whose last write was rejected: a store over the network may have it all the same. */
  const inDoubt = new Set<WalletAddress>();
  /** What was committed lately, also for nobody, oldest first. */
  const recent = new LRUCache<WalletAddress, readonly NewAlert[]>({
    maxSize: RECENT_LIMIT,
    sizeCalculation: ({ length }) => length,
    ttl: RECENT_MS,
  });

  /**
   * Every write begins with it: after one in doubt it makes the queues what the store holds,
   * whoever reads first.
   */
  const read = async (wallet: WalletAddress): Promise<WalletDocument> => {
    const kept = documents.get(wallet);
    if (kept !== undefined) return kept;
    const key = WALLET_PREFIX + wallet;
    const stored = await store.get(key);
    const loaded = readWalletDocument(stored === undefined ? { state: {}, outbox: [] } : stored);
    const reason = loaded?.faults.get('knowledge');
    if (reason !== undefined) log.warn({ event: 'knowledge.unreadable', wallet, reason });
    const document = loaded?.document ?? builder.anew(wallet);
    const aside = loaded?.aside ?? [['', stored]];
    for (const [ending, part] of aside) await quarantine(store, log, key + ending, part);
    if (aside.length > 0) {
      await write(wallet, document);
      // What waited until now may not be known any more.
      inDoubt.add(wallet);
    }
    if (inDoubt.delete(wallet)) {
      queue(wallet, document.outbox, queued.keys());
      announce(document.outbox);
      builder.noteStored(wallet, document.state);
    } else builder.noteRecord(wallet, document.state);
    documents.set(wallet, document);
    return document;
  };

  /**
   * Rejects if the store does: which document it has is then unknown until the next read. Null
   * deletes it.
   */
  const write = async (wallet: WalletAddress, document: WalletDocument | null) => {
    inDoubt.add(wallet);
    documents.delete(wallet);
    if (document === null) await store.delete(WALLET_PREFIX + wallet);
    else await store.set(WALLET_PREFIX + wallet, document);
    inDoubt.delete(wallet);
    if (document !== null) documents.set(wallet, document);
  };

  /**
   * @param outbox all that waits of the wallet @param before further channels for which something
   * may have waited
   */
  const queue = (
    wallet: WalletAddress,
    outbox: readonly NewAlert[],
    before: Iterable<string> = [],
  ) => {
    const byChannel = new Map([...before].map((channelId): [string, Alert[]] => [channelId, []]));
    for (const { id, event, seenAtMs, channels } of outbox) {
      for (const channelId of channels) {
        const own = byChannel.get(channelId) ?? [];
        byChannel.set(channelId, own);
        own.push({ id, wallet, channelId, event, seenAtMs });
      }
    }
    for (const [channelId, own] of byChannel) {
      const byWallet = queued.get(channelId) ?? new Map<WalletAddress, readonly Alert[]>();
      if (own.length > 0) queued.set(channelId, byWallet.set(wallet, own));
      else if (byWallet.delete(wallet) && byWallet.size === 0) queued.delete(channelId);
    }
  };

  const abandon = (
    wallet: WalletAddress,
    dropped: readonly NewAlert[],
    state: WalletState,
  ): Change => {
    if (dropped.length === 0) return { state, alerts: [] };
    const channelsById = new Map(dropped.map(({ id, channels }) => [id, channels]));
    const isMeant = (channelId: string, id: string) =>
      channelsById.get(id)?.includes(channelId) === true;
    return builder.afterDelivery(wallet, state, isMeant, null);
  };

  const announce = (alerts: readonly NewAlert[]) => {
    const channelIds = [...new Set(alerts.flatMap(({ channels }) => channels))];
    for (const listener of listeners) listener(channelIds);
  };

  /**
   * All that was committed lately for the wallet, each alert with the channels that want it and
   * have not got it.
   */
  const missedBy = (wallet: WalletAddress, begun: readonly BegunWatch[]) =>
    (recent.get(wallet) ?? []).map((alert): NewAlert => {
      const missing = begun.filter(
        (each) => !alert.channels.includes(each.watch.channelId) && builder.isMissed(each, alert),
      );
      return { ...alert, channels: missing.map(({ watch }) => watch.channelId) };
    });

  /** Remembers which channels have got alerts that were committed lately. */
  const noteGiven = (wallet: WalletAddress, alerts: readonly NewAlert[]) => {
    const lately = recent.get(wallet);
    if (lately !== undefined) recent.set(wallet, lately.map(withChannelsOf(alerts)));
    const given = alerts.filter(({ channels }) => channels.length > 0);
    const channels = [...new Set(given.flatMap((alert) => alert.channels))];
    if (given.length > 0)
      log.info({ event: 'watch.caught_up', wallet, channels, alerts: given.length });
  };

  /**
   * Stores alerts for the channels that watches begin in. @returns all that waits then; null if
   * nothing changes
   */
  const writeMissed = async (
    wallet: WalletAddress,
    alerts: readonly NewAlert[],
    begun: readonly BegunWatch[],
  ) => {
    const { state: before, outbox } = await read(wallet);
    const state = builder.afterCatchUp(before, alerts, begun);
    if (state === before && alerts.every(({ channels }) => channels.length === 0)) return null;
    const ids = new Set(outbox.map(({ id }) => id));
    const added = alerts.filter(({ id, channels }) => channels.length > 0 && !ids.has(id));
    const all = [...outbox.map(withChannelsOf(alerts)), ...added].sort(
      (a, b) => a.seenAtMs - b.seenAtMs,
    );
    await write(wallet, { state, outbox: all });
    builder.noteUnannounced(wallet, state);
    return all;
  };

  /**
   * Stores what changes and the alerts that follow from it in one write. Rejects if the store does:
   * whether the write has landed all the same shows at the next call for the wallet, which goes on
   * from what the store holds.
   *
   * @param change what is new, from what is stored at that moment: two endpoints of a wallet share
   *   its document. Null: nothing
   * @returns whether there was something
   */
  const commit = (
    wallet: WalletAddress,
    change: (state: WalletState) => Change | null,
  ): Promise<boolean> =>
    mutex.run(wallet, async () => {
      const document = await read(wallet);
      const changed = change(document.state);
      if (changed === null) return false;
      const { state, alerts, contexts } = changed;
      const news = newOnes(alerts, document.outbox);
      if (news.length > 0) onFailpoint('poll.detected');
      const inContext = withContextOf(contexts);
      const { kept: left, dropped } = withinLimit(wallet, [
        ...document.outbox.map(inContext),
        ...news,
      ]);
      const after = abandon(wallet, dropped, { ...document.state, ...state });
      const results = newOnes(after.alerts, left);
      const kept = [...left, ...results];
      await write(wallet, { state: after.state, outbox: kept });
      builder.noteStored(wallet, after.state);
      const oldestMs = (alerts[0]?.seenAtMs ?? 0) - RECENT_MS;
      const isRecent = ({ seenAtMs }: NewAlert) => seenAtMs >= oldestMs;
      // What is older would take the place of others: a wallet that trades all the time does not
      // expire.
      const lately = [...(recent.get(wallet) ?? []), ...alerts]
        .filter(isRecent)
        .slice(-OUTBOX_LIMIT);
      if (lately.length > 0) recent.set(wallet, lately.map(inContext));
      if (news.length > 0) onFailpoint('poll.stored');
      if (dropped.length > 0)
        log.error({ event: 'outbox.backlog_dropped', wallet, alerts: dropped.length });
      // What has been dropped is replaced by a notice in each of its channels.
      queue(wallet, kept);
      announce(contexts === undefined ? [...news, ...results] : kept);
      return true;
    });

  /** Stores what follows once more is known of a wallet. @returns whether there is something */
  const learn = (wallet: WalletAddress, change: Learn): Promise<boolean> =>
    commit(wallet, (state) => builder.learned(wallet, state, change));

  /** What waits for a channel, oldest first. */
  const pending = (channelId: string): readonly Alert[] =>
    [...(queued.get(channelId)?.values() ?? [])].flat().sort((a, b) => a.seenAtMs - b.seenAtMs);

  return {
    /** Takes a document that was read at the start. @returns null if it is no wallet's document */
    load(key: string, stored: unknown) {
      const loaded = readWalletDocument(stored);
      const { data: wallet } = walletSchema.safeParse(key.slice(WALLET_PREFIX.length));
      if (loaded === null || wallet === undefined) return null;
      const { document, aside } = loaded;
      queue(wallet, document.outbox);
      builder.load(wallet, document.state);
      const committed: Committed = Object.fromEntries(
        ENDPOINT_NAMES.flatMap((name) => {
          const endpoint = document.state[name];
          return endpoint ? [[name, endpoint.pollId]] : [];
        }),
      );
      return { wallet, committed, isDamaged: aside.length > 0 };
    },
    /** What is kept of the wallet beside its alerts. What cannot be read is put aside. */
    stateOf: (wallet: WalletAddress): Promise<WalletState> =>
      mutex.run(wallet, async () => (await read(wallet)).state),
    commit,
    learn,
    /** Takes what is of channels that no longer watch the wallet out of what is known of it. */
    prune: (wallet: WalletAddress) =>
      learn(wallet, (knowledge) => builder.withoutUnwatched(wallet, knowledge)),
    /**
     * Gives channels what was committed lately and not for them: their watches begin with a
     * command, and polls have gone on until the watches were known. The alerts are stored first,
     * then the watches; nothing is committed for the wallets meanwhile. If the process ends in
     * between, alerts of a watch that is not there are dropped, and the command has failed.
     *
     * @param storeWatches stores the watches and makes them known, so that the next commit has them
     */
    catchUp: (begun: readonly BegunWatch[], storeWatches: () => Promise<void>): Promise<void> =>
      mutex.runAll(
        begun.map(({ watch }) => watch.wallet),
        async () => {
          const missed = [...groupBy(begun, ({ watch }) => watch.wallet)]
            .map(([wallet, own]) => ({ wallet, own, alerts: missedBy(wallet, own) }))
            .filter(({ alerts }) => alerts.length > 0);
          const written = new Map<WalletAddress, readonly NewAlert[]>();
          try {
            for (const { wallet, own, alerts } of missed) {
              const all = await writeMissed(wallet, alerts, own);
              if (all !== null) written.set(wallet, all);
            }
            onFailpoint('missed.stored');
            await storeWatches();
            onFailpoint('watch.stored');
            for (const { wallet, alerts } of missed) noteGiven(wallet, alerts);
          } finally {
            // Not before: without a watch they are dropped as soon as they are to be sent.
            for (const [wallet, outbox] of written) queue(wallet, outbox);
            announce([...written.values()].flat());
          }
        },
      ),
    /** Takes alerts that a channel has got, or will never get (null), out of the document. */
    async acknowledge(
      channelId: string,
      alerts: readonly Pick<Alert, 'wallet' | 'id'>[],
      delivered: { readonly messageId: string | null } | null,
    ): Promise<void> {
      const acknowledgeOf = async (wallet: WalletAddress, own: readonly Pick<Alert, 'id'>[]) => {
        const ids = new Set(own.map(({ id }) => id));
        const { state: before, outbox } = await read(wallet);
        // The document of a wallet that nobody watches may have been deleted at the start.
        if (outbox.length === 0) return queue(wallet, [], [channelId]);
        const without = (alert: NewAlert) => alert.channels.filter((other) => other !== channelId);
        const left = outbox.map((alert) =>
          ids.has(alert.id) ? { ...alert, channels: without(alert) } : alert,
        );
        const isMeant = (other: string, id: string) => other === channelId && ids.has(id);
        const events = outbox.filter(({ id }) => ids.has(id)).map(({ event }) => event);
        const told = delivered === null ? before : builder.afterTelling(before, channelId, events);
        const { state, alerts: results } = builder.afterDelivery(wallet, told, isMeant, delivered);
        const added = newOnes(results, outbox);
        const kept = [...left.filter(({ channels }) => channels.length > 0), ...added];
        await write(wallet, { state, outbox: kept });
        if (told !== before) builder.noteUnannounced(wallet, state);
        // Thousands of channels may wait for the same: nothing changes for others.
        const changed = new Set([channelId, ...added.flatMap(({ channels }) => channels)]);
        const ofChanged = ({ channels }: NewAlert) =>
          channels.filter((other) => changed.has(other));
        queue(
          wallet,
          kept.map((alert) => ({ ...alert, channels: ofChanged(alert) })),
          changed,
        );
        if (added.length > 0) announce(added);
      };
      const byWallet = [...groupBy(alerts, ({ wallet }) => wallet)];
      await Promise.all(
        byWallet.map(([wallet, own]) => mutex.run(wallet, () => acknowledgeOf(wallet, own))),
      );
    },
    /** Forgets a wallet altogether, unless a watch of it has begun by the time that it can. */
    forget: (wallet: WalletAddress, isWatched: () => boolean): Promise<void> =>
      mutex.run(wallet, async () => {
        if (isWatched()) return;
        await write(wallet, null);
        queue(wallet, [], queued.keys());
        recent.delete(wallet);
        log.debug({ event: 'wallet.forgotten', wallet });
      }),
    pending,
    /**
     * How many alerts wait for channels, and how long the oldest has, seconds; 0 if none.
     * `venueNowMs`: epoch ms
     */
    waitingFor(channelIds: readonly string[], venueNowMs: number) {
      const waiting = channelIds.flatMap(pending);
      const oldestMs = waiting.reduce(
        (oldest, { seenAtMs }) => Math.min(oldest, seenAtMs),
        venueNowMs,
      );
      return { alerts: waiting.length, oldestSeconds: (venueNowMs - oldestMs) / 1000 };
    },
    channels: (): readonly string[] => [...queued.keys()],
    /** Has channels look again at what waits of a wallet: nothing holds it up any more. */
    reconsider(wallet: WalletAddress): void {
      const channelIds = [...queued].flatMap(([channelId, byWallet]) =>
        byWallet.has(wallet) ? [channelId] : [],
      );
      for (const listener of listeners) listener(channelIds);
    },
    /**
     * Called with the channels after each commit that brought them something, and by `reconsider`.
     */
    listen: (listener: (channelIds: readonly string[]) => void): void =>
      void listeners.push(listener),
    /** Resolves when no write is under way. */
    idle: (): Promise<void> => mutex.idle(),
  };
}

/**
 * Alerts that somebody wants and that do not wait already, in an order that no clock set back can
 * turn round.
 */
function newOnes(alerts: readonly NewAlert[], waiting: readonly NewAlert[]): NewAlert[] {
  const ids = new Set(waiting.map(({ id }) => id));
  const lastSeenAtMs = waiting.at(-1)?.seenAtMs ?? 0;
  return alerts
    .filter(({ id, channels }) => channels.length > 0 && !ids.has(id))
    .map((alert) => ({ ...alert, seenAtMs: Math.max(alert.seenAtMs, lastSeenAtMs) }));
}

function withContextOf(
  contexts: ReadonlyMap<string, TradeContext> | undefined,
): (alert: NewAlert) => NewAlert {
  return (alert) => {
    const context = contexts?.get(alert.id);
    const { event } = alert;
    return context === undefined || event.kind !== 'activity'
      ? alert
      : { ...alert, event: { ...event, context } };
  };
}

/** Gives an alert the channels that it has in a list as well. */
function withChannelsOf(given: readonly NewAlert[]): (alert: NewAlert) => NewAlert {
  const channelsById = new Map(given.map(({ id, channels }) => [id, channels]));
  return (alert) => ({
    ...alert,
    channels: [...new Set([...alert.channels, ...(channelsById.get(alert.id) ?? [])])],
  });
}

/** Puts a notice for each endpoint in the place of the older half, if there are too many. */
function withinLimit(wallet: WalletAddress, outbox: readonly NewAlert[]) {
  if (outbox.length <= OUTBOX_LIMIT) return { kept: outbox, dropped: [] };
  const dropped = outbox.slice(0, outbox.length - OUTBOX_LIMIT / 2);
  const byEndpoint = groupBy(dropped, ({ event }) => kindOf(event).endpoint(event));
  const notices = [...byEndpoint].map(([endpoint, alerts]): NewAlert => {
    const times = alerts.flatMap(({ event }) => kindOf(event).seconds(event));
    const gap = {
      cause: 'backlog',
      endpoint,
      fromSeconds: Math.min(...times),
      toSeconds: Math.max(...times),
    } as const;
    const channels = [...new Set(alerts.flatMap((alert) => alert.channels))];
    return gapNotice(wallet, gap, channels, alerts[0].seenAtMs);
  });
  return { kept: [...notices, ...outbox.slice(dropped.length)], dropped };
}
