import { findAddress, type WalletAddress } from '../../domain/address.ts';
import type { FileWords } from '../../language/en/files.ts';
import type { Language, LocalizedText } from '../../language/language.ts';
import { addressTrouble } from '../address-trouble.ts';
import { LABEL_LIMIT, type Watch } from '../watch.ts';
import {
  COOLDOWN_LIMIT_SECONDS,
  KINDS,
  MARKET_NAME_LIMIT,
  MARKETS_LIMIT,
  type WatchSettings,
} from '../watch-settings.ts';

/** The columns of CSV and keys of JSON. Only `wallet` is required. */
export const FIELDS = [
  'wallet',
  'label',
  'channel',
  'channelName',
  'kinds',
  'minUsdc',
  'onlyMarkets',
  'exceptMarkets',
  'minPriceCents',
  'maxPriceCents',
  'liquidityRole',
  'cooldownSeconds',
  'style',
  'mentionRole',
  'mentionRoleName',
  'mentionMinUsdc',
  'mentionCooldownSeconds',
  'size',
  'silentBelowUsdc',
  'paused',
] as const;
export type Field = (typeof FIELDS)[number];

/** A cell, or a value of JSON; '' stands for the default. */
export type FieldText = string | readonly string[];

/** A channel or a role as a file names it: the id counts where the server has it, else the name. */
export interface NamedThing {
  readonly id: string | null;
  readonly name: string | null;
}

/** Where something stands in a file: a line of CSV, an entry of a JSON list, from 1 on. */
export type Place = { readonly of: 'line' | 'entry'; readonly number: number } | { readonly of: 'file' };

/** What a file asks for one watch. What it does not mention stays as it is, or is the default of a new watch. */
export interface WishedWatch {
  readonly place: Place;
  readonly wallet: WalletAddress;
  /** Null: the channel in which the file is imported. */
  readonly channel: NamedThing | null;
  readonly label?: string | null;
  readonly settings: Partial<Omit<WatchSettings, 'mention'>>;
  readonly mention?: (Omit<NonNullable<WatchSettings['mention']>, 'roleId'> & { readonly role: NamedThing }) | null;
  readonly pause?: Watch['pause'];
}

/** What is wrong in a file, and where. The reason quotes the file: escape it before it is shown. */
export interface FileFault {
  readonly place: Place;
  readonly reason: LocalizedText;
}

/** A place as text: `Line 3`, `The file`. */
export function placeName(place: Place, { texts }: Language): string {
  const { places } = texts.files;
  return place.of === 'file' ? places.file : places[place.of](place.number);
}

const QUOTED_LIMIT = 60;

class Unacceptable extends Error {
  readonly reason: LocalizedText;

  constructor(reason: LocalizedText) {
    super();
    this.reason = reason;
  }
}

/** Reads the fields of one watch; if any is wrong, all that are. */
export function readFields(
  place: Place,
  given: ReadonlyMap<Field, FieldText>,
): { readonly wish: WishedWatch } | { readonly faults: readonly FileFault[] } {
  const faults: FileFault[] = [];
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unacceptable)) throw error;
      faults.push({ place, reason: error.reason });
      return undefined;
    }
  };
  const has = (...names: readonly Field[]) => names.some((name) => given.has(name));
  const text = (name: Field) => textOf(name, given.get(name) ?? '');
  const number = (name: Field, accepted: Accepted, otherwise: number) =>
    numberOf(name, text(name), accepted, otherwise);
  const part = <Name extends keyof WishedWatch['settings']>(
    isGiven: boolean,
    name: Name,
    read: () => WatchSettings[Name],
  ) => {
    if (!isGiven) return {};
    const value = attempt(read);
    return value === undefined ? {} : ({ [name]: value } as Pick<WatchSettings, Name>);
  };

  const wallet = attempt(() => walletOf(text('wallet')));
  const label = attempt(() => labelOf(text('label')));
  const channel = attempt(() => namedThing('channel', text('channel'), text('channelName'), /^<#(\d+)>$/, '#'));
  const settings = {
    ...part(has('kinds'), 'kinds', () => kindsOf(given.get('kinds') ?? '')),
    ...part(has('minUsdc'), 'minUsdc', () => number('minUsdc', USDC, 0)),
    ...part(has('onlyMarkets', 'exceptMarkets'), 'markets', () => marketsOf(given)),
    ...part(has('minPriceCents', 'maxPriceCents'), 'priceCents', () => bandOf(number)),
    ...part(has('liquidityRole'), 'liquidityRole', () => oneOf('liquidityRole', text, ['maker', 'taker'], null)),
    ...part(has('cooldownSeconds'), 'cooldownSeconds', () => number('cooldownSeconds', COOLDOWN, 0)),
    ...part(has('style'), 'style', () => oneOf('style', text, ['grouped', 'each'], 'grouped')),
    ...part(has('size'), 'unusualOnly', () => oneOf('size', text, ['unusual'], null) !== null),
    ...part(has('silentBelowUsdc'), 'silentBelowUsdc', () => number('silentBelowUsdc', USDC, 0)),
  };
  const mentions = has('mentionRole', 'mentionRoleName', 'mentionMinUsdc', 'mentionCooldownSeconds');
  const mention = attempt(() => mentionOf(text, number));
  const pause = attempt(() => pauseOf(text('paused')));
  if (faults.length > 0 || wallet === undefined) return { faults };
  return {
    wish: {
      place,
      wallet,
      channel: channel ?? null,
      ...(has('label') && label !== undefined ? { label } : {}),
      settings,
      ...(mentions && mention !== undefined ? { mention } : {}),
      ...(has('paused') && pause !== undefined ? { pause } : {}),
    },
  };
}

interface Accepted {
  readonly max: number;
  readonly isWhole: boolean;
  readonly texts: (accepted: FileWords['accepted']) => string;
}

const USDC: Accepted = { max: Number.MAX_VALUE, isWhole: false, texts: ({ usdc }) => usdc };
const CENTS: Accepted = { max: 100, isWhole: false, texts: ({ cents }) => cents };
const COOLDOWN: Accepted = {
  max: COOLDOWN_LIMIT_SECONDS,
  isWhole: true,
  texts: ({ seconds }) => seconds(COOLDOWN_LIMIT_SECONDS),
};

type ReadText = (name: Field) => string;
type ReadNumber = (name: Field, accepted: Accepted, otherwise: number) => number;

function textOf(name: Field, given: FieldText): string {
  if (typeof given === 'string') return given.trim();
  throw new Unacceptable(({ texts }) => texts.files.faults.list(name));
}

function numberOf(name: Field, text: string, accepted: Accepted, otherwise: number): number {
  if (text === '') return otherwise;
  const value = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (value <= accepted.max && (!accepted.isWhole || Number.isInteger(value))) return value;
  throw unacceptable(name, text, accepted.texts);
}

function oneOf<const Choice extends string, const Other extends string | null>(
  name: Field,
  text: ReadText,
  choices: readonly Choice[],
  otherwise: Other,
): Choice | Other {
  const given = text(name).toLowerCase();
  if (given === '') return otherwise;
  const choice = choices.find((candidate) => candidate === given);
  if (choice === undefined) throw unacceptable(name, text(name), (accepted) => accepted.oneOf(choices));
  return choice;
}

function walletOf(text: string): WalletAddress {
  if (text === '') throw new Unacceptable(({ texts }) => texts.files.faults.noWallet);
  const found = findAddress(text);
  if (found.ok) return found.address;
  throw new Unacceptable(addressTrouble(found));
}

function labelOf(text: string): string | null {
  const length = Array.from(text).length;
  if (length > LABEL_LIMIT) {
    throw unacceptable('label', text, (accepted) => accepted.label(LABEL_LIMIT, length));
  }
  return text === '' ? null : text;
}

function kindsOf(given: FieldText): WatchSettings['kinds'] {
  const kinds = new Set(
    listOf('kinds', given).map((name) => {
      const kind = KINDS.find((candidate) => candidate === name.toLowerCase());
      if (kind === undefined) throw unacceptable('kinds', name, (accepted) => accepted.kinds(KINDS.join(', ')));
      return kind;
    }),
  );
  return kinds.size === 0 ? null : [...kinds];
}

function marketsOf(given: ReadonlyMap<Field, FieldText>): WatchSettings['markets'] {
  const names = (field: Field) => [...new Set(listOf(field, given.get(field) ?? '').map((name) => name.toLowerCase()))];
  const only = names('onlyMarkets');
  const except = names('exceptMarkets');
  if (only.length > 0 && except.length > 0) {
    throw new Unacceptable(({ texts }) => texts.files.faults.bothMarkets);
  }
  const isOnly = only.length > 0;
  const chosen = isOnly ? only : except;
  const field = isOnly ? 'onlyMarkets' : 'exceptMarkets';
  if (chosen.length > MARKETS_LIMIT) {
    throw new Unacceptable(({ texts }) => texts.files.faults.tooManyMarkets(field, chosen.length, MARKETS_LIMIT));
  }
  const long = chosen.find((name) => name.length > MARKET_NAME_LIMIT);
  if (long !== undefined) throw unacceptable(field, long, (accepted) => accepted.marketNames(MARKET_NAME_LIMIT));
  return chosen.length === 0 ? null : { mode: isOnly ? 'only' : 'except', names: chosen };
}

function bandOf(number: ReadNumber): WatchSettings['priceCents'] {
  const min = number('minPriceCents', CENTS, Number.NaN);
  const max = number('maxPriceCents', CENTS, Number.NaN);
  if (Number.isNaN(min) && Number.isNaN(max)) return null;
  const band = { min: Number.isNaN(min) ? 0 : min, max: Number.isNaN(max) ? 100 : max };
  if (band.min <= band.max) return band;
  throw new Unacceptable(({ texts }) => texts.files.faults.bandReversed(band.min, band.max));
}

function mentionOf(text: ReadText, number: ReadNumber): WishedWatch['mention'] | null {
  const role = namedThing('mentionRole', text('mentionRole'), text('mentionRoleName'), /^<@&(\d+)>$/, '@');
  const minUsdc = number('mentionMinUsdc', USDC, 0);
  const cooldownSeconds = number('mentionCooldownSeconds', COOLDOWN, 0);
  return role === null ? null : { role, minUsdc, cooldownSeconds };
}

function pauseOf(text: string): Watch['pause'] {
  if (/^(no|false)?$/i.test(text)) return null;
  if (/^(yes|true)$/i.test(text)) return { untilSeconds: null };
  const untilMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(untilMs)) throw unacceptable('paused', text, ({ paused }) => paused);
  return { untilSeconds: untilMs / 1000 };
}

function namedThing(field: Field, given: string, name: string, mention: RegExp, sign: string): NamedThing | null {
  if (given === '' && name === '') return null;
  const withoutSign = (text: string) => (text.startsWith(sign) ? text.slice(1) : text);
  const id = mention.exec(given)?.[1] ?? (/^\d{17,20}$/.test(given) ? given : null);
  const isName = id === null && given !== '';
  if (isName && /^\d+(\.\d+)?e\+\d+$/i.test(given)) {
    throw unacceptable(field, given, ({ unspoiltId }) => unspoiltId(sign));
  }
  const called = withoutSign(isName ? given : name);
  return { id, name: called === '' ? null : called };
}

/** The parts of a list: JSON's, or of a text with spaces, commas or semicolons between them. */
function listOf(field: Field, given: FieldText): string[] {
  const parts = typeof given === 'string' ? splitList(field, given.trim()) : given;
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function splitList(field: Field, text: string): readonly string[] {
  if (!text.startsWith('[')) return text.split(/[\s,;]+/);
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((part) => typeof part === 'string')) return parsed;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw unacceptable(field, text, ({ names }) => names);
}

function unacceptable(field: Field, given: string, accepted: Accepted['texts']): Unacceptable {
  return new Unacceptable(({ texts: { files } }) => files.faults.value(field, quoted(given), accepted(files.accepted)));
}

function quoted(given: string): string {
  const points = Array.from(given);
  return points.length > QUOTED_LIMIT ? `${points.slice(0, QUOTED_LIMIT).join('')}…` : given;
}
