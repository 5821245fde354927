import { EXIT_CONFIG } from '../../app/config.ts';
import { secretsOf } from '../../app/secrets.ts';
import { createRedactor } from '../../lib/log/redact.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import { readArguments } from './arguments.ts';
import { type CopyDeps, copyStore } from './copy.ts';
import { runQuarantine } from './quarantine.ts';
import { report } from './report.ts';

export interface RunDeps extends Omit<CopyDeps, 'onWarning'> {
  /** Where `env:NAME` looks. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what was done, or the help. */
  readonly print: (text: string) => void;
  /** Takes faults and warnings. */
  readonly complain: (text: string) => void;
}

/** Does what stands behind `npm run store --`. @returns the exit code */
export async function run(args: readonly string[], deps: RunDeps): Promise<number> {
  const [verb, ...words] = args;
  if (verb === 'quarantine') return runQuarantine(words, deps);
  const read = readArguments(args, deps.environment);
  if ('exitCode' in read) {
    (read.exitCode === 0 ? deps.print : deps.complain)(read.text);
    return read.exitCode;
  }
  const { request } = read;
  const redact = createRedactor([request.from, request.to].flatMap((url) => secretsOf({ STORE_URL: url })));
  const complain = (text: string) => deps.complain(redact(text));
  try {
    deps.print(redact(report(await copyStore(request, { ...deps, onWarning: complain }))));
    return 0;
  } catch (error) {
    complain(error instanceof StoreError ? error.message : String(error instanceof Error ? error.stack : error));
    return error instanceof StoreUnfit ? EXIT_CONFIG : 1;
  }
}
