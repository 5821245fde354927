import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { OperatorError } from './error.ts';
import { takeSecretFiles } from './secret-files.ts';

/** Wrong use (EX_USAGE of sysexits.h). */
export const EXIT_USAGE = 64;

/**
 * Exit code and text with which a program ends: what it has done, its help, or why it could not.
 */
export interface CommandLineEnd {
  readonly exitCode: number;
  readonly text: string;
}

/** End of a program that is called wrongly: says why, and how it is called. */
export function wrongUse(reason: string, usage: string): CommandLineEnd {
  return { exitCode: EXIT_USAGE, text: `${reason}\n${usage}` };
}

/** End of a program that has failed; an error that nobody has foreseen is shown with its stack. */
export function failed(error: unknown): CommandLineEnd {
  if (error instanceof OperatorError) return { exitCode: error.exitCode, text: error.message };
  return { exitCode: 1, text: String(error instanceof Error ? error.stack : error) };
}

/**
 * Makes what the process stores readable for its user alone, and loads `.env` and the files that
 * variables name.
 */
export function setUpProcess(): void {
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile('.env');
  takeSecretFiles(process.env);
}

/**
 * The words and options behind the name of a program; `--help` is always one.
 *
 * @param usage how it is called, said when help is asked for or the words are wrong
 * @param least how many words it takes at least; `most`: at the most
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
    // An address may hold a password.
    if (surplus?.includes(':')) return wrong('There is a word too many.');
    if (surplus !== undefined) return wrong(`"${surplus}" is not taken here.`);
    return texts.length < least ? wrong('A word is missing.') : { texts, values };
  } catch (error) {
    return wrong(`${optionFault(error)}.`);
  }
}

/**
 * Prints why a program ends, where a reader looks for it: help on standard output, faults on
 * standard error.
 */
export function printEnd({ exitCode, text }: CommandLineEnd): number {
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return exitCode;
}

/** Says what Node's `parseArgs` objects to, in a few words without a full stop. */
export function optionFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node explains this one over three lines, with a "-XYZ".
  const [, option] =
    /^Option '(--?[\w-]+)(?![\w-])[^']*' argument is ambiguous/.exec(error.message) ?? [];
  if (option !== undefined) return `The value of ${option} is missing, or begins with a hyphen`;
  return (error.message.split(/\. |\n/)[0] ?? '').replace(/\.$/, '');
}
