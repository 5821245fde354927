import type { Delivered } from '../alerts/acknowledge.ts';
import { type Alert, alertKey } from '../alerts/alert.ts';
import type { AlertBuilder } from '../alerts/builder/build.ts';
import { type Decisions, type FilteredRecord, isRecord } from '../alerts/decisions.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { Machine } from '../lib/machine.ts';
import type { ChannelClock } from '../watches/channel-clock.ts';
import type { ChannelSettingsStore } from '../watches/channel-settings.ts';
import type { Registry } from '../watches/registry.ts';
import { createLaterBounds } from './bounds.ts';
import type { DelayedAlerts } from './delayed-alerts.ts';
import { createMoves } from './moves.ts';
import type { WaitingSize } from './waiting-items.ts';

/** Interval at which the venue's clock is checked, in ms, because each response sets it anew. */
const LOOK_AGAIN_MS = 60_000;
const FOR_EVER = Number.POSITIVE_INFINITY;

export type Later = ReturnType<typeof createLater>;

/** Identifies an alert in a channel. */
type Named = Pick<Alert, 'wallet' | 'id'>;

interface LaterParts {
  readonly delayedAlerts: DelayedAlerts;
  readonly outbox: Pick<
    Outbox,
    'acknowledge' | 'channels' | 'learn' | 'listenLater' | 'moveOn' | 'moving' | 'pending'
  >;
  readonly clock: ChannelClock;
  readonly registry: Pick<Registry, 'kept' | 'unreadableChannels'>;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  readonly builder: Pick<AlertBuilder, 'filteredLater' | 'consensusLater'>;
  readonly decisions: Pick<Decisions, 'filtered'>;
  readonly venueNowMs: () => number;
  /**
   * Remaining time for which an alert waits for its effect on a position, in ms; 0 if it does not
   * wait.
   */
  readonly awaitingAnswerMs: (alert: Alert) => number;
  /** Keys of alerts in a channel's queue, whose messages may be on their way. */
  readonly keysInQueue: (channelId: string) => ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Bounds per channel. A server has twice that for all its channels together. */
  readonly bounds?: WaitingSize;
}

/**
 * Manages all alerts waiting for channels, as delivery sees them. Alerts for a delayed channel move
 * from their wallet's document to the channel's own; a move is not a delivery. They do not exist
 * for the channel until its clock has reached the time when they were seen. Then its settings
 * decide on them, as they would have decided at once in a channel without a delay.
 */
export function createLater(machine: Machine, parts: LaterParts) {
  const { onFailpoint } = machine;
  const { delayedAlerts, outbox, clock, builder, decisions, keysInQueue } = parts;
  /** Alerts whose time has come, by channel and key, in order of arrival. */
  const released = new Map<string, Map<string, Alert>>();

  const releasedIn = (channelId: string): readonly Alert[] => [
    ...(released.get(channelId)?.values() ?? []),
  ];

  /** Returns the waiting alerts of a channel whose time has not come. */
  const unreleasedIn = (channelId: string) => {
    const known = released.get(channelId);
    return delayedAlerts.entries(channelId).filter(({ key }) => known?.has(key) !== true);
  };

  const pending = (channelId: string): readonly Alert[] => {
    const own = releasedIn(channelId);
    const atOnce = outbox.pending(channelId);
    if (own.length === 0) return atOnce;
    return [...own, ...atOnce].sort((a, b) => a.seenAtMs - b.seenAtMs);
  };

  /** Reads alerts of a channel. */
  const readAll = async (channelId: string, keys: ReadonlySet<string>): Promise<Alert[]> => {
    const entries = delayedAlerts.entries(channelId).filter(({ key }) => keys.has(key));
    const alerts: Alert[] = [];
    for (const number of new Set(entries.map((entry) => entry.number))) {
      for (const { isHeard: _, ...alert } of await delayedAlerts.read(channelId, number)) {
        if (keys.has(alertKey(alert))) alerts.push({ ...alert, channelId });
      }
    }
    return alerts;
  };

  /** True if an alert waits for a channel whose time has not come yet. */
  const isUnreleased = (channelId: string, alert: Named): boolean => {
    const key = alertKey(alert);
    return delayedAlerts.has(channelId, key) && released.get(channelId)?.has(key) !== true;
  };

  /**
   * Returns the keys of the alerts of a wallet's records whose time has not come in a channel, and
   * the times of these records, in Unix seconds. Includes alerts on their way to the channel's
   * documents.
   */
  const unreleasedRecords = async (channelId: string, wallet: WalletAddress) => {
    const records = new Map<string, number>();
    // Moving alerts are read first: they are not removed before the channel's documents have them.
    for (const alert of await outbox.moving(wallet)) {
      const { event } = alert;
      if (alert.channelId !== channelId || !isRecord(event)) continue;
      records.set(alertKey(alert), event.item.time);
    }
    for (const entry of unreleasedIn(channelId)) {
      if (entry.wallet !== wallet || entry.recordSeconds === null) continue;
      records.set(entry.key, entry.recordSeconds);
    }
    return records;
  };

  const takeOut: Outbox['acknowledge'] = async (channelId, alerts, ...rest) => {
    await outbox.acknowledge(channelId, alerts, ...rest);
    const keys = new Set(alerts.map(alertKey));
    if ([...keys].some((key) => delayedAlerts.has(channelId, key))) {
      onFailpoint('later.counted');
      await delayedAlerts.remove(channelId, keys);
    }
    const own = released.get(channelId);
    for (const key of keys) own?.delete(key);
    if (own?.size === 0) released.delete(channelId);
  };

  /** Drops alerts that a channel will never get. */
  const drop = async (channelId: string, keys: ReadonlySet<string>): Promise<number> => {
    const alerts = await readAll(channelId, keys);
    if (alerts.length > 0) await takeOut(channelId, alerts, null);
    return alerts.length;
  };

  /**
   * Returns an alert as the channel would get it now, what keeps it from the channel (null:
   * nothing), and a function that records this in the wallet's document.
   */
  const judge = (alert: Alert, isToCome: (other: Named) => boolean) => {
    const nowSeconds = parts.venueNowMs() / 1000;
    const { wallet, event } = alert;
    if (event.kind !== 'consensus') {
      return { alert, reason: builder.filteredLater(alert, nowSeconds), note: null };
    }
    const { consensus, reason, learn } = builder.consensusLater(alert, event, nowSeconds, isToCome);
    const judged = { ...alert, event: { kind: 'consensus' as const, consensus } };
    const note = learn === null ? null : () => outbox.learn(wallet, learn);
    return { alert: judged, reason, note };
  };

  /** Drops what the channel does not want. */
  const dropUnwanted = async (
    channelId: string,
    unwanted: readonly FilteredRecord[],
  ): Promise<void> => {
    const dropped = unwanted.map(({ alert }) => alert);
    if (dropped.length > 0) await takeOut(channelId, dropped, null);
    decisions.filtered(unwanted);
  };

  /** Stores that the channel has accepted the alerts whose time has come and that still wait. */
  const storeReleased = async (channelId: string): Promise<void> => {
    const known = released.get(channelId);
    if (known === undefined) return;
    const waiting = delayedAlerts
      .entries(channelId)
      .filter(({ key, isHeard }) => !isHeard && known.has(key));
    const keys = new Set(waiting.map(({ key }) => key));
    await delayedAlerts.changeAll(channelId, keys, (alert) => {
      const { event } = known.get(alertKey(alert)) ?? alert;
      return { ...alert, event, isHeard: true };
    });
  };

  /**
   * Releases the alerts whose time has come, and drops unwanted ones and what depends on them: the
   * result of a position stays with its sale even if one of its purchases is dropped.
   */
  const release = async (channelId: string): Promise<void> => {
    await storeReleased(channelId);
    let unwanted = await releaseOnce(channelId);
    while (unwanted.length > 0) {
      for (const wallet of new Set(unwanted.map(({ alert }) => alert.wallet))) {
        await moves.moved(wallet);
      }
      unwanted = await releaseOnce(channelId);
    }
  };

  /**
   * Releases the alerts whose time has come.
   *
   * @returns the dropped records
   */
  const releaseOnce = async (channelId: string): Promise<readonly FilteredRecord[]> => {
    const entries = delayedAlerts.entries(channelId);
    if (entries.length === 0) return [];
    const known = released.get(channelId) ?? new Map<string, Alert>();
    const inQueue = keysInQueue(channelId);
    const nowMs = clock.nowMs(channelId);
    const isAtOnce = !clock.isLater(channelId);
    const due = entries
      .filter(({ key, seenAtMs }) => isAtOnce || seenAtMs <= nowMs || inQueue.has(key))
      .filter(({ key }) => !known.has(key));
    if (due.length === 0) return [];
    const alerts = await readAll(channelId, new Set(due.map(({ key }) => key)));
    // Several wallets' alerts are moved in parallel, but a consensus is compared with earlier
    // alerts.
    alerts.sort((a, b) => a.seenAtMs - b.seenAtMs);
    const unwanted: FilteredRecord[] = [];
    const decided = new Set(due.flatMap(({ key, isHeard }) => (isHeard ? key : [])));
    const isToCome = (alert: Named) =>
      delayedAlerts.has(channelId, alertKey(alert)) && !known.has(alertKey(alert));
    for (const alert of alerts) {
      const key = alertKey(alert);
      // A decision is not repeated.
      if (decided.has(key)) {
        known.set(key, alert);
        continue;
      }
      const { alert: wanted, reason, note } = judge(alert, isToCome);
      const isKept = reason === null || inQueue.has(key);
      // Immediately, because the next one is compared with it.
      if (reason === null || !isKept) await note?.();
      if (isKept) known.set(key, wanted);
      else unwanted.push({ alert, channelId, reason });
    }
    if (known.size > 0) released.set(channelId, known);
    await dropUnwanted(channelId, unwanted);
    return unwanted;
  };

  /**
   * Time until the channel must be checked again, in ms: when its clock reaches the next alert, or
   * after a minute; Infinity if no alert waits for it.
   */
  const nextMs = (channelId: string): number => {
    const seenMs = unreleasedIn(channelId).map(({ seenAtMs }) => seenAtMs);
    const firstMs = seenMs.reduce((least, ms) => Math.min(least, ms), FOR_EVER);
    if (firstMs === FOR_EVER) return FOR_EVER;
    return Math.min(LOOK_AGAIN_MS, clock.untilMs(channelId, firstMs));
  };

  const channels = (): readonly string[] => [
    ...new Set([...outbox.channels(), ...delayedAlerts.destinations()]),
  ];

  const bounds = createLaterBounds(machine, { ...parts, drop });
  const moves = createLaterMoves(machine, parts, bounds);

  return {
    pending,
    /** Removes alerts that were delivered or never will be (null). */
    acknowledge: (
      channelId: string,
      alerts: readonly Alert[],
      delivered: Delivered | null,
    ): Promise<void> =>
      takeOut(channelId, alerts, delivered, (alert) => !isUnreleased(channelId, alert)),
    channels,
    release,
    nextMs,
    unreleasedRecords,
    /**
     * Drops all alerts whose time has not come in a channel.
     *
     * @returns their number
     */
    dropUnreleased: (channelId: string): Promise<number> =>
      drop(channelId, new Set(unreleasedIn(channelId).map(({ key }) => key))),
    /**
     * Counts the waiting alerts whose time has come in these channels, and returns how long the
     * oldest has waited by the channel's clock, in seconds; 0 if there are none.
     */
    waitingFor(channelIds: readonly string[]) {
      let alerts = 0;
      let oldestSeconds = 0;
      for (const channelId of channelIds) {
        const own = pending(channelId);
        alerts += own.length;
        const nowMs = clock.nowMs(channelId);
        for (const { seenAtMs } of own) {
          oldestSeconds = Math.max(oldestSeconds, (nowMs - seenAtMs) / 1000);
        }
      }
      return { alerts, oldestSeconds };
    },
    /** Number of alerts whose time has not come, and of those dropped because too many waited. */
    counts: () => {
      const all = delayedAlerts
        .destinations()
        .map((one) => delayedAlerts.entries(one).length - releasedIn(one).length);
      return { waiting: all.reduce((sum, count) => sum + count, 0), dropped: bounds.dropped() };
    },
    /** Begins to move. */
    start: moves.start,
    /** Sets the listener that is called with each channel for which something has been moved. */
    listen: moves.listen,
    /** Resolves when nothing is being moved or written. */
    async idle(): Promise<void> {
      await moves.idle();
      await delayedAlerts.idle();
    },
  };
}

/** Moves alerts to the documents of delayed channels, and keeps these within bounds. */
function createLaterMoves(
  machine: Machine,
  { delayedAlerts, outbox, registry, channelSettings, awaitingAnswerMs, signal }: LaterParts,
  bounds: ReturnType<typeof createLaterBounds>,
) {
  const { log } = machine;
  let onMoved = (_channelId: string): void => {};

  /**
   * Returns the owner of a channel that watches the wallet, even if its watch cannot be read at
   * present.
   */
  const ownerOf = (channelId: string, wallet: WalletAddress): string | undefined => {
    const watch = registry.kept(channelId, wallet);
    if (watch !== undefined) return watch.ownerId;
    const isUnreadable = registry.unreadableChannels(wallet).includes(channelId);
    return isUnreadable ? channelSettings.get(channelId)?.ownerId : undefined;
  };

  const move = async (wallet: WalletAddress): Promise<number | null> => {
    let againMs = FOR_EVER;
    /** Owners of the channels to which something has been moved. */
    const moved = new Map<string, string>();
    const isReady = (alert: Alert): boolean => {
      const waitMs = awaitingAnswerMs(alert);
      if (waitMs > 0) againMs = Math.min(againMs, waitMs);
      // Alerts behind one that waits stay, because a channel without a delay keeps that order too.
      return againMs === FOR_EVER;
    };
    await outbox.moveOn(wallet, {
      isReady,
      isKept: (alert) => delayedAlerts.has(alert.channelId, alertKey(alert)),
      async keep(channelId, alerts) {
        const ownerId = ownerOf(channelId, wallet);
        // The channel no longer watches the wallet.
        if (ownerId === undefined) return;
        const items = alerts.map(({ id, event, seenAtMs }) => ({ id, event, seenAtMs, wallet }));
        await delayedAlerts.add({ ownerId, channelId }, items);
        moved.set(channelId, ownerId);
      },
    });
    for (const channelId of moved.keys()) {
      await bounds.boundChannel(channelId);
      onMoved(channelId);
    }
    for (const ownerId of new Set(moved.values())) await bounds.boundOwner(ownerId);
    return againMs === FOR_EVER ? null : Math.max(1, againMs);
  };

  const moves = createMoves(machine, {
    move,
    onFailure: (wallet, error) => log.error({ event: 'later.not_moved', wallet, err: error }),
    signal,
  });
  outbox.listenLater(moves.look);

  return {
    start: moves.start,
    idle: moves.idle,
    moved: moves.moved,
    listen(listener: (channelId: string) => void): void {
      onMoved = listener;
    },
  };
}
