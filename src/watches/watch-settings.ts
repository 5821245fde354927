import { SlashCommandRoleOption } from 'discord.js';
import * as z from 'zod';
import { escapeText } from '../embeds/text/escape.ts';
import type { Language, LocalizedText } from '../language/language.ts';
import type { Texts } from '../language/texts.ts';
import { UserError } from '../language/user-error.ts';
import {
  choiceOption,
  figureOption,
  type OptionName,
  optionOf,
} from '../slash-commands/options.ts';
import { snowflake } from './owner.ts';
import { type Accepted, prefixed } from './settings/cells.ts';
import { durationWords } from './settings/durations.ts';
import type { Field } from './settings/field.ts';
import { kinds } from './settings/kinds.ts';
import { onlyExcept } from './settings/only-except.ts';
import {
  COOLDOWN_LIMIT_SECONDS,
  cooldownRow,
  type JudgedRecord,
  KINDS,
  readFigure,
  type Setting,
  type TypedOptions,
  usdcRow,
} from './settings/setting.ts';
import { words } from './settings/words.ts';

/** Creates the row of a minimum amount; 0: no minimum. */
const leastUsdc = (
  option: OptionName,
  column: 'minUsdc' | 'silentBelowUsdc',
  say: (words: Texts['watch']['settings'], amount: string) => string,
): Setting<number> => ({
  schema: z.number().min(0).default(0),
  form: 'large',
  ...usdcRow(option, column),
  say: (value, { texts, format }) => say(texts.watch.settings, format.settingUsdc(value)),
});

/**
 * Creates the row of a setting with several words to choose from.
 *
 * @param values values by word, including the default; in a file, a default `any` is an empty
 *   column
 */
const oneOf = <Value extends string | boolean | null, Word extends string>(
  option: 'liquidity' | 'size' | 'style',
  column: string,
  values: Readonly<Record<Word, Value>>,
  fallback: Value,
  names: 'roles' | 'sizes' | 'styles',
): Omit<Setting<Value>, 'schema' | 'say' | 'form'> => {
  const words = Object.keys(values) as Word[];
  const filed = words.filter((word) => word !== 'any');
  const parse = (text: string): Value | undefined =>
    values[words.find((word) => word === text) ?? ('' as Word)];
  return {
    options: [choiceOption(option, ({ settings }) => [settings[option], settings[names]])],
    read(given) {
      const text = given.options.getString(option);
      if (text === null) return (present) => present;
      const value = parse(text);
      // Discord sends only the choices.
      if (value === undefined) throw new Error(`${option} is "${text}", none of its choices`);
      return () => value;
    },
    typed: (value) => ({ [option]: words.find((word) => values[word] === value) ?? 'any' }),
    fields: [
      {
        option,
        control: { kind: 'choice', names: ({ texts }) => texts.commands.settings[names] },
        cleared: words.find((word) => values[word] === fallback) ?? 'any',
      },
    ],
    columns: { [column]: (value) => filed.find((word) => values[word] === value) ?? null },
    fromFile(cells) {
      const word = cells.oneOf(column, filed);
      return word === null ? fallback : values[word];
    },
  };
};

/** Maximum number of markets for one watch. */
export const MARKETS_LIMIT = 20;
/** Maximum length of a market id or slug, in characters. */
export const MARKET_NAME_LIMIT = 200;
/** Maximum length of a displayed market name, in characters. */
const SHOWN_NAME_LIMIT = 60;

/** Filter by market ids or slugs: `only: rain-in-paris, 501`. */
export const { row: markets, parse: parseMarkets } = onlyExcept({
  option: 'markets',
  columns: { only: 'onlyMarkets', except: 'exceptMarkets' },
  most: MARKETS_LIMIT,
  longest: MARKET_NAME_LIMIT,
  separator: /[\s,;]+/,
  isTyped: (name) => /^[\p{L}\p{N}][\p{L}\p{N}._~%-]*$/u.test(name),
  isFiled: () => true,
  isNamed: (names, { marketId, marketSlug }) =>
    [marketId, marketSlug].some((name) => names.includes(name.toLowerCase())),
  show: (name, { texts }) => escapeText(name, SHOWN_NAME_LIMIT, texts.watch.settings.unnamedMarket),
  filed: ({ marketNames }) => marketNames(MARKET_NAME_LIMIT),
});

/**
 * Price band, inclusive; trades outside it are not announced. Redemptions and transfers have no
 * price.
 */
type Band = { min: number; max: number } | null;

const cents = z.number().min(0).max(100);
const CENTS: Accepted = { max: 100, isWhole: false, texts: (accepted) => accepted.cents };
const takesCents: LocalizedText = ({ texts }) => texts.watch.settings.accepted.cents;

const priceCents: Setting<Band> = {
  schema: z
    .object({ min: cents, max: cents })
    .refine(({ min, max }) => min <= max)
    .nullable()
    .default(null),
  options: [
    figureOption('min-price', ({ settings }) => settings.minPrice, 100),
    figureOption('max-price', ({ settings }) => settings.maxPrice, 100),
  ],
  resetName: ({ texts }) => texts.watch.settings.resetPrice,
  read(given) {
    const typedMin = readFigure(given, 'min-price', 100, takesCents);
    const typedMax = readFigure(given, 'max-price', 100, takesCents);
    return (present) => {
      const min = typedMin ?? present?.min ?? 0;
      const max = typedMax ?? present?.max ?? 100;
      if (min === 0 && max === 100) return null;
      if (min <= max) return { min, max };
      throw new UserError(({ texts, format }) =>
        texts.watch.settings.bandWrong(format.cents(min), format.cents(max)),
      );
    };
  },
  typed: ({ min, max }) => ({ 'min-price': String(min), 'max-price': String(max) }),
  form: 'large',
  fields: [
    { option: 'min-price', control: { kind: 'number', takes: takesCents }, cleared: '0' },
    { option: 'max-price', control: { kind: 'number', takes: takesCents }, cleared: '100' },
  ],
  say({ min, max }, { texts, format }) {
    const { priceUpTo, priceFrom, priceExactly, priceBetween } = texts.watch.settings;
    if (min === 0) return priceUpTo(format.cents(max));
    if (max === 100) return priceFrom(format.cents(min));
    if (min === max) return priceExactly(format.cents(min));
    return priceBetween(format.cents(min), format.cents(max));
  },
  passes: ({ min, max }, { trade }) => trade === null || (trade.price >= min && trade.price <= max),
  columns: {
    minPriceCents: (value) => value?.min ?? null,
    maxPriceCents: (value) => value?.max ?? null,
  },
  fromFile(cells) {
    const min = cells.number('minPriceCents', CENTS);
    const max = cells.number('maxPriceCents', CENTS);
    if (min === null && max === null) return null;
    const band = { min: min ?? 0, max: max ?? 100 };
    if (band.min <= band.max) return band;
    throw cells.fault(({ bandReversed }) => bandReversed(band.min, band.max));
  },
};

const liquidityRole: Setting<'maker' | 'taker' | null> = {
  ...oneOf(
    'liquidity',
    'liquidityRole',
    { maker: 'maker', taker: 'taker', any: null },
    null,
    'roles',
  ),
  form: 'what',
  /** Trades in the other liquidity role are not announced; trades without a known role are. */
  schema: z.enum(['maker', 'taker']).nullable().default(null),
  say: (role, { texts }) => texts.watch.settings.liquidity[role],
  passes(wanted, { trade }) {
    const role = trade?.liquidityRole?.toLowerCase();
    return (role !== 'maker' && role !== 'taker') || role === wanted;
  },
};

const unusualOnly: Setting<boolean> = {
  ...oneOf('size', 'size', { unusual: true, any: false }, false, 'sizes'),
  form: 'large',
  /**
   * Trades up to the 95th percentile of the wallet's sizes are not announced, once enough sizes are
   * known.
   */
  schema: z.boolean().default(false),
  say: (_isOn, { texts }) => texts.watch.settings.unusualOnly,
  passes: (_isOn, { trade, size }) => trade === null || size === null || size.usdc > size.p95,
};

const cooldown = z.number().int().min(0).max(COOLDOWN_LIMIT_SECONDS);
const cooldownSeconds: Setting<number> = {
  /**
   * Seconds after an alert about a market in which its further items wait, to be posted as one
   * alert. 0: none wait.
   */
  schema: cooldown.default(0),
  ...cooldownRow('cooldown', 'cooldown'),
  form: 'often',
  say: (value, language) => language.texts.watch.settings.cooldown(durationWords(value, language)),
};

const style: Setting<'grouped' | 'each'> = {
  ...oneOf('style', 'style', { grouped: 'grouped', each: 'each' }, 'grouped', 'styles'),
  form: 'what',
  /** `grouped`: fills that belong together become one alert. */
  schema: z.enum(['grouped', 'each']).default('grouped'),
  say: (_each, { texts }) => texts.watch.settings.eachFill,
};

/**
 * A role that is mentioned when an alert reaches this amount in USDC, but not again before the
 * cooldown has passed.
 */
type Mention = { roleId: string; minUsdc: number; cooldownSeconds: number } | null;

const mentionLeast = usdcRow('mention-min-usdc', 'mentionMinUsdc');
const mentionCooldown = cooldownRow('mention-cooldown', 'mentionCooldown');
/** Fields that have no effect without a role. */
const ofRole = (fields: readonly Field[]): Field[] =>
  fields.map((field) => ({ ...field, needs: 'mention' }));
const mention: Setting<Mention> = {
  schema: z
    .object({ roleId: snowflake, minUsdc: z.number().min(0), cooldownSeconds: cooldown })
    .nullable()
    .default(null),
  options: [
    optionOf(new SlashCommandRoleOption(), 'mention', ({ settings }) => settings.mention),
    ...mentionLeast.options,
    ...mentionCooldown.options,
  ],
  read(given) {
    const { options, guildId } = given;
    const typedRoleId = options.getRole('mention')?.id;
    const changeLeast = mentionLeast.read(given);
    const changeCooldown = mentionCooldown.read(given);
    const needsRole = (option: 'mention-min-usdc' | 'mention-cooldown') =>
      new UserError(({ texts }) => texts.watch.settings.needsRole(texts.names.options[option]));
    return (present) => {
      const roleId = typedRoleId ?? present?.roleId ?? null;
      if (roleId !== null && roleId === guildId) {
        throw new UserError(({ texts }) => texts.watch.settings.notEveryone);
      }
      if (roleId !== null) {
        const minUsdc = changeLeast(present?.minUsdc ?? 0);
        const cooldownSeconds = changeCooldown(present?.cooldownSeconds ?? 0);
        return { roleId, minUsdc, cooldownSeconds };
      }
      if (options.getNumber('mention-min-usdc') !== null) throw needsRole('mention-min-usdc');
      if (options.getString('mention-cooldown') !== null) throw needsRole('mention-cooldown');
      return null;
    };
  },
  inForm: ({ roleId, minUsdc, cooldownSeconds }) => ({
    mention: roleId,
    ...mentionLeast.typed(minUsdc),
    ...mentionCooldown.typed(cooldownSeconds),
  }),
  form: 'mention',
  fields: [
    { option: 'mention', control: { kind: 'role' }, cleared: '' },
    ...ofRole(mentionLeast.fields),
    ...ofRole(mentionCooldown.fields),
  ],
  say: ({ roleId, minUsdc, cooldownSeconds }, language) =>
    language.texts.watch.settings.mention(
      `<@&${roleId}>`,
      minUsdc > 0 ? language.format.settingUsdc(minUsdc) : null,
      cooldownSeconds > 0 ? durationWords(cooldownSeconds, language) : null,
    ),
  columns: {
    mentionRole: (value) => value && `<@&${value.roleId}>`,
    mentionRoleName: (value, names) => value && prefixed('@', names.role(value.roleId)),
    mentionMinUsdc: (value) => value?.minUsdc ?? null,
    mentionCooldownSeconds: (value) => value?.cooldownSeconds ?? null,
  },
  fromFile(cells) {
    const roleId = cells.role('mentionRole', 'mentionRoleName');
    const minUsdc = mentionLeast.fromFile(cells);
    const cooldownSeconds = mentionCooldown.fromFile(cells);
    if (roleId === null) return null;
    return { roleId, minUsdc, cooldownSeconds };
  },
};

/**
 * The settings of a watch, one row each. Their order is that of the offered options, of a watch's
 * description and of a file's columns: first what is announced, then how. Options, reset, words,
 * suggestions, files and filters are derived from it. Code that applies a setting other than
 * through its `passes` reads the stored value.
 */
export const SETTINGS = {
  kinds,
  /** Minimum amount of an alert, in USDC; for grouped fills, of their total. */
  minUsdc: leastUsdc('min-usdc', 'minUsdc', ({ minUsdc }, amount) => minUsdc(amount)),
  markets,
  words,
  priceCents,
  liquidityRole,
  unusualOnly,
  cooldownSeconds,
  style,
  mention,
  /**
   * Alerts below this amount, in USDC, are sent without a notification; gap alerts never are. 0: no
   * alerts are.
   */
  silentBelowUsdc: leastUsdc('silent-below-usdc', 'silentBelowUsdc', ({ silentBelow }, amount) =>
    silentBelow(amount),
  ),
} satisfies Readonly<Record<string, Setting<unknown>>>;

type Rows = typeof SETTINGS;
export type SettingName = keyof Rows;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Returns the row of a setting, for code that loops over settings. */
export function settingOf(name: SettingName): Setting<unknown> {
  return SETTINGS[name];
}

export const settingsSchema = z.object(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].schema])) as {
    [Name in SettingName]: Rows[Name]['schema'];
  },
);
export type WatchSettings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: WatchSettings = settingsSchema.parse({});
/** Settings that announce every record, including the kinds that the default leaves out. */
export const UNFILTERED_SETTINGS: WatchSettings = { ...DEFAULT_SETTINGS, kinds: [...KINDS] };

/**
 * Describes the non-default settings, one phrase each.
 *
 * @param marketsShown maximum number of market names; the others are counted
 */
export function settingsWords(
  settings: WatchSettings,
  language: Language,
  marketsShown: number = Infinity,
): string[] {
  return editedSettings(settings).map(([name, value]) =>
    settingOf(name).say(value, language, marketsShown),
  );
}

/** Returns the non-default settings as texts of form fields. */
export function settingsInForms(settings: WatchSettings): TypedOptions {
  const typed = editedSettings(settings).map(([name, value]) => {
    const row = settingOf(name);
    const write = row.inForm ?? row.typed;
    return write?.(value);
  });
  return Object.assign({}, ...typed);
}

export function editedSettings(settings: WatchSettings) {
  return SETTING_NAMES.flatMap((name) => {
    const value = editedValue(settings, name);
    return value === null ? [] : [[name, value] as const];
  });
}

/** Returns the first setting that keeps a record from being announced; undefined if none does. */
export function failingSetting(
  settings: WatchSettings,
  record: JudgedRecord,
): SettingName | undefined {
  return SETTING_NAMES.find((name) => {
    const row = settingOf(name);
    const value = editedValue(settings, name);
    const passes = value === null ? row.passesByDefault?.(record) : row.passes?.(value, record);
    return passes === false;
  });
}

/** Returns the value of a setting; null if it is the default. */
function editedValue(settings: WatchSettings, name: SettingName) {
  const value = settings[name];
  return value === DEFAULT_SETTINGS[name] ? null : value;
}
