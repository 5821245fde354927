import type { WalletAddress } from '../domain/address.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import { isPaused, type Watch } from '../watches/watch.ts';
import { eventTimeMs, withContextOf } from './alert.ts';
import type { FilteredRecord, FilterReason } from './decisions.ts';
import { isForReceivers, type ReceiverEvent } from './kinds/kinds.ts';
import { boundMessages } from './receiver-bounds.ts';
import {
  type ForReceivers,
  messagesOf,
  type OwnerMessage,
  receiverAlertKey,
  type SharedAlert,
} from './wallets/receiver-alerts.ts';
import {
  type Change,
  type ChannelsById,
  channelsById,
  type NewAlert,
  type WalletState,
} from './wallets/wallet-document.ts';

/** Parts of a commit from which alerts for receivers are made. */
type Committed = Omit<Change, 'state'>;

/**
 * A wallet's signed alerts waiting after a commit, and the number dropped because too many were
 * waiting.
 */
export interface ReceiverUpdate {
  readonly forReceivers: ForReceivers | undefined;
  /** Number of messages each owner has lost. */
  readonly dropped?: ReadonlyMap<string, number> | undefined;
}

/**
 * Determines which alerts of a commit go to receivers, and returns the wallet's waiting messages
 * after that.
 * @param begun new watches, which get alerts committed earlier; if left out, the alerts go to the
 *   existing watches
 */
export type RouteToReceivers = (
  wallet: WalletAddress,
  before: ForReceivers | undefined,
  committed: Committed,
  begun?: readonly Watch[],
) => ReceiverUpdate;

export type ReceiverOutbox = ReturnType<typeof createReceiverOutbox>;

/**
 * Adds outgoing alerts to the wallets' states, so that both are stored together, and notifies the
 * code that sends them.
 * @param routeToReceivers left out: nothing is sent
 */
export function createReceiverOutbox(
  { log }: Machine,
  routeToReceivers: RouteToReceivers = (_wallet, before) => ({ forReceivers: before }),
) {
  const listeners: ((wallet: WalletAddress) => void)[] = [];
  /** Messages dropped together with a state that may not be stored yet. */
  const droppedWith = new WeakMap<ForReceivers, ReadonlyMap<string, number>>();
  let dropped = 0;

  const noteDropped = (wallet: WalletAddress, forReceivers: ForReceivers): void => {
    for (const [guild, alerts] of droppedWith.get(forReceivers) ?? []) {
      dropped += alerts;
      log.warn({ event: 'alerts_out.dropped', guild, wallet, alerts });
    }
    droppedWith.delete(forReceivers);
  };

  return {
    /**
     * Returns the state with its outgoing messages.
     * @param begun as in `RouteToReceivers`
     */
    add(
      wallet: WalletAddress,
      state: WalletState,
      committed: Committed,
      begun?: readonly Watch[],
    ): WalletState {
      const update = routeToReceivers(wallet, state.forReceivers, committed, begun);
      const { forReceivers } = update;
      if (forReceivers === undefined || forReceivers === state.forReceivers) return state;
      if (update.dropped !== undefined) droppedWith.set(forReceivers, update.dropped);
      return { ...state, forReceivers };
    },
    /** Reports a state's outgoing messages once the state is stored. */
    notify(wallet: WalletAddress, { forReceivers }: WalletState): void {
      if (forReceivers === undefined) return;
      noteDropped(wallet, forReceivers);
      if (forReceivers.waiting.length === 0) return;
      for (const listener of listeners) listener(wallet);
    },
    /** Number of messages dropped since the start because too many were waiting for a wallet. */
    dropped: () => dropped,
    /** Calls back with wallets that have messages waiting for receivers outside Discord. */
    listen: (listener: (wallet: WalletAddress) => void): void => void listeners.push(listener),
  };
}

/**
 * Creates alerts for receivers outside Discord: one for each owner with an active watch of the
 * wallet, even if its channels' filters reject the alert. For a result or a consensus, one for each
 * channel. Pure.
 * @param parts `keptOwnersOf`: owners with a watch of the wallet, including suspended watches and
 *   removals that can be undone; null if they are not all known. `isMeant`: whether an owner's
 *   alerts go to receivers
 */
export function createReceiverRouting(parts: {
  readonly watchesOf: (wallet: WalletAddress) => readonly Watch[];
  readonly keptOwnersOf: (wallet: WalletAddress) => ReadonlySet<string> | null;
  readonly isMeant: (ownerId: string) => boolean;
  readonly isBetterThanLuck: (watch: Watch) => boolean;
  /** Age at which an alert counts as late when it is seen, in ms. */
  readonly lateAfterMs: number;
  readonly venueNowSeconds: () => number;
}): RouteToReceivers {
  const { watchesOf, keptOwnersOf, isMeant, isBetterThanLuck, lateAfterMs, venueNowSeconds } =
    parts;
  /**
   * Returns the new watches of owners who had no watch of the wallet and therefore have received
   * nothing about it.
   */
  const newOwners = (wallet: WalletAddress, begun: readonly Watch[]) => {
    const owners = new Set(watchesOf(wallet).map(({ ownerId }) => ownerId));
    return begun.filter(({ ownerId }) => !owners.has(ownerId));
  };
  const isLate = (alert: Pick<SharedAlert, 'event' | 'seenAtMs'>) =>
    alert.seenAtMs - eventTimeMs(alert) > lateAfterMs;

  /**
   * Returns the parts of a message that depend on the owner or channel, as opposed to the alert.
   */
  const messageTo = (
    { ownerId, channelId, own }: ReceiverAudience,
    wanting: ReadonlySet<string>,
    sequence: number,
  ): OwnerMessage => ({
    ownerId,
    ...(channelId !== undefined && { channelId }),
    sequence,
    isBetterThanLuck: own.some(isBetterThanLuck),
    watches: own.map((watch) => ({
      channel: watch.channelId,
      label: watch.label,
      wanted: wanting.has(watch.channelId),
    })),
  });

  return (wallet, before, { alerts, filtered = [], contexts }, begun) => {
    const counted = before && withOwnersOf(before, keptOwnersOf(wallet), isMeant);
    const known = withContexts(counted, contexts) ?? NOTHING;
    const goingOut = forReceivers(alerts);
    // Every acknowledgement gets here, and few bring further alerts.
    if (goingOut.length === 0) return { forReceivers: before && known };
    const all = begun === undefined ? watchesOf(wallet) : newOwners(wallet, begun);
    const nowSeconds = venueNowSeconds();
    const watches = all.filter((watch) => isMeant(watch.ownerId) && !isPaused(watch, nowSeconds));
    if (watches.length === 0) return { forReceivers: before && known };
    const audiencesOf = createAudiences(watches, filtered);
    const keys = new Set(messagesOf(known.waiting).map(receiverAlertKey));
    const { sequences, next } = numbering(known);
    const added: SharedAlert[] = [];
    for (const alert of goingOut) {
      const { id, event, seenAtMs } = alert;
      const { audiences, wanting } = audiencesOf(alert);
      const owners = audiences
        .filter(({ ownerId, channelId }) => !keys.has(receiverAlertKey({ id, ownerId, channelId })))
        .map((audience) => messageTo(audience, wanting, next(audience.ownerId)));
      if (owners.length > 0) added.push({ id, event, seenAtMs, isLate: isLate(alert), owners });
    }
    if (added.length === 0) return { forReceivers: before && known };
    const { waiting, dropped } = boundMessages(wallet, [...known.waiting, ...added], {
      watchesOf: (ownerId) => watchesOf(wallet).filter((watch) => watch.ownerId === ownerId),
      nextSequence: next,
      seenAtMs: nowSeconds * 1000,
      isLate,
    });
    return {
      forReceivers: { ...known, sequences: Object.fromEntries(sequences), waiting },
      dropped,
    };
  };
}

const NOTHING: ForReceivers = { sequences: {}, waiting: [] };

/** Numbers the messages to each owner, continuing from the stored numbers. */
function numbering({ sequences: before, lastOfAll = 0 }: ForReceivers) {
  const sequences = new Map(Object.entries(before));
  return {
    sequences,
    next(ownerId: string): number {
      const sequence = (sequences.get(ownerId) ?? lastOfAll) + 1;
      sequences.set(ownerId, sequence);
      return sequence;
    },
  };
}

/** Returns the alerts that receivers get. */
function forReceivers(alerts: readonly NewAlert[]) {
  const outgoing: (NewAlert & { readonly event: ReceiverEvent })[] = [];
  for (const alert of alerts) {
    const { event } = alert;
    if (isForReceivers(event)) outgoing.push({ ...alert, event: withoutSeen(event) });
  }
  return outgoing;
}

/** Returns the event without the purchase that a delayed channel uses to decide later. */
function withoutSeen(event: ReceiverEvent): ReceiverEvent {
  if (event.kind !== 'consensus') return event;
  const { kind, consensus } = event;
  return { kind, consensus };
}

/**
 * True if a filter rejects an alert for a channel. The channel's owner still gets a signed alert.
 */
function isFilter({ by }: FilterReason): boolean {
  return by === 'setting' || by === 'channelWords';
}

/** Returns the channels that do not get an alert, by the alert's id. */
function channelsFiltering(
  filtered: readonly FilteredRecord[],
  counts: (reason: FilterReason) => boolean,
): ChannelsById {
  const counted = filtered.filter(({ reason }) => counts(reason));
  return channelsById(
    counted.map(({ alert, channelId }) => ({ id: alert.id, channels: [channelId] })),
  );
}

interface ReceiverAudience {
  readonly ownerId: string;
  readonly channelId?: string;
  readonly own: readonly Watch[];
}

/**
 * Returns a function that determines which owners or channels get a message about an alert, each
 * with its watches, and which channels get the alert themselves.
 * @param watches watches whose owners may get messages
 */
function createAudiences(watches: readonly Watch[], filtered: readonly FilteredRecord[]) {
  const watchByChannel = new Map(watches.map((watch) => [watch.channelId, watch]));
  const filtering = channelsFiltering(filtered, isFilter);
  // A delayed channel is listed in an alert even if its filters reject it now.
  const filteredAtAll = channelsFiltering(filtered, () => true);
  return ({ id, event, channels }: NewAlert) => {
    const wanting = new Set(channels.filter((other) => !filteredAtAll.get(id)?.has(other)));
    const concerned = new Set([...wanting, ...(filtering.get(id) ?? [])]);
    const meant = [...concerned].flatMap((channelId) => watchByChannel.get(channelId) ?? []);
    const isOfChannel = event.kind === 'result' || event.kind === 'consensus';
    const audiences: readonly ReceiverAudience[] = isOfChannel
      ? meant.map((watch) => ({
          ownerId: watch.ownerId,
          channelId: watch.channelId,
          own: [watch],
        }))
      : [...groupBy(meant, ({ ownerId }) => ownerId)].map(([ownerId, own]) => ({ ownerId, own }));
    return { audiences, wanting };
  };
}

/**
 * Keeps message numbers only for owners who watch the wallet. Each of them continues from the
 * number used when messages were counted for all owners together.
 * @param owners null if they are not all known
 */
function withOwnersOf(
  forReceivers: ForReceivers,
  owners: ReadonlySet<string> | null,
  isMeant: (ownerId: string) => boolean,
): ForReceivers {
  if (owners === null) return forReceivers;
  const { sequences, lastOfAll, waiting } = forReceivers;
  const counted = Object.entries(sequences).filter(([ownerId]) => owners.has(ownerId));
  const meant = lastOfAll === undefined ? [] : [...owners].filter(isMeant);
  const isSame = counted.length === Object.keys(sequences).length;
  if (isSame && meant.length === 0) return forReceivers;
  const goingOn = meant.map((ownerId) => [ownerId, lastOfAll ?? 0] as const);
  return {
    sequences: { ...Object.fromEntries(goingOn), ...Object.fromEntries(counted) },
    ...(meant.length === 0 && lastOfAll !== undefined && { lastOfAll }),
    waiting,
  };
}

/** Adds context that has become known to the waiting messages. */
function withContexts(
  forReceivers: ForReceivers | undefined,
  contexts: ReadonlyMap<string, TradeContext> | undefined,
): ForReceivers | undefined {
  if (forReceivers === undefined || contexts === undefined) return forReceivers;
  return { ...forReceivers, waiting: forReceivers.waiting.map(withContextOf(contexts)) };
}
