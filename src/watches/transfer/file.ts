import { setImmediate as nextTurn } from 'node:timers/promises';
import { findAddress } from '../../domain/address.ts';
import type { FileWords } from '../../language/en/files.ts';
import type { CellValue, FieldText } from '../settings/cells.ts';
import type { Watch } from '../watch.ts';
import { readCsv, writeCsv } from './csv.ts';
import {
  describeFields,
  FIELDS,
  type FileFault,
  type Names,
  type Place,
  readFields,
  type WishedWatch,
} from './fields.ts';

/** The largest file that is read. */
export const FILE_LIMIT_BYTES = 1_048_576;
/** Most columns of a table or keys of an entry. */
const NAMES_LIMIT = 50;
const ALL_FIELDS = FIELDS.join(', ');
const FIELD_BY_PLAIN_NAME = new Map(FIELDS.map((field) => [field.toLowerCase(), field]));
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
/** `[` and `{`, `]` and `}`. */
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
/** Watches that are read or written before other work gets a turn of the event loop. */
const WATCHES_A_TURN = 50;
/** The longest text of one column, and the longest list with a character between its parts: twenty long names of markets fit. */
const FIELD_LIMIT = 8_000;
/** Lines of CSV, the empty ones among them. */
const LINES_LIMIT = 10_000;
/** Objects and lists of JSON, in each other and in all; commas, in one of them and in all. More than the most watches need. */
const DEPTH_LIMIT = 8;
const GROUPS_LIMIT = 8_000;
const COMMAS_LIMIT = 50_000;
const COMMAS_IN_ONE_LIMIT = 1_000;
/** Watches in one file. */
export const FILE_LIMIT_WATCHES = 1_000;

export type FileFormat = 'csv' | 'json';

/** What a file asks for, and what is wrong in it. With faults, `wishes` has the lines without one. */
export interface ReadFile {
  readonly wishes: readonly WishedWatch[];
  readonly faults: readonly FileFault[];
}

/** Picks the sentence of the catalogue that says what is wrong. */
type Fault = (faults: FileWords['faults']) => string;

const WHOLE: Place = { of: 'file' };

/** Writes watches with their settings: `readWatches` gives them back as they were. */
export async function writeWatches(watches: readonly Watch[], format: FileFormat, names: Names): Promise<string> {
  const described: Readonly<Record<string, CellValue>>[] = [];
  for (const [index, watch] of watches.entries()) {
    described.push(describeFields(watch, names));
    if (index % WATCHES_A_TURN === 0) await nextTurn();
  }
  if (format === 'json') return `${JSON.stringify(described, null, 2)}\n`;
  return writeCsv([FIELDS, ...described.map((values) => FIELDS.map((field) => cellOf(values[field] ?? null)))]);
}

function cellOf(value: CellValue): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  return value.every((name) => /^[^\s,;"[\]]+$/.test(name)) ? value.join(' ') : JSON.stringify(value);
}

/** Reads what `writeWatches` writes, a JSON list of addresses, a list of addresses line by line, and all in between. */
export async function readWatches(bytes: Uint8Array): Promise<ReadFile> {
  const text = decode(bytes);
  if (text === null) return broken(WHOLE, ({ notUtf8 }) => notUtf8);
  const read = await (/^\s*[[{]/.test(text) ? readJson(text) : readTable(text));
  const isEmpty = read.wishes.length + read.faults.length === 0;
  return isEmpty ? broken(WHOLE, ({ empty }) => empty) : read;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function readTable(text: string): Promise<ReadFile> {
  // The names of the columns are a record of their own.
  const limits = { records: FILE_LIMIT_WATCHES + 1, lines: LINES_LIMIT, cells: NAMES_LIMIT };
  const { records, isTooLong, fault } = await readCsv(text, limits);
  if (fault !== null) return broken(lineOf(fault.line), ({ noCsv }) => noCsv(fault.message, fault.isOpenQuote));
  if (isTooLong) return tooMuch();
  const [first, ...rest] = records;
  if (first === undefined) return { wishes: [], faults: [] };
  const isPlainList = records.every(({ cells }) => cells.length === 1) && findAddress(first.cells[0] ?? '').ok;
  const header = isPlainList ? ['wallet'] : first.cells;
  if (header.length > NAMES_LIMIT) return tooManyNames(lineOf(first.line), header.length);
  const wide = records.find(({ cells }) => cells.length > NAMES_LIMIT);
  if (wide !== undefined) return broken(lineOf(wide.line), ({ cells }) => cells(wide.cells.length, header.length));
  const columns = header.map(fieldNamed);
  const faults = header.flatMap((name, index) => {
    const field = columns[index];
    // A column without a name: spreadsheets leave such behind.
    if (name.trim() === '' || (field !== undefined && columns.indexOf(field) === index)) return [];
    const wrong: Fault = ({ unknownColumn, columnTwice }) =>
      field === undefined ? unknownColumn(name.slice(0, 60), ALL_FIELDS) : columnTwice(field);
    return [faultOf(lineOf(first.line), wrong)];
  });
  if (!columns.includes('wallet')) {
    faults.push(faultOf(lineOf(first.line), ({ noColumn }) => noColumn('wallet', ALL_FIELDS)));
  }
  if (faults.length > 0) return { wishes: [], faults };
  return readEach(isPlainList ? records : rest, ({ line, cells }) => {
    const place = lineOf(line);
    if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
      return broken(place, (faults) => faults.cells(cells.length, columns.length));
    }
    const given = columns.flatMap((field, index): [string, FieldText][] =>
      field === undefined ? [] : [[field, cells[index] ?? '']],
    );
    return readOne(place, new Map(given));
  });
}

async function readJson(text: string): Promise<ReadFile> {
  if (isOvergrown(text)) return tooMuch();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message } = error;
    // Node 20 gives a position in characters only.
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
    const place = lineOf(text.slice(0, position).split('\n').length);
    return broken(place, ({ noJson }) => noJson(message.replace(/,? ".*$/s, '')));
  }
  const entries: unknown = Array.isArray(json) ? json : isObject(json) ? json['watches'] : undefined;
  if (!Array.isArray(entries)) return broken(WHOLE, ({ notList }) => notList);
  return readEach(entries, (entry, index) => readEntry({ of: 'entry', number: index + 1 }, entry));
}

function readEntry(place: Place, entry: unknown): ReadFile {
  const object = typeof entry === 'string' ? { wallet: entry } : entry;
  if (!isObject(object)) return broken(place, ({ notEntry }) => notEntry);
  const { length } = Object.keys(object);
  if (length > NAMES_LIMIT) return tooManyNames(place, length);
  const given = new Map<string, FieldText>();
  const faults: FileFault[] = [];
  for (const [name, value] of Object.entries(object)) {
    const field = fieldNamed(name);
    const known = fieldText(value);
    if (field === undefined) {
      faults.push(faultOf(place, ({ unknownKey }) => unknownKey(name.slice(0, 60), ALL_FIELDS)));
    } else if (given.has(field)) {
      faults.push(faultOf(place, ({ keyTwice }) => keyTwice(field)));
    } else if (known === null) {
      faults.push(faultOf(place, ({ object }) => object(field)));
    } else {
      given.set(field, known);
    }
  }
  return faults.length > 0 ? { wishes: [], faults } : readOne(place, given);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text, a number, yes or no, or a list of texts and numbers, as CSV has it; null for anything else. */
function fieldText(value: unknown): FieldText | null {
  if (value === null) return '';
  if (!Array.isArray(value)) return isPlain(value) || typeof value === 'boolean' ? String(value) : null;
  return value.every(isPlain) ? value.map(String) : null;
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Whether a JSON text holds more brackets or commas than the most watches need: then it is refused without parsing it. */
function isOvergrown(text: string): boolean {
  let [depth, groups, commas, inOne] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === COMMA) {
      commas += 1;
      inOne += 1;
    } else if (OPENING.has(character)) {
      depth += 1;
      groups += 1;
      inOne = 0;
    } else if (CLOSING.has(character)) {
      depth -= 1;
      inOne = 0;
    }
    if (depth > DEPTH_LIMIT || groups > GROUPS_LIMIT) return true;
    if (commas > COMMAS_LIMIT || inOne > COMMAS_IN_ONE_LIMIT) return true;
  }
  return false;
}

/** Where the quote is that closes a JSON string; the end of the text if none does. */
function endOfString(text: string, openingQuote: number): number {
  for (let at = openingQuote + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at += 1;
  }
  return text.length;
}

function readOne(place: Place, given: ReadonlyMap<string, FieldText>): ReadFile {
  const long = [...given].find(([, value]) => lengthOf(value) > FIELD_LIMIT)?.[0];
  if (long !== undefined) return broken(place, ({ tooLong }) => tooLong(long, FIELD_LIMIT));
  const read = readFields(place, given);
  return 'wish' in read ? { wishes: [read.wish], faults: [] } : { wishes: [], faults: read.faults };
}

function lengthOf(value: FieldText): number {
  return typeof value === 'string' ? value.length : value.reduce((sum, part) => sum + part.length + 1, 0);
}

async function readEach<Part>(
  parts: readonly Part[],
  read: (part: Part, index: number) => ReadFile,
): Promise<ReadFile> {
  if (parts.length > FILE_LIMIT_WATCHES) return tooMuch();
  const wishes: WishedWatch[] = [];
  const faults: FileFault[] = [];
  for (const [index, part] of parts.entries()) {
    const one = read(part, index);
    wishes.push(...one.wishes);
    faults.push(...one.faults);
    if (index % WATCHES_A_TURN === 0) await nextTurn();
  }
  return { wishes, faults };
}

function tooMuch(): ReadFile {
  return broken(WHOLE, (faults) => faults.tooMuch(FILE_LIMIT_WATCHES));
}

function tooManyNames(place: Place, count: number): ReadFile {
  return broken(place, (faults) => faults.tooManyNames(count, ALL_FIELDS));
}

function broken(place: Place, fault: Fault): ReadFile {
  return { wishes: [], faults: [faultOf(place, fault)] };
}

function faultOf(place: Place, fault: Fault): FileFault {
  return { place, reason: ({ texts }) => fault(texts.files.faults) };
}

function lineOf(line: number): Place {
  return { of: 'line', number: line };
}

/** The field of a column or key, however it is spelled: `min_usdc`, `Min USDC`, `minUsdc`. */
function fieldNamed(name: string): string | undefined {
  return name.length > FIELD_LIMIT ? undefined : FIELD_BY_PLAIN_NAME.get(name.replace(/[\s_-]/g, '').toLowerCase());
}
