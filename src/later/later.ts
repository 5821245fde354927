import { type Alert, alertKey } from '../alerts/alert.ts';
import type { AlertBuilder } from '../alerts/build/build.ts';
import { backlogNotices } from '../alerts/build/gaps.ts';
import type { Decisions, HeldRecord } from '../alerts/decisions.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { WalletAddress } from '../domain/address.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { ChannelClock } from '../watches/channel-clock.ts';
import type { Registry } from '../watches/registry.ts';
import type { ChannelRoom, LaterAlert } from './channel-room.ts';
import { createMoves } from './moves.ts';
import { ROOM_BOUNDS, type RoomBounds } from './room.ts';

/** Share of a full room that is left once its oldest alerts are gone. */
const LEFT_SHARE = 0.9;
/** The venue's clock is set anew by each answer: it is asked again this often. */
const LOOK_AGAIN_MS = 60_000;
const FOR_EVER = Number.POSITIVE_INFINITY;

export type Later = ReturnType<typeof createLater>;

interface LaterParts {
  readonly room: ChannelRoom;
  readonly outbox: Pick<Outbox, 'acknowledge' | 'channels' | 'listenLater' | 'moveOn' | 'pending'>;
  readonly clock: ChannelClock;
  readonly registry: Pick<Registry, 'keptOfWallet'>;
  readonly builder: Pick<AlertBuilder, 'heldLater'>;
  readonly decisions: Pick<Decisions, 'held'>;
  readonly venueNowMs: () => number;
  /** Time that an alert waits for what it means for a position, ms; 0 if it does not. */
  readonly holdMs: (alert: Alert) => number;
  /** Keys of alerts that a channel's queue speaks of: their message may be on its way. */
  readonly keysInQueue: (channelId: string) => ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Bounds of each channel; beyond them its oldest alerts become notices. */
  readonly bounds?: RoomBounds;
}

/**
 * All that waits for channels, as delivery sees it. Alerts for a channel that hears later move from
 * their wallet's document to the channel's own; a move is no delivery. There they do not exist for
 * the channel until its clock has come to where they were seen: then it is asked whether the
 * channel wants them, as it would have been asked at once in another channel.
 */
export function createLater(
  machine: Pick<Machine, 'log' | 'sleep' | 'onFailpoint'>,
  parts: LaterParts,
) {
  const { onFailpoint } = machine;
  const { room, outbox, clock, builder, decisions, keysInQueue } = parts;
  /**
   * Alerts that channels' clocks have come to, by channel and key, in the order in which they came.
   */
  const heard = new Map<string, Map<string, Alert>>();

  const heardIn = (channelId: string): readonly Alert[] => [
    ...(heard.get(channelId)?.values() ?? []),
  ];

  const pending = (channelId: string): readonly Alert[] => {
    const own = heardIn(channelId);
    const atOnce = outbox.pending(channelId);
    if (own.length === 0) return atOnce;
    return [...own, ...atOnce].sort((a, b) => a.seenAtMs - b.seenAtMs);
  };

  /** Reads alerts of a channel. */
  const readAll = async (channelId: string, keys: ReadonlySet<string>): Promise<Alert[]> => {
    const entries = room.entries(channelId).filter(({ key }) => keys.has(key));
    const alerts: Alert[] = [];
    for (const number of new Set(entries.map((entry) => entry.number))) {
      for (const alert of await room.read(channelId, number)) {
        if (keys.has(alertKey(alert))) alerts.push({ ...alert, channelId });
      }
    }
    return alerts;
  };

  /** True if an alert waits for a channel whose clock has not come to it. */
  const isUnheard = (channelId: string, alert: Pick<Alert, 'wallet' | 'id'>): boolean => {
    const key = alertKey(alert);
    const isIn = room.entries(channelId).some((entry) => entry.key === key);
    return isIn && heard.get(channelId)?.has(key) !== true;
  };

  const takeOut: Outbox['acknowledge'] = async (channelId, alerts, ...rest) => {
    await outbox.acknowledge(channelId, alerts, ...rest);
    const keys = new Set(alerts.map(alertKey));
    if (room.entries(channelId).some(({ key }) => keys.has(key))) {
      onFailpoint('later.counted');
      await room.remove(channelId, keys);
    }
    const own = heard.get(channelId);
    for (const key of keys) own?.delete(key);
    if (own?.size === 0) heard.delete(channelId);
  };

  /** Drops alerts that a channel will never get. */
  const drop = async (channelId: string, keys: ReadonlySet<string>): Promise<number> => {
    const alerts = await readAll(channelId, keys);
    if (alerts.length > 0) await takeOut(channelId, alerts, null);
    return alerts.length;
  };

  /** Takes what the channel's clock has come to, and drops what the channel does not want. */
  const hear = async (channelId: string): Promise<void> => {
    const entries = room.entries(channelId);
    if (entries.length === 0) return;
    const known = heard.get(channelId) ?? new Map<string, Alert>();
    const inQueue = keysInQueue(channelId);
    const nowMs = clock.nowMs(channelId);
    const isAtOnce = !clock.isLater(channelId);
    const due = entries
      .filter(({ key, seenAtMs }) => isAtOnce || seenAtMs <= nowMs || inQueue.has(key))
      .filter(({ key }) => !known.has(key));
    if (due.length === 0) return;
    const unwanted: HeldRecord[] = [];
    const dropped: Alert[] = [];
    for (const alert of await readAll(channelId, new Set(due.map(({ key }) => key)))) {
      const key = alertKey(alert);
      // What was decided before is not decided again.
      const hold = inQueue.has(key) ? null : builder.heldLater(alert, parts.venueNowMs() / 1000);
      if (hold === null) known.set(key, alert);
      else {
        unwanted.push({ alert, channelId, hold });
        dropped.push(alert);
      }
    }
    if (known.size > 0) heard.set(channelId, known);
    if (dropped.length === 0) return;
    await takeOut(channelId, dropped, null);
    decisions.held(unwanted);
  };

  /** Time until the channel's clock comes to an alert, ms; Infinity: it waits for none. */
  const nextMs = (channelId: string): number => {
    const known = heard.get(channelId);
    const waiting = room.entries(channelId).filter(({ key }) => known?.has(key) !== true);
    const seenMs = waiting.map(({ seenAtMs }) => seenAtMs);
    const firstMs = seenMs.reduce((least, ms) => Math.min(least, ms), FOR_EVER);
    if (firstMs === FOR_EVER) return FOR_EVER;
    return Math.min(LOOK_AGAIN_MS, clock.untilMs(channelId, firstMs));
  };

  const channels = (): readonly string[] => [
    ...new Set([...outbox.channels(), ...room.destinations()]),
  ];

  const moves = createLaterMoves(machine, parts, drop);

  return {
    pending,
    /** Takes alerts out that delivery has brought, or will never bring (null). */
    acknowledge: (
      channelId: string,
      alerts: readonly Pick<Alert, 'wallet' | 'id' | 'event'>[],
      delivered: { readonly messageId: string | null } | null,
    ): Promise<void> =>
      takeOut(channelId, alerts, delivered, (alert) => !isUnheard(channelId, alert)),
    channels,
    hear,
    nextMs,
    isUnheard,
    /** Drops all that waits for a channel whose clock has not come to it. @returns how many */
    dropUnheard: (channelId: string): Promise<number> => {
      const known = heard.get(channelId);
      const entries = room.entries(channelId).filter(({ key }) => known?.has(key) !== true);
      return drop(channelId, new Set(entries.map(({ key }) => key)));
    },
    /**
     * Counts the alerts that wait for channels whose clocks have come to them, and says how long
     * the oldest has by these, seconds; 0 if none does.
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
    /**
     * Number of alerts that channels have not heard of yet, and that too many waiting cost them.
     */
    counts: () => {
      const all = room.destinations().map((one) => room.entries(one).length - heardIn(one).length);
      return { waiting: all.reduce((sum, count) => sum + count, 0), dropped: moves.dropped() };
    },
    /** Begins to move. */
    start: moves.start,
    /** Calls back with a channel for which something has been moved. */
    listen: moves.listen,
    /** Resolves when nothing is moved or written. */
    async idle(): Promise<void> {
      await moves.idle();
      await room.idle();
    },
  };
}

/** Moves alerts to the documents of channels that hear later, and keeps these within bounds. */
function createLaterMoves(
  machine: Pick<Machine, 'log' | 'sleep'>,
  { room, outbox, registry, holdMs, keysInQueue, signal, bounds = ROOM_BOUNDS }: LaterParts,
  drop: (channelId: string, keys: ReadonlySet<string>) => Promise<number>,
) {
  const { log } = machine;
  const listeners: ((channelId: string) => void)[] = [];
  let dropped = 0;

  const isWithin = (channelId: string, share: number): boolean => {
    const { items, bytes } = room.sizeOf(channelId);
    return items <= bounds.alerts * share && bytes <= bounds.bytes * share;
  };

  /** Puts notices in the place of the oldest alerts of a channel for which too many wait. */
  const bound = async (channelId: string): Promise<void> => {
    const place = room.placeOf(channelId);
    if (place === undefined || isWithin(channelId, 1)) return;
    const inQueue = keysInQueue(channelId);
    const entries = room.entries(channelId);
    const perAlert = room.sizeOf(channelId).bytes / entries.length;
    const most = Math.min(bounds.alerts, bounds.bytes / perAlert) * LEFT_SHARE;
    const oldest = entries
      .slice(0, Math.ceil(entries.length - most))
      .filter(({ key }) => !inQueue.has(key));
    const keys = new Set(oldest.map(({ key }) => key));
    const numbers = new Set(oldest.map(({ number }) => number));
    const found: LaterAlert[] = [];
    for (const number of numbers) found.push(...(await room.read(channelId, number)));
    const gone = found.filter((alert) => keys.has(alertKey(alert)));
    const notices = [...groupBy(gone, ({ wallet }) => wallet)].flatMap(([wallet, own]) =>
      backlogNotices(
        wallet,
        own.map((alert) => ({ ...alert, channels: [channelId] })),
      ).map(({ id, event, seenAtMs }): LaterAlert => ({ id, event, seenAtMs, wallet })),
    );
    await room.add(place, notices);
    await drop(channelId, keys);
    dropped += gone.length;
    log.error({ event: 'later.dropped', channel: channelId, alerts: gone.length });
  };

  const move = async (wallet: WalletAddress): Promise<number | null> => {
    let againMs = FOR_EVER;
    const moved: string[] = [];
    const isReady = (alert: Alert): boolean => {
      const waitMs = holdMs(alert);
      if (waitMs > 0) againMs = Math.min(againMs, waitMs);
      return waitMs <= 0;
    };
    await outbox.moveOn(wallet, isReady, async (channelId, alerts) => {
      const watches = registry.keptOfWallet(wallet);
      const ownerId = watches.find((watch) => watch.channelId === channelId)?.ownerId;
      // Nobody watches it there any more.
      if (ownerId === undefined) return;
      const items = alerts.map(({ id, event, seenAtMs }) => ({ id, event, seenAtMs, wallet }));
      await room.add({ ownerId, channelId }, items);
      moved.push(channelId);
    });
    for (const channelId of moved) {
      await bound(channelId);
      for (const listener of listeners) listener(channelId);
    }
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
    dropped: () => dropped,
    listen: (listener: (channelId: string) => void): void => void listeners.push(listener),
  };
}
