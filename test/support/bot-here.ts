import type { DestinationStream } from 'pino';
import { startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/app/config.ts';
import type { Given } from '../../src/app/context.ts';
import { secretsOf } from '../../src/app/secrets.ts';
import type { BotProcess } from '../../src/demo/bot-process.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { createLineRedactor, createRedactor } from '../../src/lib/log/redact.ts';

const NO_PROCESS = 'The bot runs in the test’s own process: open the test with asProcess.';

/**
 * Starts the bot in the test's own process, in the same way as `src/main.ts`, because loading the
 * program in a new process takes longer than most tests. Tests of signals, exit codes and kills
 * need a separate process.
 *
 * @param environment variables as for a process, except that paths must be absolute
 * @param onLine called with each parsed line of the log
 * @param parts replacements for the bot's own parts
 * @returns `started` rejects with the error that prevents the start; a standby counts as started
 *   once it has taken over, and is then stopped
 */
export function startBotHere(
  environment: Readonly<Record<string, string>>,
  onLine: (line: Readonly<Record<string, unknown>>) => void,
  parts: Pick<Given, 'scheduleFor'> = {},
): { readonly bot: BotProcess; readonly started: Promise<unknown>; readonly ended: Promise<void> } {
  if (/^sqlite:\/\/(?!\/)/.test(environment['STORE_URL'] ?? ''))
    throw new Error(`Not absolute: ${environment['STORE_URL']}`);
  const config = readConfig(environment);
  const secrets = secretsOf(environment);
  const log = createLog({
    level: config.LOG_LEVEL,
    redact: createLineRedactor(secrets),
    destination: { write: (line: string) => void onLine(JSON.parse(line)) } as DestinationStream,
  });
  let exitCode = 0;
  let stopping: Promise<void> | undefined;
  let hasEnded = () => {};
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  const end = (code: number) => {
    exitCode ||= code;
    stopping ??= (async () => {
      const stopParts = await started;
      await stopParts();
      log.info({ event: 'stopped' });
      hasEnded();
    })();
    return stopping;
  };
  const started = startApp({
    config,
    log,
    redact: createRedactor(secrets),
    conversion: { skipsDamaged: false, copies: true },
    ...parts,
    onFatal: (code) => void end(code),
  });
  return {
    started,
    ended,
    bot: {
      async stop() {
        if (stopping === undefined) log.info({ event: 'stopping' });
        await end(0);
        return exitCode;
      },
      kill: () => Promise.reject(new Error(NO_PROCESS)),
      get process(): never {
        throw new Error(NO_PROCESS);
      },
    },
  };
}
