import type { WalletAddress } from '../../domain/address.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import { beganSecondsOf, holdOf, seenSinceOf, type Watch } from '../../watches/watch.ts';
import type { WalletEvent } from '../alert.ts';
import { type Hold, holdBySetting, type RecordEvent } from '../decisions.ts';

/** Says which channels what is seen of a wallet may be for. */
export function createAudience(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** True of a channel that no longer exists, so that nothing need be kept for it. */
  readonly isGone: (channelId: string) => boolean;
}) {
  const { registry, channelSettings, isGone } = parts;
  const wordsOf = (channelId: string) => channelSettings.get(channelId)?.words ?? null;
  const passesIn = (channelId: string, event: WalletEvent) =>
    event.kind !== 'activity' || passesWords(wordsOf(channelId), event.item);
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
    passesIn,
    /**
     * Says what keeps a new record from the channel of a watch, as far as the record alone decides;
     * null: the channel gets an alert of it, unless delivery finds that something else does.
     */
    heldBy(watch: Watch, event: RecordEvent, identity: string, nowSeconds: number): Hold | null {
      const hold = holdOf(watch, event, identity, nowSeconds);
      if (hold === 'before' || hold === 'pause') return { by: hold };
      if (hold !== null) return holdBySetting(watch.settings, hold);
      const words = wordsOf(watch.channelId);
      if (words === null || passesIn(watch.channelId, event)) return null;
      return { by: 'channelWords', value: words };
    },
  };
}
export type Audience = ReturnType<typeof createAudience>;
