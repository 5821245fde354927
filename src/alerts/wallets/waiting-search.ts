import type { WalletAddress } from '../../domain/address.ts';
import type { Store } from '../../store/store.ts';
import { WALLET_PREFIX } from './wallet-document.ts';

/** Documents of which ends are read at a time. */
const ENDINGS_AT_ONCE = 50;
/** Characters of an ending: more than the last fields and the envelope take. */
const ENDING_LENGTH = 64;
/** End of a wallet's document without an alert; before format 12 it had no revision. */
const EMPTY_OUTBOX = /"outbox":\[\](?:,"revision":\d+)?\}+$/;

/**
 * Finds wallets for which alerts may wait, by the last characters of their documents, which end with
 * their alerts and need not be parsed. There is no further key for it, which each alert would have
 * to write and a crash could leave behind.
 *
 * Finds too many, because a wallet's document keeps an alert until its next write although its
 * channels' documents say that they have it. May miss what follows from alerts of delayed channels.
 *
 * @throws {StoreError} if the store cannot be read
 */
export async function* walletsWithAlerts(
  store: Pick<Store, 'endings'>,
  wallets: readonly WalletAddress[],
): AsyncGenerator<WalletAddress> {
  for (let from = 0; from < wallets.length; from += ENDINGS_AT_ONCE) {
    const some = wallets.slice(from, from + ENDINGS_AT_ONCE);
    const keys = some.map((wallet) => WALLET_PREFIX + wallet);
    const endings = await store.endings(keys, ENDING_LENGTH);
    for (const wallet of some) {
      const ending = endings.get(WALLET_PREFIX + wallet);
      if (ending !== undefined && !EMPTY_OUTBOX.test(ending)) yield wallet;
    }
  }
}
