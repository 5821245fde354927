const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
/** 5 January 1970 was a Monday. */
const FIRST_MONDAY = 4 * DAY;
const STEPS = [
  1,
  5,
  15,
  30,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
].concat([1, 2, 7, 14].map((days) => days * DAY));
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

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
 */
export function timeTicks(from: number, to: number, most = 6): TimeTick[] {
  const span = to - from;
  const step = STEPS.find((seconds) => span / seconds <= most);
  if (step === undefined) return monthTicks(from, to, most);
  const offset = step % (7 * DAY) === 0 ? FIRST_MONDAY : 0;
  const first = Math.ceil((from - offset) / step) * step + offset;
  const ticks: TimeTick[] = [];
  for (let seconds = first; seconds <= to; seconds += step) ticks.push({ seconds, label: clockLabel(seconds, step) });
  return ticks;
}

function clockLabel(seconds: number, step: number): string {
  const date = new Date(seconds * 1000);
  if (seconds % DAY === 0) return dayLabel(date);
  return date.toISOString().slice(11, step < MINUTE ? 19 : 16);
}

function monthTicks(from: number, to: number, most: number): TimeTick[] {
  const months = (seconds: number) => {
    const date = new Date(seconds * 1000);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  const span = months(to) - months(from);
  const step = MONTH_STEPS.find((count) => span / count <= most) ?? 12_000;
  const ticks: TimeTick[] = [];
  for (let month = Math.ceil(months(from) / step) * step; ; month += step) {
    const seconds = Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000;
    if (!(seconds <= to)) return ticks;
    const year = Math.floor(month / 12);
    if (seconds >= from) {
      ticks.push({ seconds, label: step % 12 === 0 ? String(year) : `${MONTHS[month % 12]} ${year}` });
    }
  }
}

/** `21 Nov`. */
function dayLabel(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** A range in words: `20 Nov 10:05 – 21 Nov 2026 18:00 UTC`. Over more than ten days without the times of day. */
export function rangeLabel(from: number, to: number): string {
  const [start, end] = [new Date(from * 1000), new Date(to * 1000)];
  const [startYear, endYear] = [start.getUTCFullYear(), end.getUTCFullYear()];
  const clock = (date: Date) => date.toISOString().slice(11, 16);
  const startDay = startYear === endYear ? dayLabel(start) : `${dayLabel(start)} ${startYear}`;
  const endDay = `${dayLabel(end)} ${endYear}`;
  if (to - from > 10 * DAY) return `${startDay} – ${endDay} UTC`;
  if (`${startDay} ${endYear}` === endDay) {
    const begin = clock(start) === clock(end) ? '' : `${clock(start)} – `;
    return `${endDay} ${begin}${clock(end)} UTC`;
  }
  return `${startDay} ${clock(start)} – ${endDay} ${clock(end)} UTC`;
}
