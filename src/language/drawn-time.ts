/**
 * Returns a time in Discord's markup, which shows it in the reader's own time zone.
 *
 * @param atMs epoch ms
 * @param style Discord's letter: `t` the time of day, `f` date and time
 */
export function drawnTime(atMs: number, style: 't' | 'f'): string {
  return `<t:${Math.floor(atMs / 1000)}:${style}>`;
}

/** Replaces the times in Discord's markup by ISO 8601 in UTC, for a log or a monitor. */
export function withWrittenTimes(text: string): string {
  return text.replace(/<t:(\d{1,12}):\w>/g, (_drawn, seconds: string) =>
    new Date(Number(seconds) * 1000).toISOString(),
  );
}
