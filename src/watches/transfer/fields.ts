import { checksummed, findAddress, type WalletAddress } from '../../domain/address.ts';
import type { Language, LocalizedText } from '../../language/language.ts';
import { addressTrouble } from '../address-trouble.ts';
import {
  type Cells,
  type CellValue,
  cellsOf,
  type FieldText,
  type NamedThing,
  type RoleNames,
  signed,
  Unacceptable,
} from '../settings/cells.ts';
import { LABEL_LIMIT, type Watch } from '../watch.ts';
import { type FiledSettings, SETTING_NAMES, settingOf } from '../watch-settings.ts';

const columnsOfSettings = SETTING_NAMES.flatMap((name) => Object.keys(settingOf(name).columns));
/** The columns of CSV and keys of JSON. Only `wallet` is required. */
export const FIELDS = ['wallet', 'label', 'channel', 'channelName', ...columnsOfSettings, 'paused'];

/** Where something stands in a file: a line of CSV, an entry of a JSON list, from 1 on. */
export type Place = { readonly of: 'line' | 'entry'; readonly number: number } | { readonly of: 'file' };

/** What a file asks for one watch. What it does not mention stays as it is, or is the default of a new watch. */
export interface WishedWatch {
  readonly place: Place;
  readonly wallet: WalletAddress;
  /** Null: the channel in which the file is imported. */
  readonly channel: NamedThing | null;
  readonly label?: string | null;
  readonly settings: FiledSettings;
  readonly pause?: Watch['pause'];
}

/** What is wrong in a file, and where. The reason quotes the file: escape it before it is shown. */
export interface FileFault {
  readonly place: Place;
  readonly reason: LocalizedText;
}

/** What a file asks for, and what is wrong in it. With faults, `wishes` has the lines without one. */
export interface ReadFile {
  readonly wishes: readonly WishedWatch[];
  readonly faults: readonly FileFault[];
}

/** The names of a guild's channels and roles; undefined for one that is gone. */
export interface Names extends RoleNames {
  /** False: the file names no channels, so that it can be read anywhere. */
  readonly hasChannels: boolean;
  channel(channelId: string): string | undefined;
}

/** A place as text: `Line 3`, `The file`. */
export function placeName(place: Place, { texts }: Language): string {
  const { places } = texts.files;
  return place.of === 'file' ? places.file : places[place.of](place.number);
}

/** What stands in the fields of a watch, which `readFields` gives back. */
export function describeFields(watch: Watch, names: Names): Readonly<Record<string, CellValue>> {
  const { wallet, label, channelId, settings, pause } = watch;
  const described = SETTING_NAMES.flatMap((name) =>
    Object.entries(settingOf(name).columns).map(([column, write]) => [column, write(settings[name], names)] as const),
  );
  return {
    wallet: checksummed(wallet),
    label,
    channel: names.hasChannels ? `<#${channelId}>` : null,
    channelName: names.hasChannels ? signed('#', names.channel(channelId)) : null,
    ...Object.fromEntries(described),
    paused: pause === null ? null : pause.untilSeconds === null ? 'yes' : isoTime(pause.untilSeconds),
  };
}

/** Reads the fields of one watch; if any is wrong, all that are. */
export function readFields(place: Place, given: ReadonlyMap<string, FieldText>): ReadFile {
  const cells = cellsOf(given);
  const faults: FileFault[] = [];
  const attempt = <Value>(read: (from: Cells) => Value): Value | undefined => {
    try {
      return read(cells);
    } catch (error) {
      if (!(error instanceof Unacceptable)) throw error;
      faults.push({ place, reason: error.reason });
      return undefined;
    }
  };
  const wallet = attempt(walletOf);
  const label = given.has('label') ? attempt(labelOf) : undefined;
  const channel = attempt(() => cells.thing('channel', 'channelName', /^<#(\d+)>$/, '#')) ?? null;
  const settings = SETTING_NAMES.flatMap((name) => {
    const { columns, fromFile } = settingOf(name);
    return Object.keys(columns).some((column) => given.has(column)) ? [[name, attempt(fromFile)]] : [];
  });
  const pause = given.has('paused') ? attempt(pauseOf) : undefined;
  if (faults.length > 0 || wallet === undefined) return { wishes: [], faults };
  const wish: WishedWatch = {
    place,
    wallet,
    channel,
    settings: Object.fromEntries(settings),
    ...(label === undefined ? {} : { label }),
    ...(pause === undefined ? {} : { pause }),
  };
  return { wishes: [wish], faults };
}

function walletOf(cells: Cells): WalletAddress {
  const text = cells.text('wallet');
  if (text === '') throw cells.fault(({ noWallet }) => noWallet);
  const found = findAddress(text);
  if (found.ok) return found.address;
  throw new Unacceptable(addressTrouble(found));
}

function labelOf(cells: Cells): string | null {
  const text = cells.text('label');
  const { length } = Array.from(text);
  if (length > LABEL_LIMIT) throw cells.unacceptable('label', text, ({ label }) => label(LABEL_LIMIT, length));
  return text === '' ? null : text;
}

function pauseOf(cells: Cells): Watch['pause'] {
  const text = cells.text('paused');
  if (/^(no|false)?$/i.test(text)) return null;
  if (/^(yes|true)$/i.test(text)) return { untilSeconds: null };
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const untilMs = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(untilMs)) throw cells.unacceptable('paused', text, ({ paused }) => paused);
  return { untilSeconds: untilMs / 1000 };
}

function isoTime(epochSeconds: number): string {
  return new Date(Math.min(epochSeconds * 1000, Date.UTC(9999, 11, 31))).toISOString();
}
