import fc from 'fast-check';
import { EDIT_OPTIONS } from '../../../commands/watch/edit.ts';
import type { Language } from '../../../src/language/language.ts';
import { EFFECTS } from '../../../src/portfolio/trade-context.ts';
import type { Choice, Completion } from '../../../src/slash-commands/slash-command.ts';
import { type GivenOptions, KINDS } from '../../../src/watches/settings/setting.ts';
import type { WatchSettings } from '../../../src/watches/watch-settings.ts';

const cents = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const usdc = fc.integer({ min: 0, max: 100_000_000 }).map((hundredths) => hundredths / 100);
const cooldownSeconds = fc.integer({ min: 0, max: 86_400 });
const word = fc
  .stringMatching(/^[a-z0-9]{1,9}( [a-zäß東京カ]{1,9})?$/u)
  .filter((name) => !/^(any|all|off|no|none|only|except)/.test(name));
const marketName = fc.stringMatching(/^[a-z0-9][a-z0-9._~%-]{0,40}$/);

/** What an option of `/watch edit` suggests while it is typed. */
export function suggestSetting(option: string, typed: string, language: Language) {
  const row = EDIT_OPTIONS.find(({ name }) => name === option);
  return (row?.suggest?.(typed, { language }, {} as Completion) ?? []) as readonly Choice[];
}

/** Options as a person gives them; a role as the text `@ID`. */
export function given(values: Readonly<Record<string, string | number>>): GivenOptions {
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

/** Any settings that a person can arrive at by `/watch edit`. */
export function settingsArbitrary(): fc.Arbitrary<WatchSettings> {
  return fc.record({
    kinds: fc.option(
      fc
        .subarray([...KINDS, ...EFFECTS], { minLength: 1 })
        .filter((named) => KINDS.some((kind) => !named.includes(kind))),
    ),
    minUsdc: usdc,
    markets: fc.option(
      fc.record({
        mode: fc.constantFrom('only', 'except'),
        names: fc.uniqueArray(marketName, { minLength: 1, maxLength: 20 }),
      }),
    ),
    words: fc.option(
      fc.record({
        mode: fc.constantFrom('only', 'except'),
        names: fc.uniqueArray(word, { minLength: 1, maxLength: 20 }),
      }),
    ),
    priceCents: fc.option(
      fc
        .tuple(cents, cents)
        .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }))
        .filter(({ min, max }) => min > 0 || max < 100),
    ),
    liquidityRole: fc.option(fc.constantFrom('maker', 'taker')),
    cooldownSeconds,
    style: fc.constantFrom('grouped', 'each'),
    mention: fc.option(fc.record({ roleId: fc.constant('300000000000000001'), minUsdc: usdc, cooldownSeconds })),
    unusualOnly: fc.boolean(),
    silentBelowUsdc: usdc,
  });
}
