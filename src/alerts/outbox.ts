import { LRUCache } from 'lru-cache';
import { type WalletAddress, walletSchema } from '../domain/address.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import { createQuarantine, type Store } from '../store/store.ts';
import type { BegunWatch } from '../watches/registry.ts';
import type { Alert } from './alert.ts';
import { type AlertBuilder, gapNotice, type Learn } from './build.ts';
import { kindOf } from './kinds/kinds.ts';
import {
  type Change,
  committedOf,
  EMPTY_WALLET,
  type NewAlert,
  readWalletDocument,
  Unreadable,
  WALLET_PREFIX,
  type WalletDocument,
  type WalletState,
} from './wallet-document.ts';

/** Alerts of a wallet that wait at the most: each commit writes them all. Beyond, the older half becomes a notice. */
const OUTBOX_LIMIT = 1_000;
/** What was committed lately is kept for watches that begin meanwhile: longer than any command takes. */
const RECENT_MS = 120_000;
const RECENT_LIMIT = 5_000;
/** Documents that are kept as they were read or written last, some 100 kB each: those of the wallets that trade now. */
const DOCUMENTS_KEPT = 100;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * One document a wallet holds how far it has been read and what has not been delivered, so that both change in one
 * write: a crash before the write repeats the poll, a crash after it repeats the delivery.
 *
 * @param parts `builder` says what follows from a delivery, and what a wallet begins with whose document cannot be read
 */
export function createOutbox(
  { log, onFailpoint }: Pick<Machine, 'log' | 'onFailpoint'>,
  {
    store,
    builder,
  }: {
    readonly store: Pick<Store, 'get' | 'set' | 'delete'>;
    readonly builder: Pick<
      AlertBuilder,
      'afterDelivery' | 'afterCatchUp' | 'anew' | 'isMissed' | 'learned' | 'load' | 'note' | 'withoutUnwatched'
    >;
  },
) {
  const mutex = createKeyedMutex();
  const putAside = createQuarantine(store, log);
  const documents = new LRUCache<WalletAddress, WalletDocument>({ max: DOCUMENTS_KEPT });
  const pendingByChannel = new Map<string, Map<string, Alert>>();
  const listeners: ((channelIds: readonly string[]) => void)[] = [];
  /** Wallets whose last write was rejected: a store over the network may have it all the same. */
  const inDoubt = new Set<WalletAddress>();
  /** What was committed lately, also for nobody, oldest first. */
  let recent: { readonly wallet: WalletAddress; readonly alert: NewAlert }[] = [];

  /** Every write begins with it: after a write in doubt it makes the queues what the store holds, whoever reads first. */
  const read = async (wallet: WalletAddress): Promise<WalletDocument> => {
    const kept = documents.get(wallet);
    if (kept !== undefined) return kept;
    const key = WALLET_PREFIX + wallet;
    const stored = await store.get(key);
    const loaded = readWalletDocument(stored === undefined ? EMPTY_WALLET : stored);
    const reason = loaded?.faults.get('knowledge');
    if (reason !== undefined) log.warn({ event: 'knowledge.unreadable', wallet, reason });
    const document = loaded?.document ?? builder.anew(wallet);
    if (loaded?.unreadableAlerts.length !== 0) {
      await (loaded === null ? putAside(key, stored) : putAside(`${key}:outbox`, loaded.unreadableAlerts));
      await write(wallet, document);
      // What waited until now may not be known any more.
      inDoubt.add(wallet);
    }
    if (inDoubt.delete(wallet)) {
      unqueue(pendingByChannel.keys(), (alert) => alert.wallet === wallet);
      queue(wallet, document.outbox);
      announce(document.outbox);
    }
    documents.set(wallet, document);
    return document;
  };

  /** Puts aside what cannot be read of an endpoint before something takes its place. */
  const putAsideReplaced = async (wallet: WalletAddress, before: WalletState, { state }: Change) => {
    for (const [name, part] of Object.entries(before))
      if (part instanceof Unreadable && name in state) await putAside(`${WALLET_PREFIX}${wallet}:${name}`, part.stored);
  };

  /** Rejects if the store does; until the next read nobody knows then which of the two documents it has. @param document null: none any more */
  const write = async (wallet: WalletAddress, document: WalletDocument | null) => {
    inDoubt.add(wallet);
    documents.delete(wallet);
    if (document === null) await store.delete(WALLET_PREFIX + wallet);
    else await store.set(WALLET_PREFIX + wallet, document);
    inDoubt.delete(wallet);
    if (document !== null) documents.set(wallet, document);
  };

  /** What is queued already keeps its place. */
  const queue = (wallet: WalletAddress, alerts: readonly NewAlert[]) => {
    for (const { id, event, seenAtMs, channels } of alerts) {
      for (const channelId of channels) {
        const pending = pendingByChannel.get(channelId) ?? new Map<string, Alert>();
        pendingByChannel.set(channelId, pending);
        pending.set(`${wallet}:${id}`, { id, wallet, channelId, event, seenAtMs });
      }
    }
  };

  const unqueue = (channelIds: Iterable<string>, isMeant: (alert: Alert) => boolean) => {
    for (const channelId of channelIds) {
      const pending = pendingByChannel.get(channelId) ?? new Map<string, Alert>();
      for (const [key, alert] of pending) if (isMeant(alert)) pending.delete(key);
      if (pending.size === 0) pendingByChannel.delete(channelId);
    }
  };

  /** What follows if alerts will never be delivered. */
  const abandon = (wallet: WalletAddress, dropped: readonly NewAlert[], state: WalletState): Change => {
    if (dropped.length === 0) return { state, alerts: [] };
    const channelsById = new Map(dropped.map(({ id, channels }) => [id, channels]));
    const isMeant = (channelId: string, id: string) => channelsById.get(id)?.includes(channelId) === true;
    return builder.afterDelivery(wallet, state, isMeant, null);
  };

  const announce = (alerts: readonly NewAlert[]) => {
    const channelIds = [...new Set(alerts.flatMap(({ channels }) => channels))];
    for (const listener of listeners) listener(channelIds);
  };

  /** All that was committed lately for the wallet, each alert with the channels that want it and have not got it. */
  const missedBy = (wallet: WalletAddress, begun: readonly BegunWatch[]): NewAlert[] =>
    recent
      .filter((kept) => kept.wallet === wallet)
      .map(({ alert }) => ({
        ...alert,
        channels: begun
          .filter((each) => !alert.channels.includes(each.watch.channelId) && builder.isMissed(each, alert))
          .map(({ watch }) => watch.channelId),
      }));

  /** Stores further channels of alerts. Nothing else may write the wallet's document meanwhile. */
  const addChannels = async (wallet: WalletAddress, missed: readonly NewAlert[]) => {
    const document = await read(wallet);
    const outbox = [...document.outbox.map(withChannelsOf(missed)), ...newOnes(missed, document.outbox)];
    await write(wallet, { version: 1, poll: builder.afterCatchUp(document.poll, missed), outbox });
  };

  /** Remembers that they have been given to further channels. */
  const noteChannels = (wallet: WalletAddress, missed: readonly NewAlert[]) => {
    const given = missed.filter(({ channels }) => channels.length > 0);
    if (given.length === 0) return;
    const noted = withChannelsOf(given);
    recent = recent.map((kept) => (kept.wallet === wallet ? { wallet, alert: noted(kept.alert) } : kept));
    const channels = [...new Set(given.flatMap((alert) => alert.channels))];
    log.info({ event: 'watch.caught_up', wallet, channels, alerts: given.length });
  };

  /**
   * Stores what changes and the alerts that follow from it in one write. Rejects if the store does: whether the write
   * has landed all the same shows at the next call for the wallet, which goes on from what the store holds.
   *
   * @param change what is new, from what is stored at that moment: two endpoints of a wallet share its document. Null: nothing
   * @returns whether there was something
   */
  const commit = (wallet: WalletAddress, change: (state: WalletState) => Change | null): Promise<boolean> =>
    mutex.run(wallet, async () => {
      const document = await read(wallet);
      const changed = change(document.poll);
      if (changed === null) return false;
      await putAsideReplaced(wallet, document.poll, changed);
      const { alerts, contexts = new Map() } = changed;
      const news = newOnes(alerts, document.outbox);
      if (news.length > 0) onFailpoint('poll.detected');
      const waiting = document.outbox.map(withContextOf(contexts));
      const { kept: left, dropped } = withinLimit(wallet, [...waiting, ...news]);
      const after = abandon(wallet, dropped, { ...document.poll, ...changed.state });
      const results = newOnes(after.alerts, left);
      const kept = [...left, ...results];
      await write(wallet, { version: 1, poll: after.state, outbox: kept });
      builder.note(wallet, after.state);
      const oldestMs = (alerts[0]?.seenAtMs ?? 0) - RECENT_MS;
      recent = [...recent, ...alerts.map((alert) => ({ wallet, alert }))]
        .filter(({ alert }) => alert.seenAtMs >= oldestMs)
        .slice(-RECENT_LIMIT);
      if (contexts.size > 0)
        recent = recent.map((before) => ({ ...before, alert: withContextOf(contexts)(before.alert) }));
      if (news.length > 0) onFailpoint('poll.stored');
      if (dropped.length > 0) {
        log.error({ event: 'outbox.backlog_dropped', wallet, alerts: dropped.length });
        const ids = new Set(dropped.map(({ id }) => id));
        unqueue(pendingByChannel.keys(), (alert) => alert.wallet === wallet && ids.has(alert.id));
      }
      queue(wallet, kept);
      announce([...news, ...results, ...kept.filter(({ id }) => contexts.has(id))]);
      return true;
    });

  /** Stores what follows once more is known of a wallet. @returns whether there is something */
  const learn = (wallet: WalletAddress, change: Learn): Promise<boolean> =>
    commit(wallet, (state) => builder.learned(wallet, state, change));

  return {
    /** Takes a document that was read at the start. @returns null if it is no wallet's document */
    load(key: string, stored: unknown) {
      const loaded = readWalletDocument(stored);
      const { data: wallet } = walletSchema.safeParse(key.slice(WALLET_PREFIX.length));
      if (loaded === null || wallet === undefined) return null;
      const { document, unreadableAlerts } = loaded;
      queue(wallet, document.outbox);
      builder.load(wallet, document.poll);
      return { wallet, committed: committedOf(document.poll), isDamaged: unreadableAlerts.length > 0 };
    },
    /** What is kept of the wallet beside its alerts. Alerts that cannot be read are put aside. */
    stateOf: (wallet: WalletAddress): Promise<WalletState> => mutex.run(wallet, async () => (await read(wallet)).poll),
    commit,
    learn,
    /** Takes what is of channels that no longer watch the wallet out of what is known of it. */
    prune: (wallet: WalletAddress) => learn(wallet, (knowledge) => builder.withoutUnwatched(wallet, knowledge)),
    /**
     * Gives channels what was committed lately and not for them: their watches begin with a command, and polls have gone on
     * until the watches were known. The alerts are stored first, then the watches; nothing is committed for the wallets
     * meanwhile. If the process ends in between, alerts of a watch that is not there are dropped, and the command has failed.
     *
     * @param storeWatches stores the watches and makes them known, so that the next commit has them
     */
    catchUp: (begun: readonly BegunWatch[], storeWatches: () => Promise<void>): Promise<void> =>
      mutex.runAll(
        begun.map(({ watch }) => watch.wallet),
        async () => {
          const missed = [...groupBy(begun, ({ watch }) => watch.wallet)].map(
            ([wallet, own]) => [wallet, missedBy(wallet, own)] as const,
          );
          try {
            for (const [wallet, alerts] of missed)
              if (alerts.some(({ channels }) => channels.length > 0)) await addChannels(wallet, alerts);
            onFailpoint('missed.stored');
            await storeWatches();
            onFailpoint('watch.stored');
            for (const [wallet, alerts] of missed) noteChannels(wallet, alerts);
          } finally {
            // Without a watch they are dropped as soon as they are to be sent.
            for (const [wallet, alerts] of missed) queue(wallet, alerts);
            announce(missed.flatMap(([, alerts]) => alerts));
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
        const { poll, outbox } = await read(wallet);
        if (outbox.length > 0) {
          const without = (alert: NewAlert) => alert.channels.filter((other) => other !== channelId);
          const left = outbox.map((alert) => (ids.has(alert.id) ? { ...alert, channels: without(alert) } : alert));
          const isMeant = (other: string, id: string) => other === channelId && ids.has(id);
          const { state, alerts: results } = builder.afterDelivery(wallet, poll, isMeant, delivered);
          const added = newOnes(results, outbox);
          const kept = [...left.filter(({ channels }) => channels.length > 0), ...added];
          await write(wallet, { version: 1, poll: state, outbox: kept });
          queue(wallet, added);
          if (added.length > 0) announce(added);
        }
        unqueue([channelId], (alert) => alert.wallet === wallet && ids.has(alert.id));
      };
      const byWallet = [...groupBy(alerts, ({ wallet }) => wallet)];
      await Promise.all(byWallet.map(([wallet, own]) => mutex.run(wallet, () => acknowledgeOf(wallet, own))));
    },
    /** Forgets a wallet altogether, unless a watch of it has begun by the time that it can. */
    forget: (wallet: WalletAddress, isWatched: () => boolean): Promise<void> =>
      mutex.run(wallet, async () => {
        if (isWatched()) return;
        await write(wallet, null);
        unqueue(pendingByChannel.keys(), (alert) => alert.wallet === wallet);
        recent = recent.filter((kept) => kept.wallet !== wallet);
        log.debug({ event: 'wallet.forgotten', wallet });
      }),
    /** What waits for a channel, oldest first. */
    pending: (channelId: string): readonly Alert[] =>
      [...(pendingByChannel.get(channelId)?.values() ?? [])].sort((a, b) => a.seenAtMs - b.seenAtMs),
    /** Channels that something waits for. */
    channels: (): readonly string[] => [...pendingByChannel.keys()],
    /** Called with the channels after each commit that brought them something. */
    listen: (listener: (channelIds: readonly string[]) => void): void => void listeners.push(listener),
    /** Resolves when no write is under way. */
    idle: (): Promise<void> => mutex.idle(),
  };
}

/** Alerts that somebody wants and that do not wait already, in an order that a clock which steps back cannot turn round. */
function newOnes(alerts: readonly NewAlert[], waiting: readonly NewAlert[]): NewAlert[] {
  const ids = new Set(waiting.map(({ id }) => id));
  const lastSeenAtMs = waiting.at(-1)?.seenAtMs ?? 0;
  return alerts
    .filter(({ id, channels }) => channels.length > 0 && !ids.has(id))
    .map((alert) => ({ ...alert, seenAtMs: Math.max(alert.seenAtMs, lastSeenAtMs) }));
}

/** Gives an alert what is known now of what its trade means. */
function withContextOf(contexts: ReadonlyMap<string, TradeContext>): (alert: NewAlert) => NewAlert {
  return (alert) => {
    const context = contexts.get(alert.id);
    const { event } = alert;
    return context === undefined || event.kind !== 'activity' ? alert : { ...alert, event: { ...event, context } };
  };
}

/** Gives an alert the channels that it has in a list as well. */
function withChannelsOf(given: readonly NewAlert[]): (alert: NewAlert) => NewAlert {
  const channelsById = new Map(given.map(({ id, channels }) => [id, channels]));
  return (alert) => ({ ...alert, channels: [...new Set([...alert.channels, ...(channelsById.get(alert.id) ?? [])])] });
}

/** Puts a notice for each endpoint in the place of the older half, if there are too many. */
function withinLimit(
  wallet: WalletAddress,
  outbox: readonly NewAlert[],
): Readonly<Record<'kept' | 'dropped', readonly NewAlert[]>> {
  if (outbox.length <= OUTBOX_LIMIT) return { kept: outbox, dropped: [] };
  const dropped = outbox.slice(0, outbox.length - OUTBOX_LIMIT / 2);
  const byEndpoint = groupBy(dropped, ({ event }) => kindOf(event).endpoint(event));
  const notices = [...byEndpoint].map(([endpoint, alerts]): NewAlert => {
    const times = alerts.flatMap(({ event }) => kindOf(event).seconds(event));
    const gap = { cause: 'backlog', endpoint, fromSeconds: Math.min(...times), toSeconds: Math.max(...times) } as const;
    const channels = [...new Set(alerts.flatMap((alert) => alert.channels))];
    return gapNotice(wallet, gap, channels, alerts[0].seenAtMs);
  });
  return { kept: [...notices, ...outbox.slice(dropped.length)], dropped };
}
