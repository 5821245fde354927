import type { Language } from '../language/language.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
/** 5 January 1970 was a Monday. */
const FIRST_MONDAY = 4 * DAY;
const STEPS = [
  ...[1, 2, 5, 15, 30],
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 7, 14].map((days) => days * DAY),
];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000, 24_000];

/** Times that fit below a chart. */
const MOST = 3;

/** A tick of the axis: Unix seconds, and its label. */
export interface TimeTick {
  readonly seconds: number;
  readonly label: string;
}

/**
 * Round times of UTC inside a range: full minutes, hours, days, Mondays or first days of a month. Midnight is named by
 * its day.
 *
 * @param from Unix seconds
 * @param to Unix seconds, after `from`
 * @returns one to three: more do not fit on a phone
 */
export function timeTicks(from: number, to: number, language: Language): TimeTick[] {
  const span = to - from;
  const step = STEPS.find((seconds) => span / seconds < MOST);
  if (step === undefined) return monthTicks(from, to, language);
  const offset = step % (7 * DAY) === 0 ? FIRST_MONDAY : 0;
  const first = Math.ceil((from - offset) / step) * step + offset;
  const dates = datesOf(language);
  const clockLabel = (date: Date) => date.toISOString().slice(11, step < MINUTE ? 19 : 16);
  const ticks: TimeTick[] = [];
  for (let seconds = first; seconds <= to; seconds += step) {
    const date = new Date(seconds * 1000);
    ticks.push({ seconds, label: seconds % DAY === 0 ? dates.day(date) : clockLabel(date) });
  }
  return ticks;
}

function monthTicks(from: number, to: number, language: Language): TimeTick[] {
  const dates = datesOf(language);
  const months = (seconds: number) => {
    const date = new Date(seconds * 1000);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  const span = months(to) - months(from);
  const step = MONTH_STEPS.find((count) => span / count < MOST) ?? 24_000;
  const ticks: TimeTick[] = [];
  for (let month = Math.ceil(months(from) / step) * step; ; month += step) {
    const seconds = Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000;
    if (!(seconds <= to)) return ticks;
    const year = Math.floor(month / 12);
    if (seconds >= from) {
      ticks.push({ seconds, label: step % 12 === 0 ? String(year) : dates.month(new Date(seconds * 1000)) });
    }
  }
}

/** How days and months of UTC are written: `21 Nov`, `Nov 2026`, `21 Nov 2026`. */
function datesOf({ tag, texts }: Language) {
  const months = new Intl.DateTimeFormat(tag, { month: 'short', timeZone: 'UTC' });
  const { chart } = texts.digest;
  const day = (date: Date) => String(date.getUTCDate());
  const month = (date: Date) => months.format(date);
  const year = (date: Date) => String(date.getUTCFullYear());
  return {
    day: (date: Date) => chart.day(day(date), month(date)),
    month: (date: Date) => chart.month(month(date), year(date)),
    date: (date: Date) => chart.date(day(date), month(date), year(date)),
  };
}

/** A range as text, in UTC: `20 Nov 10:05 – 21 Nov 2026 18:00 UTC`. Over more than ten days without the times of day. */
export function rangeLabel(from: number, to: number, language: Language): string {
  const [start, end] = [new Date(from * 1000), new Date(to * 1000)];
  const dates = datesOf(language);
  const clock = (date: Date) => date.toISOString().slice(11, 16);
  const isSameYear = start.getUTCFullYear() === end.getUTCFullYear();
  const startDay = isSameYear ? dates.day(start) : dates.date(start);
  const endDay = dates.date(end);
  if (to - from > 10 * DAY) return `${startDay} – ${endDay} UTC`;
  if (dates.date(start) === endDay) {
    const begin = clock(start) === clock(end) ? '' : `${clock(start)} – `;
    return `${endDay} ${begin}${clock(end)} UTC`;
  }
  return `${startDay} ${clock(start)} – ${endDay} ${clock(end)} UTC`;
}
