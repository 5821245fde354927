import { readFileSync } from 'node:fs';

/** Ticks of the kernel's clock per second (`getconf CLK_TCK`): 100 on every current Linux. */
const TICKS_PER_SECOND = 100;
const USER_TICKS_FIELD = 11;
const SYSTEM_TICKS_FIELD = 12;
const KB_PER_MB = 1024;

/** Resources used by a process so far, from /proc (Linux only). */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  /** Current resident memory. */
  readonly rssMb: number;
  /** Peak resident memory so far. */
  readonly peakMb: number;
}

/** @param pid undefined if the process could not be started */
export function usageOf(pid: number | undefined): ProcessUsage {
  // The second field is a name in parentheses, which may contain spaces.
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
