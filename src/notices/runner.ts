import { createHash } from 'node:crypto';
import type { SendStep } from '../delivery/message-source.ts';
import type { Machine } from '../lib/machine.ts';
import { isActive, wantsGapsOf } from '../watches/watch.ts';
import { createNoticeSender } from './notice-sender.ts';
import type { Notice, Outage } from './outage.ts';
import { createOutageLooks } from './outage-looks.ts';

/**
 * Mean interval between channels that get the same notice, in ms, because alerts must be sent
 * between them.
 */
const SPACING_MS = 50;
const SPREAD_LIMIT_MS = 10 * 60_000;

/**
 * Creates the runner that informs channels about long outages of the venue: once each, silently, in
 * a message that is edited when the outage is over.
 */
export function createNoticeRunner(
  machine: Machine,
  parts: Parameters<typeof createOutageLooks>[1] &
    Parameters<typeof createNoticeSender>[1] & { readonly venueNowMs: () => number },
) {
  const { nowMs, log } = machine;
  const { notices, registry, venueNowMs } = parts;

  const { latest, watchedChannels, ...looks } = createOutageLooks(machine, parts);
  const { throttledMs, show } = createNoticeSender(machine, parts);

  const isConcerned = (channelId: string, { endpoints }: Outage): boolean =>
    registry.ofChannel(channelId).some((watch) => {
      const isConcerned = endpoints.some((name) => wantsGapsOf(watch, name));
      return isConcerned && isActive(watch, venueNowMs() / 1000);
    });

  /** Returns the time until the channel's turn, in ms. */
  const turnMs = (channelId: string, { changedAtMs }: Outage): number => {
    const spreadMs = Math.min(SPREAD_LIMIT_MS, watchedChannels().size * SPACING_MS);
    // Fixed position among all channels, from 0 to below 1.
    const place = createHash('sha256').update(channelId).digest().readUInt32BE(0) / 2 ** 32;
    return Math.min(spreadMs, changedAtMs + place * spreadMs - nowMs());
  };

  /** Whether the channel needs a notice about the outage, or has an outdated one. */
  const isDue = (channelId: string, known: Notice | undefined, outage: Outage): boolean => {
    if (known === undefined) return outage.untilMs === null && isConcerned(channelId, outage);
    return !known.isGone && known.shownMs !== outage.changedAtMs;
  };

  return {
    ...looks,
    name: 'notice' as const,

    async next(channelId: string): Promise<SendStep | number> {
      const outage = latest();
      const stored = notices.get(channelId);
      if (stored !== undefined && stored.outageSinceMs !== outage?.sinceMs) {
        await notices.delete(channelId);
      }
      if (outage === null) return Number.POSITIVE_INFINITY;
      const known = notices.get(channelId);
      if (!isDue(channelId, known, outage)) return Number.POSITIVE_INFINITY;
      const ownTurnMs = known?.messageId === null ? 0 : turnMs(channelId, outage);
      const delayMs = Math.max(ownTurnMs, throttledMs(channelId));
      if (delayMs > 0) return delayMs;
      const unsent = {
        startedAtMs: nowMs(),
        messageId: null,
        shownMs: null,
        isGone: false,
      };
      const notice: Notice = known ?? { outageSinceMs: outage.sinceMs, ...unsent };
      // Stored before its first attempt.
      await notices.set(channelId, notice);
      const giveUp = () => notices.set(channelId, { ...notice, isGone: true });
      return {
        send: () => show(channelId, notice, outage),
        onMessageGone: giveUp,
        async reject(reason) {
          // The edit that says that the venue is back is made later.
          if (throttledMs(channelId) > 0) return;
          log.warn({ event: 'notice.rejected', channel: channelId, reason });
          await giveUp();
        },
      };
    },
    async drop(channelId: string, why: 'gone' | 'unwatched' | 'blocked') {
      if (why !== 'blocked') await notices.delete(channelId);
      return 0;
    },
    channels(): readonly string[] {
      const notified = notices.ids();
      if (latest() === null) return [...notified];
      return [...new Set([...notified, ...watchedChannels()])];
    },
  };
}
