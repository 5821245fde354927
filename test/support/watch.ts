import type { Watch } from '../../src/watches/watch.ts';
import { DEFAULT_SETTINGS } from '../../src/watches/watch-settings.ts';
import { walletOfDigit } from './wallets.ts';

/** Returns a watch that was never edited, except for what a test overrides. */
export function watchOf(given: Partial<Watch> = {}): Watch {
  return {
    ownerId: '100000000000000001',
    channelId: '100000000000000002',
    wallet: walletOfDigit('1'),
    label: null,
    sinceSeconds: 1_000,
    knownIdentities: [],
    addedBy: '100000000000000003',
    settings: DEFAULT_SETTINGS,
    pause: null,
    ...given,
  };
}
