import { type Alert, type AlertGroup, isOfSeveral, walletOf } from '../../alerts/alert.ts';
import type { createIntake } from '../../alerts/intake.ts';
import type { DetailsRecords, KeepDetails } from '../../details/records.ts';
import type { WalletAddress } from '../../domain/address.ts';
import type { ChannelQueue } from '../channel-queue.ts';
import { marketCooldowns } from '../plan/cooldowns.ts';
import { decideMentions } from '../plan/mentions.ts';
import { type Plan, plan } from '../plan/plan.ts';
import { createFilteredAlone } from './filtered-alone.ts';
import { createKnownIn, type KnownInParts } from './known-in.ts';
import { createRender, type RenderParts } from './render.ts';
import { createWishes } from './wishes.ts';

interface ComposerParts extends KnownInParts, RenderParts {
  readonly intake: ReturnType<typeof createIntake>;
  /** Whether a channel's messages are edited. */
  readonly takesEdits: (channelId: string) => boolean;
  readonly catchUpAfterMs: number;
  /** Whether a time, in epoch milliseconds, is in a channel's quiet hours. */
  readonly isQuietAt: (channelId: string, atMs: number) => boolean;
  readonly keepDetails: KeepDetails;
  readonly shownIn: DetailsRecords['shown'];
}

/** Decides from each channel's settings which alerts are sent, when, and how they look. */
export function createComposer(parts: ComposerParts) {
  const { walletIndex, intake, clock, venueNowMs } = parts;
  /** Quiet hours follow the real clock, even in a delayed channel. */
  const isQuietIn = (channelId: string) => (atMs: number) =>
    parts.isQuietAt(channelId, atMs + clock.lagMs(channelId));
  const wishes = createWishes(parts);
  const { settingsIn, leftOutOf, isDecidable } = wishes;
  const { knownIn, withOthers } = createKnownIn(parts);
  const render = createRender(parts);

  return {
    takesEdits: parts.takesEdits,
    shownIn: parts.shownIn,
    isWanted: (channelId: string, wallet: WalletAddress) =>
      settingsIn(channelId)(wallet) !== undefined,
    /**
     * Decides which waiting alerts are posted now, in new or existing messages, and which continue
     * to wait or are dropped.
     */
    plan(
      channelId: string,
      waiting: readonly Alert[],
      { cooldowns, announced, growing }: ChannelQueue,
    ): Plan {
      const decidable = waiting.filter((alert) => isDecidable(channelId, alert));
      const planned = plan(decidable, {
        nowMs: clock.nowMs(channelId),
        settingsOf: settingsIn(channelId),
        polledAtMs(wallet, name) {
          const seconds = intake.pageSeconds(wallet, name);
          return seconds === null ? null : seconds * 1000;
        },
        isUnannounced: ({ wallet, event }) =>
          event.kind === 'activity' && walletIndex.isUnannounced(channelId, wallet, event.item),
        cooldowns,
        announced,
        isQuietAt: isQuietIn(channelId),
        growing,
        takesEdits: parts.takesEdits(channelId),
        catchUpAfterMs: parts.catchUpAfterMs,
        leftOut: leftOutOf(channelId),
        isCompact: parts.channelSettings.get(channelId)?.view === 'compact',
      });
      // Wallets with recent purchases whose messages may still grow.
      const shownWallets = new Set(
        growing.flatMap(({ groups }) => groups.map(({ wallet }) => wallet)),
      );
      const groups = planned.groups.map((group): AlertGroup => {
        const isInBurst = shownWallets.has(walletOf(group)) || undefined;
        if (!isOfSeveral(group)) shownWallets.add(walletOf(group));
        return { ...withOthers(channelId, group), isInBurst };
      });
      return { ...planned, groups };
    },
    /**
     * Assesses alerts as if they were alone, had been seen long enough ago that none has to wait,
     * and nothing had been sent before.
     * @returns the rejected alerts, with reasons
     */
    filteredAlone: createFilteredAlone(wishes, () => false),
    /** Decides how much noise a message makes, and which cooldowns begin once it is sent. */
    decideMentions(
      channelId: string,
      included: readonly AlertGroup[],
      ready: readonly AlertGroup[],
      { cooldowns, announced }: ChannelQueue,
    ) {
      const settingsOf = settingsIn(channelId);
      const { noise, mentioned } = decideMentions(included, {
        nowMs: clock.nowMs(channelId),
        settingsOf,
        cooldowns,
        announced,
        isQuietAt: isQuietIn(channelId),
      });
      const markets = marketCooldowns(included, ready, (group) => settingsOf(walletOf(group)));
      return { noise, cooldownUpdate: { markets, mentions: mentioned } };
    },
    /** Whether the channel is in quiet hours now. */
    isQuiet: (channelId: string) => parts.isQuietAt(channelId, venueNowMs()),
    /**
     * Stores what is currently known about alerts that are about to be sent, for their details.
     * Never rejects.
     */
    keepDetails: (channelId: string, groups: readonly AlertGroup[]) =>
      parts.keepDetails(
        channelId,
        groups.map((group) => knownIn(channelId, group)),
      ),
    /**
     * Renders the first groups as one message: as many as fit, at least one. Decides nothing else.
     * @param shownSinceMs when the edited message was sent, by the venue's clock; left out for a
     *   new one
     */
    render: (
      channelId: string,
      groups: readonly AlertGroup[],
      shownSinceMs = clock.nowMs(channelId),
    ) =>
      render(
        channelId,
        groups.map((group) => knownIn(channelId, group)),
        shownSinceMs,
      ),
  };
}

export type Composer = ReturnType<typeof createComposer>;
