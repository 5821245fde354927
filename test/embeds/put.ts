import type { NewAlert, Outbox } from '../../src/alerts/outbox.ts';
import type { WalletAddress } from '../../src/domain/address.ts';

/** Commits poll state and alerts that do not depend on what is stored. */
export function put(
  outbox: Pick<Outbox, 'commit'>,
  wallet: WalletAddress,
  poll: Readonly<Record<string, unknown>>,
  alerts: readonly NewAlert[],
) {
  return outbox.commit(wallet, () => ({ poll, alerts }));
}
