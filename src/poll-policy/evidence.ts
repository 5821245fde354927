import { createForecast, type Forecast } from './forecast.ts';
import type { Learned } from './types.ts';

/** Sorted, and moved between the two times: an item may be listed late, and the venue's clock may be off. */
export function ascending(times: readonly number[], fromSeconds: number, toSeconds: number): readonly number[] {
  if (times.length === 0) return times;
  return times
    .filter(Number.isFinite)
    .map((time) => Math.min(toSeconds, Math.max(fromSeconds, time)))
    .sort((a, b) => a - b);
}

/** Six digits are more than the estimates are worth; the time of the last poll is kept to the millisecond. */
export function writeLearned(seenSeconds: number, forecast: Forecast): Learned {
  const { credits, watchedSeconds, peakRate, isSilent, features } = forecast;
  const figures = [credits, watchedSeconds, peakRate, isSilent ? 1 : 0, ...features.slice(1)];
  return [Math.round(seenSeconds * 1000) / 1000, ...figures.map(sixDigits)];
}

/** Reads what `writeLearned` wrote; null for anything else, such as an empty list or another version's. */
export function readLearned(
  learned: Learned | undefined,
): { readonly seenSeconds: number; readonly forecast: Forecast } | null {
  const forecast = createForecast();
  if (learned?.length !== 4 + forecast.features.length || !learned.every(isFigure)) return null;
  const [seenSeconds = 0, credits = 0, watchedSeconds = 0, peakRate = 0, isSilent = 1, ...counts] = learned;
  const features = [0, ...counts];
  return {
    seenSeconds,
    forecast: { ...forecast, credits, watchedSeconds, peakRate, isSilent: isSilent === 1, features },
  };
}

/** A list of figures in a stored document; empty if it is anything else. */
export function readFigures(list: unknown): readonly number[] {
  return Array.isArray(list) && list.every(isFigure) ? list : [];
}

export function sixDigits(figure: number): number {
  return Number(figure.toPrecision(6));
}

function isFigure(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
