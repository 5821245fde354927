import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGatewayProcess } from '../../src/app/gateway-process.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { temporaryFolder } from '../support/temp.ts';

const SETTINGS = { dataUrl: 'http://127.0.0.1:9', gammaUrl: 'http://127.0.0.1:9' };
/** Ends once it has said where it listens. */
const SHORT_LIVED = `process.send({ url: 'http://127.0.0.1:1' }, () => process.disconnect());`;

/** Runs a gateway's program again and again, until it has been started so often. */
async function runAgain(program: string, starts: number, beforeStart: (count: number) => void) {
  const { log, lines } = collectingLog();
  const ending = new AbortController();
  let count = 0;
  await new Promise<void>((resolve) => {
    const sleep = async () => {
      count += 1;
      beforeStart(count);
      if (count < starts) return;
      ending.abort();
      resolve();
    };
    const machine = testMachine({ log, sleep });
    const settings = { ...SETTINGS, requestsPerMinute: 1 };
    void startGatewayProcess(machine, settings, temporaryFolder(), ending.signal, program);
  });
  return lines;
}

it('a gateway that cannot be started again is tried until it can, and the bot goes on', async () => {
  const program = join(temporaryFolder(), 'gateway.mjs');
  writeFileSync(program, SHORT_LIVED);
  const { execPath } = process;
  onTestFinished(() => {
    process.execPath = execPath;
  });
  const lines = await runAgain(program, 5, (count) => {
    // A path through a file: to start it throws, as it does for want of memory.
    process.execPath = count < 3 ? join(execPath, 'nothing') : execPath;
  });
  const codes = lines.filter(({ event }) => event === 'polymarket.ended').map(({ code }) => code);
  expect(codes).toEqual([0, 0, 0, 0, 0]);
});

it('a port that another program has taken meanwhile is named, with what to do', async () => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = Object(other.address());
  const program = join(temporaryFolder(), 'gateway.mjs');
  const url = JSON.stringify(`http://127.0.0.1:${port}`);
  // The first start is on a free port; later ones are told to take that port again.
  writeFileSync(
    program,
    `if (process.argv.includes('0')) process.send({ url: ${url} }, () => process.disconnect());
    else process.exit(1);`,
  );
  const lines = await runAgain(program, 4, (count) => {
    if (count === 2) other.close();
  });
  const said = lines.filter(({ event }) => event === 'polymarket.port_taken');
  expect(said).toMatchObject([{ port, advice: expect.stringContaining('restart the bot') }]);
});
