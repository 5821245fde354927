import { connectOutbox } from '../../src/alerts/alerts.ts';
import { type AlertBuilder, createAlertBuilder } from '../../src/alerts/builder/build.ts';
import { createDecisions } from '../../src/alerts/decisions.ts';
import { postedKind } from '../../src/alerts/wallets/posted-documents.ts';
import { createWalletIndex } from '../../src/alerts/wallets/wallet-index.ts';
import type { Store } from '../../src/store/store.ts';
import { channelSettingsKind } from '../../src/watches/channel-settings.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { testMachine } from './machine.ts';
import { NO_VERDICTS } from './no-verdicts.ts';

/**
 * Creates an outbox on a store, with its catch-up, for wallets without watches, except for what a
 * test provides.
 */
export function testOutboxWithCatchUp(
  store: Pick<Store, 'get' | 'set' | 'delete'>,
  { nowSeconds = 0, ...given }: Partial<AlertBuilder> & { readonly nowSeconds?: number } = {},
) {
  const machine = testMachine();
  const parts = {
    registry: createRegistry(machine, store),
    channelSettings: channelSettingsKind.open(machine, store),
    verdicts: NO_VERDICTS,
    isGone: () => false,
    venueNowSeconds: () => nowSeconds,
  };
  const walletIndex = createWalletIndex(parts);
  const builder = { ...createAlertBuilder({ ...parts, walletIndex }), ...given };
  const decisions = createDecisions(() => '');
  const posted = postedKind.open(store);
  return connectOutbox(machine, { store, posted, walletIndex, builder, decisions });
}

/** Creates an outbox on a store, for wallets without watches, except for what a test provides. */
export const testOutbox = (...args: Parameters<typeof testOutboxWithCatchUp>) =>
  testOutboxWithCatchUp(...args).outbox;
