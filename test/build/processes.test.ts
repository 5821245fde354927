import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { ROOT } from '../../src/build/state.js';
import { openFixture, TOKEN } from '../e2e/fixture.ts';
import { temporaryFolder } from '../support/temp.ts';
import { variants } from '../support/thorough.ts';

/** A few seconds each on a quiet one. */
const BUSY_MACHINE_MS = 90_000;

/** The demo without months of history, which take seconds to make. */
const demoArguments = () => [inject('demoMain'), '--headless', '--hours', '1'];

/** Processes that run in a folder or below it, also when it is gone meanwhile. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`);
      } catch {
        // It has ended meanwhile.
        return false;
      }
    })
    .map(Number);
}

async function until(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue, { timeout: 60_000, interval: 20 }).toBe(true);
}

function start(program: string, args: readonly string[], temporary: string): ChildProcess {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    for (const pid of processesIn(temporary)) process.kill(pid, 'SIGKILL');
  });
  return child;
}

describe('npm start', { timeout: BUSY_MACHINE_MS }, () => {
  for (const signal of variants(['SIGTERM', 'SIGINT'] as const, (signal) => signal === 'SIGTERM')) {
    it(`ends the bot in good order when npm itself gets ${signal}`, async () => {
      const fixture = await openFixture({ withoutBot: true });
      for (const name of ['src', 'commands', 'dist', 'node_modules', 'package-lock.json']) {
        symlinkSync(join(ROOT, name), join(fixture.directory, name));
      }
      cpSync(join(ROOT, 'package.json'), join(fixture.directory, 'package.json'));
      const npm = spawn('npm', ['start'], {
        cwd: fixture.directory,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          DISCORD_TOKEN: TOKEN,
          DISCORD_API_URL: fixture.discord.apiUrl,
          VENUE_BASE_URL: fixture.venue.url,
          VENUE_API_KEY: DEMO_KEY.key,
          STORE_URL: 'sqlite://data/bot.sqlite',
        },
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      onTestFinished(() => {
        try {
          if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL');
        } catch {
          // The whole group has ended, as it should.
        }
      });
      const events: unknown[] = [];
      const output = createInterface({ input: npm.stdout });
      const closed = once(output, 'close');
      const ready = new Promise<void>((resolve) => {
        output.on('line', (line) => {
          if (!line.startsWith('{')) return;
          const { event } = JSON.parse(line);
          events.push(event);
          if (event === 'discord.ready') resolve();
        });
      });
      await ready;
      npm.kill(signal);
      // Its output ends when the bot does, not when npm does.
      await closed;
      expect(events.at(-1)).toBe('stopped');
      expect(events.filter((event) => event === 'stopping')).toHaveLength(1);
    });
  }
});

describe('the demo, interrupted', { timeout: BUSY_MACHINE_MS }, () => {
  const moments: readonly [
    signal: 'SIGINT' | 'SIGHUP',
    when: string,
    isThen: (folder: string) => boolean,
  ][] = [
    ['SIGHUP', 'before there is a bot', (folder) => readdirSync(folder).length > 0],
    ['SIGINT', 'before the bot listens to signals', (folder) => processesIn(folder).length > 0],
  ];
  for (const [signal, when, isThen] of variants(moments, ([signal]) => signal === 'SIGHUP')) {
    it(`by ${signal} ${when} leaves no process and no folder`, async () => {
      const temporary = temporaryFolder();
      const demo = start(process.execPath, demoArguments(), temporary);
      const ended = once(demo, 'exit');
      await until(() => isThen(temporary));
      // A terminal that is closed takes nothing any more.
      if (signal === 'SIGHUP') demo.stdout?.destroy();
      demo.kill(signal);
      expect(await ended).toEqual([1, null]);
      await until(() => processesIn(temporary).length === 0);
      expect(readdirSync(temporary)).toEqual([]);
    });
  }

  it('by SIGKILL takes its bot along', async () => {
    const temporary = temporaryFolder();
    const demo = start(process.execPath, demoArguments(), temporary);
    const ended = once(demo, 'exit');
    const lines = createInterface({ input: demo.stdout ?? process.stdin });
    await new Promise<void>((resolve) => {
      lines.on('line', (line) => line.startsWith('Traders trade.') && resolve());
    });
    expect(processesIn(temporary)).toHaveLength(1);
    demo.kill('SIGKILL');
    await ended;
    await until(() => processesIn(temporary).length === 0);
    const [left = ''] = readdirSync(temporary);
    const next = start(process.execPath, demoArguments(), temporary);
    const nextEnded = once(next, 'exit');
    await until(() => processesIn(temporary).length > 0);
    expect(readdirSync(temporary)).not.toContain(left);
    next.kill('SIGINT');
    await nextEnded;
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('by a port that is taken leaves no folder', async () => {
    const temporary = temporaryFolder();
    const fixture = await openFixture({ withoutBot: true });
    const { port } = new URL(fixture.discord.apiUrl);
    const demo = start(process.execPath, [...demoArguments(), '--port', port], temporary);
    expect(await once(demo, 'exit')).toEqual([1, null]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('a bench, interrupted', { timeout: BUSY_MACHINE_MS }, () => {
  it('leaves no process and no folder', async () => {
    const temporary = temporaryFolder();
    const crash = 'test/bench/main.ts crash --kills 1000 --per-step 0'.split(' ');
    const args = ['--import', import.meta.resolve('tsx'), ...crash];
    const bench = start(process.execPath, args, temporary);
    const ended = once(bench, 'exit');
    const bots = () => processesIn(temporary).filter((pid) => pid !== bench.pid);
    await until(() => bots().length > 0);
    bench.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    await until(() => bots().length === 0);
    expect(readdirSync(temporary).filter((name) => name.startsWith('walletbell-'))).toEqual([]);
  });
});
