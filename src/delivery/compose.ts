import {
  type Alert,
  type AlertGroup,
  eventTimeMs,
  isOfSeveral,
  type WalletEvent,
  walletOf,
} from '../alerts/alert.ts';
import type { AlertBuilder } from '../alerts/build/build.ts';
import type { createIntake } from '../alerts/intake.ts';
import type { WalletIndex } from '../alerts/wallet-index.ts';
import type { KeepDetails } from '../details/records.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { Links } from '../embeds/links.ts';
import type { Language } from '../language/language.ts';
import { renderMessage } from '../messages/message.ts';
import { marketKey, shortHash } from '../portfolio/market.ts';
import { alsoHere } from '../portfolio/positions/held-markets.ts';
import type { ChannelSettingsStore } from '../watches/channel-settings.ts';
import { messageUrl } from '../watches/owner.ts';
import type { Registry } from '../watches/registry.ts';
import { isActive, isLeaving, isPaused, sizeIn } from '../watches/watch.ts';
import { DEFAULT_SETTINGS } from '../watches/watch-settings.ts';
import type { Announced } from './plan/announced.ts';
import { type Cooldowns, marketCooldowns, NO_COOLDOWNS } from './plan/cooldowns.ts';
import { decideMentions } from './plan/mentions.ts';
import { type Dropped, GROUPING_WINDOW_MS, type Plan, plan } from './plan/plan.ts';

/** Decides by each channel's settings which alerts are sent, when, and how they look. */
export function createComposer(parts: {
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly alertBuilder: Pick<AlertBuilder, 'consensusNow'>;
  readonly walletIndex: Pick<WalletIndex, 'held' | 'isUnannounced' | 'isBetterThanLuck'>;
  readonly intake: Pick<ReturnType<typeof createIntake>, 'pageSeconds'>;
  readonly links: Links;
  readonly languageOf: (channelId: string) => Language;
  /** Tells whether embeds show in a channel; null: nobody knows. */
  readonly showsEmbeds: (channelId: string) => boolean | null;
  /** Tells whether messages of a channel are edited. */
  readonly takesEdits: (channelId: string) => boolean;
  readonly catchUpAfterMs: number;
  readonly venueNowMs: () => number;
  readonly keepDetails: KeepDetails;
}) {
  const {
    registry,
    channelSettings,
    alertBuilder,
    walletIndex,
    intake,
    links,
    languageOf,
    venueNowMs,
  } = parts;
  const isUnreadable = (channelId: string, wallet: WalletAddress) =>
    registry.unreadableChannels(wallet).includes(channelId);
  const settingsIn = (channelId: string) => (wallet: WalletAddress) => {
    const watch = registry.kept(channelId, wallet);
    if (watch === undefined && isUnreadable(channelId, wallet)) return DEFAULT_SETTINGS;
    return watch === undefined || isPaused(watch, venueNowMs() / 1000) ? undefined : watch.settings;
  };
  /** Kinds of alerts that a channel does not want, whatever its watches say. */
  const leftOutOf = (channelId: string): WalletEvent['kind'][] => {
    const { results, consensusOnly } = channelSettings.get(channelId) ?? {};
    const kinds: WalletEvent['kind'][] = [];
    if (results === false) kinds.push('result');
    // A channel that takes only a consensus still gets results, and notices of what may be missing.
    if (consensusOnly === true) kinds.push('activity', 'transfer');
    return kinds;
  };
  /**
   * The group with usual sizes as this room has seen them since it watches, and what was sold since
   * wallets agreed.
   */
  const knownIn = (channelId: string, group: AlertGroup): AlertGroup => {
    const watch = registry.kept(channelId, walletOf(group));
    const [first, ...others] = group.alerts.map((alert): Alert => {
      if (alert.event.kind === 'consensus') {
        return {
          ...alert,
          event: { kind: 'consensus', consensus: alertBuilder.consensusNow(alert.event.consensus) },
        };
      }
      if (alert.event.kind !== 'activity') return alert;
      const { kind, item, context } = alert.event;
      const size = (watch && sizeIn(watch, alert.event)) ?? undefined;
      return { ...alert, event: { kind, item, context, size } };
    });
    return first === undefined ? group : { ...group, alerts: [first, ...others] };
  };
  /**
   * Adds what the channel's other wallets hold in a trade's market: stored with its message, for
   * equal repeats.
   */
  const withOthers = (channelId: string, group: AlertGroup): AlertGroup => {
    const [{ event }] = group.alerts;
    if (group.kind === 'late' || event.kind !== 'activity' || event.item.action === 'Redeem')
      return group;
    const key = shortHash(marketKey(event.item));
    const others = registry.ofChannel(channelId).flatMap((watch) => {
      const isOther = watch.wallet !== walletOf(group) && isActive(watch, venueNowMs() / 1000);
      const known = isOther ? walletIndex.held.heldIn(watch.wallet, key) : undefined;
      return known === undefined ? [] : [{ wallet: watch.wallet, held: known }];
    });
    return { ...group, alsoHere: alsoHere(others) };
  };
  return {
    takesEdits: parts.takesEdits,
    isWanted: (channelId: string, wallet: WalletAddress) =>
      settingsIn(channelId)(wallet) !== undefined,
    /**
     * Decides which of the waiting alerts are announced now, in new messages or in those there are,
     * and which wait on or are dropped.
     */
    plan(
      channelId: string,
      waiting: readonly Alert[],
      shown: Announced & { readonly cooldowns: Cooldowns },
    ): Plan {
      const { cooldowns, announced, growing } = shown;
      const decidable = waiting.filter(({ wallet, event }) => {
        const watch = registry.kept(channelId, wallet);
        // It was removed, and that can still be undone: its alerts wait for that, unless it is
        // paused.
        if (watch !== undefined && isLeaving(watch) && !isPaused(watch, venueNowMs() / 1000))
          return false;
        // Nobody knows what a watch that cannot be read wants, but that it cannot be read is said.
        return (
          !isUnreadable(channelId, wallet) || (event.kind === 'gap' && event.gap.cause === 'watch')
        );
      });
      const planned = plan(decidable, {
        nowMs: venueNowMs(),
        settingsOf: settingsIn(channelId),
        polledAtMs(wallet, name) {
          const seconds = intake.pageSeconds(wallet, name);
          return seconds === null ? null : seconds * 1000;
        },
        isUnannounced: ({ wallet, event }) =>
          event.kind === 'activity' && walletIndex.isUnannounced(channelId, wallet, event.item),
        cooldowns,
        announced,
        growing,
        takesEdits: parts.takesEdits(channelId),
        catchUpAfterMs: parts.catchUpAfterMs,
        leftOut: leftOutOf(channelId),
      });
      // Wallets with purchases of the last minutes, whose messages may grow.
      const said = new Set(growing.flatMap(({ groups }) => groups.map(({ wallet }) => wallet)));
      const groups = planned.groups.map((group): AlertGroup => {
        const isInBurst = said.has(walletOf(group)) || undefined;
        if (!isOfSeveral(group)) said.add(walletOf(group));
        return { ...withOthers(channelId, group), isInBurst };
      });
      return { ...planned, groups };
    },
    /**
     * Decides about alerts as if they alone had been seen long enough ago that none waits any more,
     * and nothing had been sent before. @returns those that are held, and why
     */
    heldAlone(channelId: string, alerts: readonly Alert[]): readonly Dropped[] {
      const nowMs = Math.max(0, ...alerts.map(({ seenAtMs }) => seenAtMs)) + GROUPING_WINDOW_MS;
      return plan(alerts, {
        nowMs,
        settingsOf: settingsIn(channelId),
        polledAtMs: () => nowMs,
        isUnannounced: () => false,
        cooldowns: NO_COOLDOWNS,
        announced: [],
        growing: [],
        takesEdits: true,
        catchUpAfterMs: Number.POSITIVE_INFINITY,
        leftOut: leftOutOf(channelId),
      }).drop;
    },
    /** Decides how much noise a message makes, and which cooldowns begin once it has been sent. */
    decideMentions(
      channelId: string,
      included: readonly AlertGroup[],
      ready: readonly AlertGroup[],
      cooldowns: Cooldowns,
    ) {
      const settingsOf = settingsIn(channelId);
      const { noise, mentioned } = decideMentions(included, {
        nowMs: venueNowMs(),
        settingsOf,
        cooldowns,
      });
      const markets = marketCooldowns(included, ready, (group) => settingsOf(walletOf(group)));
      return { noise, cooldownUpdate: { markets, mentions: mentioned } };
    },
    /**
     * Keeps what is known at this moment of alerts that are about to be sent, for their details.
     * Never rejects.
     */
    keepDetails: (channelId: string, groups: readonly AlertGroup[]) =>
      parts.keepDetails(
        channelId,
        groups.map((group) => knownIn(channelId, group)),
      ),
    /**
     * The first of the groups as one message: as many as it holds, at least one. Decides nothing
     * else.
     * @param shownSinceMs when the message that is changed was sent, by the venue's clock; left out
     *   for a new one
     */
    render(channelId: string, groups: readonly AlertGroup[], shownSinceMs = venueNowMs()) {
      // An addition makes a message no later than it was.
      const newestMs = Math.max(
        shownSinceMs,
        ...groups.flatMap(({ alerts }) => alerts.map(eventTimeMs)),
      );
      const message = renderMessage(
        groups.map((group) => knownIn(channelId, group)),
        {
          links,
          language: languageOf(channelId),
          sentAtMs: Math.min(venueNowMs(), newestMs),
          labelOf: (wallet) => registry.kept(channelId, wallet)?.label ?? undefined,
          isBetterThanLuck: (wallet) => walletIndex.isBetterThanLuck(channelId, wallet),
          alertUrl: (wallet, messageId) => {
            const owner = registry.kept(channelId, wallet)?.ownerId;
            if (owner === undefined) return undefined;
            return messageUrl(owner, channelId, messageId);
          },
          isCompact: channelSettings.get(channelId)?.view === 'compact',
        },
      );
      const { body } = message;
      if (body.content === '' || parts.showsEmbeds(channelId) !== false) return message;
      const { errors } = languageOf(channelId).texts;
      const missing = errors.channel.noEmbeds(`<#${channelId}>`, errors.permissions.embedLinks);
      return { ...message, body: { ...body, content: `${body.content}\n-# ⚠️ ${missing}` } };
    },
  };
}

export type Composer = ReturnType<typeof createComposer>;
