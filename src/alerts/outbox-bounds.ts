import type { WalletAddress } from '../domain/address.ts';
import type { WalletEvent } from './alert.ts';
import { backlogNotices } from './builder/gaps.ts';
import { type NewAlert, OUTBOX_LIMIT, onlyFor } from './wallets/wallet-document.ts';

/**
 * Maximum size of a wallet's waiting alerts, in bytes. Limited because every commit and every
 * delivery writes them all.
 */
const OUTBOX_BYTES = 4_000_000;
/** Share of a limit that is kept after alerts are dropped. */
const LEFT_SHARE = 0.5;
/** Size of a channel's id in an alert's list of channels, in bytes. */
const CHANNEL_BYTES = 22;

interface Bounded {
  /** Alerts that continue to wait, after notices for the channels that have lost some. */
  readonly kept: readonly NewAlert[];
  /** Dropped alerts, each with the channels that have lost it. */
  readonly dropped: readonly NewAlert[];
}

/**
 * Keeps a wallet's waiting alerts within limits: 1,000 alerts per channel and 4 MB in total. A
 * channel with too many keeps the newest half of the limit. If the total is too large, the channels
 * with the most alerts lose theirs first. Each channel that loses alerts gets a notice of the
 * period for each endpoint; other channels get none.
 */
export function createOutboxBounds() {
  /** Size of events in bytes, cached because the same events wait across many commits. */
  const bytesByEvent = new WeakMap<WalletEvent, number>();
  const eventBytesOf = ({ event }: NewAlert): number => {
    const bytes = bytesByEvent.get(event) ?? Buffer.byteLength(JSON.stringify(event));
    bytesByEvent.set(event, bytes);
    return bytes;
  };
  const bytesOf = (alert: NewAlert): number => {
    const { channels, delayed = [] } = alert;
    return eventBytesOf(alert) + CHANNEL_BYTES * (channels.length + delayed.length);
  };
  const sumOf = (alerts: readonly NewAlert[]): number =>
    alerts.reduce((sum, alert) => sum + bytesOf(alert), 0);

  /**
   * Returns the largest number of alerts that each channel may keep, at least 1, so that all
   * together fit in this many bytes. Visits each alert of each channel once, because there may be
   * hundreds of thousands.
   */
  const mostWithin = (outbox: readonly NewAlert[], bytes: number): number => {
    const counts = new Map<string, number>();
    /** Bytes added by the newest alert of every channel, then by the second newest, and so on. */
    const added: number[] = [];
    const add = (place: number, more: number) => {
      added[place] = (added[place] ?? 0) + more;
    };
    for (const alert of outbox.toReversed()) {
      const { channels } = alert;
      const delayed = new Set(alert.delayed);
      let first = Number.POSITIVE_INFINITY;
      for (const channelId of channels) {
        const place = counts.get(channelId) ?? 0;
        counts.set(channelId, place + 1);
        add(place, CHANNEL_BYTES * (delayed.has(channelId) ? 2 : 1));
        first = Math.min(first, place);
      }
      if (channels.length > 0) add(first, eventBytesOf(alert));
    }
    let most = 0;
    for (let left = bytes; most < added.length; most += 1) {
      left -= added[most] ?? 0;
      if (left < 0) break;
    }
    return Math.max(1, most);
  };

  /** Cuts the channels with the most alerts to the same number each, so that the bytes fit. */
  const withinBytes = (outbox: readonly NewAlert[]): Bounded => {
    if (sumOf(outbox) <= OUTBOX_BYTES) return { kept: outbox, dropped: [] };
    const mostBytes = OUTBOX_BYTES * LEFT_SHARE;
    const most = mostWithin(outbox, mostBytes);
    let left = mostBytes;
    return newest(
      outbox,
      () => most,
      (alert) => left >= bytesOf(alert),
      (kept) => {
        left -= bytesOf(kept);
      },
    );
  };

  return (wallet: WalletAddress, outbox: readonly NewAlert[]): Bounded => {
    const counted = withinCount(outbox, OUTBOX_LIMIT * LEFT_SHARE);
    const { kept, dropped } = withinBytes(counted.kept);
    const all = [...counted.dropped, ...dropped];
    if (all.length === 0) return { kept, dropped: all };
    return { kept: [...backlogNotices(wallet, all), ...kept], dropped: all };
  };
}

/**
 * Cuts channels for which too many alerts are waiting.
 * @param left number of such a channel's newest alerts that are kept
 */
export function withinCount(outbox: readonly NewAlert[], left: number): Bounded {
  if (outbox.length <= OUTBOX_LIMIT) return { kept: outbox, dropped: [] };
  const counts = countsOf(outbox);
  const isFull = (channelId: string) => (counts.get(channelId) ?? 0) > OUTBOX_LIMIT;
  if (![...counts.keys()].some(isFull)) return { kept: outbox, dropped: [] };
  return newest(outbox, (channelId) => (isFull(channelId) ? left : OUTBOX_LIMIT));
}

/**
 * Keeps the newest alerts of each channel.
 * @param fits whether there is still space for an alert; `onKept` is called with the part that is
 *   kept
 */
function newest(
  outbox: readonly NewAlert[],
  mostOf: (channelId: string) => number,
  fits: (alert: NewAlert) => boolean = () => true,
  onKept: (alert: NewAlert) => void = () => {},
): Bounded {
  const counts = new Map<string, number>();
  const kept: NewAlert[] = [];
  const dropped: NewAlert[] = [];
  for (const alert of outbox.toReversed()) {
    const stays = new Set<string>();
    for (const channelId of fits(alert) ? alert.channels : []) {
      const count = counts.get(channelId) ?? 0;
      if (count >= mostOf(channelId)) continue;
      counts.set(channelId, count + 1);
      stays.add(channelId);
    }
    const isWhole = stays.size === alert.channels.length;
    const rest = isWhole ? alert : onlyFor(alert, (channelId) => stays.has(channelId));
    if (!isWhole) dropped.push(onlyFor(alert, (channelId) => !stays.has(channelId)));
    if (rest.channels.length === 0) continue;
    kept.push(rest);
    onKept(rest);
  }
  return { kept: kept.reverse(), dropped: dropped.reverse() };
}

/** Returns the number of alerts waiting for each channel. */
export function countsOf(outbox: readonly NewAlert[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { channels } of outbox) {
    for (const channelId of channels) counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
  }
  return counts;
}
