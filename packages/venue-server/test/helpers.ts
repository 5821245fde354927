import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Whether everything runs, as in CI. Otherwise an eighth of the random cases run, and one variant
 * of each scenario.
 */
const IS_THOROUGH = process.env['WALLETBELL_TEST_ALL'] === 'true';

/** Options for fast-check. */
export function randomRuns(count: number): { readonly numRuns: number } {
  return { numRuns: IS_THOROUGH ? count : Math.ceil(count / 8) };
}

/** Returns all variants of a scenario, or only the necessary ones. */
export function variants<Variant>(
  all: readonly Variant[],
  isNeeded: (variant: Variant) => boolean,
): Variant[] {
  return all.filter((variant) => IS_THOROUGH || isNeeded(variant));
}

/** Creates a folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'venue-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a program until the test ends, in a folder of its own, with only PATH and the given
 * environment.
 */
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
