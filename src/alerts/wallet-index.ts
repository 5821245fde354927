import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import type { Settlement } from '../domain/settlement.ts';
import { SETTLEMENTS_LIMIT } from '../feed/interface.ts';
import { isUncertain } from '../portfolio/accounts/account.ts';
import type { AccountsQuestion } from '../portfolio/came-back.ts';
import { entryKeys } from '../portfolio/market.ts';
import { createHeldIndex } from '../portfolio/positions/held-markets.ts';
import { isClosed } from '../portfolio/positions/position.ts';
import type { OpenQuestion } from '../portfolio/positions/question.ts';
import { EMPTY_RECORD } from '../portfolio/record/record.ts';
import {
  type RecordSince,
  type RoomRecord,
  roomRecordOf,
} from '../portfolio/record/room-record.ts';
import { luckCentsOf } from '../portfolio/record/verdict.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import type { ChannelSettingsStore } from '../watches/channel-settings.ts';
import { createKeptRecords } from '../watches/kept-records.ts';
import type { Registry } from '../watches/registry.ts';
import type { Verdicts } from '../watches/verdicts.ts';
import { beganSecondsOf, type Watch } from '../watches/watch.ts';

/**
 * So long after its settlement a market is still asked for: redemptions that contradict it are seen
 * in days.
 */
const DOUBT_SECONDS = 7 * 86_400;

type Purchases = Pick<WalletKnowledge, 'entries' | 'announced'>;

const NO_PURCHASES: Purchases = { entries: [], announced: [] };

/**
 * Of every wallet what is asked without its stored document: its records, and what is open of it.
 */
export function createWalletIndex(parts: {
  readonly registry: Registry;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  readonly verdicts: Pick<Verdicts, 'of' | 'judge'>;
  readonly venueNowSeconds: () => number;
}) {
  const { registry, channelSettings, verdicts, venueNowSeconds } = parts;
  const records = createKeptRecords(parts);
  const unreadSeconds = new Map<WalletAddress, number>();
  const openQuestions = new Map<WalletAddress, readonly OpenQuestion[]>();
  /**
   * Markets that have no end yet, or were settled lately: short hashes of ten characters each, with
   * a space between, so that at 20,000 wallets with 40 each they take 15 MB, and 0.13 s of the
   * start.
   */
  const openMarkets = new Map<WalletAddress, string>();
  const purchases = new Map<WalletAddress, Purchases>();
  const unannounced = new Map<WalletAddress, WalletKnowledge['unannounced']>();
  const held = createHeldIndex();
  /** How those of the open markets ended that did, by their hash. */
  let settlements: ReadonlyMap<string, Settlement> = new Map();

  const put = <Value>(
    map: Map<WalletAddress, Value>,
    wallet: WalletAddress,
    value: Value | null,
  ): void => void (value === null ? map.delete(wallet) : map.set(wallet, value));

  const openMarketsOf = (
    { record, alertedPositions, portfolio }: WalletKnowledge,
    nowSeconds: number,
  ) => {
    const inRecord = record.markets.filter(
      ({ closedSeconds, payout }) =>
        closedSeconds === null ||
        (payout !== undefined && closedSeconds > nowSeconds - DOUBT_SECONDS),
    );
    const held = portfolio.positions.filter((position) => !isClosed(position.held));
    const uncertain = portfolio.accounts.markets.filter((account) =>
      isUncertain(account, nowSeconds - DOUBT_SECONDS),
    );
    const named = [...inRecord, ...held, ...uncertain].map(({ market }) => market);
    return [...new Set([...named, ...alertedPositions.map(({ key }) => key)])].join(' ');
  };

  const rankedIn = (channelId: string) =>
    (channelSettings.get(channelId)?.rankedBefore ?? 0) +
    registry.ofChannel(channelId).filter(({ wallet }) => records.isRankedIn(channelId, wallet))
      .length;

  const setPurchases = (wallet: WalletAddress, { entries, announced }: Purchases): void =>
    put(purchases, wallet, entries.length + announced.length > 0 ? { entries, announced } : null);

  const setUnannounced = (wallet: WalletAddress, positions: WalletKnowledge['unannounced']) =>
    put(unannounced, wallet, positions.length > 0 ? positions : null);

  return {
    setUnannounced,
    /**
     * Takes what the wallet has bought lately alone: another wallet's poll may look before it is
     * stored.
     */
    setPurchases,
    setRecord: records.set,
    /**
     * Wallets of which markets have matured that their numbers in memory do not have, the longest
     * ago first.
     */
    staleRecords: records.stale,
    /** Whether the numbers of a wallet's record are in memory, and true, for each room. */
    hasRecordOf: records.isTrueOf,
    /**
     * Judges a wallet anew for each room, by its record and by how many wallets are ranked there.
     */
    judge(wallet: WalletAddress): void {
      const nowSeconds = venueNowSeconds();
      for (const watch of registry.ofWallet(wallet)) {
        const standing = records.lastStandingFor(watch);
        const ranked = standing?.isRanked === true ? standing : undefined;
        verdicts.judge(watch, ranked, () => rankedIn(watch.channelId), nowSeconds);
      }
    },
    /** @param known undefined: nothing is, or need be kept */
    set(wallet: WalletAddress, known: WalletKnowledge | undefined): void {
      if (known === undefined) {
        const parts = [
          records,
          unreadSeconds,
          openQuestions,
          openMarkets,
          purchases,
          unannounced,
          held,
        ];
        for (const part of parts) part.delete(wallet);
        return;
      }
      const { unread, questions, portfolio } = known;
      const nowSeconds = venueNowSeconds();
      records.set(wallet, known.record);
      put(unreadSeconds, wallet, unread?.beforeSeconds ?? null);
      put(openQuestions, wallet, questions.length > 0 ? questions : null);
      put(openMarkets, wallet, openMarketsOf(known, nowSeconds) || null);
      setPurchases(wallet, known);
      setUnannounced(wallet, known.unannounced);
      held.set(wallet, portfolio);
    },
    /** What the wallet has bought lately, and which consensus alerts that has caused. */
    purchasesOf: (wallet: WalletAddress): Purchases => purchases.get(wallet) ?? NO_PURCHASES,
    reads: {
      /** Whether the wallet is ranked in a channel, as of when its record was made last. */
      isRankedIn: records.isRankedIn,
      /** Whether the room of a watch has found the wallet better than luck. */
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
       * The same since the room began to watch, from memory. @param among how many wallets it has
       * ever ranked
       * @returns undefined where the wallet's document has to be read
       */
      keptRecordFor(watch: Watch, among: number): RecordSince | undefined {
        const since = records.standingFor(watch);
        return (
          since && { since, verdict: verdicts.of(watch), luckCents: luckCentsOf(since, among) }
        );
      },
      /** What `cameBackOf` and `openOf` are asked for the room of a watch, at this moment. */
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
      /** How many wallets the channel has ever ranked, as of the same polls. */
      rankedIn,
      /**
       * A wallet whose trades before a time, Unix seconds, are still to be read back; undefined if
       * there is none.
       */
      unread(except: ReadonlySet<WalletAddress>) {
        for (const [wallet, beforeSeconds] of unreadSeconds)
          if (!except.has(wallet)) return { wallet, beforeSeconds };
        return undefined;
      },
      /** Others come before the wallet in `unread`. */
      readLater(wallet: WalletAddress): void {
        const beforeSeconds = unreadSeconds.get(wallet);
        unreadSeconds.delete(wallet);
        if (beforeSeconds !== undefined) unreadSeconds.set(wallet, beforeSeconds);
      },
      /**
       * Markets without a certain end, in batches that may be asked for at once, with the wallets
       * that have them.
       */
      *openMarkets() {
        let markets = new Set<string>();
        let wallets = new Map<WalletAddress, readonly string[]>();
        for (const [wallet, joined] of openMarkets) {
          const own = joined.split(' ');
          for (let from = 0; from < own.length; from += SETTLEMENTS_LIMIT) {
            const some = own.slice(from, from + SETTLEMENTS_LIMIT);
            if (markets.size + some.length > SETTLEMENTS_LIMIT) {
              yield { markets: [...markets], wallets };
              [markets, wallets] = [new Set(), new Map()];
            }
            for (const market of some) markets.add(market);
            wallets.set(wallet, some);
          }
        }
        if (markets.size > 0) yield { markets: [...markets], wallets };
      },
      /** Keeps in memory how markets ended, until it is told anew. */
      keepSettlements(known: ReadonlyMap<string, Settlement>): void {
        settlements = known;
      },
      /**
       * Whether the channel watched when the wallet opened the item's position, and has been told
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
      askers: () => openQuestions.keys(),
      questions: (wallet: WalletAddress): readonly OpenQuestion[] =>
        openQuestions.get(wallet) ?? [],
    },
  };
}
