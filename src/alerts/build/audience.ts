import type { WalletAddress } from '../../domain/address.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { beganSecondsOf, seenSinceOf, type Watch } from '../../watches/watch.ts';
import type { WalletEvent } from '../alert.ts';

/** Says which channels what is seen of a wallet may be for. */
export function createAudience(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** True of a channel that no longer exists, so that nothing need be kept for it. */
  readonly isGone: (channelId: string) => boolean;
}) {
  const { registry, channelSettings, isGone } = parts;
  return {
    /** Watches of the wallet in channels that exist. */
    watchesOf: (wallet: WalletAddress): readonly Watch[] =>
      registry.ofWallet(wallet).filter(({ channelId }) => !isGone(channelId)),
    /** Channels of which the wallet's document keeps what was announced. */
    remembering: (wallet: WalletAddress): ReadonlySet<string> =>
      new Set([
        ...registry.keptOfWallet(wallet).map(({ channelId }) => channelId),
        ...registry.unreadableChannels(wallet),
      ]),
    /** Unix seconds at which rooms began to watch the wallet. */
    boundariesOf(wallet: WalletAddress): readonly number[] {
      const boundaries = registry
        .keptOfWallet(wallet)
        .flatMap((watch) => [beganSecondsOf(watch), seenSinceOf(watch)]);
      return [...new Set(boundaries)];
    },
    /** True if the words of a channel let an event pass. */
    passesIn(channelId: string, event: WalletEvent): boolean {
      if (event.kind !== 'activity') return true;
      return passesWords(channelSettings.get(channelId)?.words ?? null, event.item);
    },
  };
}
export type Audience = ReturnType<typeof createAudience>;
