import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../src/domain/address.ts';
import { inTurns } from '../../src/lib/async/turns.ts';
import type { HeldTogether } from '../../src/lookups/market-message.ts';
import type { Market } from '../../src/portfolio/market.ts';
import { costsIn, type HeldIndex } from '../../src/portfolio/positions/held-markets.ts';
import { spelledNames } from './market-names.ts';

/**
 * Maximum memory for all channels together, and estimate for one market of a channel with its
 * names, in bytes.
 */
const KEPT_BYTES = 20_000_000;
const MARKET_BYTES = 500;

/** A market of a channel, with the names by which people find it. */
export interface HeldHere extends HeldTogether {
  readonly key: string;
  readonly names: readonly string[];
  /** Number of wallets that hold something. */
  readonly holders: number;
}

/**
 * Adds up the markets of a channel's wallets, and caches the result for the channels that asked
 * last, because a person who types asks at each key. Only wallets with changes are read again.
 * @param keptBytes maximum for all channels together; a channel that needs more is read each time
 */
export function createHeldTogether(index: HeldIndex, keptBytes = KEPT_BYTES) {
  const channels = new LRUCache<string, ReturnType<typeof createChannelMarkets>>({
    maxSize: keptBytes,
  });

  return {
    /**
     * Returns the markets that wallets are known to hold or to have left recently. The highest cost
     * comes first, then the most holders.
     * @param channelId a channel or a person
     */
    async in(channelId: string, wallets: readonly WalletAddress[]): Promise<readonly HeldHere[]> {
      const channel = channels.get(channelId) ?? createChannelMarkets(index);
      for await (const piece of inTurns(wallets)) for (const wallet of piece) channel.read(wallet);
      // Done without awaiting in between, because others may have asked for the same channel with
      // other wallets in the meantime.
      channel.keepOnly(new Set(wallets));
      for (const wallet of wallets) channel.read(wallet);
      channels.set(channelId, channel, { size: channel.bytes() });
      return channel.list();
    },
  };
}

interface Sums {
  readonly market: Market;
  /** Number of wallets whose holdings there are known, even if only that they have left. */
  known: number;
  holders: number;
  /** Millionths of USDC. Whole numbers, so that removing what was added leaves exactly zero. */
  micros: number;
  names: readonly string[] | undefined;
}

function createChannelMarkets(index: HeldIndex) {
  const texts = new Map<WalletAddress, string | undefined>();
  const markets = new Map<string, Sums>();
  let listed: readonly HeldHere[] | undefined;

  const add = (text: string | undefined, by: 1 | -1): void => {
    for (const { key, micros } of costsIn(text)) {
      const sums = markets.get(key) ?? newSums(index.marketOf(key));
      if (sums === undefined) continue;
      if (sums.known === 0) markets.set(key, sums);
      sums.known += by;
      if (sums.known === 0) markets.delete(key);
      if (micros === null) continue;
      sums.holders += by;
      sums.micros += by * micros;
    }
    listed = undefined;
  };

  return {
    /** Reads a wallet's holdings, unless they are unchanged. */
    read(wallet: WalletAddress): void {
      const text = index.textOf(wallet);
      const before = texts.get(wallet);
      if (text === before && texts.has(wallet)) return;
      add(before, -1);
      add(text, 1);
      texts.set(wallet, text);
    },
    keepOnly(wallets: ReadonlySet<WalletAddress>): void {
      for (const [wallet, text] of texts) {
        if (wallets.has(wallet)) continue;
        add(text, -1);
        texts.delete(wallet);
      }
    },
    list(): readonly HeldHere[] {
      listed ??= list(index, markets, [...texts.keys()]);
      return listed;
    },
    /** Returns the memory used, approximately, including texts that the index no longer holds. */
    bytes(): number {
      let bytes = MARKET_BYTES * (1 + markets.size);
      for (const text of texts.values()) bytes += text?.length ?? 0;
      return bytes;
    },
  };
}

const newSums = (market: Market | undefined): Sums | undefined =>
  market && {
    market,
    known: 0,
    holders: 0,
    micros: 0,
    names: undefined,
  };

function list(
  index: HeldIndex,
  markets: ReadonlyMap<string, Sums>,
  wallets: readonly WalletAddress[],
): readonly HeldHere[] {
  return [...markets]
    .sort(([, a], [, b]) => b.micros - a.micros || b.holders - a.holders)
    .map(([key, sums]) => ({
      key,
      market: sums.market,
      holders: sums.holders,
      held: () => wallets.map((wallet) => index.heldIn(wallet, key) ?? []).filter(isSome),
      get names(): readonly string[] {
        sums.names ??= spelledNames(sums.market);
        return sums.names;
      },
    }));
}

const isSome = (held: readonly unknown[]): boolean => held.length > 0;
