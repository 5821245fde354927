import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hintsOf, readOptions } from '../../../commands/watch/edit.ts';
import { RESETTABLE, resetName } from '../../../commands/watch/shared/resettable.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import { durationWords } from '../../../src/watches/settings/durations.ts';
import { onlyExceptText } from '../../../src/watches/settings/only-except.ts';
import {
  DEFAULT_SETTINGS,
  settingsSchema,
  type WatchSettings,
} from '../../../src/watches/watch-settings.ts';
import {
  EDITED,
  edited,
  given,
  kindsText,
  REFUSED,
  settingsArbitrary,
  UNEDITED,
  type Values,
} from './settings-samples.ts';

/** What a person would type to come from an unedited watch to these settings. */
function typed(settings: WatchSettings): Values {
  const { priceCents, mention } = settings;
  return {
    kinds: kindsText(settings.kinds),
    'min-usdc': settings.minUsdc,
    markets: onlyExceptText(settings.markets),
    words: onlyExceptText(settings.words),
    'min-price': priceCents?.min ?? 0,
    'max-price': priceCents?.max ?? 100,
    liquidity: settings.liquidityRole ?? 'any',
    cooldown: durationWords(settings.cooldownSeconds, ENGLISH),
    style: settings.style,
    size: settings.unusualOnly ? 'unusual' : 'any',
    ...(mention === null
      ? {}
      : {
          mention: `@${mention.roleId}`,
          'mention-min-usdc': mention.minUsdc,
          'mention-cooldown': durationWords(mention.cooldownSeconds, ENGLISH),
        }),
    'silent-below-usdc': settings.silentBelowUsdc,
  };
}

describe('options of /watch', () => {
  it('lead from any settings to any others, and to such as can be stored', () => {
    fc.assert(
      fc.property(settingsArbitrary(), settingsArbitrary(), (before, wanted) => {
        const present = { label: 'Whale', settings: before };
        const after = readOptions(given({ reset: 'mention', ...typed(wanted) }))(present);
        expect(after).toEqual({ label: 'Whale', settings: wanted });
        expect(settingsSchema.parse(after.settings)).toEqual(wanted);
      }),
    );
  });

  it('change what is named and leave the rest', () => {
    fc.assert(
      fc.property(settingsArbitrary(), fc.nat(1_000), (settings, minUsdc) => {
        const after = readOptions(given({ 'min-usdc': minUsdc }))({ label: 'Whale', settings });
        expect(after).toEqual({ label: 'Whale', settings: { ...settings, minUsdc } });
        expect(readOptions(given({}))({ label: 'Whale', settings })).toEqual({
          label: 'Whale',
          settings,
        });
      }),
    );
  });

  it('clear each setting by a word or a zero, and by reset', () => {
    fc.assert(
      fc.property(settingsArbitrary(), (settings) => {
        const present = { label: 'Whale', settings };
        const cleared = {
          ...typed(DEFAULT_SETTINGS),
          cooldown: 'none',
          label: 'None',
          reset: 'mention',
        };
        expect(readOptions(given(cleared))(present)).toEqual(UNEDITED);
        const parts = RESETTABLE.filter((part) => part !== 'all');
        const each = parts.map((part) => resetName(part, ENGLISH)).join(', ');
        expect(readOptions(given({ reset: each }))(present)).toEqual(UNEDITED);
        expect(readOptions(given({ reset: 'All' }))(present)).toEqual({
          label: 'Whale',
          settings: DEFAULT_SETTINGS,
        });
      }),
    );
  });

  it('reset first, so that what is given with it stands', () => {
    const after = edited({ reset: 'all', 'min-usdc': 20 }, { label: null, settings: EDITED });
    expect(after).toEqual({ label: null, settings: { ...DEFAULT_SETTINGS, minUsdc: 20 } });
  });

  it.each([...REFUSED, [{ 'min-usdc': Number.NaN }, '`min-usdc`'] as const])(
    'refuse %j by the name of the option and what it accepts',
    (values, texts) => {
      const message = edited(values);
      expect(message).toContain(texts);
      expect(message).toContain('Nothing changed.');
    },
  );

  it('compare a new price with the one that stands', () => {
    const settings = settingsSchema.parse({ priceCents: { min: 20, max: 60 } });
    const present = { label: null, settings };
    expect(edited({ 'min-price': 70 }, present)).toContain('`max-price` (60¢)');
    expect(edited({ 'max-price': 100 }, present)).toMatchObject({
      settings: { priceCents: { min: 20, max: 100 } },
    });
  });

  it('keep threshold and cooldown of a mention when only its role changes', () => {
    const roleId = '300000000000000002';
    const after = edited({ mention: `@${roleId}` }, { label: null, settings: EDITED });
    expect(after).toEqual({
      label: null,
      settings: { ...EDITED, mention: { ...EDITED.mention, roleId } },
    });
  });

  it('hint at settlement sweeps where a new price band lets them in', () => {
    const band = (min: number, max: number) => settingsSchema.parse({ priceCents: { min, max } });
    expect(hintsOf(DEFAULT_SETTINGS, band(5, 100), ENGLISH)).toEqual([
      expect.stringContaining('near-certain buys'),
    ]);
    expect(hintsOf(DEFAULT_SETTINGS, band(5, 94), ENGLISH)).toEqual([]);
    expect(hintsOf(band(5, 100), band(5, 100), ENGLISH)).toEqual([]);
    expect(hintsOf(band(5, 100), DEFAULT_SETTINGS, ENGLISH)).toEqual([]);
  });
});
