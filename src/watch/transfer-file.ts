import { z } from 'zod';
import { checksummed, parseAddress } from '../venue/address.ts';
import { BrokenCsv, type CsvRecord, readCsv, writeCsv } from './transfer-file-csv.ts';
import {
  FIELDS,
  type Field,
  type FieldText,
  type FileFault,
  readFields,
  type WishedWatch,
} from './transfer-file-fields.ts';
import type { Watch } from './watch.ts';

/** The largest file that is read. */
export const FILE_LIMIT_BYTES = 1_048_576;
/** More columns or keys than these are not looked at one by one. */
const NAMES_LIMIT = 50;
/** Watches in one file. */
export const FILE_LIMIT_WATCHES = 1_000;

export type FileFormat = 'csv' | 'json';

/** How the server calls its channels and roles; undefined for one that is gone. */
export interface Names {
  channel(channelId: string): string | undefined;
  role(roleId: string): string | undefined;
}

/** All that a file says, or what is wrong with it. With faults there are wishes too: those of the other lines. */
export interface ReadFile {
  readonly wishes: readonly WishedWatch[];
  readonly faults: readonly FileFault[];
}

type Value = string | number | null | readonly string[];

/** Writes watches with their settings: `readWatches` gives them back as they were. */
export function writeWatches(watches: readonly Watch[], format: FileFormat, names: Names): string {
  const described = watches.map((watch) => describe(watch, names));
  if (format === 'json') return `${JSON.stringify(described, null, 2)}\n`;
  return writeCsv([FIELDS, ...described.map((values) => FIELDS.map((field) => cellOf(values[field])))]);
}

function describe({ wallet, label, channelId, settings, pause }: Watch, names: Names): Record<Field, Value> {
  const { kinds, markets, priceCents, mention } = settings;
  return {
    wallet: checksummed(wallet),
    label,
    channel: `<#${channelId}>`,
    channelName: signed('#', names.channel(channelId)),
    kinds,
    minUsdc: settings.minUsdc,
    onlyMarkets: markets?.mode === 'only' ? markets.names : null,
    exceptMarkets: markets?.mode === 'except' ? markets.names : null,
    minPriceCents: priceCents?.min ?? null,
    maxPriceCents: priceCents?.max ?? null,
    liquidityRole: settings.liquidityRole,
    cooldownSeconds: settings.cooldownSeconds,
    style: settings.style,
    mentionRole: mention === null ? null : `<@&${mention.roleId}>`,
    mentionRoleName: mention === null ? null : signed('@', names.role(mention.roleId)),
    mentionMinUsdc: mention?.minUsdc ?? null,
    mentionCooldownSeconds: mention?.cooldownSeconds ?? null,
    silentBelowUsdc: settings.silentBelowUsdc,
    paused: pause === null ? null : pause.untilSeconds === null ? 'yes' : isoTime(pause.untilSeconds),
  };
}

function signed(sign: string, name: string | undefined): string | null {
  return name === undefined ? null : `${sign}${name}`;
}

function isoTime(epochSeconds: number): string {
  return new Date(Math.min(epochSeconds * 1000, Date.UTC(9999, 11, 31))).toISOString();
}

function cellOf(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  return value.every((name) => /^[^\s,;"[\]]+$/.test(name)) ? value.join(' ') : JSON.stringify(value);
}

/** Reads what `writeWatches` writes, a JSON list of addresses, a list of addresses line by line, and all in between. */
export function readWatches(bytes: Uint8Array): ReadFile {
  const text = decode(bytes);
  if (text === null) return broken('The file', 'is not UTF-8 text. Accepted: CSV or JSON, saved as UTF-8.');
  const read = /^\s*[[{]/.test(text) ? readJson(text) : readTable(text);
  const isEmpty = read.wishes.length + read.faults.length === 0;
  return isEmpty ? broken('The file', 'holds no watch. Accepted: a wallet on each line.') : read;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function readTable(text: string): ReadFile {
  let records: CsvRecord[];
  try {
    records = readCsv(text);
  } catch (error) {
    if (error instanceof BrokenCsv) return broken(`Line ${error.line}`, `is no CSV: ${error.message}.`);
    throw error;
  }
  const [first, ...rest] = records;
  if (first === undefined) return { wishes: [], faults: [] };
  const isPlainList = records.every(({ cells }) => cells.length === 1) && parseAddress(first.cells[0] ?? '').ok;
  const header = isPlainList ? ['wallet'] : first.cells;
  if (header.length > NAMES_LIMIT) return tooManyNames(`Line ${first.line}`, header.length);
  const columns = header.map(fieldNamed);
  const faults = header.flatMap((name, index) => {
    const reason = columnFault(name, index, columns);
    return reason === null ? [] : [{ place: `Line ${first.line}`, reason }];
  });
  if (!columns.includes('wallet')) {
    faults.push({ place: `Line ${first.line}`, reason: `has no column wallet. Accepted: ${FIELDS.join(', ')}.` });
  }
  if (faults.length > 0) return { wishes: [], faults };
  return readEach(isPlainList ? records : rest, ({ line, cells }) => {
    const place = `Line ${line}`;
    if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
      return broken(place, `has ${cells.length} cells. Accepted: ${columns.length}, as the first line has.`);
    }
    const given = columns.flatMap((field, index): [Field, FieldText][] =>
      field === undefined ? [] : [[field, cells[index] ?? '']],
    );
    return readOne(place, new Map(given));
  });
}

function columnFault(name: string, index: number, columns: readonly (Field | undefined)[]): string | null {
  const field = columns[index];
  // A column without a name: spreadsheets leave such behind.
  if (name.trim() === '') return null;
  if (field === undefined) return `names the column "${name.slice(0, 60)}". Accepted: ${FIELDS.join(', ')}.`;
  return columns.indexOf(field) === index ? null : `has the column ${field} twice. Accepted: once.`;
}

const jsonSchema = z.union([z.array(z.unknown()), z.object({ watches: z.array(z.unknown()) })]);
const valueSchema = z.union([
  z.union([z.string(), z.number(), z.boolean()]).transform(String),
  z.null().transform(() => ''),
  z.array(z.union([z.string(), z.number()]).transform(String)),
]);

function readJson(text: string): ReadFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return broken(jsonPlace(text, error.message), `is no JSON: ${error.message.replace(/,? ".*$/s, '')}.`);
  }
  const parsed = jsonSchema.safeParse(json);
  if (!parsed.success)
    return broken('The file', 'is JSON, but not a list. Accepted: a list of addresses or of watches.');
  const entries = Array.isArray(parsed.data) ? parsed.data : parsed.data.watches;
  return readEach(entries, (entry, index) => readEntry(`Entry ${index + 1}`, entry));
}

function readEntry(place: string, entry: unknown): ReadFile {
  const object =
    typeof entry === 'string' ? { wallet: entry } : z.record(z.string(), z.unknown()).safeParse(entry).data;
  if (object === undefined)
    return broken(place, 'is neither an address nor a watch. Accepted: "0x…" or {"wallet": "0x…"}.');
  const { length } = Object.keys(object);
  if (length > NAMES_LIMIT) return tooManyNames(place, length);
  const given = new Map<Field, FieldText>();
  const faults: FileFault[] = [];
  for (const [name, value] of Object.entries(object)) {
    const field = fieldNamed(name);
    const known = valueSchema.safeParse(value);
    if (field === undefined) {
      faults.push({ place, reason: `has the key "${name.slice(0, 60)}". Accepted: ${FIELDS.join(', ')}.` });
    } else if (given.has(field)) {
      faults.push({ place, reason: `has the key ${field} twice. Accepted: once.` });
    } else if (!known.success) {
      faults.push({ place, reason: `${field} is an object. Accepted: a text, a number, or a list of them.` });
    } else {
      given.set(field, known.data);
    }
  }
  return faults.length > 0 ? { wishes: [], faults } : readOne(place, given);
}

/** Node 20 tells the position in characters only. */
function jsonPlace(text: string, message: string): string {
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
  return `Line ${text.slice(0, position).split('\n').length}`;
}

function readOne(place: string, given: ReadonlyMap<Field, FieldText>): ReadFile {
  const read = readFields(place, given);
  return 'wish' in read ? { wishes: [read.wish], faults: [] } : { wishes: [], faults: read.faults };
}

function readEach<Part>(parts: readonly Part[], read: (part: Part, index: number) => ReadFile): ReadFile {
  if (parts.length > FILE_LIMIT_WATCHES) {
    const accepted = `Accepted: up to ${FILE_LIMIT_WATCHES}; make two files of it.`;
    return broken('The file', `holds ${parts.length} watches. ${accepted}`);
  }
  const all = parts.map(read);
  return { wishes: all.flatMap(({ wishes }) => wishes), faults: all.flatMap(({ faults }) => faults) };
}

function tooManyNames(place: string, count: number): ReadFile {
  return broken(place, `has ${count} names. Accepted: ${FIELDS.join(', ')}.`);
}

function broken(place: string, reason: string): ReadFile {
  return { wishes: [], faults: [{ place, reason }] };
}

/** The field of a column or key, however it is spelled: `min_usdc`, `Min USDC`, `minUsdc`. */
function fieldNamed(name: string): Field | undefined {
  const plain = name.replace(/[\s_-]/g, '').toLowerCase();
  return FIELDS.find((field) => field.toLowerCase() === plain);
}
