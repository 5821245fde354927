import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temp.ts';

async function demo(...args: string[]) {
  const child = spawn(process.execPath, [inject('demoMain'), ...args], {
    env: { PATH: process.env['PATH'], TMPDIR: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode: child.exitCode, output, errors };
}

describe('npm run demo', { timeout: 60_000 }, () => {
  it('helps when asked to, and says in a line what it does not accept', async () => {
    expect(await demo('--help')).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^Usage: npm run demo/),
      errors: '',
    });
    const { exitCode, errors } = await demo('--headless', '--port', '-1');
    expect(exitCode).toBe(64);
    expect(errors).toMatch(/^The value of --port is missing, or begins with a hyphen\.\nUsage: npm run demo/);
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
