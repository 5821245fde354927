import type { WalletAddress } from '../domain/address.ts';
import type { Market } from '../portfolio/market.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { type HeldMarket, type HeldOutcome, heldMarkets } from '../portfolio/positions/held-markets.ts';

type Entry = readonly [key: string, ...held: readonly (readonly [string, string, number, string])[]];

/**
 * What each wallet is known to hold, as texts that are read when somebody asks, and each market's names once: at 20,000 wallets with
 * 40 markets each they take 43 MB and 2.5 s of the start, and 25 wallets are looked at in 0.2 ms.
 */
export function createHeldIndex() {
  const ofWallets = new Map<WalletAddress, string>();
  const markets = new Map<string, { readonly market: Market; wallets: number }>();

  const entriesOf = (wallet: WalletAddress): readonly Entry[] => JSON.parse(ofWallets.get(wallet) ?? '[]');
  const heldIn = ([, ...held]: Entry): HeldOutcome[] =>
    held.map(([side, shares, entryCents, cost]) => ({ side, shares, entryCents, cost }));

  const remove = (wallet: WalletAddress): void => {
    for (const [key] of entriesOf(wallet)) {
      const known = markets.get(key);
      if (known === undefined || known.wallets === 1) markets.delete(key);
      else known.wallets -= 1;
    }
    ofWallets.delete(wallet);
  };

  return {
    set(wallet: WalletAddress, portfolio: Portfolio): void {
      remove(wallet);
      const entries = heldMarkets(portfolio).map(({ key, market, held }): Entry => {
        const known = markets.get(key);
        if (known === undefined) markets.set(key, { market, wallets: 1 });
        else known.wallets += 1;
        return [key, ...held.map(({ side, shares, entryCents, cost }) => [side, shares, entryCents, cost] as const)];
      });
      if (entries.length > 0) ofWallets.set(wallet, JSON.stringify(entries));
    },
    delete: remove,
    /** What the wallet holds in a market; empty: it got out; undefined: that is not known. @param key from `shortHash` */
    heldIn(wallet: WalletAddress, key: string): HeldOutcome[] | undefined {
      if (ofWallets.get(wallet)?.includes(`"${key}"`) !== true) return undefined;
      const entry = entriesOf(wallet).find(([other]) => other === key);
      return entry && heldIn(entry);
    },
    /** All that the wallet is known to hold, or to have got out of lately. */
    heldBy: (wallet: WalletAddress): HeldMarket[] =>
      entriesOf(wallet).flatMap((entry) => {
        const known = markets.get(entry[0]);
        return known === undefined ? [] : [{ key: entry[0], market: known.market, held: heldIn(entry) }];
      }),
  };
}
