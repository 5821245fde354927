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

/** The sums that a room knows of a wallet since it began to watch it. */
interface Row {
  readonly channelId: string;
  /** Unix seconds from which first purchases count. */
  readonly fromSeconds: number;
  readonly sums: KeptSums;
}

type Place = Pick<Watch, 'channelId' | 'wallet' | 'beganSeconds' | 'sinceSeconds'>;

/**
 * The numbers of each wallet's record for each room that watches it, in memory: they are made when
 * a wallet's document is read or written, and are true until another of its markets matures. Some
 * 350 bytes a wallet and room.
 */
export function createKeptRecords(parts: {
  readonly registry: Pick<Registry, 'ofWallet'>;
  readonly venueNowSeconds: () => number;
}) {
  const { registry, venueNowSeconds } = parts;
  const rows = new Map<WalletAddress, readonly Row[]>();

  const rowOf = (channelId: string, wallet: WalletAddress) =>
    rows.get(wallet)?.find((row) => row.channelId === channelId);

  /** Undefined where the room has begun anew since, or nothing has been read. */
  const sumsOf = (watch: Place): KeptSums | undefined => {
    const row = rowOf(watch.channelId, watch.wallet);
    if (row?.fromSeconds === beganSecondsOf(watch)) return row.sums;
    return undefined;
  };

  const isTrue = (watch: Place, nowSeconds: number): boolean => {
    const sums = sumsOf(watch);
    return sums !== undefined && staleSince(sums, nowSeconds) === null;
  };

  return {
    /**
     * Makes the numbers of a wallet's record anew for each room that watches it.
     *
     * @param record undefined: there is none
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
    /** True if the wallet is ranked in a channel, as of when its record was made last. */
    isRankedIn(channelId: string, wallet: WalletAddress): boolean {
      const row = rowOf(channelId, wallet);
      return row !== undefined && isRankedBy(row.sums);
    },
    /**
     * The wallet's standing for the room of a watch at this moment; undefined where its document
     * has to be read.
     */
    standingFor(watch: Place): Standing | undefined {
      const nowSeconds = venueNowSeconds();
      const sums = sumsOf(watch);
      if (sums === undefined || staleSince(sums, nowSeconds) !== null) return undefined;
      return standingBy(sums, nowSeconds);
    },
    /** The wallet's standing as of when the record was made last; undefined where it never was. */
    lastStandingFor(watch: Place): Standing | undefined {
      const sums = sumsOf(watch);
      return sums && standingBy(sums, venueNowSeconds());
    },
    /** True if a wallet's numbers are there and true for each room that watches it. */
    isTrueOf(wallet: WalletAddress): boolean {
      const nowSeconds = venueNowSeconds();
      return registry.ofWallet(wallet).every((watch) => isTrue(watch, nowSeconds));
    },
    /**
     * Wallets of which numbers are not true any more, those first that have not been true for
     * longest.
     */
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
