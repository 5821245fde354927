import type { WalletAddress } from '../domain/address.ts';
import {
  isRankedBy,
  type KeptSums,
  keepSums,
  staleSince,
  standingBy,
} from '../portfolio/record/kept-sums.ts';
import type { WalletRecord } from '../portfolio/record/record.ts';
import { type Standing, spanSumsOf } from '../portfolio/record/standing.ts';
import type { Registry } from './registry.ts';
import { beganSecondsOf, type Watch } from './watch.ts';

/** Sums of a wallet's track record in one channel, since that channel began to watch it. */
interface Row {
  readonly channelId: string;
  /** Time from which first purchases count, in Unix seconds. */
  readonly fromSeconds: number;
  readonly sums: KeptSums;
}

/**
 * In-memory sums of each wallet's track record, for each channel that watches it. They are computed
 * when a wallet's document is read or written, and are valid until another of its markets matures.
 * About 350 bytes per wallet and channel.
 */
export function createKeptRecords(parts: {
  readonly registry: Pick<Registry, 'ofWallet'>;
  readonly venueNowSeconds: () => number;
}) {
  const { registry, venueNowSeconds } = parts;
  const rows = new Map<WalletAddress, readonly Row[]>();

  const rowOf = (channelId: string, wallet: WalletAddress) =>
    rows.get(wallet)?.find((row) => row.channelId === channelId);

  /** Undefined if the channel has begun anew since, or if nothing has been read. */
  const sumsOf = (watch: Watch): KeptSums | undefined => {
    const row = rowOf(watch.channelId, watch.wallet);
    if (row?.fromSeconds === beganSecondsOf(watch)) return row.sums;
    return undefined;
  };

  return {
    /**
     * Recomputes the sums of a wallet's track record for each channel that watches it.
     *
     * @param record undefined if the wallet has none
     */
    set(wallet: WalletAddress, record: WalletRecord | undefined): void {
      if (record === undefined) return void rows.delete(wallet);
      const nowSeconds = venueNowSeconds();
      const byBeginning = new Map<number, KeptSums>();
      const made = registry.ofWallet(wallet).map((watch): Row => {
        const fromSeconds = beganSecondsOf(watch);
        const sums =
          byBeginning.get(fromSeconds) ?? keepSums(spanSumsOf(record, { fromSeconds, nowSeconds }));
        byBeginning.set(fromSeconds, sums);
        return { channelId: watch.channelId, fromSeconds, sums };
      });
      if (made.length > 0) rows.set(wallet, made);
      else rows.delete(wallet);
    },
    delete: (wallet: WalletAddress): void => void rows.delete(wallet),
    /** Whether the wallet is ranked in a channel, as of its latest computation. */
    isRankedIn(channelId: string, wallet: WalletAddress): boolean {
      const row = rowOf(channelId, wallet);
      return row !== undefined && isRankedBy(row.sums);
    },
    /**
     * Returns the wallet's standing in the watch's channel now; undefined if its document has to be
     * read.
     */
    standingFor(watch: Watch): Standing | undefined {
      const nowSeconds = venueNowSeconds();
      const sums = sumsOf(watch);
      if (sums === undefined || staleSince(sums, nowSeconds) !== null) return undefined;
      return standingBy(sums, nowSeconds);
    },
    /** Returns the wallet's standing as of its latest computation; undefined if there was none. */
    lastStandingFor(watch: Watch): Standing | undefined {
      const sums = sumsOf(watch);
      return sums && standingBy(sums, venueNowSeconds());
    },
    /** Whether valid sums exist for each channel that watches the wallet. */
    isTrueOf(wallet: WalletAddress): boolean {
      const nowSeconds = venueNowSeconds();
      return registry.ofWallet(wallet).every((watch) => {
        const sums = sumsOf(watch);
        return sums !== undefined && staleSince(sums, nowSeconds) === null;
      });
    },
    /** Returns wallets whose sums are out of date, longest first. */
    stale(): WalletAddress[] {
      const nowSeconds = venueNowSeconds();
      const since: { readonly wallet: WalletAddress; readonly seconds: number }[] = [];
      for (const [wallet, own] of rows) {
        let seconds = Number.POSITIVE_INFINITY;
        for (const { sums } of own) {
          seconds = Math.min(seconds, staleSince(sums, nowSeconds) ?? seconds);
        }
        if (seconds !== Number.POSITIVE_INFINITY) since.push({ wallet, seconds });
      }
      return since.sort((a, b) => a.seconds - b.seconds).map(({ wallet }) => wallet);
    },
  };
}
