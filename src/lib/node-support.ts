/**
 * Last day with security fixes for each version with long-term support, as the schedule of the
 * Node.js release working group has it (https://github.com/nodejs/release#release-schedule).
 */
const LAST_DAY_WITH_FIXES: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/**
 * Returns since when a version of Node.js has had no security fixes, such as "2026-04-30"; null
 * where it has them, or the version is not known here.
 *
 * @param version such as "20.19.0"
 */
export function nodeUnsupportedSince(version: string, nowMs: number): string | null {
  const [major = 0] = version.split('.').map(Number);
  const lastDay = LAST_DAY_WITH_FIXES[major];
  if (lastDay === undefined || nowMs < Date.parse(`${lastDay}T24:00:00Z`)) return null;
  return lastDay;
}
