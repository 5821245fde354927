import { type WalletAddress, walletSchema } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import type { Alert } from './alert.ts';
import type { AlertBuilder, Learn } from './build/build.ts';
import { gapNotice } from './build/gaps.ts';
import type { CatchUp } from './catch-up.ts';
import type { Decisions, HeldRecord } from './decisions.ts';
import { kindOf, type WalletEvent } from './kinds/kinds.ts';
import type { WaitingAlerts } from './waiting-alerts.ts';
import {
  type Change,
  type NewAlert,
  OUTBOX_LIMIT,
  readWalletDocument,
  WALLET_PREFIX,
  type WalletState,
} from './wallet-document.ts';
import type { WalletDocuments } from './wallet-documents.ts';
import type { WalletIndex } from './wallet-index.ts';

/** Alerts that are taken out of what waits for a channel. */
interface TakenOut {
  readonly wallet: WalletAddress;
  readonly channelId: string;
  readonly ids: ReadonlySet<string>;
  readonly events: readonly WalletEvent[];
}

/** The message that has brought alerts, its id null if only the history had it. */
interface Delivered {
  readonly messageId: string | null;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Commits what follows from a page, an answer or a delivery, and queues the alerts for their
 * channels. How far a wallet has been read and what has not been delivered is one document, so that
 * both change in one write: a crash before it repeats the poll, a crash after it repeats the
 * delivery.
 *
 * @param parts `builder` says what follows from a delivery; it stores and notes nothing
 */
export function createOutbox(
  { log, onFailpoint }: Pick<Machine, 'log' | 'onFailpoint'>,
  parts: {
    readonly documents: WalletDocuments;
    readonly waiting: WaitingAlerts;
    readonly catchUp: Pick<CatchUp, 'noteCommitted' | 'forget'>;
    readonly walletIndex: Pick<
      WalletIndex,
      'load' | 'notePurchases' | 'noteStored' | 'noteRecord' | 'noteUnannounced'
    >;
    readonly builder: Pick<
      AlertBuilder,
      'learned' | 'afterDelivery' | 'afterTelling' | 'withoutUnwatched'
    >;
    readonly decisions: Pick<Decisions, 'held'>;
  },
) {
  const { documents, waiting, catchUp, walletIndex, builder, decisions } = parts;

  documents.listen(({ wallet, document: { state, outbox }, isUnexpected }) => {
    if (!isUnexpected) return walletIndex.noteRecord(wallet, state);
    waiting.set(wallet, outbox, waiting.channels());
    waiting.announce(outbox);
    walletIndex.noteStored(wallet, state);
  });

  /** The state once alerts are given up, and the results that follow. */
  const afterGivingUp = (
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
    documents.run(wallet, async () => {
      const before = await documents.read(wallet);
      const changed = change(before.state);
      if (changed === null) return false;
      const { alerts, contexts } = changed;
      const news = newOnes(alerts, before.outbox);
      if (news.length > 0) onFailpoint('poll.detected');
      const inContext = withContextOf(contexts);
      const all = [...before.outbox.map(inContext), ...news];
      const { kept: left, dropped } = withinLimit(wallet, all);
      const { state, alerts: further } = afterGivingUp(wallet, dropped, {
        ...before.state,
        ...changed.state,
      });
      const results = newOnes(further, left);
      const outbox = [...left, ...results];
      // Before the store has said yes: another wallet's page may be looked at meanwhile, and
      // neither must miss what the other has bought, nor announce the same consensus again.
      walletIndex.notePurchases(wallet, state);
      await documents.write(wallet, { state, outbox });
      walletIndex.noteStored(wallet, state);
      catchUp.noteCommitted(wallet, alerts, inContext);
      if (news.length > 0) onFailpoint('poll.stored');
      decisions.held(changed.held ?? []);
      if (dropped.length > 0) {
        log.error({ event: 'outbox.backlog_dropped', wallet, alerts: dropped.length });
        decisions.held(heldByBacklog(wallet, dropped));
      }
      // A notice replaces, in each of their channels, the alerts that were dropped.
      waiting.set(wallet, outbox);
      waiting.announce(contexts === undefined ? [...news, ...results] : outbox);
      return true;
    });

  /** Stores what follows once more is known of a wallet. @returns whether there is something */
  const learn = (wallet: WalletAddress, change: Learn): Promise<boolean> =>
    commit(wallet, (state) => builder.learned(wallet, state, change));

  /**
   * Takes alerts out of what waits for a channel in the wallet's document. Taking one out is not
   * counting its delivery: what follows is said by who takes it out, so that alerts may also go on
   * to wait elsewhere.
   *
   * @param follow the state, and what there is to tell, with which that is stored
   */
  const takeOut = (
    wallet: WalletAddress,
    channelId: string,
    ids: ReadonlySet<string>,
    follow: (state: WalletState, taken: TakenOut) => Change,
  ): Promise<void> =>
    documents.run(wallet, async () => {
      const before = await documents.read(wallet);
      // The document of a wallet that nobody watches may have been deleted at the start.
      if (before.outbox.length === 0) return waiting.set(wallet, [], [channelId]);
      const taken = before.outbox.filter(({ id }) => ids.has(id));
      const events = taken.map(({ event }) => event);
      const { state, alerts } = follow(before.state, { wallet, channelId, ids, events });
      const added = newOnes(alerts, before.outbox);
      const outbox = [...withoutChannel(before.outbox, channelId, ids), ...added];
      await documents.write(wallet, { state, outbox });
      if (state.knowledge?.unannounced !== before.state.knowledge?.unannounced)
        walletIndex.noteUnannounced(wallet, state);
      // Thousands of channels may wait for the same: nothing changes for others.
      const changed = new Set([channelId, ...added.flatMap(({ channels }) => channels)]);
      const ofChanged = outbox.map((alert) => {
        const channels = alert.channels.filter((other) => changed.has(other));
        return { ...alert, channels };
      });
      waiting.set(wallet, ofChanged, changed);
      if (added.length > 0) waiting.announce(added);
    });

  /** The state once a channel has got alerts, or never will (null), and the results that follow. */
  const counted = (state: WalletState, taken: TakenOut, delivered: Delivered | null): Change => {
    const { wallet, channelId, ids, events } = taken;
    const told = delivered === null ? state : builder.afterTelling(state, channelId, events);
    const isMeant = (other: string, id: string) => other === channelId && ids.has(id);
    return builder.afterDelivery(wallet, told, isMeant, delivered);
  };

  return {
    /** Takes a document that was read at the start. @returns null if it is no wallet's document */
    load(key: string, stored: unknown) {
      const loaded = readWalletDocument(stored);
      const { data: wallet } = walletSchema.safeParse(key.slice(WALLET_PREFIX.length));
      if (loaded === null || wallet === undefined) return null;
      const { document, aside } = loaded;
      waiting.set(wallet, document.outbox);
      walletIndex.load(wallet, document.state);
      const committed: { [Name in EndpointName]?: number } = {};
      for (const name of ENDPOINT_NAMES) {
        const endpoint = document.state[name];
        if (endpoint) committed[name] = endpoint.pollId;
      }
      return { wallet, committed, isDamaged: aside.length > 0 };
    },
    /** Reads what is kept of the wallet beside its alerts. What cannot be read is put aside. */
    stateOf: (wallet: WalletAddress): Promise<WalletState> =>
      documents.run(wallet, async () => (await documents.read(wallet)).state),
    commit,
    learn,
    /** Takes what is of channels that no longer watch the wallet out of what is known of it. */
    prune: (wallet: WalletAddress) =>
      learn(wallet, (knowledge) => builder.withoutUnwatched(wallet, knowledge)),
    /** Takes alerts that a channel has got, or will never get (null), out of the documents. */
    async acknowledge(
      channelId: string,
      alerts: readonly Pick<Alert, 'wallet' | 'id'>[],
      delivered: Delivered | null,
    ): Promise<void> {
      const acknowledged = [...groupBy(alerts, ({ wallet }) => wallet)].map(([wallet, own]) => {
        const ids = new Set(own.map(({ id }) => id));
        return takeOut(wallet, channelId, ids, (state, taken) => counted(state, taken, delivered));
      });
      await Promise.all(acknowledged);
    },
    /** Forgets a wallet altogether, unless a watch of it has begun by the time that it can. */
    forget: (wallet: WalletAddress, isWatched: () => boolean): Promise<void> =>
      documents.run(wallet, async () => {
        if (isWatched()) return;
        await documents.delete(wallet);
        waiting.set(wallet, [], waiting.channels());
        catchUp.forget(wallet);
        log.debug({ event: 'wallet.forgotten', wallet });
      }),
    pending: waiting.pending,
    waitingFor: waiting.waitingFor,
    channels: waiting.channels,
    reconsider: waiting.reconsider,
    listen: waiting.listen,
    /** Resolves when no write is under way. */
    idle: documents.idle,
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

/** Alerts that channels do not get because too much waited for them. */
function heldByBacklog(wallet: WalletAddress, dropped: readonly NewAlert[]): HeldRecord[] {
  return dropped.flatMap(({ id, event, channels }) =>
    channels.map((channelId) => ({
      alert: { id, wallet, event },
      channelId,
      hold: { by: 'backlog' as const },
    })),
  );
}

/** All that waits but for these alerts of a channel. */
function withoutChannel(
  outbox: readonly NewAlert[],
  channelId: string,
  ids: ReadonlySet<string>,
): NewAlert[] {
  return outbox
    .map((alert) => {
      if (!ids.has(alert.id)) return alert;
      return { ...alert, channels: alert.channels.filter((other) => other !== channelId) };
    })
    .filter(({ channels }) => channels.length > 0);
}

function withContextOf(
  contexts: ReadonlyMap<string, TradeContext> | undefined,
): (alert: NewAlert) => NewAlert {
  return (alert) => {
    const context = contexts?.get(alert.id);
    const { event } = alert;
    if (context === undefined || event.kind !== 'activity') return alert;
    return { ...alert, event: { ...event, context } };
  };
}

/** Puts a notice for each endpoint in the place of the older half, if there are too many. */
function withinLimit(wallet: WalletAddress, outbox: readonly NewAlert[]) {
  if (outbox.length <= OUTBOX_LIMIT) return { kept: outbox, dropped: [] };
  const dropped = outbox.slice(0, outbox.length - OUTBOX_LIMIT / 2);
  const byEndpoint = groupBy(dropped, ({ event }) => kindOf(event).endpoint(event));
  const notices = [...byEndpoint].map(([endpoint, alerts]): NewAlert => {
    const times = alerts.flatMap(({ event }) => kindOf(event).seconds(event));
    const fromSeconds = Math.min(...times);
    const toSeconds = Math.max(...times);
    const channels = [...new Set(alerts.flatMap((alert) => alert.channels))];
    const gap = { cause: 'backlog', endpoint, fromSeconds, toSeconds } as const;
    return gapNotice(wallet, gap, channels, alerts[0].seenAtMs);
  });
  return { kept: [...notices, ...outbox.slice(dropped.length)], dropped };
}
