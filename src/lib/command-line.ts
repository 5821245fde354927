import { parseArgs } from 'node:util';

/** Wrong use (EX_USAGE of sysexits.h). */
export const EXIT_USAGE = 64;

/** What was typed behind a program's name is not what it takes, or asks for help: it ends with this text. */
export interface CommandLineEnd {
  readonly exitCode: number;
  readonly text: string;
}

/**
 * The words behind the name of a program that takes no options but `--help`.
 *
 * @param usage how it is called, said when help is asked for or the words are wrong
 * @param wordCount how many words it takes
 */
export function readWords(
  args: readonly string[],
  usage: string,
  wordCount = 0,
): { readonly texts: readonly string[] } | CommandLineEnd {
  const wrong = (reason: string) => ({ exitCode: EXIT_USAGE, text: `${reason}\n${usage}` });
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (values.help === true) return { exitCode: 0, text: usage };
    const [surplus] = positionals.slice(wordCount);
    if (surplus !== undefined) return wrong(`"${surplus}" is not taken here.`);
    if (positionals.length < wordCount) return wrong('A word is missing.');
    return { texts: positionals };
  } catch (error) {
    return wrong(`${optionFault(error)}.`);
  }
}

/** Prints why a program ends, where a reader looks for it: help on standard output, faults on standard error. */
export function printEnd({ exitCode, text }: CommandLineEnd): number {
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return exitCode;
}

/** What Node's `parseArgs` objects to, in a few words without a full stop. */
export function optionFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node explains this one over three lines, with a "-XYZ".
  const [, option] = /^Option '(--?[\w-]+)(?![\w-])[^']*' argument is ambiguous/.exec(error.message) ?? [];
  if (option !== undefined) return `The value of ${option} is missing, or begins with a hyphen`;
  return (error.message.split(/\. |\n/)[0] ?? '').replace(/\.$/, '');
}
