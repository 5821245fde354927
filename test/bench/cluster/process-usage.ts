import { readFileSync } from 'node:fs';

/** Ticks of the kernel's clock in a second (`getconf CLK_TCK`): 100 on every Linux of today. */
const TICKS_PER_SECOND = 100;
const USER_TICKS_FIELD = 11;
const SYSTEM_TICKS_FIELD = 12;
const KB_PER_MB = 1024;

/** What a process has used so far, by /proc: Linux alone. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  /** Resident now. */
  readonly rssMb: number;
  /** Most that was resident at a time until now. */
  readonly peakMb: number;
}

/** @param pid undefined for a process that could not be started */
export function usageOf(pid: number | undefined): ProcessUsage {
  // The second field is a name in parentheses, which may itself hold spaces.
  const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const fields = rest.split(' ');
  const ticks = Number(fields[USER_TICKS_FIELD]) + Number(fields[SYSTEM_TICKS_FIELD]);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => {
    const [, kb = '0'] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
    return Math.round(Number(kb) / KB_PER_MB);
  };
  return {
    cpuSeconds: ticks / TICKS_PER_SECOND,
    rssMb: megabytes('VmRSS'),
    peakMb: megabytes('VmHWM'),
  };
}
