/** Hours; minutes after a separator that people use; a word for the hour; a.m. or p.m. */
const CLOCK =
  /^(\d{1,2})(?:[:.h时時點点] ?(\d{2})分?)?(?: ?(?:h|uhr|[时時點点]))?(?: ?([ap])\.?m\.?)?$/u;

/**
 * Reads a time of day as people type it: `18:00`, `9:30`, `18`, `18h30`, `18.30 Uhr`, `18時`, `6
 * pm`. Returns minutes after midnight; null for anything else.
 */
export function readClock(text: string): number | null {
  const typed = text.normalize('NFKC').trim().toLowerCase();
  const [, digits, minutes = '00', half] = CLOCK.exec(typed) ?? [];
  if (digits === undefined || Number(minutes) > 59) return null;
  const hours = half === undefined ? Number(digits) : hoursOfHalf(Number(digits), half);
  return hours === null || hours > 23 ? null : hours * 60 + Number(minutes);
}

/** Returns the hours after midnight for `12 am` to `11 pm`; null for an hour outside 1 to 12. */
function hoursOfHalf(hours: number, half: string): number | null {
  if (hours < 1 || hours > 12) return null;
  return (hours % 12) + (half === 'p' ? 12 : 0);
}

/**
 * Formats a time of day as `07:30`.
 *
 * @param minutes after midnight
 */
export function clockWords(minutes: number): string {
  const parts = [Math.floor(minutes / 60), minutes % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
