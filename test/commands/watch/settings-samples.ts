import fc from 'fast-check';
import { EDIT_OPTIONS, type Editable, readOptions } from '../../../commands/watch/edit.ts';
import { ENGLISH, type Language } from '../../../src/language/language.ts';
import { EFFECTS } from '../../../src/portfolio/trade-context.ts';
import type { Choice, Completion } from '../../../src/slash-commands/slash-command.ts';
import { type GivenOptions, KINDS, USUAL_KINDS } from '../../../src/watches/settings/setting.ts';
import {
  DEFAULT_SETTINGS,
  settingsSchema,
  type WatchSettings,
} from '../../../src/watches/watch-settings.ts';
import { orRefusal } from '../../support/or-refusal.ts';

export type Values = Readonly<Record<string, string | number>>;

export const UNEDITED: Editable = { label: null, settings: DEFAULT_SETTINGS };

/** Every setting edited. */
export const EDITED = settingsSchema.parse({
  kinds: ['buy', 'sell'],
  minUsdc: 500,
  markets: { mode: 'except', names: ['rain-in-paris', '501', '502', '503'] },
  words: { mode: 'only', names: ['up or down'] },
  priceCents: { min: 5, max: 94 },
  liquidityRole: 'taker',
  cooldownSeconds: 600,
  style: 'each',
  mention: { roleId: '300000000000000001', minUsdc: 10_000, cooldownSeconds: 5_400 },
  unusualOnly: true,
  silentBelowUsdc: 1_000,
});

/** What a watch becomes by the options of `/watch edit`, or why they are refused. */
export function edited(values: Values, present = UNEDITED, language = ENGLISH): Editable | string {
  return orRefusal(() => readOptions(given(values))(present), language);
}

/** Options that are refused by the name of the first, and what the refusal says beside it. */
export const REFUSED: readonly (readonly [Values, string])[] = [
  [{ kinds: 'bye' }, '`kinds` can’t be `bye`. Use `all`, or any of `buy`, `sell`'],
  [{ kinds: 'none' }, '`kinds`'],
  [{ 'min-usdc': -1 }, '`min-usdc`'],
  [{ 'min-usdc': 0.001 }, 'two decimals'],
  [{ 'min-usdc': 1e12 }, '1,000,000,000'],
  [{ markets: 'https://venue.example/x' }, '`markets`'],
  [{ 'min-price': 101 }, '`min-price`'],
  [{ 'max-price': -0.5 }, '`max-price`'],
  [{ 'max-price': 40, 'min-price': 60 }, '`min-price` (60¢) is above `max-price` (40¢)'],
  [{ cooldown: '10' }, 'a time from 1 s to 1 d (`90s`, `10m`, `1h30m`) or `none`'],
  [{ cooldown: '25h' }, '`cooldown` can’t be `25h`'],
  [{ mention: '@100000000000000001' }, '@everyone'],
  [{ 'mention-min-usdc': 5 }, '`mention-min-usdc` needs a role'],
  [{ 'mention-cooldown': '5m' }, '`mention-cooldown` needs a role'],
  [{ 'mention-cooldown': 'soon', mention: '@300000000000000001' }, '`mention-cooldown`'],
  [{ 'silent-below-usdc': 1.234 }, '`silent-below-usdc`'],
  [{ reset: 'minimum' }, '`reset` can’t be `minimum`. Use one or more of `kinds`, `min-usdc`'],
  [{ reset: 'constructor' }, '`reset`'],
  [{ reset: `\`${'x'.repeat(900)}` }, '`reset`'],
];

/** What an option of `/watch edit` suggests while it is typed. */
export function suggestSetting(option: string, typed: string, language: Language) {
  const row = EDIT_OPTIONS.find(({ name }) => name === option);
  return (row?.suggest?.(typed, { language }, {} as Completion) ?? []) as readonly Choice[];
}

/** Options as a person gives them; a role as the text `@ID`. */
export function given(values: Values): GivenOptions {
  const read =
    <Value>(as: (value: string | number) => Value) =>
    (name: string) =>
      Object.hasOwn(values, name) ? as(values[name] as string | number) : null;
  const options = {
    getString: read(String),
    getNumber: read(Number),
    getRole: read((value) => ({ id: String(value).replace('@', '') })),
  };
  return { options, guildId: '100000000000000001' } as unknown as GivenOptions;
}

/** Kinds as a person types them. */
export function kindsText(kinds: WatchSettings['kinds']): string {
  return kinds === null ? 'all' : kinds.join(', ');
}

const hundredths = (max: number) =>
  fc.integer({ min: 0, max: 100 * max }).map((count) => count / 100);

export const priceBands = (cents: fc.Arbitrary<number>) =>
  fc.tuple(cents, cents).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));

/** What a person can type for each setting. */
const TYPED = {
  kinds: fc.oneof(
    fc
      .subarray([...USUAL_KINDS, ...EFFECTS, 'other' as const], { minLength: 1 })
      .filter((named) => USUAL_KINDS.some((kind) => !named.includes(kind))),
    fc.constant(0).map(() => [...KINDS]),
  ),
  usdc: hundredths(1_000_000),
  marketName: fc.stringMatching(/^[a-z0-9][a-z0-9._~%-]{0,40}$/),
  word: fc
    .stringMatching(/^[a-z0-9]{1,9}( [a-zäß東京カ]{1,9})?$/u)
    .filter((name) => !/^(any|all|off|no|none|only|except)/.test(name)),
  priceCents: priceBands(hundredths(100)).filter(({ min, max }) => min > 0 || max < 100),
  roleId: fc.constant<string>('300000000000000001'),
};

/** Any settings that a person can arrive at by `/watch edit`, or of the parts that are given. */
export function settingsArbitrary(parts: Partial<typeof TYPED> = {}): fc.Arbitrary<WatchSettings> {
  const { kinds, usdc, marketName, word, priceCents, roleId } = { ...TYPED, ...parts };
  const cooldownSeconds = fc.integer({ min: 0, max: 86_400 });
  const onlyExcept = (name: fc.Arbitrary<string>) => {
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 20 });
    return fc.option(fc.record({ mode: fc.constantFrom('only', 'except'), names }));
  };
  return fc.record({
    kinds: fc.option(kinds),
    minUsdc: usdc,
    markets: onlyExcept(marketName),
    words: onlyExcept(word),
    priceCents: fc.option(priceCents),
    liquidityRole: fc.option(fc.constantFrom('maker', 'taker')),
    cooldownSeconds,
    style: fc.constantFrom('grouped', 'each'),
    mention: fc.option(fc.record({ roleId, minUsdc: usdc, cooldownSeconds })),
    unusualOnly: fc.boolean(),
    silentBelowUsdc: usdc,
  });
}
