import { describe, expect, it } from 'vitest';
import { goFirstWay } from '../bench/page/panel.ts';
import { within } from '../support/thorough.ts';
import { findChromium } from './browser.ts';

const isSkipped = findChromium() === null && process.env['CI'] !== 'true';

describe.skipIf(isSkipped)('a person on a phone', () => {
  it(
    'gets from the invitation to an example in five taps, and sets a minimum, a role and a cooldown without options',
    async () => {
      const { first, set, undone } = await goFirstWay('');
      expect(first).toMatchObject({ actions: 5, taps: 5, keys: 5, pastes: 1 });
      expect(set).toMatchObject({ actions: 9, taps: 11, keys: 2, pastes: 0 });
      expect(undone).toMatchObject({ actions: 1, taps: 1, keys: 0 });
    },
    within(120_000),
  );
});
