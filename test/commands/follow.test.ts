import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedSettings } from '../../src/watches/watch-settings.ts';
import { edited, settingsArbitrary } from './watch/settings-samples.ts';

describe('settings that are typed for somebody', () => {
  it('are read back as they were, but for the role', () => {
    fc.assert(
      fc.property(settingsArbitrary(), (settings) => {
        const typed = Object.entries(typedSettings(settings)).map(([name, text]) => {
          const isFigure = /usdc$|price$/.test(name);
          return [name, isFigure ? Number(text) : text];
        });
        const expected = { label: null, settings: { ...settings, mention: null } };
        expect(edited(Object.fromEntries(typed))).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
