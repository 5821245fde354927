import { withoutControls } from '../../lib/text/controls.ts';

/** Result of a check, in one line for a person. */
export interface Finding {
  /** `warn`: it works, but not as well as it could. `fail`: the bot would not work. */
  readonly level: 'ok' | 'warn' | 'fail';
  /** Subject of the check, in one word. */
  readonly subject: string;
  /** Description of the result, and what to do if it is not good. */
  readonly text: string;
}

const finding =
  (level: Finding['level']) =>
  (subject: string, text: string): Finding => ({ level, subject, text });
export const ok = finding('ok');
export const warn = finding('warn');
export const fail = finding('fail');

/** Formats a finding as one line, whatever its text contains. */
export function line({ level, subject, text }: Finding): string {
  return `${level.padEnd(4)}  ${subject.padEnd(10)}  ${withoutControls(text).replace(/\s+/g, ' ').trim()}`;
}

/** Returns the last line: the number of faults and warnings. */
export function verdict(findings: readonly Finding[]): string {
  const counts: string[] = [];
  const add = (counting: Finding['level'], word: string) => {
    const count = findings.filter(({ level }) => level === counting).length;
    if (count === 1) counts.push(`1 ${word}`);
    if (count > 1) counts.push(`${count} ${word}s`);
  };
  add('fail', 'fault');
  add('warn', 'warning');
  return `${counts.join(', ') || 'All is well'}.`;
}

const SKEW_WARN_MS = 5_000;

/**
 * Compares this machine's clock with another one.
 *
 * @param skewMs the other clock minus ours, accurate to a second or two
 */
export function clockFinding(whose: string, skewMs: number | null): Finding {
  if (skewMs === null) {
    return warn('clock', `${whose} sends no Date header: this machine's clock cannot be compared.`);
  }
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) < SKEW_WARN_MS) {
    return ok('clock', `within ${Math.max(1, seconds)} s of ${whose}.`);
  }
  const where = skewMs > 0 ? 'behind' : 'ahead of';
  const text =
    `${seconds} s ${where} ${whose}. Delays are shown wrong, ` +
    'and after an outage the search for alerts that have arrived may miss some. ' +
    'Keep the clock with NTP (timedatectl set-ntp true).';
  return warn('clock', text);
}
