import type { WalletAddress } from '../domain/address.ts';
import { createHeldIndex } from '../portfolio/positions/held-markets.ts';
import type { OpenQuestion } from '../portfolio/positions/question.ts';
import { isBetterThanLuck } from '../portfolio/record/record.ts';
import { type RoomRecord, roomRecordOf } from '../portfolio/record/room-record.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import type { ChannelSettingsStore } from '../watches/channel-settings.ts';
import type { Registry } from '../watches/registry.ts';
import { createOpenMarkets } from './open-markets.ts';

/** Of every wallet what is asked without its document, which stays in the store: its records, and what is open of it. */
export function createWalletIndex({
  registry,
  channelSettings,
  venueNowSeconds,
}: {
  readonly registry: Pick<Registry, 'ofWallet' | 'ofChannel'>;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  readonly venueNowSeconds: () => number;
}) {
  /** Of channels where the wallet is ranked. */
  const records = new Map<WalletAddress, ReadonlyMap<string, RoomRecord>>();
  const unreadSeconds = new Map<WalletAddress, number>();
  const openQuestions = new Map<WalletAddress, readonly OpenQuestion[]>();
  const openMarkets = createOpenMarkets();
  const held = createHeldIndex();

  const put = <Value>(map: Map<WalletAddress, Value>, wallet: WalletAddress, value: Value | null): void =>
    void (value === null ? map.delete(wallet) : map.set(wallet, value));

  const rankedIn = (channelId: string) =>
    (channelSettings.get(channelId)?.rankedBefore ?? 0) +
    registry.ofChannel(channelId).filter(({ wallet }) => records.get(wallet)?.has(channelId)).length;

  return {
    set(wallet: WalletAddress, known: WalletKnowledge): void {
      const { record, unread, questions, portfolio } = known;
      const nowSeconds = venueNowSeconds();
      const ranked = registry.ofWallet(wallet).flatMap((watch) => {
        const ofRoom = roomRecordOf(record, watch, nowSeconds, 1);
        return ofRoom.since.isRanked ? [[watch.channelId, ofRoom] as const] : [];
      });
      put(records, wallet, ranked.length > 0 ? new Map(ranked) : null);
      put(unreadSeconds, wallet, unread?.beforeSeconds ?? null);
      put(openQuestions, wallet, questions.length > 0 ? questions : null);
      openMarkets.set(wallet, known, nowSeconds);
      held.set(wallet, portfolio);
    },
    delete(wallet: WalletAddress): void {
      for (const part of [records, unreadSeconds, openQuestions, openMarkets, held]) part.delete(wallet);
    },
    reads: {
      /** The wallet's record for a channel, as of its last poll that found something; null if the wallet is not ranked there. */
      recordIn(channelId: string, wallet: WalletAddress): RoomRecord | null {
        const known = records.get(wallet)?.get(channelId);
        return known === undefined
          ? null
          : { ...known, isBetterThanLuck: isBetterThanLuck(known.since, rankedIn(channelId)) };
      },
      /** How many wallets the channel has ever ranked, as of the same polls. */
      rankedIn,
      /** A wallet of which the trades before a time, Unix seconds, are still to be read back; undefined if there is none. */
      unread(except: ReadonlySet<WalletAddress>) {
        for (const [wallet, beforeSeconds] of unreadSeconds) if (!except.has(wallet)) return { wallet, beforeSeconds };
        return undefined;
      },
      /** Others come before the wallet in `unread`. */
      readLater(wallet: WalletAddress): void {
        const beforeSeconds = unreadSeconds.get(wallet);
        unreadSeconds.delete(wallet);
        if (beforeSeconds !== undefined) unreadSeconds.set(wallet, beforeSeconds);
      },
      /** Markets of all wallets whose end is not certain. */
      openMarkets: openMarkets.batches,
      /** What wallets are known to hold. */
      held,
      /** Wallets with open questions. */
      askers: () => openQuestions.keys(),
      /** What the venue is to be asked of the wallet. */
      questions: (wallet: WalletAddress): readonly OpenQuestion[] => openQuestions.get(wallet) ?? [],
    },
  };
}
