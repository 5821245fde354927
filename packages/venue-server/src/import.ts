import { createReadStream } from 'node:fs';
import { readAddress } from './address.ts';
import { importLineSchema } from './contract.ts';
import { reasonOf } from './faults.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';

/** Our choice: a record has about a kilobyte. */
const MAX_LINE_BYTES = 65_536;
/** Number of errors reported per line. */
const REPORTED_REASONS = 3;
/** Records per transaction of the import. */
const BATCH = 16_384;

/**
 * Imports a JSONL file as a stream, in constant memory. Bad lines are reported one by one and
 * skipped; the others are imported. Importing the same file again adds nothing, and equal records
 * within the file are kept (see `Ledger.beginImport`).
 *
 * @param onBadLine gets the line's number, from 1, and what is wrong with it
 * @returns the records that were new, those that the ledger already had, and the bad lines
 * @throws Error that names the file if it cannot be read
 */
export async function importFile(
  ledger: Ledger,
  path: string,
  onBadLine: (bad: { readonly line: number; readonly reason: string }) => void,
) {
  const session = await ledger.beginImport();
  let lines = 0;
  let added = 0;
  let records = 0;
  let bad = 0;
  let batch: LedgerRecord[] = [];

  async function flush() {
    records += batch.length;
    added += await session.add(batch);
    batch = [];
  }

  try {
    for await (const line of linesOf(path)) {
      lines += 1;
      const read = readLine(line, lines);
      if (typeof read === 'string') {
        bad += 1;
        onBadLine({ line: lines, reason: read });
      } else if (read !== undefined) batch.push(read);
      if (batch.length >= BATCH) await flush();
    }
    await flush();
  } finally {
    await session.end();
  }
  return { added, known: records - added, bad };
}

/** Returns a record, the reason why the line is invalid, or undefined for a blank line. */
function readLine(line: string | undefined, number: number): LedgerRecord | string | undefined {
  if (line === undefined) return `is longer than ${MAX_LINE_BYTES} bytes`;
  const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
  if (text.trim() === '') return undefined;
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser would quote the line, which may belong to the wrong file, such as the keys file.
    return 'is not JSON';
  }
  const parsed = importLineSchema.safeParse(content);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'the line'}: ${issue.message}`,
    );
    const more = reasons.length - REPORTED_REASONS;
    return [...reasons.slice(0, REPORTED_REASONS), ...(more > 0 ? [`and ${more} more`] : [])].join(
      '; ',
    );
  }
  const record: LedgerRecord =
    parsed.data.kind === 'activity'
      ? { ...parsed.data, wallet: parsed.data.item.trader }
      : parsed.data;
  const wallet = readAddress(record.wallet);
  if (!wallet.ok) {
    return `${record.kind === 'activity' ? 'item.trader' : 'wallet'}: ${wallet.reason}`;
  }
  return record;
}

/** Yields the lines of a file, and undefined for each line that is too long. */
async function* linesOf(path: string): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (end: Buffer): string | undefined => {
    const line =
      length + end.length > MAX_LINE_BYTES
        ? undefined
        : Buffer.concat([...parts, end]).toString('utf8');
    parts = [];
    length = 0;
    return line;
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      if (!Buffer.isBuffer(chunk)) continue;
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        yield take(chunk.subarray(from, end));
        from = end + 1;
      }
      const rest = chunk.subarray(from);
      length += rest.length;
      // There is no need to keep the parts of a line that is already too long.
      if (length <= MAX_LINE_BYTES) parts.push(rest);
    }
    if (length > 0) yield take(Buffer.alloc(0));
  } catch (cause) {
    throw new Error(`Cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}
