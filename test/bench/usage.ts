import { parseArgs } from 'node:util';

/** Invalid options of a bench. The message explains what is wrong and how to write them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const COUNT = {
  texts: 'a whole number of at least 0',
  fits: (value: number) => Number.isSafeInteger(value) && value >= 0,
};
const SECONDS = {
  texts: 'a number above 0',
  fits: (value: number) => Number.isFinite(value) && value > 0,
};
/** Placeholders for numbers in the usage of a bench, with the accepted values. */
const NUMBERS: Readonly<Record<string, typeof COUNT>> = {
  COUNT,
  SEED: COUNT,
  SECONDS,
  HOURS: SECONDS,
  MINUTES: SECONDS,
  RATE: SECONDS,
  N: {
    texts: 'a whole number of at least 1',
    fits: (value) => Number.isSafeInteger(value) && value >= 1,
  },
  SHARE: { texts: 'a number from 0 to 1', fits: (value) => value >= 0 && value <= 1 },
};

/**
 * Checks the numbers among the options of a bench before anything starts.
 *
 * @param usage such as `[--kills COUNT] [--seconds SECONDS]`; see `NUMBERS`
 * @throws UsageError that names the option and what is accepted
 */
export function checkNumbers(args: readonly string[], usage: string): void {
  for (const [, name = '', kind = ''] of usage.matchAll(/--([\w-]+) ([A-Z]+)\b/g)) {
    const number = NUMBERS[kind];
    const at = args.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    if (number === undefined || at === -1) continue;
    const text = args[at]?.startsWith(`--${name}=`)
      ? args[at].slice(name.length + 3)
      : (args[at + 1] ?? '');
    if (text.trim() === '' || !number.fits(Number(text))) {
      throw new UsageError(`Expected --${name} to be ${number.texts}, got "${text}"`);
    }
  }
}

type Value = number | string | boolean;

/**
 * Returns the typed options, or these defaults. If a default is a number, so is the option;
 * `checkNumbers` has validated it before.
 */
export function readOptions<Defaults extends Readonly<Record<string, Value>>>(
  args: string[],
  defaults: Defaults,
) {
  const options = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type }];
  });
  const values: Readonly<Record<string, unknown>> = parseArgs({
    args,
    options: Object.fromEntries(options),
  }).values;
  const read = Object.entries(defaults).map(([name, value]) => {
    const typed = values[name] ?? value;
    return [name, typeof value === 'number' ? Number(typed) : typed];
  });
  return Object.fromEntries(read) as {
    [Name in keyof Defaults]: Defaults[Name] extends number
      ? number
      : Defaults[Name] extends string
        ? string
        : boolean;
  };
}

/**
 * Adds the default value to each option in a usage text, at its first occurrence: `[--seed SEED
 * (1)]`.
 */
export function withDefaults(
  usage: string,
  defaults: Readonly<Record<string, Value>> = {},
): string {
  return Object.entries(defaults).reduce((text, [name, value]) => {
    if (typeof value === 'boolean' || value === '') return text;
    return text.replace(new RegExp(`--${name} [^\\]\\s]+`), (option) => `${option} (${value})`);
  }, usage);
}

/** Whether an error is about the typed options: a UsageError, or an error of `parseArgs`. */
export function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return (
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  );
}
