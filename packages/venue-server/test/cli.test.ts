import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { readCommandLine, USAGE } from '../src/cli.ts';
import { startProgram, temporaryFolder } from './helpers.ts';
import { activity, buy, deposit, readReply, transfer, WALLET } from './support.ts';

const SECRET = 'wb_live_cli-secret';

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

const venue = (...args: string[]) =>
  startProgram(inject('venueMain'), args, { LOG_LEVEL: 'trace' });
/** Returns the address of a running venue server. */
const addressOf = async ({ said }: ReturnType<typeof venue>) => {
  const [, url = ''] = await said(/^\{"listening":"([^"]+)"\}$/m);
  return url;
};
const write = async (name: string, content: string): Promise<string> => {
  const file = join(directory, name);
  await writeFile(file, content);
  return file;
};
const ask = async (url: string, key: string, endpoint = 'activity', wallet = WALLET) => {
  const response = await fetch(`${url}/v1/trader/${wallet}/${endpoint}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return readReply(response.status, response.headers, await response.text());
};

describe('npm run venue', () => {
  it('imports, serves, re-reads the keys on SIGHUP, and ends with 0 on SIGTERM', async () => {
    const plan = {
      label: 'desk',
      limit: 100,
      windowSeconds: 60,
      endpoints: ['activity', 'deposits-withdrawals'],
    };
    const keysOf = (...keys: string[]) => JSON.stringify(keys.map((key) => ({ ...plan, key })));
    const keys = await write('keys.json', keysOf(SECRET, 'second'));
    const trades = await write('trades.jsonl', `${JSON.stringify(activity())}\nnonsense\n`);
    const flows = await write('flows.jsonl', JSON.stringify(transfer()));
    const database = join(directory, 'made', 'ledger.sqlite');
    const run = venue(
      '--port',
      '0',
      '--db',
      database,
      '--keys',
      keys,
      '--import',
      trades,
      '--import',
      flows,
    );

    const url = await addressOf(run);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(url, SECRET)).items).toEqual([buy()]);
    expect((await ask(url, SECRET, 'deposits-withdrawals')).items).toEqual([deposit()]);
    expect((await ask(url, 'demo')).status).toBe(401);
    await run.said(
      /"event":"import\.badLine".*trades\.jsonl","line":2,"reason":"is not JSON"/,
      'stderr',
    );

    await write('keys.json', keysOf('second'));
    run.child.kill('SIGHUP');
    await run.said(/"event":"keys\.read"/, 'stderr');
    expect((await ask(url, SECRET)).status).toBe(401);
    expect((await ask(url, 'second')).status).toBe(200);

    await write('keys.json', `[{"key":"${SECRET}"`);
    run.child.kill('SIGHUP');
    await run.said(/"event":"keys\.unreadable"/, 'stderr');
    expect((await ask(url, 'second')).status).toBe(200);

    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(run.output.stdout).toBe(`{"listening":"${url}"}\n`);
    expect(run.output.stderr).toContain('venue.request');
    expect(run.output.stderr).not.toContain(SECRET);

    const again = venue('--port', '0', '--db', database, '--import', trades);
    expect((await ask(await addressOf(again), 'demo')).items).toHaveLength(1);
    await again.said(/"added":0,"known":1,"bad":1/, 'stderr');
    again.child.kill('SIGINT');
    expect(await again.ended).toBe(0);
  });

  it('plays by itself with --simulate, and names each trader and its wallet in a line', async () => {
    const run = venue('--port', '0', '--simulate');
    const url = await addressOf(run);
    const [, wallet] = await run.said(
      /"simulator\.trader","handle":"quickdraw","address":"(0x[0-9a-f]{40})"/,
      'stderr',
    );
    expect(run.output.stderr.match(/"simulator\.trader"/g)).toHaveLength(10);
    const { items } = await ask(url, 'demo', 'activity', wallet);
    expect(items).toHaveLength(50);
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  });

  it('warns of a keys file without a key', async () => {
    const keys = await write('keys.json', '[]');
    const run = venue('--port', '0', '--keys', keys);
    expect((await ask(await addressOf(run), 'demo')).status).toBe(401);
    await run.said(/"level":40.*"event":"keys\.none".*every request is refused/, 'stderr');
    run.child.kill('SIGHUP');
    await run.said(/"level":40.*"event":"keys\.read","count":0/, 'stderr');
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
      const { output, ended } = venue(...args);
      expect(await ended, args.join(' ')).toBe(code);
      const texts = output.stderr.replace(/^\{.*\n/gm, '');
      expect(texts).toMatch(message);
      expect(texts.trim().split('\n')).toHaveLength(1);
      expect(output.stdout).toBe('');
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
    [
      ['--port', '-1'],
      /^The value of --port is missing, or begins with a hyphen\. See --help for what is accepted\.$/,
    ],
    [['--simulate=yes'], /'--simulate'/],
    [['--host', ''], /--host must not be empty/],
    [['--db='], /--db must not be empty/],
  ])('refuses %j by name', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(message);
  });
});
