import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyOptions, type Editable, hintsOf, RESETTABLE, resetName } from '../../../commands/watch/edit.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { durationWords } from '../../../src/watches/settings/durations.ts';
import { onlyExceptText } from '../../../src/watches/settings/only-except.ts';
import { DEFAULT_SETTINGS, settingsSchema, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import { given, kindsText, settingsArbitrary } from './settings-samples.ts';

const GUILD = '100000000000000001';
const ROLE = '300000000000000001';
const UNEDITED: Editable = { label: null, settings: DEFAULT_SETTINGS };

type Values = Readonly<Record<string, string | number>>;

function refusal(values: Values, present: Editable = UNEDITED): string {
  try {
    applyOptions(present, given(values));
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  throw new Error(`Accepted: ${JSON.stringify(values)}`);
}

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
        const after = applyOptions(present, given({ reset: 'mention', ...typed(wanted) }));
        expect(after).toEqual({ label: 'Whale', settings: wanted });
        expect(settingsSchema.parse(after.settings)).toEqual(wanted);
      }),
    );
  });

  it('change what is named and leave the rest', () => {
    fc.assert(
      fc.property(settingsArbitrary(), fc.nat(1_000), (settings, minUsdc) => {
        const after = applyOptions({ label: 'Whale', settings }, given({ 'min-usdc': minUsdc }));
        expect(after).toEqual({ label: 'Whale', settings: { ...settings, minUsdc } });
        expect(applyOptions({ label: 'Whale', settings }, given({}))).toEqual({ label: 'Whale', settings });
      }),
    );
  });

  it('clear each setting by a word or a zero, and by reset', () => {
    fc.assert(
      fc.property(settingsArbitrary(), (settings) => {
        const present = { label: 'Whale', settings };
        const cleared = { ...typed(DEFAULT_SETTINGS), cooldown: 'none', label: 'None', reset: 'mention' };
        expect(applyOptions(present, given(cleared))).toEqual(UNEDITED);
        const parts = RESETTABLE.filter((part) => part !== 'all');
        const each = parts.map((part) => resetName(part, ENGLISH)).join(', ');
        expect(applyOptions(present, given({ reset: each }))).toEqual(UNEDITED);
        expect(applyOptions(present, given({ reset: 'All' }))).toEqual({ label: 'Whale', settings: DEFAULT_SETTINGS });
      }),
    );
  });

  it('reset first, so that what is given with it stands', () => {
    const settings = settingsSchema.parse({ minUsdc: 500, style: 'each' });
    const after = applyOptions({ label: null, settings }, given({ reset: 'all', 'min-usdc': 20 }));
    expect(after.settings).toEqual({ ...DEFAULT_SETTINGS, minUsdc: 20 });
  });

  it.each<[Values, string]>([
    [{ kinds: 'bye' }, '`kinds` can’t be `bye`. Use `all`, or any of `buy`, `sell`'],
    [{ kinds: 'none' }, '`kinds`'],
    [{ 'min-usdc': -1 }, '`min-usdc`'],
    [{ 'min-usdc': 0.001 }, 'two decimals'],
    [{ 'min-usdc': 1e12 }, '1,000,000,000'],
    [{ 'min-usdc': Number.NaN }, '`min-usdc`'],
    [{ markets: 'https://venue.example/x' }, '`markets`'],
    [{ 'min-price': 101 }, '`min-price`'],
    [{ 'max-price': -0.5 }, '`max-price`'],
    [{ 'min-price': 60, 'max-price': 40 }, '`min-price` (60¢) is above `max-price` (40¢)'],
    [{ liquidity: 'whale' }, '`maker`, `taker` or `any`'],
    [{ cooldown: '10' }, 'a time from 1 s to 1 d (`90s`, `10m`, `1h30m`) or `none`'],
    [{ cooldown: '25h' }, '`cooldown` can’t be `25h`'],
    [{ style: 'all' }, '`grouped` or `each`'],
    [{ size: 'big' }, '`unusual` or `any`'],
    [{ mention: `@${GUILD}` }, '@everyone'],
    [{ 'mention-min-usdc': 5 }, '`mention-min-usdc` needs a role'],
    [{ 'mention-cooldown': '5m' }, '`mention-cooldown` needs a role'],
    [{ mention: `@${ROLE}`, 'mention-cooldown': 'soon' }, '`mention-cooldown`'],
    [{ 'silent-below-usdc': 1.234 }, '`silent-below-usdc`'],
    [{ reset: 'minimum' }, '`reset` can’t be `minimum`. Use one or more of `kinds`, `min-usdc`'],
    [{ reset: 'constructor' }, '`reset`'],
  ])('refuse %j by the name of the option and what it accepts', (values, texts) => {
    const message = refusal(values);
    expect(message).toContain(texts);
    expect(message).toContain('Nothing changed.');
  });

  it('compare a new price with the one that stands', () => {
    const settings = settingsSchema.parse({ priceCents: { min: 20, max: 60 } });
    expect(refusal({ 'min-price': 70 }, { label: null, settings })).toContain('`max-price` (60¢)');
    const wider = applyOptions({ label: null, settings }, given({ 'max-price': 100 }));
    expect(wider.settings.priceCents).toEqual({ min: 20, max: 100 });
  });

  it('keep threshold and cooldown of a mention when only its role changes', () => {
    const mention = { roleId: ROLE, minUsdc: 10, cooldownSeconds: 60 };
    const settings = settingsSchema.parse({ mention });
    const after = applyOptions({ label: null, settings }, given({ mention: '@300000000000000002' }));
    expect(after.settings.mention).toEqual({ ...mention, roleId: '300000000000000002' });
  });

  it('hint at settlement sweeps where a new price band lets them in', () => {
    const band = (min: number, max: number) => settingsSchema.parse({ priceCents: { min, max } });
    expect(hintsOf(DEFAULT_SETTINGS, band(5, 100), ENGLISH)).toEqual([expect.stringContaining('near-certain buys')]);
    expect(hintsOf(DEFAULT_SETTINGS, band(5, 94), ENGLISH)).toEqual([]);
    expect(hintsOf(band(5, 100), band(5, 100), ENGLISH)).toEqual([]);
    expect(hintsOf(band(5, 100), DEFAULT_SETTINGS, ENGLISH)).toEqual([]);
  });
});
