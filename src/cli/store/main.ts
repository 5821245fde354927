import { existsSync } from 'node:fs';
import { EXIT_CONFIG } from '../../app/config.ts';
import { secretsOf } from '../../app/secrets.ts';
import { printEnd } from '../../lib/command-line.ts';
import { readFailpoint } from '../../lib/failpoints.ts';
import { createRedactor } from '../../lib/redact.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import { readArguments } from './arguments.ts';
import { copyStore } from './copy.ts';
import { report } from './report.ts';

/** For tests alone: ends the process in the middle of its work. */
const KILL_SWITCH = 'WALLETBELL_TEST_KILL_AT';

/** `npm run store -- copy FROM TO …`: copies a store into an empty one. */
async function main(args: readonly string[]): Promise<number> {
  // What is stored is for this user alone.
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const read = readArguments(args, process.env);
  if ('exitCode' in read) return printEnd(read);
  const { request } = read;
  const redact = createRedactor([request.from, request.to].flatMap((url) => secretsOf({ STORE_URL: url })));
  const complain = (text: string) => process.stderr.write(`${redact(text)}\n`);
  try {
    const copied = await copyStore(request, {
      nowMs: Date.now,
      onWarning: complain,
      onFailpoint: readFailpoint(process.env[KILL_SWITCH], () => process.kill(process.pid, 'SIGKILL')),
    });
    process.stdout.write(`${redact(report(copied))}\n`);
    return 0;
  } catch (error) {
    complain(error instanceof StoreError ? error.message : String(error instanceof Error ? error.stack : error));
    return error instanceof StoreUnfit ? EXIT_CONFIG : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
