import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temp.ts';

/**
 * Runs a program in its own process until it ends, with only PATH and the given environment.
 *
 * @param args the program's file, then its arguments
 */
export async function runProgram(
  args: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode: child.exitCode, signal: child.signalCode, output, errors };
}

/** The tool that gives a program a terminal (Debian: `apt-get install bsdutils`). */
const SCRIPT = '/usr/bin/script';
export const hasScript = process.env['CI'] === 'true' || existsSync(SCRIPT);

/**
 * Runs a program on a terminal until it ends, like `runProgram`.
 *
 * @returns everything written to the terminal
 */
export async function runTerminal(
  args: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const quoted = [process.execPath, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const child = spawn(SCRIPT, ['--quiet', '--return', '--command', quoted.join(' '), '/dev/null'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const [shown] = await Promise.all([text(child.stdout), closed]);
  return shown;
}

/** Starts one of the shipped programs until the test ends, in its own folder and environment. */
export function startProgram(
  main: string,
  args: readonly string[],
  environment: Record<string, string> = {},
) {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);

  /**
   * Resolves with the first match in complete lines of output, including earlier ones.
   *
   * @throws Error if the program ends without a match
   */
  const said = async (
    pattern: RegExp,
    name: keyof typeof output = 'stdout',
  ): Promise<RegExpExecArray> => {
    for (;;) {
      const lines = output[name].slice(0, output[name].lastIndexOf('\n') + 1);
      const match = pattern.exec(lines);
      if (match !== null) return match;
      const hasEnded = await Promise.race([
        once(child[name], 'data').then(() => false),
        ended.then(() => true),
      ]);
      if (hasEnded)
        throw new Error(`It has ended before it said ${pattern}: ${output.stdout}${output.stderr}`);
    }
  };

  return { child, output, said, ended };
}
