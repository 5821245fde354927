import type { WalletAddress } from '../../src/venue/address.ts';

/** Servers and wallets beyond these are dropped, least recently asked for first. */
const GUILDS = 1_000;
const WALLETS_PER_GUILD = 50;

/** Which wallets a server has asked for lately. In memory: it only orders suggestions. */
export interface Recency {
  /** Somebody in the server has asked for the wallet. */
  touch(guildId: string, wallet: WalletAddress): void;
  /** A greater figure is later; 0 if the wallet was not asked for lately. */
  of(guildId: string, wallet: WalletAddress): number;
}

export function createRecency(): Recency {
  const byGuild = new Map<string, Map<WalletAddress, number>>();
  let uses = 0;
  return {
    touch(guildId, wallet) {
      uses += 1;
      const wallets = byGuild.get(guildId) ?? new Map<WalletAddress, number>();
      moveToEnd(wallets, wallet, uses, WALLETS_PER_GUILD);
      moveToEnd(byGuild, guildId, wallets, GUILDS);
    },
    of: (guildId, wallet) => byGuild.get(guildId)?.get(wallet) ?? 0,
  };
}

/** A Map keeps the order of insertion: what is first is oldest. */
function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}
