import type { Alert, WalletEvent } from '../../alerts/alert.ts';
import type { WalletAddress } from '../../domain/address.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { isLeaving, isPaused } from '../../watches/watch.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../watches/watch-settings.ts';

/** Determines what a channel currently wants, from its watches and its own settings. */
export function createWishes(parts: {
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly venueNowMs: () => number;
}) {
  const { registry, channelSettings, venueNowMs } = parts;

  const isUnreadable = (channelId: string, wallet: WalletAddress) =>
    registry.unreadableChannels(wallet).includes(channelId);

  return {
    /**
     * Returns the settings of a channel's watch; undefined if the channel currently wants nothing
     * about the wallet.
     */
    settingsIn:
      (channelId: string) =>
      (wallet: WalletAddress): WatchSettings | undefined => {
        const watch = registry.kept(channelId, wallet);
        if (watch === undefined) {
          return isUnreadable(channelId, wallet) ? DEFAULT_SETTINGS : undefined;
        }
        return isPaused(watch, venueNowMs() / 1000) ? undefined : watch.settings;
      },
    /** Returns the kinds of alerts a channel does not want, whatever its watches' settings are. */
    leftOutOf(channelId: string): WalletEvent['kind'][] {
      const { results, consensusOnly } = channelSettings.get(channelId) ?? {};
      const kinds: WalletEvent['kind'][] = [];
      if (results === false) kinds.push('result');
      // A channel that gets only consensus alerts still gets results, and notices of possible gaps.
      if (consensusOnly === true) kinds.push('activity', 'transfer');
      return kinds;
    },
    /** False if an alert has to wait until it is known what its watch wants. */
    isDecidable(channelId: string, { wallet, event }: Alert): boolean {
      const watch = registry.kept(channelId, wallet);
      // The watch was removed, and that can still be undone. Its alerts wait until then, unless it
      // is paused.
      if (watch !== undefined && isLeaving(watch) && !isPaused(watch, venueNowMs() / 1000)) {
        return false;
      }
      // It is unknown what an unreadable watch wants, but the notice that it is unreadable is sent.
      if (!isUnreadable(channelId, wallet)) return true;
      return event.kind === 'gap' && event.gap.cause === 'watch';
    },
  };
}
