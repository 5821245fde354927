import { createProgress } from '../../src/lib/progress.ts';
import { quantile } from '../../src/lib/quantile.ts';

/** Progress line of a running bench, on a terminal. */
export const progress = createProgress(process.stderr);

/** Prints a result as a line of JSON, with numbers rounded to three decimals. */
export function print(result: object): void {
  const rounded = (_name: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
  progress.clear();
  console.log(JSON.stringify(result, rounded));
}

/** Returns the mean; 0 for no values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Returns a function that computes quantiles of the values (`src/lib/quantile.ts`). */
export function quantiles(values: readonly number[]): (share: number) => number {
  const sorted = Float64Array.from(values).sort();
  return (share) => quantile(sorted, share);
}
