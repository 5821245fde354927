import type { LevelWithSilent } from 'pino';
import { startApp } from './app/app.ts';
import { readConfig } from './app/config.ts';
import { secretsOf } from './app/secrets.ts';
import { isGatewayFault } from './discord/gateway/fault.ts';
import { failed, printEnd, readWords, setUpProcess } from './lib/command-line.ts';
import { openStdout } from './lib/log/destination.ts';
import { createLog } from './lib/log/log.ts';
import { createLineRedactor, createRedactor } from './lib/log/redact.ts';
import { terminalLine } from './lib/log/terminal.ts';
import { nodeUnsupportedSince } from './lib/node-support.ts';
import { createProgress } from './lib/progress.ts';
import { RELEASE, shownRelease } from './lib/release.ts';
import { watchLoop } from './ops/loop-watch.ts';
import { FORMAT } from './store/format.ts';

const USAGE = `Use: npm start [-- OPTIONS]
Starts the bot. It is set by environment variables or a file .env: see .env.example. \
Ctrl-C or SIGTERM stops it.

  --version        what this is, and no start
  --skip-damaged   after an update: puts aside what of the store cannot be read any more, \
and starts without it
  --no-copy        after an update: converts a SQLite store without copying it first
  --help           this text`;
const OPTIONS = {
  version: { type: 'boolean', default: false },
  'skip-damaged': { type: 'boolean', default: false },
  'no-copy': { type: 'boolean', default: false },
} as const;
/** A supervisor waits about ten seconds before it kills. */
const STOP_LIMIT_MS = 8_000;

async function main(): Promise<void> {
  const read = readWords(process.argv.slice(2), USAGE, { options: OPTIONS });
  if ('exitCode' in read) process.exit(printEnd(read));
  const { values } = read;
  if (values.version) {
    process.exit(printEnd({ exitCode: 0, text: `walletbell ${shownRelease(RELEASE)}` }));
  }
  setUpProcess();
  const config = readConfig(process.env);
  const secrets = secretsOf(process.env);
  const log = openLog(config.LOG_LEVEL, createLineRedactor(secrets));
  log.info({
    event: 'starting',
    ...RELEASE,
    role: config.ROLE,
    format: FORMAT.version,
  });
  for (const old of config.oldNames) log.warn({ event: 'config.old_name', ...old });
  const since = nodeUnsupportedSince(process.versions.node, Date.now());
  if (since !== null) log.warn({ event: 'node.unsupported', node: process.version, since });
  watchLoop({ log }, new URL('loop-watcher.js', import.meta.url));
  let isEnding = false;
  let stopParts: (() => Promise<void>) | undefined;
  const end = async (exitCode: number) => {
    // The first fault counts, also one that comes while the bot is stopping because it was asked
    // to.
    process.exitCode ||= exitCode;
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      log.warn({ event: 'stop.cut_short', afterMs: STOP_LIMIT_MS });
      process.exit();
    }, STOP_LIMIT_MS).unref();
    try {
      await stopParts?.();
      log.info({ event: 'stopped' });
    } catch (error) {
      log.error({ event: 'stop.failed', err: error });
      process.exitCode ||= 1;
    } finally {
      process.exit();
    }
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
    void end(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop({ signal }));
  // Only a parent that keeps a channel to it, such as the demo, can be missed so.
  const parentGone = () => stop({ reason: 'The process that started the bot has ended.' });
  if (process.connected === false) parentGone();
  else process.once('disconnect', parentGone);
  // Node would write them as they are.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ event: 'process.warning', err: warning }));
  stopParts = await startApp({
    config,
    log,
    redact: createRedactor(secrets),
    conversion: {
      skipsDamaged: values['skip-damaged'],
      copies: !values['no-copy'],
      progress: createProgress(process.stderr),
    },
    onFatal: (exitCode) => void end(exitCode),
  });
}

/** Opens the log on standard output: JSON lines, or plain text on a terminal. */
function openLog(level: LevelWithSilent, redact: (line: string) => string) {
  const stdout = openStdout();
  const onTerminal = { write: (line: string) => void stdout.write(terminalLine(line)) };
  return createLog({ level, redact, destination: process.stdout.isTTY ? onTerminal : stdout });
}

/**
 * Says why nothing was started: to a collector of logs as a line like all others, to a person as
 * plain text.
 */
function sayFault(error: unknown, text: string): void {
  const redact = createLineRedactor(secretsOf(process.env));
  if (!process.stdout.isTTY) openLog('fatal', redact).fatal({ event: 'start.failed', err: error });
  if (process.stdout.isTTY || process.stderr.isTTY) process.stderr.write(`${redact(text)}\n`);
}

main().catch((error: unknown) => {
  const { exitCode, text } = failed(error);
  sayFault(error, text);
  process.exit(exitCode);
});
