import type { Language } from '../language/language.ts';

export const MINUS = '−';
/**
 * Amount from which the language's abbreviations for thousands and more are used, if it has any.
 */
const COMPACT_FROM = 1e4;
/** Minimum range of an axis, in USDC. */
const LEAST_SPAN = 0.01;
/**
 * Steps, multiplied by a power of ten. They are binary fractions, so that their multiples are
 * exact.
 */
const FACTORS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
const MINUTE = 60;
const HOUR = 3_600;
export const DAY = 86_400;
/** 5 January 1970 was a Monday. */
export const FIRST_MONDAY = 4 * DAY;
const STEPS = [
  ...[1, 2, 5, 15, 30],
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 7, 14].map((days) => days * DAY),
];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000, 24_000];

/** Maximum number of times below a chart. */
const MOST = 3;

export type MoneyTick = ReturnType<typeof moneyTicks>[number];

/** Returns round USDC values that enclose a range, see `roundValues`, with their labels. */
export function moneyTicks(low: number, high: number, language: Language) {
  const { values } = roundValues(low, high);
  const isCompact = Math.max(...values.map(Math.abs)) >= COMPACT_FROM;
  const { format } = new Intl.NumberFormat(language.tag, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumSignificantDigits: 3,
    notation: isCompact ? 'compact' : 'standard',
    useGrouping: 'always',
  });
  return values.map((value) => {
    const label = format(Math.abs(value));
    return { value, label: value < 0 ? MINUS + label : label };
  });
}

/**
 * Returns three round values that enclose a range, in ascending order; more do not fit on a phone.
 * Zero is always one of them, because amounts are compared by length. It is an end, or lies between
 * ends that may be twice as far from it on one side.
 *
 * @param low finite
 * @param high finite, not below `low`
 * @returns `exponent`: power of ten of the values' last digit
 */
export function roundValues(low: number, high: number) {
  const least = Math.max(0, -low);
  const most = Math.max(0, high);
  const span = least + most === 0 ? 1 : Math.max(LEAST_SPAN, least + most);
  const base = Math.floor(Math.log10(span)) - 1;
  const isBoth = least > 0 && most > 0;
  const stepsMost = isBoth ? 3 : 2;
  const scales = [base, base + 1].flatMap((power) =>
    FACTORS.map((factor) => {
      const step = scaled(factor, power);
      const below = Math.ceil(least / step);
      const above = Math.ceil(most / step);
      const drawn = isBoth ? below + above : 2;
      return { factor, power, below, above, length: drawn * step };
    }),
  );
  const fitting = scales.filter(({ below, above }) => below + above <= stepsMost);
  const shorter = (one: (typeof fitting)[number], other: (typeof fitting)[number]) =>
    other.length < one.length ? other : one;
  const { factor, power, below, above } = fitting.reduce(shorter);
  let steps = [0, 1, 2];
  if (isBoth) steps = [-below, 0, above];
  else if (least > 0) steps = [-2, -1, 0];
  return {
    values: steps.map((count) => scaled(count * factor, power)),
    exponent: Number.isInteger(factor) ? power : power - 1,
  };
}

/**
 * Returns a figure times a power of ten, read from decimal digits, so that no tick is
 * 0.30000000000000004.
 */
function scaled(figure: number, power: number): number {
  return Number(`${figure}e${power}`);
}

export interface TimeTick {
  readonly seconds: number;
  readonly label: string;
}

/**
 * Returns round UTC times within a range (Unix seconds): full minutes, hours, days, Mondays or
 * first days of a month; midnight is labeled with its day. One to three, because more do not fit on
 * a phone.
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
    const isMidnight = seconds % DAY === 0;
    ticks.push({ seconds, label: isMidnight ? dates.day(date) : clockLabel(date) });
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
    const date = new Date(Date.UTC(Math.floor(month / 12), month % 12));
    const seconds = date.getTime() / 1000;
    if (!(seconds <= to)) return ticks;
    const label = step % 12 === 0 ? String(date.getUTCFullYear()) : dates.month(date);
    if (seconds >= from) ticks.push({ seconds, label });
  }
}

/** Returns formatters for days and months in UTC: `21 Nov`, `Nov 2026`, `21 Nov 2026`. */
function datesOf({ tag, texts }: Language) {
  const { format: month } = new Intl.DateTimeFormat(tag, { month: 'short', timeZone: 'UTC' });
  const { chart } = texts.digest;
  const dayOf = (date: Date) => String(date.getUTCDate());
  const yearOf = (date: Date) => String(date.getUTCFullYear());
  return {
    day: (date: Date) => chart.day(dayOf(date), month(date)),
    month: (date: Date) => chart.month(month(date), yearOf(date)),
    date: (date: Date) => chart.date(dayOf(date), month(date), yearOf(date)),
  };
}

/** Formats a range of days: `20 Nov – 21 Nov 2026`, `21 Nov 2026`. Unix seconds. */
export function rangeLabel(from: number, to: number, language: Language): string {
  const start = new Date(from * 1000);
  const end = new Date(to * 1000);
  const dates = datesOf(language);
  const isSameYear = start.getUTCFullYear() === end.getUTCFullYear();
  const startDay = isSameYear ? dates.day(start) : dates.date(start);
  const endDay = dates.date(end);
  return dates.date(start) === endDay ? endDay : `${startDay} – ${endDay}`;
}

/**
 * Returns round durations before the end of a range (Unix seconds), `−10 min`, which are the same
 * for readers in every time zone. One to three.
 */
export function backTicks(from: number, to: number, { texts }: Language): TimeTick[] {
  const { format } = texts;
  const span = to - from;
  const step = STEPS.find((seconds) => span / seconds < MOST + 1) ?? STEPS.at(-1) ?? DAY;
  const units = [
    [DAY, format.day],
    [HOUR, format.hour],
    [MINUTE, format.minute],
    [1, format.second],
  ] as const;
  const [unit, name] = units.find(([seconds]) => step % seconds === 0) ?? units[3];
  const ticks: TimeTick[] = [];
  for (let back = step; back <= span && ticks.length < MOST; back += step) {
    const label = `${MINUS}${back / unit}${format.unitGap}${name}`;
    ticks.unshift({ seconds: to - back, label });
  }
  return ticks;
}
