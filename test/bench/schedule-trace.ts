import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { groupBy } from '../../src/lib/group-by.ts';
import type { Tape } from './schedule-tapes.ts';

const HEADER = 'wallet,time_seconds';
const SHOWN_FAULTS = 20;

/**
 * Reads real arrivals: `wallet,time_seconds`, one item per line, in any order. The clock starts at
 * the earliest item, and every wallet in the file is watched from then on.
 *
 * @throws Error if the file has another header, or no readable line
 */
export async function readTrace(file: string) {
  const items: { readonly wallet: string; readonly time: number }[] = [];
  /** The first few unreadable lines, as `line 17: …`. */
  const faults: string[] = [];
  let faultCount = 0;
  let lineNumber = 0;
  for await (const raw of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    lineNumber += 1;
    const line = raw.replace(/^\uFEFF/, '').trim();
    if (lineNumber === 1 && line !== HEADER) {
      throw new Error(`${file}: expected the header "${HEADER}", got "${line.slice(0, 80)}"`);
    }
    if (lineNumber === 1 || line === '') continue;
    const [, wallet, time = ''] = /^(.*\S)\s*,\s*([\d.]+)$/.exec(line) ?? [];
    if (wallet === undefined || Number.isNaN(Number(time))) {
      faultCount += 1;
      const fault = `line ${lineNumber}: expected a wallet and its time in seconds, got "${line.slice(0, 80)}"`;
      if (faults.length < SHOWN_FAULTS) faults.push(fault);
    } else items.push({ wallet, time: Number(time) });
  }
  if (items.length === 0) throw new Error([`${file}: no line could be read`, ...faults].join('\n'));
  const times = Float64Array.from(items, ({ time }) => time).sort();
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const rows = [...groupBy(items, ({ wallet }) => wallet).values()];
  const tape: Tape = {
    items: rows.map((row) => Float64Array.from(row, ({ time }) => time - first).sort()),
    watchedFrom: new Float64Array(rows.length),
    seconds: last - first + 1,
  };
  return { tape, faults, faultCount };
}
