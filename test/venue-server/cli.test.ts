import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { readCommandLine, USAGE } from '../../src/venue-server/cli.ts';
import { buy, deposit, readReply, WALLET } from './support.ts';

const SECRET = 'wb_live_cli-secret';

let directory: string;
let running: Run[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'venue-cli-'));
  running = [];
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map((run) => run.ended));
  await rm(directory, { recursive: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly firstLine: Promise<string>;
  /** Resolves when stderr holds the text. */
  readonly logged: (text: string) => Promise<void>;
  readonly ended: Promise<number | null>;
}

function venue(...args: string[]): Run {
  const child = spawn(process.execPath, [inject('venueMain'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LOG_LEVEL: 'trace' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const run: Run = {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    firstLine: once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line)),
    logged: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!stderr.includes(text)) return;
          child.stderr.off('data', look);
          resolve();
        };
        child.stderr.on('data', look);
        look();
      }),
    ended: once(child, 'close').then(() => child.exitCode),
  };
  running.push(run);
  return run;
}

const write = async (name: string, content: string): Promise<string> => {
  const file = join(directory, name);
  await writeFile(file, content);
  return file;
};
const listening = (line: string) => z.strictObject({ listening: z.string() }).parse(JSON.parse(line)).listening;
const ask = async (url: string, key: string, endpoint = 'activity', wallet = WALLET) => {
  const response = await fetch(`${url}/v1/trader/${wallet}/${endpoint}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return readReply(response.status, response.headers, await response.text());
};

describe('npm run venue', () => {
  it('imports, serves, re-reads the keys on SIGHUP, and ends with 0 on SIGTERM', async () => {
    const plan = { label: 'desk', limit: 100, windowSeconds: 60, endpoints: ['activity', 'deposits-withdrawals'] };
    const keys = await write(
      'keys.json',
      JSON.stringify([
        { ...plan, key: SECRET },
        { ...plan, key: 'second' },
      ]),
    );
    const trades = await write(
      'trades.jsonl',
      `${JSON.stringify({ kind: 'activity', block: 1, item: buy() })}\nnonsense\n`,
    );
    const flows = await write('flows.jsonl', JSON.stringify({ kind: 'transfer', wallet: WALLET, item: deposit() }));
    const database = join(directory, 'made', 'ledger.sqlite');
    const run = venue('--port', '0', '--db', database, '--keys', keys, '--import', trades, '--import', flows);

    const line = await run.firstLine;
    const url = listening(line);
    expect(line).toBe(`{"listening":"${url}"}`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(url, SECRET)).items).toEqual([buy()]);
    expect((await ask(url, SECRET, 'deposits-withdrawals')).items).toEqual([deposit()]);
    expect((await ask(url, 'demo')).status).toBe(401);
    expect(run.stderr()).toMatch(/"event":"import\.badLine".*trades\.jsonl","line":2,"reason":"is not JSON"/);

    await write('keys.json', JSON.stringify([{ ...plan, key: 'second' }]));
    run.child.kill('SIGHUP');
    await run.logged('"event":"keys.read"');
    expect((await ask(url, SECRET)).status).toBe(401);
    expect((await ask(url, 'second')).status).toBe(200);

    await write('keys.json', `[{"key":"${SECRET}"`);
    run.child.kill('SIGHUP');
    await run.logged('"event":"keys.unreadable"');
    expect((await ask(url, 'second')).status).toBe(200);

    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(run.stdout()).toBe(`${line}\n`);
    expect(run.stderr()).toContain('venue.request');
    expect(run.stderr()).not.toContain(SECRET);

    const again = venue('--port', '0', '--db', database, '--import', trades);
    const next = listening(await again.firstLine);
    expect((await ask(next, 'demo')).items).toHaveLength(1);
    expect(again.stderr()).toContain('"added":0,"known":1,"bad":1');
    again.child.kill('SIGINT');
    expect(await again.ended).toBe(0);
  });

  it('plays by itself with --simulate', async () => {
    const run = venue('--port', '0', '--simulate');
    const url = listening(await run.firstLine);
    const [, wallet] = /"handle":"quickdraw","address":"(0x[0-9a-f]{40})"/.exec(run.stderr()) ?? [];
    const { items } = await ask(url, 'demo', 'activity', wallet);
    expect(items).toHaveLength(50);
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  });

  it('warns of a keys file without a key', async () => {
    const keys = await write('keys.json', '[]');
    const run = venue('--port', '0', '--keys', keys);
    expect((await ask(listening(await run.firstLine), 'demo')).status).toBe(401);
    expect(run.stderr()).toMatch(/"level":40.*"event":"keys\.none".*every request is refused/);
    run.child.kill('SIGHUP');
    await run.logged('"event":"keys.read","count":0');
    expect(run.stderr()).toMatch(/"level":40.*"event":"keys\.read"/);
  });

  it('ends with a code and one clear line when it cannot serve', async () => {
    const bad = await write('bad.jsonl', 'x\ny\n');
    const keys = await write('keys.json', '{}');
    const cases: readonly (readonly [string[], number, RegExp])[] = [
      [['--prot', '1'], 64, /^Unknown option '--prot'\. See --help for what is accepted\.\n$/],
      [['--port', '0', '--import', bad], 65, /Nothing to serve: no line could be loaded/],
      [['--port', '0', '--import', join(directory, 'none.jsonl')], 74, /Cannot read .*none\.jsonl/],
      [['--port', '0', '--keys', keys], 78, /The keys file .*keys\.json: .*expected array/],
      [['--port', '0', '--host', '203.0.113.7'], 69, /Cannot listen on 203\.0\.113\.7, port 0/],
    ];
    for (const [args, code, message] of cases) {
      const run = venue(...args);
      run.firstLine.catch(() => {});
      expect(await run.ended, args.join(' ')).toBe(code);
      const texts = run
        .stderr()
        .split('\n')
        .filter((line) => !line.startsWith('{'))
        .join('\n');
      expect(texts).toMatch(message);
      expect(texts.trim().split('\n')).toHaveLength(1);
      expect(run.stdout()).toBe('');
    }
  });
});

describe('the command line', () => {
  it('has the defaults that the usage names', () => {
    expect(readCommandLine([])).toEqual({
      port: 8787,
      host: '127.0.0.1',
      db: ':memory:',
      keys: undefined,
      imports: [],
      simulate: false,
      help: false,
    });
    for (const flag of ['port', 'host', 'db', 'keys', 'import', 'simulate', 'help'])
      expect(USAGE).toContain(`--${flag}`);
  });

  it('accepts --import more than once', () => {
    expect(readCommandLine(['--import', 'a', '--import=b']).imports).toEqual(['a', 'b']);
  });

  it.each([
    [['--nonsense'], /'--nonsense'/],
    [['file.jsonl'], /'file\.jsonl'/],
    [['--port'], /'--port <value>'/],
    [['--port', '65536'], /--port must be a number from 0 to 65535, got "65536"/],
    [['--port', 'http'], /--port must be a number/],
    [['--port=-1'], /--port must be a number/],
    [['--port', '-1'], /^The value of --port is missing, or begins with a hyphen\. See --help for what is accepted\.$/],
    [['--simulate=yes'], /'--simulate'/],
    [['--host', ''], /--host must not be empty/],
    [['--db='], /--db must not be empty/],
  ])('refuses %j by name', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(message);
  });
});
