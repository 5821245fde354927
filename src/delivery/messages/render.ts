import { type AlertGroup, eventTimeMs } from '../../alerts/alert.ts';
import type { WalletIndex } from '../../alerts/wallets/wallet-index.ts';
import type { Links } from '../../embeds/links.ts';
import type { Language } from '../../language/language.ts';
import { renderMessage } from '../../messages/message.ts';
import type { ChannelClock } from '../../watches/channel-clock.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import { messageUrl } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';

export interface RenderParts {
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly walletIndex: WalletIndex;
  readonly links: Links;
  readonly languageOf: (channelId: string) => Language;
  /** Whether embeds are shown in a channel; null if unknown. */
  readonly showsEmbeds: (channelId: string) => boolean | null;
  readonly clock: ChannelClock;
}

/** Creates the function that renders a channel's alerts with its language, view and permissions. */
export function createRender(parts: RenderParts) {
  const { registry, channelSettings, walletIndex, links, languageOf, clock } = parts;

  /**
   * Renders the first groups as one message: as many as fit, at least one.
   * @param groups alert groups, to which the knowledge of the channel has been added
   * @param shownSinceMs when the edited message was sent, by the venue's clock
   */
  return (channelId: string, groups: readonly AlertGroup[], shownSinceMs: number) => {
    // An addition does not make a message later than it was.
    const timesMs = groups.flatMap(({ alerts }) => alerts.map(eventTimeMs));
    const newestMs = Math.max(shownSinceMs, ...timesMs);
    const message = renderMessage(groups, {
      links,
      language: languageOf(channelId),
      sentAtMs: Math.min(clock.nowMs(channelId), newestMs),
      labelOf: (wallet) => registry.kept(channelId, wallet)?.label ?? undefined,
      isBetterThanLuck: (wallet) => walletIndex.isBetterThanLuck(channelId, wallet),
      alertUrl(wallet, messageId) {
        const owner = registry.kept(channelId, wallet)?.ownerId;
        if (owner === undefined) return undefined;
        return messageUrl(owner, channelId, messageId);
      },
      isCompact: channelSettings.get(channelId)?.view === 'compact',
    });
    const { body } = message;
    if (body.content === '' || parts.showsEmbeds(channelId) !== false) return message;
    const { errors } = languageOf(channelId).texts;
    const missing = errors.channel.noEmbeds(`<#${channelId}>`, errors.permissions.embedLinks);
    return { ...message, body: { ...body, content: `${body.content}\n-# ⚠️ ${missing}` } };
  };
}
