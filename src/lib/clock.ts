/** Minutes after midnight of `18:00`, `9:30` or `18`; null for anything else. */
export function readClock(text: string): number | null {
  const [, hours, minutes = '00'] = /^\s*(\d{1,2})(?::(\d{2}))?\s*$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return Number(hours) * 60 + Number(minutes);
}

/** A time of day as `07:30`. @param minutes after midnight */
export function clockWords(minutes: number): string {
  const parts = [Math.floor(minutes / 60), minutes % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
