import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { escapeFormulas, unescapeFormulas } from '../lib/formulas.ts';

/** A line of a CSV file that holds something. */
export interface CsvRecord {
  /** Where it begins, from 1 on. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that is no CSV; `line` is where that shows. */
export class BrokenCsv extends Error {
  readonly line: number;
  /** Whether a quote is not closed; else one stands where none can be. */
  readonly isOpenQuote: boolean;

  constructor(cause: CsvError) {
    super(cause.message, { cause });
    this.name = 'BrokenCsv';
    this.line = Number(cause['lines']) || 1;
    this.isOpenQuote = cause.code === 'CSV_QUOTE_NOT_CLOSED';
  }
}

/** CSV as RFC 4180 has it, with the mark by which spreadsheets know UTF-8; no cell is a formula. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const safe = rows.map((row) => row.map(escapeFormulas));
  return stringify(safe, { bom: true, record_delimiter: 'windows', quoted_match: /[\s",;|']/ });
}

/**
 * Reads CSV with commas, semicolons or tabs, whichever comes first in the first line. Lines without any text are left out.
 *
 * @throws {BrokenCsv} a quote that is not closed, or stands where none can be
 */
export function readCsv(text: string): CsvRecord[] {
  const bytes = Buffer.from(text);
  const delimiter = /[,;\t]/.exec(text.split(/[\r\n]/, 1)[0] ?? '')?.[0] ?? ',';
  const lineAt = lineCounter(bytes);
  const records: CsvRecord[] = [];
  try {
    parse(bytes, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record(cells: readonly string[], { bytes: endByte }) {
        const line = lineAt(endByte);
        if (cells.some((cell) => cell.trim() !== '')) records.push({ line, cells: cells.map(unescapeFormulas) });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BrokenCsv(error);
  }
  return records;
}

/** Takes the ends of records in their order, in bytes, and tells the line in which each began. */
function lineCounter(bytes: Buffer): (endByte: number) => number {
  let line = 1;
  let at = 0;
  const isBreak = (byte: number | undefined) => byte === 10 || byte === 13;
  const step = () => {
    const isSecondHalf = bytes[at] === 10 && bytes[at - 1] === 13;
    if (isBreak(bytes[at]) && !isSecondHalf) line += 1;
    at += 1;
  };
  return (endByte) => {
    while (isBreak(bytes[at])) step();
    const start = line;
    while (at < endByte) step();
    return start;
  };
}
