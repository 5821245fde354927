import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { failed, printEnd, readWords, setUpProcess, wrongUse } from '../lib/command-line.ts';
import { errorCode, OperatorError, reasonOf } from '../lib/error.ts';
import { createLog } from '../lib/log/log.ts';
import { createLineRedactor } from '../lib/log/redact.ts';
import { createMachine } from '../lib/machine.ts';
import { startGateway } from './gateway.ts';
import { polymarketSettings } from './settings.ts';

const USAGE = `Use: npm run polymarket [-- OPTIONS]
Serves the venue's interface from Polymarket's public Data API, for wallets of Polymarket. No key of \
Polymarket is needed. Ctrl-C or SIGTERM stops it.
npm start does the same by itself with VENUE_BASE_URL=polymarket.

  --port N        port to listen on; 0 picks a free one (default 8788)
  --host ADDRESS  address to listen on (default 127.0.0.1: this machine only)
  --data FOLDER   where markets, and what was shown, are kept (default data/polymarket)
  --help          this text`;
const OPTIONS = {
  port: { type: 'string', default: '8788' },
  host: { type: 'string', default: '127.0.0.1' },
  data: { type: 'string', default: 'data/polymarket' },
} as const;
/** Variable with the key if the bot has started the gateway. */
const KEY_NAME = 'POLYMARKET_GATEWAY_KEY';
const KEY_BYTES = 24;

async function main(): Promise<void> {
  const read = readWords(process.argv.slice(2), USAGE, { options: OPTIONS });
  if ('exitCode' in read) process.exit(printEnd(read));
  const { port, host, data } = read.values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    process.exit(printEnd(wrongUse('--port must be a number from 0 to 65535.', USAGE)));
  }
  setUpProcess();
  const settings = polymarketSettings(process.env);
  const isChild = process.send !== undefined;
  const key = process.env[KEY_NAME]?.trim() || (await keyIn(data));
  const log = createLog({
    level: 'info',
    redact: createLineRedactor([key]),
    // The bot forwards its child's log lines; for a person, standard output has only the address
    // and the key.
    destination: pino.destination({ dest: isChild ? 1 : 2, sync: true }),
  });
  const gateway = await startGateway(createMachine(log), {
    ...settings,
    key,
    host,
    port: Number(port),
    file: join(data, 'gateway.sqlite'),
  });
  log.info({ event: 'polymarket.listening', pid: process.pid, url: gateway.url, ...settings });
  if (isChild) process.send?.({ url: gateway.url });
  else process.stdout.write(`VENUE_BASE_URL=${gateway.url}\nVENUE_API_KEY=${key}\n`);

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await gateway.close();
    process.exit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  // The bot has ended.
  if (isChild) process.once('disconnect', () => void stop());
}

/** Returns the key of a gateway that runs by itself; created at its first start, then reused. */
async function keyIn(folder: string): Promise<string> {
  const path = join(folder, 'key');
  try {
    await mkdir(folder, { recursive: true });
    const key = randomBytes(KEY_BYTES).toString('base64url');
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw new OperatorError(
        `The folder ${folder} cannot be written to: ${reasonOf(error)}.`,
        error,
      );
    }
  }
  const key = (await readFile(path, 'utf8')).trim();
  if (/^[\x21-\x7e]{16,200}$/.test(key)) return key;
  throw new OperatorError(`${path} holds no key. Delete it: the next start makes one.`);
}

main().catch((error: unknown) => {
  process.exit(printEnd(failed(error)));
});
