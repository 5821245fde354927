import { createHash } from 'node:crypto';
import type { APIEmbed } from 'discord.js';
import type { SendResult } from '../delivery/failures.ts';
import { editHeldMs } from '../delivery/failures.ts';
import { nonceOf, type Post, type Sender } from '../delivery/sender.ts';
import type { SendStep } from '../delivery/worker.ts';
import { alertReference, EMBED_COLOURS, SEPARATOR } from '../embeds/embed-parts.ts';
import type { Language } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';
import type { Collection } from '../store/collection.ts';
import type { Registry } from '../watches/registry.ts';
import { isActive, wantsGapsOf } from '../watches/watch.ts';
import { type Availability, type Notice, nextOutage, type Outage } from './outage.ts';

/** Pause between two looks whether the venue is away. */
const LOOK_MS = 10_000;
/**
 * Many channels get it one after the other, on average this far apart: alerts must find room
 * between them.
 */
const SPACING_MS = 50;
const SPREAD_LIMIT_MS = 10 * 60_000;

/**
 * Tells channels of long outages of the venue: once each, silently, in a message that is edited
 * when it is over.
 */
export function createNoticeRunner(
  { nowMs, monotonicMs, log }: Machine,
  parts: {
    readonly outages: Collection<Outage>;
    readonly notices: Collection<Notice>;
    readonly registry: Registry;
    readonly availability: Availability;
    readonly sender: Pick<Sender, 'send' | 'edit'>;
    readonly post: Post;
    readonly languageOf: (channelId: string) => Language;
    readonly venueNowMs: () => number;
  },
) {
  const { outages, notices, registry, availability, sender, post, languageOf, venueNowMs } = parts;
  let reconsider: (channelId: string) => void = () => {};
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  /**
   * Times by channel until which Discord holds the edit of its notice back, by the monotonic clock.
   */
  const heldUntilMs = new Map<string, number>();

  const latest = () => outages.get('') ?? null;

  const watchedChannels = () =>
    new Set(
      [...registry.owners()].flatMap((ownerId) =>
        registry.ofOwner(ownerId).map(({ channelId }) => channelId),
      ),
    );

  const isConcerned = (channelId: string, { endpoints }: Outage): boolean =>
    registry.ofChannel(channelId).some((watch) => {
      const isConcerned = endpoints.some((name) => wantsGapsOf(watch, name));
      return isConcerned && isActive(watch, venueNowMs() / 1000);
    });

  /** Time until the channel's turn, ms. */
  const turnMs = (channelId: string, { changedAtMs }: Outage): number => {
    const spreadMs = Math.min(SPREAD_LIMIT_MS, watchedChannels().size * SPACING_MS);
    // Among all channels, 0 ≤ … < 1, always the same.
    const place = createHash('sha256').update(channelId).digest().readUInt32BE(0) / 2 ** 32;
    return Math.min(spreadMs, changedAtMs + place * spreadMs - nowMs());
  };

  /** Looks how the venue stands, and stores it if that has changed. */
  const look = async (): Promise<void> => {
    const before = latest();
    const after = nextOutage(before, availability, nowMs());
    if (after === before) return;
    if (after === null) for (const channelId of notices.ids()) await notices.delete(channelId);
    await outages.change('', () => after ?? undefined);
    if (after === null) return;
    const { endpoints, sinceMs, untilMs } = after;
    log.warn({ event: 'venue.outage', endpoints, sinceMs, untilMs });
    for (const channelId of new Set([...watchedChannels(), ...notices.ids()]))
      reconsider(channelId);
  };

  /** Time for which the edit of the channel's notice is still held back, ms. */
  const heldMs = (channelId: string): number => {
    const leftMs = (heldUntilMs.get(channelId) ?? 0) - monotonicMs();
    if (leftMs <= 0) heldUntilMs.delete(channelId);
    return Math.max(0, leftMs);
  };

  const edit = async (
    channelId: string,
    ...change: readonly [string, Parameters<Sender['edit']>[2]]
  ): Promise<void> => {
    try {
      await sender.edit(channelId, ...change);
    } catch (error) {
      const waitMs = editHeldMs(error);
      if (waitMs !== null) heldUntilMs.set(channelId, monotonicMs() + waitMs);
      throw error;
    }
  };

  const show = async (channelId: string, notice: Notice, outage: Outage): Promise<SendResult> => {
    // Silent: nothing of it is shown on a lock screen.
    const noise = { roleIds: [], isSilent: true };
    const message = { body: { embeds: [embedOf(outage, languageOf(channelId))] }, noise };
    const shownMs = outage.changedAtMs;
    if (notice.messageId !== null) {
      await edit(channelId, notice.messageId, message);
      await notices.set(channelId, { ...notice, shownMs });
      return 'taken';
    }
    const isOver = outage.untilMs !== null;
    const references = [referenceOf(outage)];
    const earlier = await post.look(channelId, references, notice.startedAtMs, isOver);
    if (earlier !== null) {
      await notices.set(channelId, { ...notice, messageId: earlier });
      return 'answered';
    }
    // It is not there, and there is nothing to say any more.
    if (isOver) {
      await notices.delete(channelId);
      return 'unasked';
    }
    const messageId = await sender.send(channelId, {
      ...message,
      nonce: nonceOf(channelId, ...references),
    });
    await notices.set(channelId, { ...notice, messageId, shownMs });
    return 'taken';
  };

  return {
    name: 'notice' as const,

    async next(channelId: string): Promise<SendStep | number> {
      const outage = latest();
      const stored = notices.get(channelId);
      if (stored !== undefined && stored.outageSinceMs !== outage?.sinceMs)
        await notices.delete(channelId);
      if (outage === null) return Number.POSITIVE_INFINITY;
      const known = notices.get(channelId);
      const isDue =
        known === undefined
          ? outage.untilMs === null && isConcerned(channelId, outage)
          : !known.isGone && known.shownMs !== outage.changedAtMs;
      if (!isDue) return Number.POSITIVE_INFINITY;
      const ownTurnMs = known?.messageId === null ? 0 : turnMs(channelId, outage);
      const delayMs = Math.max(ownTurnMs, heldMs(channelId));
      if (delayMs > 0) return delayMs;
      const unsent = { startedAtMs: nowMs(), messageId: null, shownMs: null, isGone: false };
      const notice: Notice = known ?? { outageSinceMs: outage.sinceMs, ...unsent };
      // Stored before its first attempt.
      await notices.set(channelId, notice);
      const giveUp = () => notices.set(channelId, { ...notice, isGone: true });
      return {
        send: () => show(channelId, notice, outage),
        onDeleted: giveUp,
        async reject(reason) {
          // That the venue is back is said later.
          if (heldMs(channelId) > 0) return;
          log.warn({ event: 'notice.rejected', channel: channelId, reason });
          await giveUp();
        },
      };
    },
    async drop(channelId: string, why: 'gone' | 'unwatched' | 'blocked') {
      if (why !== 'blocked') await notices.delete(channelId);
      return 0;
    },
    channels: () => [
      ...new Set([...notices.ids(), ...(latest() === null ? [] : watchedChannels())]),
    ],
    look,
    /**
     * Looks every ten seconds. @param listener called with each channel that there may be something
     * to send to
     */
    start(listener: (channelId: string) => void): void {
      reconsider = listener;
      timer = setInterval(() => {
        looking = looking
          .then(look)
          .catch((error: unknown) => log.error({ event: 'venue.outage_not_stored', err: error }));
      }, LOOK_MS);
      timer.unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await looking;
    },
  };
}

function embedOf(outage: Outage, { texts }: Language): APIEmbed {
  const { notices } = texts;
  const what = wordsFor(outage.endpoints, texts);
  const time = (atMs: number) => `<t:${Math.floor(atMs / 1000)}:f>`;
  const { sinceMs, untilMs } = outage;
  const isOver = untilMs !== null;
  return {
    description: isOver
      ? notices.back(what, time(sinceMs), time(untilMs))
      : notices.away(what, time(sinceMs)),
    color: isOver ? EMBED_COLOURS.good : EMBED_COLOURS.warning,
    footer: { text: `${notices.footer}${SEPARATOR}${alertReference(referenceOf(outage))}` },
  };
}

/** Names what the endpoints show. Two that are often away together have a text of their own. */
function wordsFor(endpoints: Outage['endpoints'], { notices, watch }: Language['texts']): string {
  const isBoth = endpoints.join() === 'activity,deposits-withdrawals';
  if (isBoth) return notices.what.both;
  return endpoints.map((name) => notices.what[name]).join(watch.comma);
}

function referenceOf({ sinceMs }: Outage): string {
  return `away-${sinceMs.toString(36)}`;
}
