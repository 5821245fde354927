import { alertKey } from '../alerts/alert.ts';
import { backlogNotices } from '../alerts/builder/gaps.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Machine } from '../lib/machine.ts';
import type { DelayedAlert, DelayedAlerts } from './delayed-alerts.ts';
import { WAITING_BOUNDS, type WaitingSize } from './waiting-items.ts';

/** Share of a bound that is left after the oldest alerts have been dropped. */
const LEFT_SHARE = 0.9;
/** Bound of all delayed channels of one server together, as a multiple of a channel's bound. */
const CHANNELS_PER_SERVER = 2;

/**
 * Limits the alerts that wait for delayed channels: per channel, and for all channels of a server,
 * where the fullest channels lose alerts first. Notices replace the oldest alerts.
 *
 * @param parts `bounds`: bounds of one channel; `drop`: drops alerts of a channel by their keys
 */
export function createLaterBounds(
  { log }: Machine,
  parts: {
    readonly delayedAlerts: DelayedAlerts;
    readonly bounds?: WaitingSize | undefined;
    readonly keysInQueue: (channelId: string) => ReadonlySet<string>;
    readonly drop: (channelId: string, keys: ReadonlySet<string>) => Promise<unknown>;
  },
) {
  const { delayedAlerts, bounds = WAITING_BOUNDS, keysInQueue, drop } = parts;
  let dropped = 0;

  /** Replaces the oldest alerts of a channel by notices, so that about `most` are left. */
  const cut = async (channelId: string, most: number): Promise<void> => {
    const place = delayedAlerts.placeOf(channelId);
    if (place === undefined) return;
    const inQueue = keysInQueue(channelId);
    const entries = delayedAlerts.entries(channelId);
    const oldest = entries
      .slice(0, Math.max(0, Math.ceil(entries.length - most)))
      .filter(({ key }) => !inQueue.has(key));
    if (oldest.length === 0) return;
    const keys = new Set(oldest.map(({ key }) => key));
    const found: DelayedAlert[] = [];
    for (const number of new Set(oldest.map((entry) => entry.number))) {
      found.push(...(await delayedAlerts.read(channelId, number)));
    }
    const gone = found.filter((alert) => keys.has(alertKey(alert)));
    await delayedAlerts.add(place, noticesOf(channelId, gone));
    await drop(channelId, keys);
    dropped += gone.length;
    log.error({ event: 'later.dropped', channel: channelId, alerts: gone.length });
  };

  /** Returns how many alerts of a channel may stay so that its documents have at most this size. */
  const mostOf = (channelId: string, { items: most, bytes: mostBytes }: WaitingSize): number => {
    const { items, bytes } = delayedAlerts.sizeOf(channelId);
    return Math.min(most, items * Math.min(1, mostBytes / bytes));
  };

  const isWithin = ({ items, bytes }: WaitingSize, channels: number): boolean =>
    items <= bounds.items * channels && bytes <= bounds.bytes * channels;

  const left = (channels: number): WaitingSize => ({
    items: bounds.items * channels * LEFT_SHARE,
    bytes: bounds.bytes * channels * LEFT_SHARE,
  });

  return {
    /** Number of alerts dropped since the start. */
    dropped: () => dropped,
    /** Drops the oldest alerts of a channel if too many wait for it. */
    async boundChannel(channelId: string): Promise<void> {
      if (isWithin(delayedAlerts.sizeOf(channelId), 1)) return;
      await cut(channelId, mostOf(channelId, left(1)));
    },
    /**
     * Drops the oldest alerts of a server's fullest channels if too many wait for all its channels
     * together.
     */
    async boundOwner(ownerId: string): Promise<void> {
      const sizes = delayedAlerts
        .destinationsOf(ownerId)
        .map((channelId) => ({ channelId, ...delayedAlerts.sizeOf(channelId) }));
      const [items, bytes] = [sizes.map((size) => size.items), sizes.map((size) => size.bytes)];
      if (isWithin({ items: sumOf(items), bytes: sumOf(bytes) }, CHANNELS_PER_SERVER)) return;
      const all = left(CHANNELS_PER_SERVER);
      const level = { items: levelOf(items, all.items), bytes: levelOf(bytes, all.bytes) };
      for (const { channelId } of sizes) await cut(channelId, mostOf(channelId, level));
    },
  };
}

/** Creates the notices that replace dropped alerts of a channel. */
function noticesOf(channelId: string, gone: readonly DelayedAlert[]): DelayedAlert[] {
  return [...groupBy(gone, ({ wallet }) => wallet)].flatMap(([wallet, own]) => {
    const alerts = own.map((alert) => ({ ...alert, channels: [channelId] }));
    const notices = backlogNotices(wallet, alerts);
    return notices.map(({ id, event, seenAtMs }) => ({ id, event, seenAtMs, wallet }));
  });
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/**
 * Returns the largest amount to which all larger ones must be cut for a sum of at most `most`;
 * Infinity if the sum is already within it.
 */
function levelOf(amounts: readonly number[], most: number): number {
  let left = most;
  for (const [index, amount] of amounts.toSorted((a, b) => a - b).entries()) {
    const share = left / (amounts.length - index);
    if (amount > share) return share;
    left -= amount;
  }
  return Number.POSITIVE_INFINITY;
}
