import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temp.ts';
import { within } from '../support/thorough.ts';

const demo = (...args: string[]) => runProgram([inject('demoMain'), ...args], temporaryFolder());

describe('npm run demo', { timeout: within(60_000) }, () => {
  it('helps when asked to, and says in a line what it does not accept', async () => {
    const output = expect.stringMatching(/^Usage: npm run demo/);
    expect(await demo('--help')).toMatchObject({ exitCode: 0, output, errors: '' });
    const { exitCode, errors } = await demo('--headless', '--port', '-1');
    expect(exitCode).toBe(64);
    expect(errors).toMatch(
      /^The value of --port is missing, or begins with a hyphen\.\nUsage: npm run demo/,
    );
  });

  it('says in a line that temporary files cannot be written', async () => {
    const TMPDIR = join(temporaryFolder(), 'none');
    const { exitCode, errors } = await runProgram(
      [inject('demoMain'), '--headless'],
      temporaryFolder(),
      { TMPDIR },
    );
    expect(exitCode).toBe(1);
    expect(errors).toBe(
      `The folder for temporary files, ${TMPDIR}, cannot be written (ENOENT). Make room there, or name another one in TMPDIR.\n`,
    );
  });

  it('says in a line that its port is in use', async () => {
    const holder = createServer();
    await once(holder.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void holder.close());
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { exitCode, errors } = await demo('--headless', '--port', String(port));
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^[^\n]*EADDRINUSE[^\n]*Choose another --port, or leave it out\.\n$/);
  });
});
