import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Tape } from './schedule-tapes.ts';

const HEADER = 'wallet,time_seconds';
const SHOWN_FAULTS = 20;

export interface Trace {
  readonly tape: Tape;
  /** Lines that could not be read, `line 17: …`, the first few. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

/**
 * Reads real arrivals: `wallet,time_seconds`, one item a line, in any order. The clock starts at the earliest item, and
 * every wallet of the file is watched from then on.
 *
 * @throws Error if the file has another header, or no line that can be read
 */
export async function readTrace(file: string): Promise<Trace> {
  const byWallet = new Map<string, number[]>();
  const faults: string[] = [];
  let faultCount = 0;
  let lineNumber = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for await (const raw of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    lineNumber += 1;
    const line = lineNumber === 1 ? raw.replace(/^\uFEFF/, '').trim() : raw.trim();
    if (lineNumber === 1) checkHeader(file, line);
    if (lineNumber === 1 || line === '') continue;
    const item = readLine(line);
    if (item === null) {
      faultCount += 1;
      if (faults.length < SHOWN_FAULTS) faults.push(faultOf(lineNumber, line));
      continue;
    }
    const { wallet, time } = item;
    byWallet.set(wallet, byWallet.get(wallet) ?? []);
    byWallet.get(wallet)?.push(time);
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  if (byWallet.size === 0) throw new Error([`${file}: no line could be read`, ...faults].join('\n'));
  const items = [...byWallet.values()].map((times) => Float64Array.from(times, (time) => time - first).sort());
  const tape = { items, watchedFrom: new Float64Array(items.length), seconds: last - first + 1 };
  return { tape, faults, faultCount };
}

function checkHeader(file: string, line: string): void {
  if (line !== HEADER) throw new Error(`${file}: expected the header "${HEADER}", got "${line.slice(0, 80)}"`);
}

function readLine(line: string): { readonly wallet: string; readonly time: number } | null {
  const comma = line.lastIndexOf(',');
  const wallet = line.slice(0, Math.max(0, comma)).trim();
  const text = line.slice(comma + 1).trim();
  const time = text === '' ? Number.NaN : Number(text);
  return wallet === '' || !Number.isFinite(time) || time < 0 ? null : { wallet, time };
}

function faultOf(lineNumber: number, line: string): string {
  return `line ${lineNumber}: expected a wallet and its time in seconds, got "${line.slice(0, 80)}"`;
}
