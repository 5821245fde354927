import type { WalletAddress } from '../../domain/address.ts';
import { type ChannelSettingsStore, hearsLater } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import {
  beganSecondsOf,
  holdOf,
  holdsLater,
  seenSinceOf,
  type Watch,
} from '../../watches/watch.ts';
import { UNFILTERED_SETTINGS } from '../../watches/watch-settings.ts';
import type { Alert } from '../alert.ts';
import { type Hold, holdBySetting, isRecord, namesOf, type RecordEvent } from '../decisions.ts';
import { wantsGap } from '../kinds/gap.ts';

/** Says which channels what is seen of a wallet may be for. */
export function createAudience(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** True of a channel that no longer exists, so that nothing need be kept for it. */
  readonly isGone: (channelId: string) => boolean;
}) {
  const { registry, channelSettings, isGone } = parts;
  const isLater = (channelId: string) => hearsLater(channelSettings.get(channelId));
  const watchesOf = (wallet: WalletAddress): readonly Watch[] =>
    registry.ofWallet(wallet).filter(({ channelId }) => !isGone(channelId));

  /**
   * Says what keeps a new record from a channel by its watch and the channel's words; null:
   * nothing.
   */
  const heldBy = (
    watch: Watch,
    event: RecordEvent,
    names: readonly string[],
    nowSeconds: number,
  ): Hold | null => {
    const hold = holdOf(watch, event, names, nowSeconds);
    if (hold === 'before' || hold === 'pause') return { by: hold };
    if (hold !== null) return holdBySetting(watch.settings, hold);
    const words = channelSettings.get(watch.channelId)?.words ?? null;
    const isPassing = event.kind !== 'activity' || passesWords(words, event.item);
    return words === null || isPassing ? null : { by: 'channelWords', value: words };
  };

  return {
    /** Watches of the wallet in channels that exist. */
    watchesOf,
    /**
     * Watches of the wallet, in channels that hear later as if they were not paused and had no
     * filter: that may be so by then.
     */
    listeningTo: (wallet: WalletAddress): readonly Watch[] =>
      watchesOf(wallet).map((watch) =>
        isLater(watch.channelId) ? { ...watch, pause: null, settings: UNFILTERED_SETTINGS } : watch,
      ),
    /** True of a channel that hears later: what it wants is asked once its clock has come there. */
    isLater,
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
    /**
     * Says what keeps a new record from the channel of a watch, as far as the record alone decides;
     * null: the channel gets an alert of it, unless delivery finds that something else does.
     */
    heldBy,
    /**
     * Says what keeps an alert from a channel that hears later, when the channel's clock has come
     * to where it was seen; null: nothing. Of a channel that watches nothing any more nothing is
     * asked.
     *
     * @param nowSeconds the venue's clock, Unix seconds
     */
    heldLater({ channelId, wallet, event, seenAtMs }: Alert, nowSeconds: number): Hold | null {
      const watch = registry.kept(channelId, wallet);
      if (watch === undefined) return null;
      if (event.kind === 'gap') return wantsGap(watch, event.gap) ? null : { by: 'pause' };
      const seconds = isRecord(event) ? event.item.time : seenAtMs / 1000;
      if (holdsLater(watch, seconds, nowSeconds)) return { by: 'pause' };
      if (!isRecord(event)) return null;
      return heldBy({ ...watch, pause: null }, event, namesOf(event), nowSeconds);
    },
  };
}
export type Audience = ReturnType<typeof createAudience>;
