import type { WalletAddress } from '../domain/address.ts';
import { groupBy } from '../lib/group-by.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import { isPaused, type Watch } from '../watches/watch.ts';
import { eventTimeMs, type WalletEvent, withContextOf } from './alert.ts';
import type { HeldRecord, Hold } from './decisions.ts';
import { type HandedOn, handedOnKey } from './wallets/handed-on.ts';
import type { NewAlert, WalletState } from './wallets/wallet-document.ts';

/** Alerts of a wallet that are on their way to the waiting room, at the most. */
const HANDED_ON_LIMIT = 1_000;

/** Parts of a commit of which alerts for receivers are made. */
interface Committed {
  readonly alerts: readonly NewAlert[];
  readonly held?: readonly HeldRecord[] | undefined;
  readonly contexts?: ReadonlyMap<string, TradeContext> | undefined;
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
) => HandedOn | undefined;

export type HandingOn = ReturnType<typeof createHandingOn>;

/**
 * Adds to the state of wallets what goes out of alerts that are stored with it, and tells who moves
 * that on.
 *
 * @param handOn left out: nothing goes out
 */
export function createHandingOn(handOn: HandOn = (_wallet, before) => before) {
  const listeners: ((wallet: WalletAddress) => void)[] = [];
  return {
    /** The state with what goes out. @param begun as `HandOn` has it */
    add(
      wallet: WalletAddress,
      state: WalletState,
      committed: Committed,
      begun?: readonly Watch[],
    ): WalletState {
      const handedOn = handOn(wallet, state.handedOn, committed, begun);
      if (handedOn === undefined || handedOn === state.handedOn) return state;
      return { ...state, handedOn };
    },
    /** Tells of what a state has that goes out, once it is stored. */
    tell(wallet: WalletAddress, { handedOn }: WalletState): void {
      if (handedOn === undefined || handedOn.waiting.length === 0) return;
      for (const listener of listeners) listener(wallet);
    },
    /** Calls back with wallets of which something waits to go out of Discord. */
    listen: (listener: (wallet: WalletAddress) => void): void => void listeners.push(listener),
  };
}

/**
 * Makes alerts for receivers outside of Discord: one for each owner with a watch of the wallet that
 * is not paused, whether a filter of its channels holds it or not; of a result or a consensus one
 * for each channel. Pure.
 *
 * @param parts `isMeant`: whether an owner's alerts go out
 */
export function createHandOn(parts: {
  readonly watchesOf: (wallet: WalletAddress) => readonly Watch[];
  readonly isMeant: (ownerId: string) => boolean;
  readonly isBetterThanLuck: (watch: Watch) => boolean;
  /** Age from which on an alert counts as late when it is seen, ms. */
  readonly lateAfterMs: number;
  readonly venueNowSeconds: () => number;
}): HandOn {
  const { watchesOf, isMeant, isBetterThanLuck, lateAfterMs, venueNowSeconds } = parts;
  /** Watches that begin of owners who had none of the wallet, and so have got nothing of it. */
  const newOwners = (wallet: WalletAddress, begun: readonly Watch[]) => {
    const owners = new Set(watchesOf(wallet).map(({ ownerId }) => ownerId));
    return begun.filter(({ ownerId }) => !owners.has(ownerId));
  };
  return (wallet, before, { alerts, held = [], contexts }, begun) => {
    const known = withContexts(before, contexts);
    const all = begun === undefined ? watchesOf(wallet) : newOwners(wallet, begun);
    const nowSeconds = venueNowSeconds();
    const watches = all.filter((watch) => isMeant(watch.ownerId) && !isPaused(watch, nowSeconds));
    if (watches.length === 0) return known;
    const filtering = channelsHolding(held, isFilter);
    // A channel that hears later is among those of an alert, whatever holds it now.
    const holding = channelsHolding(held, () => true);
    const waiting = [...(known?.waiting ?? [])];
    const keys = new Set(waiting.map(handedOnKey));
    let sequence = known?.sequence ?? 0;
    for (const alert of alerts) {
      const { id, event, seenAtMs } = alert;
      const wanting = alert.channels.filter((other) => !holding.get(id)?.has(other));
      const told = new Set([...wanting, ...(filtering.get(id) ?? [])]);
      for (const { ownerId, channelId, own } of audiences(event, watches, told)) {
        if (keys.has(handedOnKey({ id, ownerId, channelId }))) continue;
        sequence += 1;
        waiting.push({
          id,
          event,
          seenAtMs,
          ownerId,
          ...(channelId !== undefined && { channelId }),
          sequence,
          isLate: seenAtMs - eventTimeMs({ event }) > lateAfterMs,
          isBetterThanLuck: own.some(isBetterThanLuck),
          watches: own.map((watch) => ({
            channel: watch.channelId,
            label: watch.label,
            wanted: wanting.includes(watch.channelId),
          })),
        });
      }
    }
    if (sequence === (known?.sequence ?? 0)) return known;
    return { sequence, waiting: waiting.slice(-HANDED_ON_LIMIT) };
  };
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
): ReadonlyMap<string, ReadonlySet<string>> {
  const channels = new Map<string, Set<string>>();
  for (const { alert, channelId, hold } of held) {
    if (!counts(hold)) continue;
    const ofAlert = channels.get(alert.id) ?? new Set();
    channels.set(alert.id, ofAlert.add(channelId));
  }
  return channels;
}

interface HandedAudience {
  readonly ownerId: string;
  readonly channelId?: string;
  readonly own: readonly Watch[];
}

/**
 * Owners, or channels, that get a message of their own of an event, each with its watches.
 *
 * @param told the channels whose owners are told
 */
function audiences(
  event: WalletEvent,
  watches: readonly Watch[],
  told: ReadonlySet<string>,
): readonly HandedAudience[] {
  const meant = watches.filter(({ channelId }) => told.has(channelId));
  if (event.kind === 'result' || event.kind === 'consensus') {
    return meant.map((watch) => ({
      ownerId: watch.ownerId,
      channelId: watch.channelId,
      own: [watch],
    }));
  }
  const byOwner = groupBy(meant, ({ ownerId }) => ownerId);
  return [...byOwner].map(([ownerId, own]) => ({ ownerId, own }));
}

/** Adds to what waits what is known of it since. */
function withContexts(
  handedOn: HandedOn | undefined,
  contexts: ReadonlyMap<string, TradeContext> | undefined,
): HandedOn | undefined {
  if (handedOn === undefined || contexts === undefined) return handedOn;
  return { ...handedOn, waiting: handedOn.waiting.map(withContextOf(contexts)) };
}
