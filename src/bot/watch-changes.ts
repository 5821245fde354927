import { escapeText } from '../alert/text.ts';
import { COOLDOWN_LIMIT_SECONDS, DEFAULT_SETTINGS, type WatchSettings } from '../watch/settings.ts';
import type { Watch } from '../watch/watch.ts';
import { DURATION_EXAMPLES, durationText, parseDuration } from './duration.ts';
import { UserError } from './errors.ts';
import { isNothing, KINDS_ACCEPTED, MARKETS_ACCEPTED, parseKinds, parseMarkets } from './watch-words.ts';

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
  /** Also the id of the role @everyone. */
  readonly guildId: string;
}

const RESETS: Readonly<Record<string, (present: Editable) => Editable>> = {
  kinds: withDefault('kinds'),
  'min-usdc': withDefault('minUsdc'),
  markets: withDefault('markets'),
  price: withDefault('priceCents'),
  liquidity: withDefault('liquidityRole'),
  cooldown: withDefault('cooldownSeconds'),
  style: withDefault('style'),
  mention: withDefault('mention'),
  'silent-below-usdc': withDefault('silentBelowUsdc'),
  label: (present) => ({ ...present, label: null }),
  all: ({ label }) => ({ label, settings: DEFAULT_SETTINGS }),
};

/** What the option `reset` takes; `all` leaves the label. */
export const RESETTABLE: readonly string[] = Object.keys(RESETS);

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
      kinds: readText(given, 'kinds', parseKinds, KINDS_ACCEPTED, settings.kinds),
      minUsdc: readUsdc(given, 'min-usdc', settings.minUsdc),
      markets: readText(given, 'markets', parseMarkets, MARKETS_ACCEPTED, settings.markets),
      priceCents: readBand(given, settings.priceCents),
      liquidityRole: readText(given, 'liquidity', parseLiquidity, 'maker, taker or any', settings.liquidityRole),
      cooldownSeconds: readCooldown(given, 'cooldown', settings.cooldownSeconds),
      style: readText(given, 'style', parseStyle, 'grouped or each', settings.style),
      mention: readMention(given, settings.mention),
      silentBelowUsdc: readUsdc(given, 'silent-below-usdc', settings.silentBelowUsdc),
    },
  };
}

/** What is worth telling a person who has made this change. */
export function hintsOf(before: WatchSettings, { priceCents: band }: WatchSettings): string[] {
  const isNew = band !== null && (before.priceCents?.min !== band.min || before.priceCents.max !== band.max);
  return isNew && band.max >= SWEEP_CENTS
    ? [
        `Fills at ${SWEEP_CENTS}¢ and more are mostly settlement sweeps: \`max-price: ${SWEEP_CENTS - 1}\` leaves them out.`,
      ]
    : [];
}

/** Says that an option does not take a value, and what it does take. */
export function notAccepted(option: string, value: string | number, accepted: string): UserError {
  return new UserError(
    `Option \`${option}\` does not accept ${escapeText(String(value), 60, 'that')}. Accepted: ${accepted}. Nothing has changed.`,
  );
}

function withDefault(part: keyof WatchSettings): (present: Editable) => Editable {
  return ({ label, settings }) => ({ label, settings: { ...settings, [part]: DEFAULT_SETTINGS[part] } });
}

function applyReset(present: Editable, text: string | null): Editable {
  const names = (text ?? '')
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((name) => name !== '');
  return names.reduce((so, name) => {
    const reset = Object.hasOwn(RESETS, name) ? RESETS[name] : undefined;
    if (reset === undefined) throw notAccepted('reset', name, RESETTABLE.join(', '));
    return reset(so);
  }, present);
}

function readLabel(text: string | null, present: string | null): string | null {
  if (text === null) return present;
  const label = text.trim();
  return label === '' || /^none$/i.test(label) ? null : label;
}

function readText<Value>(
  given: GivenOptions,
  option: string,
  parse: (text: string) => Value | undefined,
  accepted: string,
  present: Value,
): Value {
  const text = given.text(option);
  if (text === null) return present;
  const value = parse(text);
  if (value === undefined) throw notAccepted(option, text, accepted);
  return value;
}

function parseLiquidity(text: string): WatchSettings['liquidityRole'] | undefined {
  if (isNothing(text)) return null;
  return text === 'maker' || text === 'taker' ? text : undefined;
}

function parseStyle(text: string): WatchSettings['style'] | undefined {
  return text === 'grouped' || text === 'each' ? text : undefined;
}

function readUsdc(given: GivenOptions, option: string, present: number): number {
  const usdc = given.number(option);
  if (usdc === null) return present;
  if (!hasTwoDecimals(usdc) || usdc < 0 || usdc > USDC_LIMIT) {
    throw notAccepted(
      option,
      usdc,
      `dollars from 0 to ${USDC_LIMIT.toLocaleString('en-US')}, with two decimals at most`,
    );
  }
  return usdc;
}

function readBand(given: GivenOptions, present: WatchSettings['priceCents']): WatchSettings['priceCents'] {
  const readCents = (option: string, otherwise: number) => {
    const cents = given.number(option);
    if (cents === null) return otherwise;
    if (!hasTwoDecimals(cents) || cents < 0 || cents > 100) {
      throw notAccepted(option, cents, 'cents from 0 to 100, with two decimals at most');
    }
    return cents;
  };
  const min = readCents('min-price', present?.min ?? 0);
  const max = readCents('max-price', present?.max ?? 100);
  if (min > max) {
    throw new UserError(
      `Option \`min-price\` (${min}¢) is more than \`max-price\` (${max}¢). Accepted: the same or less. Nothing has changed.`,
    );
  }
  return min === 0 && max === 100 ? null : { min, max };
}

function readCooldown(given: GivenOptions, option: string, present: number): number {
  const parse = (text: string) => {
    const seconds = isNothing(text) || text.trim() === '0' ? 0 : parseDuration(text);
    return seconds === null || seconds > COOLDOWN_LIMIT_SECONDS ? undefined : seconds;
  };
  const accepted = `a time such as ${DURATION_EXAMPLES} (${durationText(COOLDOWN_LIMIT_SECONDS)} at the most), or none`;
  return readText(given, option, parse, accepted, present);
}

function readMention(given: GivenOptions, present: WatchSettings['mention']): WatchSettings['mention'] {
  const roleId = given.roleId('mention') ?? present?.roleId ?? null;
  if (roleId === given.guildId) {
    throw new UserError(
      'Option `mention` does not accept @everyone. Accepted: any other role, so that those who want it can take it. Nothing has changed.',
    );
  }
  const minUsdc = readUsdc(given, 'mention-min-usdc', present?.minUsdc ?? 0);
  const cooldownSeconds = readCooldown(given, 'mention-cooldown', present?.cooldownSeconds ?? 0);
  if (roleId !== null) return { roleId, minUsdc, cooldownSeconds };
  if (given.number('mention-min-usdc') !== null) throw needsRole('mention-min-usdc');
  if (given.text('mention-cooldown') !== null) throw needsRole('mention-cooldown');
  return null;
}

function needsRole(option: string): UserError {
  return new UserError(
    `Option \`${option}\` needs a role to mention: give the option \`mention\` too. Nothing has changed.`,
  );
}

function hasTwoDecimals(value: number): boolean {
  return Number.isFinite(value) && Number(value.toFixed(2)) === value;
}
