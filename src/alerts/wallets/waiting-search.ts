import type { WalletAddress } from '../../domain/address.ts';
import type { Store } from '../../store/store.ts';
import { WALLET_PREFIX } from './wallet-document.ts';

/** Number of documents whose endings are read at a time. */
const ENDINGS_AT_ONCE = 50;
/**
 * Number of characters read from the end of a document. Enough for the last fields and the
 * envelope.
 */
const ENDING_LENGTH = 64;
/** Ending of a wallet's document without alerts. Before format 12 it had no revision. */
const EMPTY_OUTBOX = /"outbox":\[\](?:,"revision":\d+)?\}+$/;

/**
 * Finds wallets that may have waiting alerts from the last characters of their documents. The
 * documents end with their alerts, so they need not be parsed. A separate key would have to be
 * written with each alert, and a crash could leave it behind.
 *
 * Finds too many, because a wallet's document keeps an alert until its next write even if its
 * channels' documents already list it as received. May miss alerts that result from alerts of
 * delayed channels.
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
