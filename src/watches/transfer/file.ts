import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { findAddress } from '../../domain/address.ts';
import { inlineCode } from '../../embeds/text/escape.ts';
import type { LocalizedText } from '../../language/language.ts';
import type { Texts } from '../../language/texts.ts';
import { inTurns } from '../../lib/async/turns.ts';
import { escapeFormulas, unescapeFormulas } from '../../lib/text/formulas.ts';
import { isOvergrown } from '../../lib/text/json.ts';
import { FILE_LIMIT_WATCHES } from '../owner.ts';
import { type CellValue, type FieldText, type Names, QUOTED_LIMIT } from '../settings/cells.ts';
import { type Watch, watchKey } from '../watch.ts';
import {
  describeFields,
  FIELDS,
  type FileFault,
  type Order,
  type Places,
  type ReadFile,
  readFields,
} from './fields.ts';

export const FILE_LIMIT_BYTES = 1_048_576;
/** Maximum columns of a table, and maximum keys of an entry. */
const NAMES_LIMIT = 50;
/** Maximum lines of CSV, including empty ones. */
const LINES_LIMIT = 10_000;
/** Maximum bytes of one record. A watch with the most and longest market names fits. */
const RECORD_LIMIT_BYTES = 65_536;
/** Bytes parsed before the event loop gets a turn. */
const CHUNK_BYTES = 4_096;
/**
 * Maximum objects and lists of JSON, and maximum commas; more than the largest valid file needs.
 */
const JSON_LIMITS = { groups: 8_000, commas: 50_000 };

const ALL_FIELDS = FIELDS.join(', ');
const FIELD_BY_PLAIN_NAME = new Map(FIELDS.map((field) => [field.toLowerCase(), field]));
const WHOLE: LocalizedText = ({ texts }) => texts.files.places.file;

export type FileFormat = 'csv' | 'json';

/** Selects the catalogue's sentence for a fault. */
type Fault = (faults: Texts['files']['faults']) => string;

/** Writes watches with their settings. `readWatches` reads them back unchanged. */
export async function writeWatches(
  watches: readonly Watch[],
  format: FileFormat,
  names: Names,
): Promise<string> {
  const described: Readonly<Record<string, CellValue>>[] = [];
  for await (const piece of inTurns(watches)) {
    described.push(...piece.map((watch) => describeFields(watch, names)));
  }
  if (format === 'json') return `${JSON.stringify(described, null, 2)}\n`;
  const rows = described.map((values) =>
    FIELDS.map((field) => escapeFormulas(cellOf(values[field] ?? null))),
  );
  // Per RFC 4180, with the byte order mark by which spreadsheets detect UTF-8. No cell is a
  // formula.
  return stringify([FIELDS, ...rows], {
    bom: true,
    record_delimiter: 'windows',
    quoted_match: /[\s",;|']/,
  });
}

function cellOf(value: CellValue): string {
  if (value === null || typeof value !== 'object') return String(value ?? '');
  const isPlain = value.every((name) => /^[^\s,;"[\]]+$/.test(name));
  return isPlain ? value.join(' ') : JSON.stringify(value);
}

/**
 * Reads the output of `writeWatches`, a JSON list of addresses, a plain list with one address per
 * line, and forms in between.
 */
export async function readWatches(bytes: Uint8Array, places: Places): Promise<ReadFile> {
  if (!isUtf8(bytes)) return broken(WHOLE, ({ notUtf8 }) => notUtf8);
  const text = new TextDecoder().decode(bytes);
  const isJson = /^\s*[[{]/.test(text);
  const read = isJson ? await readJson(bytes, text, places) : await readTable(text, places);
  const isEmpty = read.orders.length + read.faults.length === 0;
  if (isEmpty) return broken(WHOLE, ({ empty }) => empty);
  return read;
}

async function readTable(text: string, places: Places): Promise<ReadFile> {
  const { records, isTooLong, fault } = await readCsv(text);
  if (fault !== null) return broken(lineOf(fault.line), ({ noCsv }) => noCsv(fault.isOpenQuote));
  if (isTooLong) return tooMuch();
  const [first, ...rest] = records;
  if (first === undefined) return { orders: [], faults: [] };
  const isPlainList =
    records.every(({ cells }) => cells.length === 1) && findAddress(first.cells[0] ?? '').ok;
  const header = isPlainList ? ['wallet'] : first.cells;
  const columns = header.map(fieldNamed);
  const faults = nameFaults(lineOf(first.line), 'column', header);
  if (!columns.includes('wallet')) {
    faults.push(faultOf(lineOf(first.line), ({ noColumn }) => noColumn('wallet', ALL_FIELDS)));
  }
  if (faults.length > 0) return { orders: [], faults };
  const ofWatches = isPlainList ? records : rest;
  const rows = ofWatches.map(({ line, cells }) => ({ place: lineOf(line), cells }));
  return readEach(rows, async ({ place, cells }) => {
    const hasTextBeyond = cells.slice(columns.length).some((cell) => cell.trim() !== '');
    if (cells.length > NAMES_LIMIT || hasTextBeyond) {
      return [faultOf(place, (words) => words.cells(cells.length, columns.length))];
    }
    const given = new Map<string, FieldText>();
    for (const [index, field] of columns.entries()) {
      if (field) given.set(field, cells[index] ?? '');
    }
    return readFields(place, given, places);
  });
}

/**
 * Reads CSV separated by commas, semicolons or tabs, whichever comes first in the first line. Blank
 * lines are skipped. Reading stops at the first record that exceeds a limit on records or cells;
 * that record is the last one returned.
 *
 * @returns the records, each with the line where it begins, counted from 1; whether a limit was
 *   exceeded; and the line where the file proved not to be CSV: an unclosed or misplaced quote
 */
export async function readCsv(text: string) {
  // Excel's own line that names the delimiter. Its line break is kept, so that line numbers stay
  // right.
  const [named = '', declared] = /^sep=([,;\t])(?=[\r\n])/i.exec(text) ?? [];
  const table = text.slice(named.length);
  const [firstLine = ''] = table.split(/[\r\n]/, 1);
  const delimiter = declared ?? /[,;\t]/.exec(firstLine)?.[0] ?? ',';
  const records: { readonly line: number; readonly cells: readonly string[] }[] = [];
  /**
   * Extra characters of two-character line breaks in the cells so far, because the parser counts
   * each character as a line.
   */
  let countedTwice = 0;
  let isTooLong = false;
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: RECORD_LIMIT_BYTES,
  });
  try {
    const parsed: AsyncIterable<{ record: string[]; info: Info }> = Readable.from(
      chunksOf(table),
    ).pipe(parser);
    for await (const { record: cells, info } of parsed) {
      const breaks = cells.join().match(/\r\n?|\n/g) ?? [];
      const line = info.lines - countedTwice - breaks.join('').length;
      countedTwice += breaks.join('').length - breaks.length;
      const isBlank = cells.every((cell) => cell.trim() === '');
      if (!isBlank) records.push({ line, cells: cells.map(unescapeFormulas) });
      // The header is one record more.
      isTooLong = records.length > FILE_LIMIT_WATCHES + 1 || info.records > LINES_LIMIT;
      if (isTooLong || (!isBlank && cells.length > NAMES_LIMIT)) break;
    }
    return { records, isTooLong, fault: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code } = error;
    // Only an unclosed quote makes a record this large.
    const isOpenQuote = code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE';
    return { records, isTooLong, fault: { line: Number(error['lines']) || 1, isOpenQuote } };
  }
}

async function* chunksOf(text: string) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
    await nextTurn();
  }
}

async function readJson(bytes: Uint8Array, text: string, places: Places): Promise<ReadFile> {
  if (isOvergrown(bytes, JSON_LIMITS)) return tooMuch();
  await nextTurn();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message } = error;
    // Node 20 reports only a position, in characters.
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
    const place = lineOf(text.slice(0, position).split('\n').length);
    const why = inlineCode(message.replace(/,? ".*$/s, ''), QUOTED_LIMIT);
    return broken(place, ({ noJson }) => noJson(why));
  }
  const entries: unknown = isObject(json) ? json['watches'] : json;
  if (!Array.isArray(entries)) return broken(WHOLE, ({ notList }) => notList);
  const placed = entries.map((entry: unknown, index) => {
    const place: LocalizedText = ({ texts }) => texts.files.places.entry(index + 1);
    return { place, entry };
  });
  return readEach(placed, async ({ place, entry }) => {
    const object = typeof entry === 'string' ? { wallet: entry } : entry;
    if (!isObject(object)) return [faultOf(place, ({ notEntry }) => notEntry)];
    const names = Object.keys(object);
    const faults = nameFaults(place, 'key', names);
    if (names.length > NAMES_LIMIT) return faults;
    const given = new Map<string, FieldText>();
    for (const [name, value] of Object.entries(object)) {
      const field = fieldNamed(name) ?? '';
      const known = fieldText(value);
      if (known !== null) given.set(field, known);
      else if (field !== '') faults.push(faultOf(place, (words) => words.object(field)));
    }
    return faults.length > 0 ? faults : readFields(place, given, places);
  });
}

/** Finds faults in the names of columns or keys: too many, unknown, or repeated. */
function nameFaults(
  place: LocalizedText,
  of: 'column' | 'key',
  names: readonly string[],
): FileFault[] {
  if (names.length > NAMES_LIMIT) {
    return [faultOf(place, ({ tooManyNames }) => tooManyNames(names.length, ALL_FIELDS))];
  }
  const fields = names.map(fieldNamed);
  return names.flatMap((name, index) => {
    const field = fields[index];
    // Spreadsheets leave columns without a name behind.
    if (of === 'column' && name.trim() === '') return [];
    if (field && fields.indexOf(field) === index) return [];
    if (field) return faultOf(place, (words) => words[`${of}Twice`](field));
    const unknown = of === 'key' ? 'unknownKey' : 'unknownColumn';
    return faultOf(place, (words) => words[unknown](inlineCode(name, QUOTED_LIMIT), ALL_FIELDS));
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts a text, number, boolean, or list of texts and numbers to its CSV form; null for anything
 * else.
 */
function fieldText(value: unknown): FieldText | null {
  const isPlain = (one: unknown) => typeof one === 'string' || typeof one === 'number';
  if (Array.isArray(value)) return value.every(isPlain) ? value.map(String) : null;
  if (value === null) return '';
  if (isPlain(value) || typeof value === 'boolean') return String(value);
  return null;
}

/** Reads each part. A watch that the file names twice is a fault. */
async function readEach<Part extends { readonly place: LocalizedText }>(
  parts: readonly Part[],
  read: (part: Part) => Promise<Order | FileFault[]>,
): Promise<ReadFile> {
  if (parts.length > FILE_LIMIT_WATCHES) return tooMuch();
  const orders: Order[] = [];
  const faults: FileFault[] = [];
  const placeByWatch = new Map<string, LocalizedText>();
  for await (const piece of inTurns(parts)) {
    for (const part of piece) {
      const order = await read(part);
      if (Array.isArray(order)) {
        faults.push(...order);
        continue;
      }
      const earlier = placeByWatch.get(watchKey(order));
      placeByWatch.set(watchKey(order), earlier ?? part.place);
      if (earlier === undefined) {
        orders.push(order);
      } else {
        faults.push({
          place: part.place,
          reason: (own) => own.texts.files.faults.repeated(earlier(own)),
        });
      }
    }
  }
  return { orders, faults };
}

function tooMuch(): ReadFile {
  return broken(WHOLE, (faults) => faults.tooMuch(FILE_LIMIT_WATCHES));
}

function broken(place: LocalizedText, fault: Fault): ReadFile {
  return { orders: [], faults: [faultOf(place, fault)] };
}

function faultOf(place: LocalizedText, fault: Fault): FileFault {
  return { place, reason: ({ texts }) => fault(texts.files.faults) };
}

function lineOf(line: number): LocalizedText {
  return ({ texts }) => texts.files.places.line(line);
}

/** Returns the field of a column or key in any spelling: `min_usdc`, `Min USDC`, `minUsdc`. */
function fieldNamed(name: string): string | undefined {
  return FIELD_BY_PLAIN_NAME.get(name.replace(/[\s_-]/g, '').toLowerCase());
}
