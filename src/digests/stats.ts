import type { EndpointName } from '../domain/records.ts';
import { type Exact, sum } from '../lib/exact.ts';
import { HOUR_SECONDS } from '../lib/time.ts';
import { gapBetween } from '../portfolio/gaps.ts';
import type { KeptVerdict } from '../portfolio/record/verdict.ts';
import { type LargestTrade, largestBetween } from '../portfolio/trades/trades.ts';
import { volumeBetween } from '../portfolio/trades/volume.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import type { WalletScore } from '../scores/ranking.ts';
import { seenSinceOf, type Watch } from '../watches/watch.ts';
import type { SettledMarket } from './settled.ts';

/** Full hours of UTC in Unix seconds; the end is exclusive. */
export type Period = Readonly<Record<'fromSeconds' | 'toSeconds', number>>;

/**
 * Returns the period of a digest: from the last due time to this one, both rounded down to the full
 * hour. Epoch ms.
 */
export function periodBetween(fromMs: number, toMs: number): Period {
  const fullHour = (atMs: number) => Math.floor(atMs / 1000 / HOUR_SECONDS) * HOUR_SECONDS;
  return { fromSeconds: fullHour(fromMs), toSeconds: fullHour(toMs) };
}

/** A wallet of a digest, with the label that the channel uses. */
export interface DigestWallet extends WalletScore {
  /** True if it was not read since the end of the period. */
  readonly isBehind: boolean;
  /** Its markets that were settled in the period. */
  readonly settled: readonly SettledMarket[];
  /** Change of its verdict in the period; null if there was none. */
  readonly verdictChange: VerdictChange | null;
}

type VerdictChange = 'began' | 'ended';

/** Returns whether a verdict last began or ended in a period; null if neither. */
export function verdictChangeIn(
  { fromSeconds, toSeconds }: Period,
  kept: KeptVerdict | undefined,
): VerdictChange | null {
  if (kept === undefined) return null;
  const { state, changedSeconds } = kept;
  if (changedSeconds < fromSeconds || changedSeconds >= toSeconds) return null;
  return state === 'better' ? 'began' : 'ended';
}

/** Known figures of a wallet in the part of a period in which the channel watched it. */
export type WalletFigures = ReturnType<typeof walletFigures>;

/**
 * Returns a wallet's figures for a period, from when the channel began to watch it.
 *
 * @param knowledge undefined if nothing is known about it yet
 */
export function walletFigures(
  knowledge: WalletKnowledge | undefined,
  digestWallet: DigestWallet,
  period: Period,
  watch: Pick<Watch, 'sinceSeconds' | 'beganSeconds' | 'joined'>,
) {
  const { toSeconds } = period;
  const watchedSinceSeconds = seenSinceOf(watch);
  const fromSeconds = Math.max(period.fromSeconds, watchedSinceSeconds);
  const portfolio = knowledge?.portfolio;
  const { bought, sold, redeemed, deposited, withdrawn, ...sums } = volumeBetween(
    portfolio?.volume ?? [],
    fromSeconds,
    toSeconds,
  );
  const transfersSince = portfolio?.transfersSinceSeconds ?? null;
  const tradesSinceSeconds =
    portfolio === undefined
      ? toSeconds
      : laterThan(fromSeconds, portfolio.seenSinceSeconds ?? portfolio.sinceSeconds);
  const gapOf = (name: EndpointName) =>
    gapBetween(portfolio?.gaps ?? [], name, { fromSeconds, toSeconds });
  return {
    ...digestWallet,
    trades: sums.trades.toNumber(),
    redemptions: sums.redemptions.toNumber(),
    transfers: sums.transfers.toNumber(),
    // Gross USDC.
    bought,
    sold,
    redeemed,
    deposited,
    withdrawn,
    largest: largestBetween(portfolio?.largest ?? [], fromSeconds, toSeconds),
    /**
     * Time at which the channel began to watch it, in Unix seconds; null if it watched it during
     * the whole period.
     */
    watchedSinceSeconds: watchedSinceSeconds > period.fromSeconds ? watchedSinceSeconds : null,
    /** Later time before which trades may be missing, in Unix seconds; null if none may be. */
    tradesSinceSeconds,
    /**
     * Time after `fromSeconds` before which deposits and withdrawals may be missing, in Unix
     * seconds; null if none may be. `never`: nothing is known about them.
     */
    transfersSinceSeconds:
      transfersSince === null ? ('never' as const) : laterThan(fromSeconds, transfersSince),
    /**
     * Parts of the period in which records may be missing, in Unix seconds; null if there are none.
     */
    tradesGap: gapOf('activity'),
    transfersGap: gapOf('deposits-withdrawals'),
  };
}

/** Returns a time if it is later than another one, else null. Unix seconds. */
function laterThan(fromSeconds: number, atSeconds: number): number | null {
  if (atSeconds > fromSeconds) return atSeconds;
  return null;
}

/** Adds up the figures of all wallets. */
export function totalFigures(wallets: readonly WalletFigures[]) {
  const counts = { trades: 0, redemptions: 0, transfers: 0 };
  for (const { trades, redemptions, transfers } of wallets) {
    counts.trades += trades;
    counts.redemptions += redemptions;
    counts.transfers += transfers;
  }
  return {
    ...counts,
    volume: sum(wallets.map(volumeOf)),
    net: sum(wallets.map(netFlow)),
  };
}

/**
 * Returns the largest trade of all, and its wallet. Undefined if there is none, or if it is unknown
 * for a wallet that traded.
 */
export function largestOf(wallets: readonly WalletFigures[]) {
  let found: { readonly trader: WalletFigures; readonly trade: LargestTrade } | undefined;
  for (const trader of wallets) {
    if (trader.trades === 0) continue;
    const { largest: trade } = trader;
    if (trade === undefined) return undefined;
    if (found === undefined || trade.usdc > found.trade.usdc) found = { trader, trade };
  }
  return found;
}

/** Returns the gross amount bought and sold. */
export function volumeOf({ bought, sold }: WalletFigures): Exact {
  return bought.plus(sold);
}

/** Returns deposits minus withdrawals, in USDC. */
export function netFlow({ deposited, withdrawn }: WalletFigures): Exact {
  return deposited.minus(withdrawn);
}

export function isQuiet({ trades, redemptions, transfers }: WalletFigures): boolean {
  return trades + redemptions + transfers === 0;
}
