import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { escapeFormulas, unescapeFormulas } from '../../lib/formulas.ts';

/** A line of a CSV file that holds something. */
export interface CsvRecord {
  /** Where it begins, from 1 on. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** CSV as RFC 4180 has it, with the mark by which spreadsheets know UTF-8; no cell is a formula. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const safe = rows.map((row) => row.map(escapeFormulas));
  return stringify(safe, { bom: true, record_delimiter: 'windows', quoted_match: /[\s",;|']/ });
}

/** Bytes of one record: a watch with as many and as long markets as it may have fits in it. */
const RECORD_LIMIT_BYTES = 65_536;
/** Bytes that are read before other work gets a turn of the event loop. */
const CHUNK_BYTES = 16_384;

/**
 * Reads CSV with commas, semicolons or tabs, whichever comes first in the first line. Lines without any text are left out.
 * Stops at the first record that is too many or has too many cells; that one is the last of the result.
 *
 * @param limits `records` with some text, `lines` of any kind: spreadsheets leave empty ones behind
 * @returns the records, whether there are more than the limits allow, and where it shows that the file is no CSV: at a quote
 * that is not closed, or stands where none can be
 */
export async function readCsv(
  text: string,
  limits: { readonly records: number; readonly lines: number; readonly cells: number },
) {
  const bytes = Buffer.from(text);
  const delimiter = /[,;\t]/.exec(text.split(/[\r\n]/, 1)[0] ?? '')?.[0] ?? ',';
  const records: CsvRecord[] = [];
  let lines = 0;
  /** Line breaks of two characters, in the cells so far: the parser counts each character of them. */
  let countedTwice = 0;
  let [isTooLong, isTooWide] = [false, false];
  const parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: RECORD_LIMIT_BYTES,
    on_record(cells: readonly string[], { lines: endLine }) {
      if (isTooLong || isTooWide) return null;
      lines += 1;
      const breaks = cells.join().match(/\r\n?|\n/g) ?? [];
      const line = endLine - countedTwice - breaks.join('').length;
      countedTwice += breaks.join('').length - breaks.length;
      if (cells.some((cell) => cell.trim() !== '')) records.push({ line, cells: cells.map(unescapeFormulas) });
      isTooWide = cells.length > limits.cells;
      isTooLong = records.length > limits.records || lines > limits.lines;
      return null;
    },
  });
  let failure: unknown = null;
  parser.on('error', (error) => {
    failure = error;
  });
  parser.resume();
  for (let at = 0; at < bytes.length && !isTooLong && !isTooWide && failure === null; at += CHUNK_BYTES) {
    parser.write(bytes.subarray(at, at + CHUNK_BYTES));
    await nextTurn();
  }
  if (!isTooLong && !isTooWide && failure === null) {
    parser.end();
    await once(parser, 'close').catch(() => {});
  }
  parser.destroy();
  if (failure === null) return { records, isTooLong, fault: null };
  if (!(failure instanceof CsvError)) throw failure;
  const { message, code } = failure;
  // Nothing but a quote that is not closed makes one record of so much.
  const isOpenQuote = code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE';
  return { records, isTooLong, fault: { message, line: Number(failure['lines']) || 1, isOpenQuote } };
}
