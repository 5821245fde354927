import type { WalletAddress } from '../domain/address.ts';
import type { WalletEvent } from './alert.ts';
import { backlogNotices } from './builder/gaps.ts';
import { type NewAlert, OUTBOX_LIMIT, onlyFor } from './wallets/wallet-document.ts';

/** Bytes of a wallet's waiting alerts, because each commit and each delivery writes them all. */
const OUTBOX_BYTES = 4_000_000;
/** Share of a bound that is left once alerts are dropped. */
const LEFT_SHARE = 0.5;
/** Bytes of a channel's id among an alert's channels. */
const CHANNEL_BYTES = 22;

interface Bounded {
  /** Alerts that go on waiting, behind notices for the channels that have lost some. */
  readonly kept: readonly NewAlert[];
  /** Alerts that were dropped, each with the channels that have lost it. */
  readonly dropped: readonly NewAlert[];
}

/**
 * Keeps what waits of a wallet within bounds: at most 1,000 alerts for one channel, and 4 MB for
 * all. A channel with too many keeps its newest half. Beyond the bytes the channels with the most
 * lose first. A channel that loses something gets a notice of its time for each endpoint; no other
 * channel does.
 */
export function createOutboxBounds() {
  /** Bytes of events, because the same ones wait over many commits. */
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

  /** Keeps the newest alerts of each channel that fit, of all channels up to `bytes`. */
  const newest = (
    outbox: readonly NewAlert[],
    mostOf: (channelId: string) => number,
    bytes: number,
  ): Bounded => {
    const counts = new Map<string, number>();
    const kept: NewAlert[] = [];
    const dropped: NewAlert[] = [];
    let left = bytes;
    for (const alert of outbox.toReversed()) {
      const fits = left >= bytesOf(alert);
      const stays = new Set<string>();
      for (const channelId of alert.channels) {
        const count = counts.get(channelId) ?? 0;
        if (!fits || count >= mostOf(channelId)) continue;
        counts.set(channelId, count + 1);
        stays.add(channelId);
      }
      const isWhole = stays.size === alert.channels.length;
      const rest = isWhole ? alert : onlyFor(alert, (channelId) => stays.has(channelId));
      if (!isWhole) dropped.push(onlyFor(alert, (channelId) => !stays.has(channelId)));
      if (rest.channels.length === 0) continue;
      kept.push(rest);
      left -= bytesOf(rest);
    }
    return { kept: kept.reverse(), dropped: dropped.reverse() };
  };

  /** Cuts channels with too many alerts. */
  const withinCount = (outbox: readonly NewAlert[]): Bounded => {
    if (outbox.length <= OUTBOX_LIMIT) return { kept: outbox, dropped: [] };
    const counts = countsOf(outbox);
    const full = new Set([...counts].filter(([, count]) => count > OUTBOX_LIMIT).map(([id]) => id));
    if (full.size === 0) return { kept: outbox, dropped: [] };
    const most = OUTBOX_LIMIT * LEFT_SHARE;
    const mostOf = (channelId: string) => (full.has(channelId) ? most : OUTBOX_LIMIT);
    return newest(outbox, mostOf, Number.POSITIVE_INFINITY);
  };

  /**
   * The largest number of alerts, at least 1, that each channel may keep so that all of them have at
   * most so many bytes. Each alert of each channel is looked at once, because there may be hundreds
   * of thousands.
   */
  const mostWithin = (outbox: readonly NewAlert[], bytes: number): number => {
    const counts = new Map<string, number>();
    /** Bytes of what the newest alert of all channels adds, then the second newest, and so on. */
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
    return newest(outbox, () => most, mostBytes);
  };

  return (wallet: WalletAddress, outbox: readonly NewAlert[]): Bounded => {
    const counted = withinCount(outbox);
    const { kept, dropped } = withinBytes(counted.kept);
    const all = [...counted.dropped, ...dropped];
    if (all.length === 0) return { kept, dropped: all };
    return { kept: [...backlogNotices(wallet, all), ...kept], dropped: all };
  };
}

/** Number of alerts that wait for each channel. */
function countsOf(outbox: readonly NewAlert[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { channels } of outbox) {
    for (const channelId of channels) counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
  }
  return counts;
}
