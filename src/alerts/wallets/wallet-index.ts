import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem } from '../../domain/records.ts';
import type { Settlement } from '../../domain/settlement.ts';
import type { AccountsQuestion } from '../../portfolio/came-back.ts';
import { entryKeys } from '../../portfolio/market.ts';
import { createHeldIndex } from '../../portfolio/positions/held-markets.ts';
import {
  type ChannelRecord,
  channelRecordOf,
  type RecordSince,
} from '../../portfolio/record/channel-record.ts';
import { EMPTY_RECORD } from '../../portfolio/record/record.ts';
import { luckCentsOf } from '../../portfolio/record/verdict.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import { createKeptRecords } from '../../watches/kept-records.ts';
import { beganSecondsOf, type Watch } from '../../watches/watch.ts';
import type { AlertSources } from '../builder/audience.ts';
import { createOpenQuestions, put } from './open-questions.ts';
import type { WalletState } from './wallet-document.ts';

type Purchases = Pick<WalletKnowledge, 'entries' | 'announcedConsensus'>;

const NO_PURCHASES: Purchases = { entries: [], announcedConsensus: [] };

/**
 * Keeps in memory, for every wallet, what is needed without its stored document: its track record,
 * its holdings and purchases, and its open questions.
 */
export function createWalletIndex(parts: AlertSources) {
  const { registry, venueNowSeconds } = parts;
  const open = createOpenQuestions();
  const records = createRecordIndex(parts);
  const purchases = new Map<WalletAddress, Purchases>();
  const unannounced = new Map<WalletAddress, WalletKnowledge['unannounced']>();
  const held = createHeldIndex();

  const isWatched = (wallet: WalletAddress) => registry.ofWallet(wallet).length > 0;

  const setPurchases = (
    wallet: WalletAddress,
    { entries, announcedConsensus }: Purchases,
  ): void => {
    const isEmpty = entries.length + announcedConsensus.length === 0;
    put(purchases, wallet, isEmpty ? null : { entries, announcedConsensus });
  };

  const setUnannounced = (wallet: WalletAddress, positions: WalletKnowledge['unannounced']) =>
    put(unannounced, wallet, positions.length > 0 ? positions : null);

  const evict = (wallet: WalletAddress): void => {
    for (const part of [records, open, purchases, unannounced, held]) part.delete(wallet);
  };

  /**
   * Loads a wallet's stored state at the start, when some watches may not be known yet.
   * @param followed market keys of positions that the state does not contain
   */
  const load = (
    wallet: WalletAddress,
    { knowledge: known }: WalletState,
    followed: readonly string[] = [],
  ): void => {
    if (known === undefined) {
      evict(wallet);
      return;
    }
    records.set(wallet, known.record);
    open.set(wallet, known, venueNowSeconds(), followed);
    setPurchases(wallet, known);
    setUnannounced(wallet, known.unannounced);
    held.set(wallet, known.portfolio);
  };

  /** Updates the index from the stored state. The wallet may have been removed in the meantime. */
  const note = (wallet: WalletAddress, state: WalletState): void => {
    if (isWatched(wallet)) load(wallet, state);
  };

  return {
    ...open.reads,
    ...records.reads,
    load,
    note,
    evict,
    /**
     * Updates the index from the stored state and reassesses the wallet. The wallet may have been
     * removed in the meantime.
     */
    noteStored(wallet: WalletAddress, state: WalletState): void {
      note(wallet, state);
      records.judgeNoted(wallet);
    },
    /**
     * Updates only the wallet's recent purchases. The wallet may have been removed in the meantime.
     */
    notePurchases(wallet: WalletAddress, { knowledge }: WalletState): void {
      if (knowledge !== undefined && isWatched(wallet)) setPurchases(wallet, knowledge);
    },
    /**
     * Updates only the unannounced positions, because an acknowledgement changes nothing else kept
     * here.
     */
    noteUnannounced: (wallet: WalletAddress, { knowledge }: WalletState): void =>
      setUnannounced(wallet, knowledge?.unannounced ?? []),
    /** Returns the wallet's recent purchases, and the consensus alerts they have triggered. */
    purchasesOf: (wallet: WalletAddress): Purchases => purchases.get(wallet) ?? NO_PURCHASES,
    /**
     * True if the channel was watching when the wallet opened the item's position and has received
     * no alert about it.
     */
    isUnannounced(channelId: string, wallet: WalletAddress, item: ActivityItem): boolean {
      const positions = unannounced.get(wallet);
      if (positions === undefined) return false;
      const { outcome } = entryKeys(item);
      return positions.some(
        (position) => position.outcome === outcome && position.channels.includes(channelId),
      );
    },
    held,
  };
}
export type WalletIndex = ReturnType<typeof createWalletIndex>;

/** Keeps the wallets' track records in memory, and the channels' verdicts on them. */
function createRecordIndex(parts: AlertSources) {
  const { registry, channelSettings, verdicts, venueNowSeconds } = parts;
  const records = createKeptRecords(parts);
  /** Settlements of open markets that have ended, by market hash. */
  let settlements: ReadonlyMap<string, Settlement> = new Map();
  /** True once the number of ranked wallets in each channel is known. */
  let isCounted = false;

  /** Returns the number of wallets ever ranked in the channel, by the same polls. */
  const rankedIn = (channelId: string): number => {
    const ranked = registry
      .ofChannel(channelId)
      .filter(({ wallet }) => records.isRankedIn(channelId, wallet));
    return (channelSettings.get(channelId)?.rankedBefore ?? 0) + ranked.length;
  };

  /**
   * Reassesses a wallet for each channel, from its track record and the number of wallets ranked
   * there.
   */
  const judge = (wallet: WalletAddress): void => {
    const nowSeconds = venueNowSeconds();
    for (const watch of registry.ofWallet(wallet)) {
      const standing = records.lastStandingFor(watch);
      const ranked = standing?.isRanked === true ? standing : undefined;
      verdicts.judge(watch, ranked, () => rankedIn(watch.channelId), nowSeconds);
    }
  };

  return {
    set: records.set,
    delete: records.delete,
    /**
     * Reassesses a wallet whose track record was just loaded, once those of all wallets are loaded.
     */
    judgeNoted(wallet: WalletAddress): void {
      if (isCounted) judge(wallet);
    },
    reads: {
      /**
       * Reassesses wallets in all channels once all track records are loaded. From then on, wallets
       * are reassessed with every stored change.
       */
      judgeAll(wallets: Iterable<WalletAddress>): void {
        isCounted = true;
        for (const wallet of wallets) judge(wallet);
      },
      /** Updates only a wallet's track record from its stored state. */
      noteRecord: (wallet: WalletAddress, { knowledge }: WalletState): void =>
        records.set(wallet, knowledge?.record),
      /**
       * Returns the wallets with matured markets that their figures in memory lack, the oldest
       * first.
       */
      staleRecords: records.stale,
      /**
       * True if the figures of a wallet's track record are in memory and correct for each channel.
       */
      hasRecordOf: records.isTrueOf,
      /** True if the wallet is ranked in a channel, as of the last update of its track record. */
      isRankedIn: records.isRankedIn,
      rankedIn,
      /** True if the channel's verdict on the wallet is better than luck. */
      isBetterThanLuck(channelId: string, wallet: WalletAddress): boolean {
        const watch = registry.kept(channelId, wallet);
        return watch !== undefined && verdicts.of(watch) === 'better';
      },
      /**
       * Returns the wallet's current track record as the channel of a watch may see it.
       * @param known undefined before the wallet's first page. The track record is then empty, so
       *   that it does not reveal whether another channel has watched the wallet before
       */
      recordFor: (known: WalletKnowledge | undefined, watch: Watch): ChannelRecord =>
        channelRecordOf(known?.record ?? EMPTY_RECORD, watch, venueNowSeconds(), {
          verdict: verdicts.of(watch),
          among: rankedIn(watch.channelId),
        }),
      /**
       * Returns the wallet's track record since the channel began to watch, from memory.
       * @param among number of wallets the channel has ever ranked
       * @returns undefined if the wallet's document has to be read
       */
      keptRecordFor(watch: Watch, among: number): RecordSince | undefined {
        const since = records.standingFor(watch);
        if (since === undefined) return undefined;
        return { since, verdict: verdicts.of(watch), luckCents: luckCentsOf(since, among) };
      },
      /**
       * Returns the question for `cameBackOf` and `openOf`, for the channel of a watch at this
       * moment.
       */
      accountsFor: (
        { portfolio, record }: Pick<WalletKnowledge, 'portfolio' | 'record'>,
        watch: Watch,
      ): AccountsQuestion => ({
        accounts: portfolio.accounts,
        record,
        fromSeconds: beganSecondsOf(watch),
        nowSeconds: venueNowSeconds(),
        settlementOf: (market) => settlements.get(market),
      }),
      /** Keeps in memory how markets ended, until the next call. */
      keepSettlements(known: ReadonlyMap<string, Settlement>): void {
        settlements = known;
      },
    },
  };
}
