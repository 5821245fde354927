const RELATIVE_STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

/** The language and current time (epoch milliseconds) of the person who sees a time. */
export interface Reader {
  readonly locale: string;
  readonly nowMs: number;
}

/** Returns the text for Discord's `<t:SECONDS:STYLE>`. */
export function stampText(
  seconds: number,
  style: string | undefined,
  { locale, nowMs }: Reader,
): string {
  if (style === 'R') return relativeText(seconds - nowMs / 1000, locale);
  return new Intl.DateTimeFormat(locale, STYLES[style ?? 'f'] ?? STYLES['f']).format(
    seconds * 1000,
  );
}

/** Returns a text such as `5 seconds ago` or `in 2 hours`. */
function relativeText(distance: number, locale: string): string {
  const [unit, length] =
    RELATIVE_STEPS.find(([, step]) => Math.abs(distance) >= step) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(locale).format(Math.trunc(distance / length), unit);
}

/**
 * Returns a time in the format next to an author's name: `5:04 PM`, `Yesterday at 5:04 PM`,
 * `11/21/26, 5:04 PM`.
 */
export function messageTime(atMs: number, reader: Reader): string {
  return daysBetween(atMs, reader.nowMs) === 0
    ? timeOfDay(atMs, reader.locale)
    : calendarTime(atMs, reader);
}

/**
 * Returns a time in the format of an embed's footer: `Today at 5:04 PM`, or otherwise like
 * `messageTime`.
 */
export function calendarTime(atMs: number, { locale, nowMs }: Reader): string {
  const days = daysBetween(atMs, nowMs);
  if (days > 1) {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }).format(atMs);
  }
  const day = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
  const between = locale.startsWith('en') ? ' at ' : ' ';
  return `${day.charAt(0).toLocaleUpperCase(locale)}${day.slice(1)}${between}${timeOfDay(atMs, locale)}`;
}

function timeOfDay(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(atMs);
}

/** Returns 0 for today or later, 1 for yesterday, 2 for earlier days. */
function daysBetween(atMs: number, nowMs: number): number {
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= midnight) return 0;
  return atMs >= new Date(midnight).setDate(new Date(midnight).getDate() - 1) ? 1 : 2;
}
