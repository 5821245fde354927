import { createAlertBuilder } from '../../src/alerts/build.ts';
import { createOutbox } from '../../src/alerts/outbox.ts';
import type { Store } from '../../src/store/store.ts';
import { channelSettingsKind } from '../../src/watches/channel-settings.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { testMachine } from './machine.ts';
import { NO_VERDICTS } from './no-verdicts.ts';

type Given = Parameters<typeof createOutbox>[1]['builder'];

/** An outbox on a store, for wallets that nobody watches, but for what a test gives. */
export function testOutbox(
  store: Pick<Store, 'get' | 'set' | 'delete'>,
  { nowSeconds = 0, ...given }: Partial<Given> & { readonly nowSeconds?: number } = {},
) {
  const machine = testMachine();
  const builder = createAlertBuilder({
    registry: createRegistry(machine, store),
    channelSettings: channelSettingsKind.open(machine, store),
    verdicts: NO_VERDICTS,
    isGone: () => false,
    venueNowSeconds: () => nowSeconds,
  });
  return createOutbox(machine, { store, builder: { ...builder, ...given } });
}
