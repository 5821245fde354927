import type { Alert, WalletEvent } from '../../alerts/alert.ts';
import type { WalletAddress } from '../../domain/address.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { isLeaving, isPaused } from '../../watches/watch.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../watches/watch-settings.ts';

/** Tells what a channel wants at this moment, by its watches and its own settings. */
export function createWishes(parts: {
  readonly registry: Pick<Registry, 'kept' | 'unreadableChannels'>;
  readonly channelSettings: ChannelSettingsStore;
  readonly venueNowMs: () => number;
}) {
  const { registry, channelSettings, venueNowMs } = parts;

  const isUnreadable = (channelId: string, wallet: WalletAddress) =>
    registry.unreadableChannels(wallet).includes(channelId);

  return {
    /** Settings of a channel's watch; undefined if nothing is wanted of the wallet at present. */
    settingsIn:
      (channelId: string) =>
      (wallet: WalletAddress): WatchSettings | undefined => {
        const watch = registry.kept(channelId, wallet);
        if (watch === undefined) {
          return isUnreadable(channelId, wallet) ? DEFAULT_SETTINGS : undefined;
        }
        return isPaused(watch, venueNowMs() / 1000) ? undefined : watch.settings;
      },
    /** Kinds of alerts that a channel does not want, whatever its watches say. */
    leftOutOf(channelId: string): WalletEvent['kind'][] {
      const { results, consensusOnly } = channelSettings.get(channelId) ?? {};
      const kinds: WalletEvent['kind'][] = [];
      if (results === false) kinds.push('result');
      // A channel that takes only a consensus still gets results, and notices of what may be
      // missing.
      if (consensusOnly === true) kinds.push('activity', 'transfer');
      return kinds;
    },
    /** False of an alert that waits until it is known what its watch wants. */
    isDecidable(channelId: string, { wallet, event }: Pick<Alert, 'wallet' | 'event'>): boolean {
      const watch = registry.kept(channelId, wallet);
      // It was removed, and that can still be undone: its alerts wait for that, unless it is
      // paused.
      if (watch !== undefined && isLeaving(watch) && !isPaused(watch, venueNowMs() / 1000)) {
        return false;
      }
      // Nobody knows what a watch that cannot be read wants, but that it cannot be read is said.
      if (!isUnreadable(channelId, wallet)) return true;
      return event.kind === 'gap' && event.gap.cause === 'watch';
    },
  };
}
