import { HOUR_SECONDS } from './time.ts';

export type Zone = ReturnType<typeof createZone>;

/**
 * A time zone.
 *
 * @throws RangeError for one that this Node does not know
 */
export function createZone(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return {
    /**
     * Offset of its wall clock at an instant, ms ahead of UTC.
     *
     * @param atMs epoch milliseconds
     */
    offsetMs(atMs: number): number {
      // Such as "11/20/2026, GMT-03:30"; zero is "GMT" alone, and times long ago have seconds.
      const [, sign, ...parts] =
        /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(format.format(atMs)) ?? [];
      const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
      return (sign === '-' ? -1_000 : 1_000) * (hours * HOUR_SECONDS + minutes * 60 + seconds);
    },
  };
}

/** Makes zones by their names, each once. */
export function createZones() {
  const zones = new Map<string, Zone>();
  return (timeZone: string): Zone => {
    const zone = zones.get(timeZone) ?? createZone(timeZone);
    zones.set(timeZone, zone);
    return zone;
  };
}

/**
 * The zone's name as it is written, whatever the case that it was typed in; null if there is no
 * such zone.
 */
export function readTimeZone(text: string): string | null {
  const name = text.trim();
  // Newer versions of Node take bare offsets too, older ones refuse a store that holds them.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
  } catch {
    return null;
  }
  return timeZones().find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
}

/** The names of all zones, UTC first. */
export function timeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}
