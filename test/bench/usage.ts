import { parseArgs } from 'node:util';

/** Invalid options of a bench. The message explains what is wrong and how to write them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Value = number | string | boolean;

/**
 * Returns the typed options, or these defaults. If a default is a number, so is the option.
 *
 * @throws UsageError for a text that is no number of at least 0
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
    return [name, typeof value === 'number' ? readNumber(name, String(typed)) : typed];
  });
  return Object.fromEntries(read) as {
    [Name in keyof Defaults]: Defaults[Name] extends number
      ? number
      : Defaults[Name] extends string
        ? string
        : boolean;
  };
}

function readNumber(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number;
  throw new UsageError(`Expected --${name} to be a number of at least 0, got "${text}"`);
}

/** Returns the options of a bench with their defaults: `[--runs 5] [--bare]`. */
export function describeOptions(defaults: Readonly<Record<string, Value>> = {}): string {
  const options = Object.entries(defaults).map(([name, value]) =>
    typeof value === 'boolean' ? `[--${name}]` : `[--${name} ${value || '…'}]`,
  );
  return options.join(' ');
}

/** Whether an error is about the typed options: a UsageError, or an error of `parseArgs`. */
export function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return (
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  );
}
