import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../src/feed/interface.ts';

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
  const byGuild = new LRUCache<string, LRUCache<WalletAddress, number>>({ max: GUILDS });
  let uses = 0;
  return {
    touch(guildId, wallet) {
      uses += 1;
      const wallets = byGuild.get(guildId) ?? new LRUCache<WalletAddress, number>({ max: WALLETS_PER_GUILD });
      wallets.set(wallet, uses);
      byGuild.set(guildId, wallets);
    },
    of: (guildId, wallet) => byGuild.peek(guildId)?.peek(wallet) ?? 0,
  };
}
