/** Options that a bench cannot understand: the person who typed them is told, and how they are written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What stands for a number in the usage of a bench, and what it may be. */
const NUMBERS: Readonly<Record<string, { readonly texts: string; readonly fits: (value: number) => boolean }>> = {
  N: { texts: 'a whole number of at least 1', fits: (value) => Number.isSafeInteger(value) && value >= 1 },
  COUNT: { texts: 'a whole number of at least 0', fits: (value) => Number.isSafeInteger(value) && value >= 0 },
  SEED: { texts: 'a whole number of at least 0', fits: (value) => Number.isSafeInteger(value) && value >= 0 },
  SECONDS: { texts: 'a number above 0', fits: (value) => Number.isFinite(value) && value > 0 },
  HOURS: { texts: 'a number above 0', fits: (value) => Number.isFinite(value) && value > 0 },
  SHARE: { texts: 'a number from 0 to 1', fits: (value) => value >= 0 && value <= 1 },
  MINUTES: { texts: 'a number above 0', fits: (value) => Number.isFinite(value) && value > 0 },
};

/**
 * Checks the numbers among the options of a bench before anything is begun.
 *
 * @param usage such as `[--kills COUNT] [--seconds SECONDS]`; see `NUMBERS`
 * @throws UsageError that names the option and what is accepted
 */
export function checkNumbers(args: readonly string[], usage: string): void {
  for (const [, name = '', kind = ''] of usage.matchAll(/--([\w-]+) ([A-Z]+)\b/g)) {
    const number = NUMBERS[kind];
    const at = args.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    if (number === undefined || at === -1) continue;
    const text = args[at]?.startsWith(`--${name}=`) ? args[at].slice(name.length + 3) : (args[at + 1] ?? '');
    if (text.trim() === '' || !number.fits(Number(text))) {
      throw new UsageError(`Expected --${name} to be ${number.texts}, got "${text}"`);
    }
  }
}

/** Whether an error is about what was typed: ours, or that of `parseArgs`. */
export function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('ERR_PARSE_ARGS_')
  );
}
