import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { OperatorError } from './error.ts';
import { takeSecretFiles } from './secret-files.ts';

/** Exit code for wrong usage (EX_USAGE of sysexits.h). */
export const EXIT_USAGE = 64;

/** Exit code and final text of a program: its result, its help, or why it failed. */
export interface CommandLineEnd {
  readonly exitCode: number;
  readonly text: string;
}

/** Ends a program that was called wrongly, with the reason and its usage. */
export function wrongUse(reason: string, usage: string): CommandLineEnd {
  return { exitCode: EXIT_USAGE, text: `${reason}\n${usage}` };
}

/** Ends a program that has failed. Unexpected errors are shown with their stack. */
export function failed(error: unknown): CommandLineEnd {
  if (error instanceof OperatorError) return { exitCode: error.exitCode, text: error.message };
  return { exitCode: 1, text: String(error instanceof Error ? error.stack : error) };
}

/**
 * Makes files that the process creates readable only for its user, and loads `.env` and the files
 * named by variables.
 */
export function setUpProcess(): void {
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile('.env');
  takeSecretFiles(process.env);
}

/**
 * Reads a program's arguments and options; `--help` is always accepted.
 *
 * @param usage shown if help is requested or the arguments are wrong
 * @param least minimum number of arguments; `most`: maximum
 */
export function readWords<
  const Taken extends NonNullable<ParseArgsConfig['options']> = Record<never, never>,
>(
  args: readonly string[],
  usage: string,
  {
    least = 0,
    most = least,
    options,
  }: { readonly least?: number; readonly most?: number; readonly options?: Taken } = {},
) {
  const wrong = (reason: string) => wrongUse(reason, usage);
  try {
    const help = { type: 'boolean', short: 'h' } as const;
    const { values, positionals: texts } = parseArgs({
      args: [...args],
      options: { ...(options as Taken), help },
      allowPositionals: true,
    });
    if ('help' in values) return { exitCode: 0, text: usage };
    const [surplus] = texts.slice(most);
    // Not quoted, because an address may contain a password.
    if (surplus?.includes(':')) return wrong('There is a word too many.');
    if (surplus !== undefined) return wrong(`"${surplus}" is not taken here.`);
    return texts.length < least ? wrong('A word is missing.') : { texts, values };
  } catch (error) {
    return wrong(`${optionFault(error)}.`);
  }
}

/** Prints why a program ends: help to standard output, faults to standard error. */
export function printEnd({ exitCode, text }: CommandLineEnd): number {
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return exitCode;
}

/** Returns the problem that Node's `parseArgs` reports, in a few words without a full stop. */
export function optionFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node explains this one in three lines, with a "-XYZ".
  const [, option] =
    /^Option '(--?[\w-]+)(?![\w-])[^']*' argument is ambiguous/.exec(error.message) ?? [];
  if (option !== undefined) return `The value of ${option} is missing, or begins with a hyphen`;
  return (error.message.split(/\. |\n/)[0] ?? '').replace(/\.$/, '');
}
