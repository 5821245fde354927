import * as z from 'zod';
import type { WatchSettingsWords } from '../language/en/watch/settings.ts';
import type { Language, LocalizedText } from '../language/language.ts';
import { choiceOption, type OptionName } from '../slash-commands/options.ts';
import { COOLDOWN, USDC } from './settings/cells.ts';
import { COOLDOWN_LIMIT_SECONDS, durationWords } from './settings/durations.ts';
import { kinds } from './settings/kinds.ts';
import { markets } from './settings/markets.ts';
import { mention } from './settings/mention.ts';
import { priceCents } from './settings/price.ts';
import {
  cooldown,
  type JudgedRecord,
  readCooldown,
  readText,
  readUsdc,
  type Setting,
  usdc,
} from './settings/setting.ts';
import { words } from './settings/words.ts';

/** A least amount; 0: any. */
const leastUsdc = (
  option: OptionName,
  column: 'minUsdc' | 'silentBelowUsdc',
  say: (words: WatchSettingsWords, amount: string) => string,
): Omit<Setting<number>, 'isFilter'> => ({
  schema: z.number().min(0).default(0),
  options: [usdc(option, ({ settings }) => settings[column])],
  read: (given, present) => readUsdc(given, option, present),
  say: (value, { texts, format }) => say(texts.watch.settings, format.settingUsdc(value)),
  columns: { [column]: (value) => value },
  fromFile: (cells) => cells.number(column, USDC) ?? 0,
});

/** One of several words. @param values of the words, the default among them; a file knows that one as an empty column if it is `any` */
const oneOf = <Value extends string | boolean | null, Word extends string>(
  option: 'liquidity' | 'size' | 'style',
  column: string,
  values: Readonly<Record<Word, Value>>,
  fallback: Value,
  names: 'roles' | 'sizes' | 'styles',
): Omit<Setting<Value>, 'schema' | 'isFilter' | 'say'> => {
  const words = Object.keys(values) as Word[];
  const filed = words.filter((word) => word !== 'any');
  const parse = (text: string): Value | undefined => values[words.find((word) => word === text) ?? ('' as Word)];
  const takes: LocalizedText = ({ texts }) => texts.watch.settings.accepted[option];
  return {
    options: [choiceOption(option, ({ settings }) => [settings[option], settings[names]])],
    read: (given, present) => readText(given, option, parse, takes, present),
    columns: { [column]: (value) => filed.find((word) => values[word] === value) ?? null },
    fromFile(cells) {
      const word = cells.oneOf(column, filed);
      return word === null ? fallback : values[word];
    },
  };
};

const liquidityRole: Setting<'maker' | 'taker' | null> = {
  ...oneOf('liquidity', 'liquidityRole', { maker: 'maker', taker: 'taker', any: null }, null, 'roles'),
  /** Trades in the other liquidity role are not announced; what has no known role is. */
  schema: z.enum(['maker', 'taker']).nullable().default(null),
  isFilter: true,
  say: (role, { texts }) => texts.watch.settings.liquidity[role],
  passes(wanted, { trade }) {
    const role = trade?.liquidityRole?.toLowerCase();
    return (role !== 'maker' && role !== 'taker') || role === wanted;
  },
};

const cooldownSeconds: Setting<number> = {
  /** Seconds after an alert of a market in which further items of it wait, to come as one alert. 0: none wait. */
  schema: z.number().int().min(0).max(COOLDOWN_LIMIT_SECONDS).default(0),
  options: [cooldown('cooldown', ({ settings }) => settings.cooldown)],
  isFilter: false,
  read: (given, present) => readCooldown(given, 'cooldown', present),
  say: (value, language) => language.texts.watch.settings.cooldown(durationWords(value, language)),
  columns: { cooldownSeconds: (value) => value },
  fromFile: (cells) => cells.number('cooldownSeconds', COOLDOWN) ?? 0,
};

const style: Setting<'grouped' | 'each'> = {
  ...oneOf('style', 'style', { grouped: 'grouped', each: 'each' }, 'grouped', 'styles'),
  /** Whether fills that belong together are one alert. */
  schema: z.enum(['grouped', 'each']).default('grouped'),
  isOnAdd: true,
  isFilter: false,
  say: (_each, { texts }) => texts.watch.settings.eachFill,
};

const unusualOnly: Setting<boolean> = {
  ...oneOf('size', 'size', { unusual: true, any: false }, false, 'sizes'),
  /** Trades up to the 95th percentile of the wallet's sizes are not announced, once enough sizes are known. */
  schema: z.boolean().default(false),
  isFilter: true,
  say: (_isOn, { texts }) => texts.watch.settings.unusualOnly,
  passes: (_isOn, { trade, size }) => trade === null || size === null || size.usdc > size.p95,
};

/**
 * What is announced of a wallet, and how: a row a setting, in the order in which watches are described and files have their
 * columns. Options, reset, words, suggestions, files and filters are read from it; a part of the bot that heeds a setting
 * otherwise than by its `passes` reads the stored value.
 */
export const SETTINGS = {
  kinds,
  /** Least USDC of an alert: of the total where fills are grouped. */
  minUsdc: {
    ...leastUsdc('min-usdc', 'minUsdc', ({ minUsdc }, amount) => minUsdc(amount)),
    isOnAdd: true,
    isFilter: true,
  },
  markets,
  words,
  priceCents,
  liquidityRole,
  cooldownSeconds,
  style,
  mention,
  unusualOnly,
  /** Alerts of less USDC are sent without a notification; gap alerts never are. 0: none are. */
  silentBelowUsdc: {
    ...leastUsdc('silent-below-usdc', 'silentBelowUsdc', ({ silentBelow }, amount) => silentBelow(amount)),
    isFilter: false,
  },
} satisfies Readonly<Record<string, Setting<unknown>>>;

type Rows = typeof SETTINGS;
export type SettingName = keyof Rows;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The row of a setting, for those who loop over them. */
export function settingOf(name: SettingName): Setting<unknown> {
  return SETTINGS[name];
}

/** The settings as they are stored. */
export const settingsSchema = z.object(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].schema])) as {
    [Name in SettingName]: Rows[Name]['schema'];
  },
);
export type WatchSettings = z.infer<typeof settingsSchema>;

/** The settings of a new watch. */
export const DEFAULT_SETTINGS: WatchSettings = settingsSchema.parse({});

/** What differs from a watch that nobody has edited, a phrase each. @param marketsShown how many market names are written out; the others are counted */
export function settingsWords(settings: WatchSettings, language: Language, marketsShown: number = Infinity): string[] {
  return edited(settings).map(([name, value]) => settingOf(name).say(value, language, marketsShown));
}

/** Whether a record passes the filters on single records. */
export function passesSettings(settings: WatchSettings, record: JudgedRecord): boolean {
  return edited(settings).every(([name, value]) => settingOf(name).passes?.(value, record) ?? true);
}

/** The settings that are not the default. */
function edited(settings: WatchSettings) {
  return SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    return value === null || value === DEFAULT_SETTINGS[name] ? [] : [[name, value] as const];
  });
}
