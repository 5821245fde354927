/**
 * A time as Discord draws it, in the reader's own time zone.
 *
 * @param atMs epoch ms
 * @param style Discord's letter: `t` the clock, `f` date and clock
 */
export function drawnTime(atMs: number, style: 't' | 'f'): string {
  return `<t:${Math.floor(atMs / 1000)}:${style}>`;
}

/** A text for a log or a monitor: times that Discord would draw are written in ISO 8601, UTC. */
export function withWrittenTimes(text: string): string {
  return text.replace(/<t:(\d{1,12}):\w>/g, (_drawn, seconds: string) =>
    new Date(Number(seconds) * 1000).toISOString(),
  );
}
