import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../../src/domain/address.ts';

/** Servers, persons and wallets beyond these are dropped, least recently asked for first. */
const OWNERS = 1_000;
const WALLETS_PER_OWNER = 50;

/** Which wallets a server, or a person alone, has asked for lately. In memory: it only orders suggestions. */
export function createRecency() {
  const byOwner = new LRUCache<string, LRUCache<WalletAddress, number>>({ max: OWNERS });
  let uses = 0;
  return {
    /** Somebody in the server, or the person, has asked for the wallet. */
    touch(ownerId: string, wallet: WalletAddress): void {
      uses += 1;
      const wallets = byOwner.get(ownerId) ?? new LRUCache<WalletAddress, number>({ max: WALLETS_PER_OWNER });
      wallets.set(wallet, uses);
      byOwner.set(ownerId, wallets);
    },
    /** A greater figure is later; 0 if the wallet was not asked for lately. */
    of: (ownerId: string, wallet: WalletAddress) => byOwner.peek(ownerId)?.peek(wallet) ?? 0,
  };
}
