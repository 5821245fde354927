import type { WalletAddress } from '../domain/address.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import { isPaused, type Watch } from '../watches/watch.ts';
import { eventTimeMs, withContextOf } from './alert.ts';
import type { HeldRecord, Hold } from './decisions.ts';
import { boundMessages } from './hand-on-bounds.ts';
import { type HandedOnEvent, isHandedOn } from './kinds/kinds.ts';
import {
  type HandedOn,
  handedOnKey,
  messagesOf,
  type OwnerMessage,
  type SharedAlert,
} from './wallets/handed-on.ts';
import {
  type ChannelsById,
  channelsById,
  type NewAlert,
  type WalletState,
} from './wallets/wallet-document.ts';

/** Parts of a commit of which alerts for receivers are made. */
interface Committed {
  readonly alerts: readonly NewAlert[];
  readonly held?: readonly HeldRecord[] | undefined;
  readonly contexts?: ReadonlyMap<string, TradeContext> | undefined;
}

/** Signed alerts of a wallet that wait after a commit, and those dropped because too many did. */
export interface Handed {
  readonly forReceivers: HandedOn | undefined;
  /** Number of messages that each owner has lost. */
  readonly dropped?: ReadonlyMap<string, number> | undefined;
}

/**
 * Says what of a commit goes out, and what waits of the wallet then.
 *
 * @param begun watches that begin now, to which alerts are given that were committed before; left
 *   out: it goes to those that are there
 */
export type HandOn = (
  wallet: WalletAddress,
  before: HandedOn | undefined,
  committed: Committed,
  begun?: readonly Watch[],
) => Handed;

export type HandingOn = ReturnType<typeof createHandingOn>;

/**
 * Adds to the state of wallets what goes out of alerts that are stored with it, and tells who moves
 * that on.
 *
 * @param handOn left out: nothing goes out
 */
export function createHandingOn(
  { log }: Machine,
  handOn: HandOn = (_wallet, before) => ({ forReceivers: before }),
) {
  const listeners: ((wallet: WalletAddress) => void)[] = [];
  /** Messages that were dropped with a state that may not be stored yet. */
  const droppedWith = new WeakMap<HandedOn, ReadonlyMap<string, number>>();
  let dropped = 0;

  const noteDropped = (wallet: WalletAddress, forReceivers: HandedOn): void => {
    for (const [guild, alerts] of droppedWith.get(forReceivers) ?? []) {
      dropped += alerts;
      log.warn({ event: 'alerts_out.dropped', guild, wallet, alerts });
    }
    droppedWith.delete(forReceivers);
  };

  return {
    /**
     * The state with what goes out.
     *
     * @param begun as `HandOn` has it
     */
    add(
      wallet: WalletAddress,
      state: WalletState,
      committed: Committed,
      begun?: readonly Watch[],
    ): WalletState {
      const handed = handOn(wallet, state.forReceivers, committed, begun);
      const { forReceivers } = handed;
      if (forReceivers === undefined || forReceivers === state.forReceivers) return state;
      if (handed.dropped !== undefined) droppedWith.set(forReceivers, handed.dropped);
      return { ...state, forReceivers };
    },
    /** Tells of what a state has that goes out, once it is stored. */
    tell(wallet: WalletAddress, { forReceivers }: WalletState): void {
      if (forReceivers === undefined) return;
      noteDropped(wallet, forReceivers);
      if (forReceivers.waiting.length === 0) return;
      for (const listener of listeners) listener(wallet);
    },
    /** Number of messages that were dropped since the start because too many waited of a wallet. */
    dropped: () => dropped,
    /** Calls back with wallets of which something waits to go out of Discord. */
    listen: (listener: (wallet: WalletAddress) => void): void => void listeners.push(listener),
  };
}

/**
 * Makes alerts for receivers outside of Discord: one for each owner with a watch of the wallet that
 * is not paused, whether a filter of its channels holds it or not; of a result or a consensus one
 * for each channel. Pure.
 *
 * @param parts `keptOwnersOf`: owners with a watch of a wallet, also one that rests or whose
 *   removal can be undone; null: nobody knows all. Left out: those of `watchesOf`. `isMeant`:
 *   whether an owner's alerts go out
 */
export function createHandOn(parts: {
  readonly watchesOf: (wallet: WalletAddress) => readonly Watch[];
  readonly keptOwnersOf?: (wallet: WalletAddress) => ReadonlySet<string> | null;
  readonly isMeant: (ownerId: string) => boolean;
  readonly isBetterThanLuck: (watch: Watch) => boolean;
  /** Age from which on an alert counts as late when it is seen, ms. */
  readonly lateAfterMs: number;
  readonly venueNowSeconds: () => number;
}): HandOn {
  const { watchesOf, isMeant, isBetterThanLuck, lateAfterMs, venueNowSeconds } = parts;
  const keptOwnersOf =
    parts.keptOwnersOf ??
    ((wallet: WalletAddress) => new Set(watchesOf(wallet).map(({ ownerId }) => ownerId)));
  /** Watches that begin of owners who had none of the wallet, and so have got nothing of it. */
  const newOwners = (wallet: WalletAddress, begun: readonly Watch[]) => {
    const owners = new Set(watchesOf(wallet).map(({ ownerId }) => ownerId));
    return begun.filter(({ ownerId }) => !owners.has(ownerId));
  };
  const isLate = (alert: Pick<SharedAlert, 'event' | 'seenAtMs'>) =>
    alert.seenAtMs - eventTimeMs(alert) > lateAfterMs;

  /** The message to an owner, or for one of its channels, as far as it is not the alert's. */
  const messageTo = (
    { ownerId, channelId, own }: HandedAudience,
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

  return (wallet, before, { alerts, held = [], contexts }, begun) => {
    const counted = before && withOwnersOf(before, keptOwnersOf(wallet), isMeant);
    const known = withContexts(counted, contexts) ?? NOTHING;
    const goingOut = forReceivers(alerts);
    // Each acknowledgement comes here, and few have alerts that follow.
    if (goingOut.length === 0) return { forReceivers: before && known };
    const all = begun === undefined ? watchesOf(wallet) : newOwners(wallet, begun);
    const nowSeconds = venueNowSeconds();
    const watches = all.filter((watch) => isMeant(watch.ownerId) && !isPaused(watch, nowSeconds));
    if (watches.length === 0) return { forReceivers: before && known };
    const audiencesOf = createAudiences(watches, held);
    const keys = new Set(messagesOf(known.waiting).map(handedOnKey));
    const { sequences, next } = numbering(known);
    const added: SharedAlert[] = [];
    for (const alert of goingOut) {
      const { id, event, seenAtMs } = alert;
      const { audiences, wanting } = audiencesOf(alert);
      const owners = audiences
        .filter(({ ownerId, channelId }) => !keys.has(handedOnKey({ id, ownerId, channelId })))
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

const NOTHING: HandedOn = { sequences: {}, waiting: [] };

/** Numbers the messages to each owner, on from those that there were. */
function numbering({ sequences: before, lastOfAll = 0 }: HandedOn) {
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

/** The alerts that receivers get. */
function forReceivers(alerts: readonly NewAlert[]) {
  const handedOn: (NewAlert & { readonly event: HandedOnEvent })[] = [];
  for (const alert of alerts) {
    const { event } = alert;
    if (isHandedOn(event)) handedOn.push({ ...alert, event: withoutSeen(event) });
  }
  return handedOn;
}

/** The event without the purchase by which a delayed channel decides in its time. */
function withoutSeen(event: HandedOnEvent): HandedOnEvent {
  if (event.kind !== 'consensus') return event;
  const { kind, consensus } = event;
  return { kind, consensus };
}

/**
 * True of a filter, which holds an alert from a channel: the channel's owner is told all the same.
 */
function isFilter({ by }: Hold): boolean {
  return by === 'setting' || by === 'channelWords';
}

/** Channels from which something holds an alert, by its id. */
function channelsHolding(
  held: readonly HeldRecord[],
  counts: (hold: Hold) => boolean,
): ChannelsById {
  const counted = held.filter(({ hold }) => counts(hold));
  return channelsById(
    counted.map(({ alert, channelId }) => ({ id: alert.id, channels: [channelId] })),
  );
}

interface HandedAudience {
  readonly ownerId: string;
  readonly channelId?: string;
  readonly own: readonly Watch[];
}

/**
 * Says of alerts which owners, or channels, get a message of their own, each with its watches, and
 * in which channels nothing holds the alert.
 *
 * @param watches whose owners may get messages
 */
function createAudiences(watches: readonly Watch[], held: readonly HeldRecord[]) {
  const watchByChannel = new Map(watches.map((watch) => [watch.channelId, watch]));
  const filtering = channelsHolding(held, isFilter);
  // A channel that hears later is among those of an alert, whatever holds it now.
  const holding = channelsHolding(held, () => true);
  return ({ id, event, channels }: NewAlert) => {
    const wanting = new Set(channels.filter((other) => !holding.get(id)?.has(other)));
    const told = new Set([...wanting, ...(filtering.get(id) ?? [])]);
    const meant = [...told].flatMap((channelId) => watchByChannel.get(channelId) ?? []);
    const isOfChannel = event.kind === 'result' || event.kind === 'consensus';
    const audiences: readonly HandedAudience[] = isOfChannel
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
 * Counts messages for those alone who watch the wallet. Each of them goes on from the number of the
 * time when messages were counted for all owners together.
 *
 * @param owners null: nobody knows them all
 */
function withOwnersOf(
  forReceivers: HandedOn,
  owners: ReadonlySet<string> | null,
  isMeant: (ownerId: string) => boolean,
): HandedOn {
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

/** Adds to what waits what is known of it since. */
function withContexts(
  forReceivers: HandedOn | undefined,
  contexts: ReadonlyMap<string, TradeContext> | undefined,
): HandedOn | undefined {
  if (forReceivers === undefined || contexts === undefined) return forReceivers;
  return { ...forReceivers, waiting: forReceivers.waiting.map(withContextOf(contexts)) };
}
