import { existsSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';
import pretty from 'pino-pretty';
import { type Running, startApp } from './app.ts';
import { isGatewayFault } from './bot/session.ts';
import { ConfigError, EXIT_CONFIG, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { ListenError } from './ops/http.ts';
import { createRedactor, longSecrets, scrubCredentials, secretsOf } from './redact.ts';
import { StoreError } from './store/error.ts';

/** A supervisor waits about ten seconds before it kills. */
const STOP_LIMIT_MS = 8_000;

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const secrets = secretsOf(process.env);
  const redactLine = lineRedactor(secrets);
  const log = createLog({ level: config.logLevel, redact: redactLine, destination: logDestination() });
  let isEnding = false;
  let running: Running | undefined;
  const end = async (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      log.warn({ event: 'stop.cut_short', afterMs: STOP_LIMIT_MS });
      process.exit(exitCode);
    }, STOP_LIMIT_MS).unref();
    await running?.stop();
    log.info({ event: 'stopped' });
    process.exit(exitCode);
  };
  const crash = (error: unknown) => {
    log.fatal({ event: 'crashed', err: error });
    void end(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', (error) => {
    if (isGatewayFault(error)) log.error({ event: 'discord.gateway_fault', err: error });
    else crash(error);
  });
  const stop = (reason: { readonly signal?: NodeJS.Signals; readonly reason?: string }) => {
    // At Ctrl-C npm passes on a signal that the terminal has sent already.
    if (isEnding) return;
    log.info({ event: 'stopping', ...reason });
    end(0).catch(crash);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop({ signal }));
  // Only a parent that keeps a channel to it, such as the demo, can be missed so.
  const parentGone = () => stop({ reason: 'The process that started the bot has ended.' });
  if (process.connected === false) parentGone();
  else process.once('disconnect', parentGone);
  // Node would write them as they are.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ event: 'process.warning', err: warning }));
  running = await startApp(config, log, createRedactor(longSecrets(secrets)), (exitCode) => void end(exitCode));
}

function lineRedactor(secrets: readonly string[]): (line: string) => string {
  const redact = createRedactor(secrets);
  return (line) => scrubCredentials(redact(line));
}

function logDestination(): DestinationStream {
  return process.stdout.isTTY
    ? pretty({ sync: true, singleLine: true, messageFormat: '{event} {msg}', ignore: 'event' })
    : pino.destination({ dest: 1, sync: true });
}

main().catch((error: unknown) => {
  const isExpected = error instanceof ConfigError || error instanceof StoreError || error instanceof ListenError;
  const text = isExpected ? error.message : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`${lineRedactor(secretsOf(process.env))(text)}\n`);
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
});
