import { HOUR_SECONDS } from './time.ts';

export type Zone = ReturnType<typeof createZone>;

/**
 * Creates a time zone.
 *
 * @throws RangeError if this version of Node does not know it
 */
export function createZone(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return {
    /**
     * Returns the offset of its local time from UTC at an instant, in ms.
     *
     * @param atMs epoch milliseconds
     */
    offsetMs(atMs: number): number {
      // Such as "11/20/2026, GMT-03:30". Zero is just "GMT", and old dates have seconds.
      const [, sign, ...parts] =
        /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(format.format(atMs)) ?? [];
      const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
      return (sign === '-' ? -1_000 : 1_000) * (hours * HOUR_SECONDS + minutes * 60 + seconds);
    },
  };
}

/** Creates time zones by name and caches them. */
export function createZones() {
  const zones = new Map<string, Zone>();
  return (timeZone: string): Zone => {
    const zone = zones.get(timeZone) ?? createZone(timeZone);
    zones.set(timeZone, zone);
    return zone;
  };
}

/**
 * Returns the zone's name in its official spelling, whatever the case typed; null if there is no
 * such zone.
 */
export function readTimeZone(text: string): string | null {
  const name = text.trim();
  // Newer versions of Node accept bare offsets too, but older ones would reject a store that
  // contains them.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
  } catch {
    return null;
  }
  return timeZones().find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
}

/** Returns the names of all zones, UTC first. */
export function timeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}
