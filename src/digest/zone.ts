const UTC = 'UTC';

/** A time zone: what its wall clock is ahead of UTC. */
export interface Zone {
  /** Milliseconds at an instant, epoch milliseconds. */
  offsetMs(atMs: number): number;
}

/** @throws RangeError for a zone that this Node does not know */
export function createZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return {
    offsetMs(atMs) {
      const wholeMs = Math.floor(atMs / 1000) * 1000;
      const parts = new Map(format.formatToParts(wholeMs).map(({ type, value }) => [type, Number(value)]));
      const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
      const day = [part('year'), part('month') - 1, part('day')] as const;
      return Date.UTC(...day, part('hour'), part('minute'), part('second')) - wholeMs;
    },
  };
}

/** The zone's name as it is written, whatever the case that it was typed in; null if there is no such zone. */
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
  return [UTC, ...Intl.supportedValuesOf('timeZone').filter((name) => name !== UTC)];
}
