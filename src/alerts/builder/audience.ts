import type { WalletAddress } from '../../domain/address.ts';
import { type ChannelSettingsStore, isDelayed } from '../../watches/channel-settings.ts';
import type { Registry } from '../../watches/registry.ts';
import { passesWords } from '../../watches/settings/words.ts';
import type { Verdicts } from '../../watches/verdicts.ts';
import {
  beganSecondsOf,
  filterReasonOf,
  isPausedLater,
  seenSinceOf,
  type Watch,
} from '../../watches/watch.ts';
import { UNFILTERED_SETTINGS } from '../../watches/watch-settings.ts';
import type { Alert } from '../alert.ts';
import {
  type FilterReason,
  filteredBySetting,
  isRecord,
  namesOf,
  type RecordEvent,
} from '../decisions.ts';
import { wantsGap } from '../kinds/gap.ts';

/** Sources from which it is decided which channels get an alert. */
export interface AlertSources {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** Verdicts of channels on their wallets. */
  readonly verdicts: Pick<Verdicts, 'of' | 'judge'>;
  /** True if a channel no longer exists, so nothing needs to be kept for it. */
  readonly isGone: (channelId: string) => boolean;
  readonly venueNowSeconds: () => number;
}

/** Determines which channels may get an alert about a wallet. */
export function createAudience({ registry, channelSettings, isGone }: AlertSources) {
  const isLater = (channelId: string) => isDelayed(channelSettings.get(channelId));
  const watchesOf = (wallet: WalletAddress): readonly Watch[] =>
    registry.ofWallet(wallet).filter(({ channelId }) => !isGone(channelId));

  /**
   * Returns why a channel does not get a new record, by its watch and the channel's words; null if
   * it gets it.
   */
  const filteredBy = (
    watch: Watch,
    event: RecordEvent,
    names: readonly string[],
    nowSeconds: number,
  ): FilterReason | null => {
    const reason = filterReasonOf(watch, event, names, nowSeconds);
    if (reason === 'before' || reason === 'pause') return { by: reason };
    if (reason !== null) return filteredBySetting(watch.settings, reason);
    const words = channelSettings.get(watch.channelId)?.words ?? null;
    const isPassing = event.kind !== 'activity' || passesWords(words, event.item);
    return words === null || isPassing ? null : { by: 'channelWords', value: words };
  };

  return {
    /** Returns the wallet's watches in existing channels. */
    watchesOf,
    /**
     * Returns the wallet's watches. Those in delayed channels appear as unpaused and unfiltered,
     * because they may be so by the time the alert is due.
     */
    watchesForDelay: (wallet: WalletAddress): readonly Watch[] =>
      watchesOf(wallet).map((watch) =>
        isLater(watch.channelId) ? { ...watch, pause: null, settings: UNFILTERED_SETTINGS } : watch,
      ),
    /**
     * Whether a channel is delayed. Its filters are checked when its delayed time reaches the
     * alert.
     */
    isLater,
    /** Returns the channels whose announcements the wallet's document keeps. */
    remembering: (wallet: WalletAddress): ReadonlySet<string> =>
      new Set([
        ...registry.keptOfWallet(wallet).map(({ channelId }) => channelId),
        ...registry.unreadableChannels(wallet),
      ]),
    /** Returns the times at which channels began to watch the wallet, in Unix seconds. */
    boundariesOf(wallet: WalletAddress): readonly number[] {
      const boundaries = registry
        .keptOfWallet(wallet)
        .flatMap((watch) => [beganSecondsOf(watch), seenSinceOf(watch)]);
      return [...new Set(boundaries)];
    },
    /**
     * Returns why a watch's channel does not get a new record, judging by the record alone; null if
     * the channel gets an alert, unless delivery finds another reason.
     */
    filteredBy,
    /**
     * Returns why a delayed channel does not get an alert once its delayed time reaches it; null if
     * it gets it. Nothing is checked if the channel no longer watches the wallet.
     * @param nowSeconds the venue's clock, in Unix seconds
     */
    filteredLater(
      { channelId, wallet, event, seenAtMs }: Alert,
      nowSeconds: number,
    ): FilterReason | null {
      const watch = registry.kept(channelId, wallet);
      if (watch === undefined) return null;
      if (event.kind === 'gap') return wantsGap(watch, event.gap) ? null : { by: 'pause' };
      const seconds = isRecord(event) ? event.item.time : seenAtMs / 1000;
      if (isPausedLater(watch, seconds, nowSeconds)) return { by: 'pause' };
      if (!isRecord(event)) return null;
      return filteredBy({ ...watch, pause: null }, event, namesOf(event), nowSeconds);
    },
  };
}
export type Audience = ReturnType<typeof createAudience>;
