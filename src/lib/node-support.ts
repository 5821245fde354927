/**
 * Last day with security fixes of each long-term support version, from the schedule of the Node.js
 * release working group (https://github.com/nodejs/release#release-schedule).
 */
const LAST_DAY_WITH_FIXES: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/**
 * Returns the last day with security fixes of an outdated version of Node.js, such as "2026-04-30";
 * null if the version still gets them or is unknown.
 *
 * @param version such as "20.19.0"
 */
export function nodeUnsupportedSince(version: string, nowMs: number): string | null {
  const [major = 0] = version.split('.').map(Number);
  const lastDay = LAST_DAY_WITH_FIXES[major];
  if (lastDay === undefined || nowMs < Date.parse(`${lastDay}T24:00:00Z`)) return null;
  return lastDay;
}
