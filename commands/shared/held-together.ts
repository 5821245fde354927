import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../src/domain/address.ts';
import { inTurns } from '../../src/lib/async/turns.ts';
import type { HeldTogether } from '../../src/lookups/market-message.ts';
import type { Market } from '../../src/portfolio/market.ts';
import { costsIn, type HeldIndex } from '../../src/portfolio/positions/held-markets.ts';
import { spelledNames } from './market-names.ts';

/** Memory for all rooms together, and what a market of a room takes of it with its names. */
const KEPT_BYTES = 20_000_000;
const MARKET_BYTES = 500;

/** A market of a room, with the names by which people find it. */
export interface HeldHere extends HeldTogether {
  readonly key: string;
  readonly names: readonly string[];
  /** Wallets that hold something. */
  readonly holders: number;
}

/**
 * Sums up in which markets the wallets of a room are, and keeps it for the rooms that asked last: a
 * person who types asks at each key. Only wallets of which something has changed are read again.
 *
 * @param keptBytes for all rooms together; one that takes more is read whenever it is asked for
 */
export function createHeldTogether(index: HeldIndex, keptBytes = KEPT_BYTES) {
  const rooms = new LRUCache<string, ReturnType<typeof createRoom>>({ maxSize: keptBytes });

  return {
    /**
     * Lists markets that wallets are known to hold or to have left lately: what cost most first, then
     * what most of them hold.
     *
     * @param roomId a channel, or a person
     */
    async in(roomId: string, wallets: readonly WalletAddress[]): Promise<readonly HeldHere[]> {
      const room = rooms.get(roomId) ?? createRoom(index);
      for await (const piece of inTurns(wallets)) for (const wallet of piece) room.read(wallet);
      // In one turn: meanwhile others may have asked for the same room with other wallets.
      room.keepOnly(new Set(wallets));
      for (const wallet of wallets) room.read(wallet);
      rooms.set(roomId, room, { size: room.bytes() });
      return room.list();
    },
  };
}

interface Sums {
  readonly market: Market;
  /** Wallets of which it is known what they hold there, if only that they have left. */
  known: number;
  holders: number;
  /** Millionths of USDC: whole numbers, so that what is taken off again leaves nothing. */
  micros: number;
  names: readonly string[] | undefined;
}

function createRoom(index: HeldIndex) {
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
    /** Reads what a wallet holds, unless it is what was read before. */
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
    /** Memory that it takes, some: also that of texts that the index has no more. */
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
