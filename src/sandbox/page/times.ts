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

/** Words for Discord's `<t:SECONDS:STYLE>`. */
export function stampText(seconds: number, style: string | undefined, nowMs: number): string {
  if (style === 'R') return relativeText(seconds, nowMs);
  return new Intl.DateTimeFormat('en', STYLES[style ?? 'f'] ?? STYLES['f']).format(seconds * 1000);
}

/** `5 seconds ago`, `in 2 hours`. */
export function relativeText(seconds: number, nowMs: number): string {
  const distance = seconds - nowMs / 1000;
  const [unit, length] = RELATIVE_STEPS.find(([, step]) => Math.abs(distance) >= step) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(distance / length), unit);
}

/** As beside the name of a message's author: `5:04 PM`, `Yesterday at 5:04 PM`, `11/21/26, 5:04 PM`. */
export function messageTime(atMs: number, nowMs: number): string {
  return calendarTime(atMs, nowMs).replace(/^Today at /, '');
}

/** As in the footer of an embed: `Today at 5:04 PM`, else as `messageTime`. */
export function calendarTime(atMs: number, nowMs: number): string {
  const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(atMs);
  const dayOf = (ms: number) => new Date(ms).toDateString();
  if (dayOf(atMs) === dayOf(nowMs)) return `Today at ${time}`;
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  if (dayOf(atMs) === yesterday.toDateString()) return `Yesterday at ${time}`;
  return new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'short' }).format(atMs);
}
