import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem } from '../../domain/records.ts';
import type { Settlement } from '../../domain/settlement.ts';
import type { AccountsQuestion } from '../../portfolio/came-back.ts';
import { entryKeys } from '../../portfolio/market.ts';
import { createHeldIndex } from '../../portfolio/positions/held-markets.ts';
import { EMPTY_RECORD } from '../../portfolio/record/record.ts';
import {
  type RecordSince,
  type RoomRecord,
  roomRecordOf,
} from '../../portfolio/record/room-record.ts';
import { luckCentsOf } from '../../portfolio/record/verdict.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import { createKeptRecords } from '../../watches/kept-records.ts';
import type { Registry } from '../../watches/registry.ts';
import type { Verdicts } from '../../watches/verdicts.ts';
import { beganSecondsOf, type Watch } from '../../watches/watch.ts';
import { createOpenQuestions, put } from './open-questions.ts';
import type { WalletState } from './wallet-document.ts';

type Purchases = Pick<WalletKnowledge, 'entries' | 'announcedConsensus'>;

const NO_PURCHASES: Purchases = { entries: [], announcedConsensus: [] };

/**
 * Keeps of every wallet in memory what is asked without its stored document: its records, what it
 * holds and has bought, and what is open of it.
 */
export function createWalletIndex(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  readonly verdicts: Pick<Verdicts, 'of' | 'judge'>;
  readonly venueNowSeconds: () => number;
}) {
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
   * Takes what is kept of a wallet, at the start, when not all watches need be known.
   *
   * @param followed keys of markets of positions that the state does not have
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

  /** Takes what is stored. The wallet may have been removed meanwhile. */
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
     * Takes what is stored, and judges the wallet anew by it. The wallet may have been removed
     * meanwhile.
     */
    noteStored(wallet: WalletAddress, state: WalletState): void {
      note(wallet, state);
      records.judgeNoted(wallet);
    },
    /** Takes what the wallet has bought lately, alone. It may have been removed meanwhile. */
    notePurchases(wallet: WalletAddress, { knowledge }: WalletState): void {
      if (knowledge !== undefined && isWatched(wallet)) setPurchases(wallet, knowledge);
    },
    /**
     * Takes only what channels have not been told of: an acknowledgement changes nothing else that
     * is asked.
     */
    noteUnannounced: (wallet: WalletAddress, { knowledge }: WalletState): void =>
      setUnannounced(wallet, knowledge?.unannounced ?? []),
    /** Finds what the wallet has bought lately, and which consensus alerts that has caused. */
    purchasesOf: (wallet: WalletAddress): Purchases => purchases.get(wallet) ?? NO_PURCHASES,
    /**
     * True if the channel watched when the wallet opened the item's position, and has been told
     * nothing of it.
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

/** Keeps the wallets' records in memory, and what rooms find by them. */
function createRecordIndex(parts: Parameters<typeof createWalletIndex>[0]) {
  const { registry, channelSettings, verdicts, venueNowSeconds } = parts;
  const records = createKeptRecords(parts);
  /** Settlements of those open markets that ended, by their hash. */
  let settlements: ReadonlyMap<string, Settlement> = new Map();
  /** True once it is known how many wallets are ranked in each channel. */
  let isCounted = false;

  /** Counts the wallets that the channel has ever ranked, as of the same polls. */
  const rankedIn = (channelId: string): number => {
    const ranked = registry
      .ofChannel(channelId)
      .filter(({ wallet }) => records.isRankedIn(channelId, wallet));
    return (channelSettings.get(channelId)?.rankedBefore ?? 0) + ranked.length;
  };

  /** Judges a wallet anew for each room, by its record and by how many wallets are ranked there. */
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
    /** Judges a wallet whose record has just been taken, once those of all wallets have been. */
    judgeNoted(wallet: WalletAddress): void {
      if (isCounted) judge(wallet);
    },
    reads: {
      /**
       * Judges wallets anew in all rooms, once the records of all have been taken. What is stored
       * is judged from then on.
       */
      judgeAll(wallets: Iterable<WalletAddress>): void {
        isCounted = true;
        for (const wallet of wallets) judge(wallet);
      },
      /** Takes what is stored of a wallet's record alone. */
      noteRecord: (wallet: WalletAddress, { knowledge }: WalletState): void =>
        records.set(wallet, knowledge?.record),
      /**
       * Wallets of which markets have matured that their numbers in memory do not have, the longest
       * ago first.
       */
      staleRecords: records.stale,
      /** True if the numbers of a wallet's record are in memory, and true, for each room. */
      hasRecordOf: records.isTrueOf,
      /** True if the wallet is ranked in a channel, as of when its record was made last. */
      isRankedIn: records.isRankedIn,
      rankedIn,
      /** True if the room of a watch has found the wallet better than luck. */
      isBetterThanLuck(channelId: string, wallet: WalletAddress): boolean {
        const watch = registry.kept(channelId, wallet);
        return watch !== undefined && verdicts.of(watch) === 'better';
      },
      /**
       * The wallet's record as the room of a watch may see it, at this moment.
       *
       * @param known undefined before the wallet's first page: the record is there, and empty, so
       *   that nobody sees whether another room has watched the wallet before
       */
      recordFor: (known: Pick<WalletKnowledge, 'record'> | undefined, watch: Watch): RoomRecord =>
        roomRecordOf(known?.record ?? EMPTY_RECORD, watch, venueNowSeconds(), {
          verdict: verdicts.of(watch),
          among: rankedIn(watch.channelId),
        }),
      /**
       * The wallet's record since the room began to watch, from memory.
       *
       * @param among how many wallets the room has ever ranked
       * @returns undefined where the wallet's document has to be read
       */
      keptRecordFor(watch: Watch, among: number): RecordSince | undefined {
        const since = records.standingFor(watch);
        if (since === undefined) return undefined;
        return { since, verdict: verdicts.of(watch), luckCents: luckCentsOf(since, among) };
      },
      /** Asks `cameBackOf` and `openOf` for the room of a watch, at this moment. */
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
      /** Keeps in memory how markets ended, until it is told anew. */
      keepSettlements(known: ReadonlyMap<string, Settlement>): void {
        settlements = known;
      },
    },
  };
}
