import type { WalletAddress } from '../../domain/address.ts';
import { SETTLEMENTS_LIMIT } from '../../feed/interface.ts';
import { isUncertain } from '../../portfolio/accounts/account.ts';
import { isClosed } from '../../portfolio/positions/position.ts';
import type { OpenQuestion } from '../../portfolio/positions/question.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';

/**
 * Time after its settlement during which a market is still queried, in seconds. Redemptions that
 * contradict a settlement appear within days.
 */
const UNCERTAIN_SECONDS = 7 * 86_400;

/** Keeps in memory, for every wallet, what still has to be asked from the venue or the feed. */
export function createOpenQuestions() {
  /** Times before which trades still have to be read back, in Unix seconds. */
  const unreadSeconds = new Map<WalletAddress, number>();
  const questions = new Map<WalletAddress, readonly OpenQuestion[]>();
  /**
   * Markets that have not ended or were settled recently: short hashes of ten characters each,
   * separated by spaces. At 20,000 wallets with 40 each they take 15 MB, and 0.13 s of the start.
   */
  const markets = new Map<WalletAddress, string>();

  return {
    /** @param followed keys of further markets in which channels track positions */
    set(
      wallet: WalletAddress,
      known: WalletKnowledge,
      nowSeconds: number,
      followed: readonly string[],
    ): void {
      put(unreadSeconds, wallet, known.unread?.beforeSeconds ?? null);
      put(questions, wallet, known.questions.length > 0 ? known.questions : null);
      put(markets, wallet, openMarketsOf(known, nowSeconds, followed) || null);
    },
    delete(wallet: WalletAddress): void {
      for (const part of [unreadSeconds, questions, markets]) part.delete(wallet);
    },
    reads: {
      /**
       * Returns a wallet whose trades before a time, in Unix seconds, still have to be read back;
       * undefined if there is none.
       */
      unread(except: ReadonlySet<WalletAddress>) {
        for (const [wallet, beforeSeconds] of unreadSeconds) {
          if (!except.has(wallet)) return { wallet, beforeSeconds };
        }
        return undefined;
      },
      /** Moves the wallet behind all others in `unread`. */
      readLater(wallet: WalletAddress): void {
        const beforeSeconds = unreadSeconds.get(wallet);
        unreadSeconds.delete(wallet);
        if (beforeSeconds !== undefined) unreadSeconds.set(wallet, beforeSeconds);
      },
      /**
       * Yields markets without a certain end, in batches that fit one request, with the wallets
       * that traded them.
       */
      *openMarkets() {
        let batch = new Set<string>();
        let wallets = new Map<WalletAddress, readonly string[]>();
        for (const [wallet, joined] of markets) {
          const own = joined.split(' ');
          for (let from = 0; from < own.length; from += SETTLEMENTS_LIMIT) {
            const some = own.slice(from, from + SETTLEMENTS_LIMIT);
            if (batch.size + some.length > SETTLEMENTS_LIMIT) {
              yield { markets: [...batch], wallets };
              batch = new Set();
              wallets = new Map();
            }
            for (const market of some) batch.add(market);
            wallets.set(wallet, some);
          }
        }
        if (batch.size > 0) yield { markets: [...batch], wallets };
      },
      /** Returns the wallets with open questions. */
      askers: () => questions.keys(),
      questions: (wallet: WalletAddress): readonly OpenQuestion[] => questions.get(wallet) ?? [],
    },
  };
}

/** Sets a value in a map, or deletes it if the value is null. */
export function put<Value>(
  map: Map<WalletAddress, Value>,
  wallet: WalletAddress,
  value: Value | null,
): void {
  if (value === null) map.delete(wallet);
  else map.set(wallet, value);
}

function openMarketsOf(
  { record, alertedPositions, portfolio }: WalletKnowledge,
  nowSeconds: number,
  others: readonly string[],
): string {
  const uncertainSinceSeconds = nowSeconds - UNCERTAIN_SECONDS;
  const inRecord = record.markets.filter(({ closedSeconds, payout }) => {
    if (closedSeconds === null) return true;
    return payout !== undefined && closedSeconds > uncertainSinceSeconds;
  });
  const held = portfolio.positions.filter((position) => !isClosed(position.held));
  const uncertain = portfolio.accounts.markets.filter((account) =>
    isUncertain(account, uncertainSinceSeconds),
  );
  const named = [...inRecord, ...held, ...uncertain].map(({ market }) => market);
  const followed = alertedPositions.map(({ key }) => key);
  return [...new Set([...named, ...followed, ...others])].join(' ');
}
