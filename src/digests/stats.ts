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

/** Full hours of UTC, Unix seconds; the end is not in it. */
export type Period = Readonly<Record<'fromSeconds' | 'toSeconds', number>>;

/**
 * The period of a digest: from when the last was due to when this one is, each at the full hour
 * before. Epoch ms.
 */
export function periodBetween(fromMs: number, toMs: number): Period {
  const fullHour = (atMs: number) => Math.floor(atMs / 1000 / HOUR_SECONDS) * HOUR_SECONDS;
  return { fromSeconds: fullHour(fromMs), toSeconds: fullHour(toMs) };
}

/** A wallet of a digest, by the label that the channel uses. */
export interface DigestWallet extends WalletScore {
  /** True if it has not been looked at since the period ended. */
  readonly isBehind: boolean;
  /** Markets of it that were settled in the period. */
  readonly settled: readonly SettledMarket[];
  /** Change of its verdict in the period; null without one. */
  readonly verdictChange: VerdictChange | null;
}

type VerdictChange = 'began' | 'ended';

/** Tells whether a verdict began or ended in a period, last; null if neither. */
export function verdictChangeIn(
  { fromSeconds, toSeconds }: Period,
  kept: KeptVerdict | undefined,
): VerdictChange | null {
  if (kept === undefined) return null;
  const { state, changedSeconds } = kept;
  if (changedSeconds < fromSeconds || changedSeconds >= toSeconds) return null;
  return state === 'better' ? 'began' : 'ended';
}

/** Figures of a wallet in a period since the channel watches it, as far as it has been seen. */
export type WalletFigures = ReturnType<typeof walletFigures>;

/**
 * Reads a wallet's figures of a period out of its book, from when the channel began to watch it.
 *
 * @param knowledge undefined: nothing has been seen of it yet
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
    /** Unix seconds when the channel began to watch it; null if it did all of the period. */
    watchedSinceSeconds: watchedSinceSeconds > period.fromSeconds ? watchedSinceSeconds : null,
    /** Unix seconds after that before which trades may be missing; null if none may. */
    tradesSinceSeconds,
    /**
     * Unix seconds after `fromSeconds` before which deposits and withdrawals may be missing; null
     * if none may. `never`: nothing is known of them.
     */
    transfersSinceSeconds:
      transfersSince === null ? ('never' as const) : laterThan(fromSeconds, transfersSince),
    /** Times in the period of which records may be missing, Unix seconds; null if there is none. */
    tradesGap: gapOf('activity'),
    transfersGap: gapOf('deposits-withdrawals'),
  };
}

/** A time if it is later than another one; else null. Unix seconds. */
function laterThan(fromSeconds: number, atSeconds: number): number | null {
  if (atSeconds > fromSeconds) return atSeconds;
  return null;
}

/** Adds up the figures of all of them. */
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
 * The largest trade of all, and whose it was. Undefined without one, and where that of a wallet
 * that traded is not known.
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

/** Bought and sold, gross. */
export function volumeOf({ bought, sold }: WalletFigures): Exact {
  return bought.plus(sold);
}

/** Deposits less withdrawals, USDC. */
export function netFlow({ deposited, withdrawn }: WalletFigures): Exact {
  return deposited.minus(withdrawn);
}

export function isQuiet({ trades, redemptions, transfers }: WalletFigures): boolean {
  return trades + redemptions + transfers === 0;
}
