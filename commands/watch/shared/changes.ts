import { inlineCode } from '../../../src/embeds/text/escape.ts';
import type { Names } from '../../../src/language/en/names.ts';
import type { Language, LocalizedText } from '../../../src/language/language.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { parseDuration } from '../../../src/lib/duration.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import {
  COOLDOWN_LIMIT_SECONDS,
  DEFAULT_SETTINGS,
  KINDS,
  MARKETS_LIMIT,
  type WatchSettings,
} from '../../../src/watches/watch-settings.ts';
import { durationExamples } from './duration-words.ts';
import { NAME_SEPARATORS, typedName, typedNames } from './typed-names.ts';
import { isNothing, parseKinds, parseMarkets } from './words.ts';

/** The most USDC that can be asked for. */
export const USDC_LIMIT = 1_000_000_000;
/** From here on a fill is mostly the sweep of a market that is as good as settled. */
const SWEEP_CENTS = 95;

/** What a person can change of a watch. */
export type Editable = Pick<Watch, 'label' | 'settings'>;

/** The options that came with a command: null for those that did not. */
export interface GivenOptions {
  readonly text: (name: string) => string | null;
  readonly number: (name: string) => number | null;
  readonly roleId: (name: string) => string | null;
  /** Also the id of the role @everyone; null outside of servers. */
  readonly guildId: string | null;
}

type OptionName = keyof Names['options'];

const RESETS = {
  kinds: withDefault('kinds'),
  'min-usdc': withDefault('minUsdc'),
  markets: withDefault('markets'),
  price: withDefault('priceCents'),
  liquidity: withDefault('liquidityRole'),
  cooldown: withDefault('cooldownSeconds'),
  style: withDefault('style'),
  mention: withDefault('mention'),
  size: withDefault('unusualOnly'),
  'silent-below-usdc': withDefault('silentBelowUsdc'),
  label: (present: Editable) => ({ ...present, label: null }),
  all: ({ label }: Editable) => ({ label, settings: DEFAULT_SETTINGS }),
} as const satisfies Readonly<Record<string, (present: Editable) => Editable>>;
type Resettable = keyof typeof RESETS;

/** What the option `reset` takes; `all` leaves the label. */
export const RESETTABLE = Object.keys(RESETS) as readonly Resettable[];
const RESETS_BY_NAME = typedNames((language) =>
  RESETTABLE.flatMap((part) => [part, resetName(part, language)].map((name) => [name, part] as const)),
);

/** What a part is called where it is reset: mostly the option's own name. */
export function resetName(part: Resettable, { texts }: Language): string {
  if (part === 'all') return part;
  return part === 'price' ? texts.watch.settings.resetPrice : texts.names.options[part];
}

/**
 * Label and settings as they are after a command: what `reset` names goes back to its default first, then each option
 * that was given has its say.
 *
 * @throws {UserError} that names the option and what it accepts; there is no half of a change
 */
export function applyOptions(present: Editable, given: GivenOptions): Editable {
  const { label, settings } = applyReset(present, given.text('reset'));
  return {
    label: readLabel(given.text('label'), label),
    settings: {
      kinds: readText(given, 'kinds', parseKinds, kindsAccepted, settings.kinds),
      minUsdc: readUsdc(given, 'min-usdc', settings.minUsdc),
      markets: readText(given, 'markets', parseMarkets, marketsAccepted, settings.markets),
      priceCents: readBand(given, settings.priceCents),
      liquidityRole: readText(given, 'liquidity', parseLiquidity, accepted('liquidity'), settings.liquidityRole),
      cooldownSeconds: readCooldown(given, 'cooldown', settings.cooldownSeconds),
      style: readText(given, 'style', parseStyle, accepted('style'), settings.style),
      mention: readMention(given, settings.mention),
      unusualOnly: readText(given, 'size', parseSize, accepted('size'), settings.unusualOnly),
      silentBelowUsdc: readUsdc(given, 'silent-below-usdc', settings.silentBelowUsdc),
    },
  };
}

/** Advice for a person who has made this change. */
export function hintsOf(before: WatchSettings, { priceCents: band }: WatchSettings, language: Language): string[] {
  const isNew = band !== null && (before.priceCents?.min !== band.min || before.priceCents.max !== band.max);
  const { sweeps } = language.texts.watch.settings;
  return isNew && band.max >= SWEEP_CENTS ? [sweeps(language.format.cents(SWEEP_CENTS), SWEEP_CENTS - 1)] : [];
}

/** Says that an option does not take a value, and what it does take. */
export function notAccepted(option: OptionName, value: string | number, takes: LocalizedText): UserError {
  return new UserError((language) => {
    const { watch, names } = language.texts;
    const shown = inlineCode(String(value), 60);
    return watch.settings.notAccepted(names.options[option], shown, takes(language));
  });
}

const kindsAccepted: LocalizedText = ({ texts: { watch } }) =>
  watch.settings.accepted.kinds(KINDS.map((kind) => `\`${watch.settings.kind[kind]}\``).join(watch.comma));
const marketsAccepted: LocalizedText = ({ texts }) => texts.watch.settings.accepted.markets(MARKETS_LIMIT);

function accepted(what: 'liquidity' | 'style' | 'size' | 'cents'): LocalizedText {
  return ({ texts }) => texts.watch.settings.accepted[what];
}

function withDefault(part: keyof WatchSettings): (present: Editable) => Editable {
  return ({ label, settings }) => ({ label, settings: { ...settings, [part]: DEFAULT_SETTINGS[part] } });
}

function applyReset(present: Editable, text: string | null): Editable {
  const names = (text ?? '').split(NAME_SEPARATORS).filter((name) => name !== '');
  return names.reduce((so, name) => {
    const part = RESETS_BY_NAME.get(typedName(name));
    if (part === undefined) throw notAccepted('reset', name, resetsAccepted);
    return RESETS[part](so);
  }, present);
}

const resetsAccepted: LocalizedText = (language) => {
  const { settings, comma } = language.texts.watch;
  return settings.accepted.resets(RESETTABLE.map((part) => `\`${resetName(part, language)}\``).join(comma));
};

function readLabel(text: string | null, present: string | null): string | null {
  if (text === null) return present;
  const label = text.trim();
  return label === '' || /^none$/i.test(label) ? null : label;
}

function readText<Value>(
  given: GivenOptions,
  option: OptionName,
  parse: (text: string) => Value | undefined,
  takes: LocalizedText,
  present: Value,
): Value {
  const text = given.text(option);
  if (text === null) return present;
  const value = parse(text);
  if (value === undefined) throw notAccepted(option, text, takes);
  return value;
}

function parseLiquidity(text: string): WatchSettings['liquidityRole'] | undefined {
  if (isNothing(text)) return null;
  return text === 'maker' || text === 'taker' ? text : undefined;
}

function parseStyle(text: string): WatchSettings['style'] | undefined {
  return text === 'grouped' || text === 'each' ? text : undefined;
}

function parseSize(text: string): boolean | undefined {
  if (isNothing(text)) return false;
  return text === 'unusual' ? true : undefined;
}

function readUsdc(given: GivenOptions, option: OptionName, present: number): number {
  const usdc = given.number(option);
  if (usdc === null) return present;
  if (!hasTwoDecimals(usdc) || usdc < 0 || usdc > USDC_LIMIT) {
    throw notAccepted(option, usdc, ({ texts, format }) =>
      texts.watch.settings.accepted.usdc(format.quantity(USDC_LIMIT)),
    );
  }
  return usdc;
}

function readBand(given: GivenOptions, present: WatchSettings['priceCents']): WatchSettings['priceCents'] {
  const readCents = (option: OptionName, otherwise: number) => {
    const cents = given.number(option);
    if (cents === null) return otherwise;
    if (!hasTwoDecimals(cents) || cents < 0 || cents > 100) {
      throw notAccepted(option, cents, accepted('cents'));
    }
    return cents;
  };
  const min = readCents('min-price', present?.min ?? 0);
  const max = readCents('max-price', present?.max ?? 100);
  if (min > max) {
    throw new UserError(({ texts, format }) => texts.watch.settings.bandWrong(format.cents(min), format.cents(max)));
  }
  return min === 0 && max === 100 ? null : { min, max };
}

function readCooldown(given: GivenOptions, option: OptionName, present: number): number {
  const parse = (text: string) => {
    const seconds = isNothing(text) || text.trim() === '0' ? 0 : parseDuration(text);
    return seconds === null || seconds > COOLDOWN_LIMIT_SECONDS ? undefined : seconds;
  };
  const takes: LocalizedText = ({ texts, format }) =>
    texts.watch.settings.accepted.cooldown(
      durationExamples(texts.watch.comma),
      format.duration(1),
      format.duration(COOLDOWN_LIMIT_SECONDS),
    );
  return readText(given, option, parse, takes, present);
}

function readMention(given: GivenOptions, present: WatchSettings['mention']): WatchSettings['mention'] {
  const roleId = given.roleId('mention') ?? present?.roleId ?? null;
  if (roleId !== null && roleId === given.guildId) {
    throw new UserError(({ texts }) => texts.watch.settings.notEveryone);
  }
  const minUsdc = readUsdc(given, 'mention-min-usdc', present?.minUsdc ?? 0);
  const cooldownSeconds = readCooldown(given, 'mention-cooldown', present?.cooldownSeconds ?? 0);
  if (roleId !== null) return { roleId, minUsdc, cooldownSeconds };
  if (given.number('mention-min-usdc') !== null) throw needsRole('mention-min-usdc');
  if (given.text('mention-cooldown') !== null) throw needsRole('mention-cooldown');
  return null;
}

function needsRole(option: OptionName): UserError {
  return new UserError(({ texts }) => texts.watch.settings.needsRole(texts.names.options[option]));
}

function hasTwoDecimals(value: number): boolean {
  return Number.isFinite(value) && Number(value.toFixed(2)) === value;
}
