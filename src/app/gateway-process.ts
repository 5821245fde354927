import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import * as z from 'zod';
import { backOffMs } from '../lib/async/backoff.ts';
import { OperatorError } from '../lib/error.ts';
import { listenFault } from '../lib/listen.ts';
import type { Machine } from '../lib/machine.ts';
import { parseJson } from '../lib/text/json.ts';
import type { PolymarketSettings } from '../polymarket/settings.ts';

/** Located next to the bot's program in dist/. */
const PROGRAM = fileURLToPath(new URL('polymarket.js', import.meta.url));
const KEY_BYTES = 24;
/** Heap limit of the gateway, in MB; it needs 15. */
const HEAP_MB = 64;
const PORT_ADVICE =
  'Another program listens on the port that the gateway had. End it, or restart the bot: it then takes a free port.';
const RESTART = { firstMs: 500, limitMs: 30_000 };
/** Time for the gateway to answer requests in progress, in ms. */
const STOP_LIMIT_MS = 4_000;

/**
 * Starts the gateway on a free port of this machine, with a random key. It ends with this process,
 * and is restarted on the same port if it ends by itself.
 *
 * @param signal aborts when this process stops
 * @param program of the gateway
 * @throws {OperatorError} if it ends before it listens
 */
export async function startGatewayProcess(
  { log, random, sleep }: Machine,
  settings: PolymarketSettings,
  folder: string,
  signal: AbortSignal,
  program = PROGRAM,
) {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  let child: ChildProcess;

  // Throws at once if the process cannot be started, for example for lack of memory.
  const start = async (port: number) => {
    child = fork(program, ['--port', String(port), '--host', '127.0.0.1', '--data', folder], {
      env: { ...gatewayEnvironment(settings), POLYMARKET_GATEWAY_KEY: key },
      execArgv: [
        `--max-old-space-size=${HEAP_MB}`,
        '--max-semi-space-size=2',
        '--no-concurrent-sparkplug',
      ],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const url = listening(child);
    passOn(child, log);
    return url;
  };

  const url = await start(0);
  const port = Number(new URL(url).port);
  const keepRunning = async () => {
    for (let attempt = 0; !signal.aborted; ) {
      await ended(child);
      if (signal.aborted) return;
      const delayMs = backOffMs(attempt, RESTART.firstMs, RESTART.limitMs, random);
      log.error({
        event: 'polymarket.ended',
        code: child.exitCode,
        againInMs: Math.round(delayMs),
      });
      await sleep(delayMs, signal);
      if (signal.aborted) return;
      const isUp = await start(port).then(
        () => true,
        () => false,
      );
      attempt = isUp ? 0 : attempt + 1;
      if (!isUp && (await listenFault({ host: '127.0.0.1', port })) === 'EADDRINUSE') {
        log.error({ event: 'polymarket.port_taken', port, advice: PORT_ADVICE });
      }
    }
  };
  void keepRunning();

  return {
    /** Base address of the venue's interface. */
    url,
    key,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      const over = ended(child);
      child.kill('SIGTERM');
      await over;
      clearTimeout(timer);
    },
  };
}

/** Returns the gateway's environment, without tokens or passwords. */
function gatewayEnvironment({ dataUrl, gammaUrl, requestsPerMinute }: PolymarketSettings) {
  const names = ['PATH', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'TZ'];
  return {
    ...Object.fromEntries(
      names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    POLYMARKET_DATA_URL: dataUrl,
    POLYMARKET_GAMMA_URL: gammaUrl,
    POLYMARKET_REQUESTS_PER_MINUTE: String(requestsPerMinute),
  };
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/**
 * Returns the address at which the gateway listens.
 *
 * @throws {OperatorError} if it ends before that
 */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(
        new OperatorError(
          `The gateway to Polymarket ended with code ${code} before it listened. Its lines above say why.`,
        ),
      );
    child.once('exit', onExit);
    child.on('error', (error) => reject(new OperatorError(error.message, error)));
    child.once('message', (message) => {
      child.off('exit', onExit);
      const { url }: { readonly url?: unknown } = Object(message);
      if (typeof url === 'string') resolve(url);
      else reject(new OperatorError('The gateway to Polymarket did not say where it listens.'));
    });
  });
}

/**
 * Logs the child's lines as this process's own. A child that could not be started has no streams.
 */
function passOn({ stdout, stderr }: ChildProcess, log: Logger): void {
  const levels = { 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' } as const;
  if (stdout) {
    createInterface({ input: stdout }).on('line', (line) => {
      const read = z.looseObject({}).safeParse(parseJson(line)).data ?? { level: 40, text: line };
      const { level, time: _time, ...fields }: Readonly<Record<string, unknown>> = read;
      const name = levels[level as keyof typeof levels] ?? 'info';
      log[name](fields);
    });
  }
  if (stderr) {
    createInterface({ input: stderr }).on('line', (line) => {
      log.error({ event: 'polymarket.fault', reason: line });
    });
  }
}
