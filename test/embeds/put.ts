import type { Outbox } from '../../src/alerts/outbox.ts';
import type { NewAlert, WalletState } from '../../src/alerts/wallets/wallet-document.ts';
import type { WalletAddress } from '../../src/domain/address.ts';

/** Commits state and alerts that do not depend on what is stored. */
export function put(
  outbox: Pick<Outbox, 'commit'>,
  wallet: WalletAddress,
  state: WalletState,
  alerts: readonly NewAlert[],
) {
  return outbox.commit(wallet, () => ({ state, alerts }));
}
