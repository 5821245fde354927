import { request } from 'node:http';
import type { Command } from '@walletbell/local-discord/discord/commands';
import { readPage } from '@walletbell/local-discord/site/bundle';
import { typedCommands } from '@walletbell/local-discord/site/commands';
import type { PageWorld } from '@walletbell/local-discord/site/protocol';
import type { SiteRequest } from '@walletbell/local-discord/site/requests';
import { startSiteServer } from '@walletbell/local-discord/site/server';
import { readCommand, suggestionsFor } from '@walletbell/local-discord/site/typed-line';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startProgram } from '../support/program.ts';
import { within } from '../support/thorough.ts';

async function openServer() {
  const asked: SiteRequest[] = [];
  const server = await startSiteServer({
    port: 0,
    assets: await readPage(inject('pageFolder')),
    mediaRoot: 'http://127.0.0.1:9',
    follow: () => null,
    act: async (wanted) => {
      asked.push(wanted);
      if (wanted.do === 'send') throw new Error('Not today.');
      return { done: true };
    },
  });
  onTestFinished(() => server.close());
  const post = (
    body: string,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ) => fetch(new URL('/act', server.url), { method: 'POST', headers, body });
  return { url: server.url, asked, post };
}

describe('the server of the page', () => {
  it('gives the page with a policy that lets nothing in from elsewhere', async () => {
    const { url } = await openServer();
    for (const path of [
      '',
      'page.js',
      'page.css',
      'pictures/bot.svg',
      'pictures/picture.svg',
      'fonts/Inter_400Regular.ttf',
    ]) {
      const response = await fetch(url + path);
      expect(response.status, path).toBe(200);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    }
    expect((await fetch(`${url}nothing`)).status).toBe(404);
  });

  it('answers only by its own name, and only to itself', async () => {
    const { url, asked, post } = await openServer();
    const order = JSON.stringify({ do: 'control', control: 'bot', button: 'kill', choice: null });
    const status = await new Promise((resolve, reject) => {
      request(url, { headers: { Host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
    expect((await post(order, { 'Content-Type': 'text/plain' })).status).toBe(403);
    const foreign = { 'Content-Type': 'application/json', Origin: 'https://evil.example' };
    expect((await post(order, foreign)).status).toBe(403);
    expect(asked).toEqual([]);
    expect(await (await post(order)).json()).toEqual({ result: { done: true } });
    expect(asked).toHaveLength(1);
  });

  it('says what is wrong with a request, and what could not be done', async () => {
    const { asked, post } = await openServer();
    for (const bad of [
      '{',
      '{}',
      '{"do":"control","control":"bot"}',
      '{"do":"command","as":"x"}',
    ]) {
      const response = await post(bad);
      expect(response.status, bad).toBe(400);
      expect(await response.json()).toHaveProperty('error');
    }
    expect(asked).toEqual([]);
    const refused = await post(
      JSON.stringify({ do: 'send', as: '1', channelId: '2', text: 'hello', file: null }),
    );
    expect(await refused.json()).toEqual({ error: 'Not today.' });
  });
});

describe('commands as they are typed', () => {
  const STYLES = [{ name: 'One by one', name_localizations: { de: 'einzeln' }, value: 'each' }];
  const command: Command = {
    id: '1',
    version: '1',
    name: 'watch',
    description: 'Watches',
    name_localizations: { de: 'wache' },
    options: [
      {
        type: 1,
        name: 'add',
        description: 'Add one',
        description_localizations: { de: 'Eine mehr' },
        options: [
          { type: 3, name: 'label', description: 'Its name', name_localizations: { de: 'name' } },
          { type: 3, name: 'wallet', description: 'Which', required: true, autocomplete: true },
          { type: 7, name: 'channel', description: 'Where', channel_types: [0] },
          { type: 3, name: 'style', description: 'How', choices: STYLES },
          { type: 8, name: 'ping', description: 'Whom' },
          { type: 10, name: 'minimum', description: 'How much' },
        ],
      },
      {
        type: 2,
        name: 'rule',
        description: 'Rules',
        options: [{ type: 1, name: 'show', description: 'Show them' }],
      },
      {
        type: 1,
        name: 'load',
        description: 'Load them',
        options: [{ type: 11, name: 'file', description: 'Which', required: true }],
      },
    ],
  };

  const world = {
    me: { name: 'ada' },
    channels: [
      { id: '7', name: 'desk', type: 0 },
      { id: '8', name: 'voice', type: 2 },
    ],
    roles: [
      { id: '9', name: 'Team' },
      { id: '1', name: '@everyone' },
    ],
  } as unknown as PageWorld;
  const ENGLISH = typedCommands([command], 'en-US');
  const GERMAN = typedCommands([command], 'de');
  const read = (text: string, commands = ENGLISH) => readCommand(commands, text, world, null);
  /** The lines that are suggested; the bot suggests what it is asked for. */
  const suggested = async (text: string, commands = ENGLISH) => {
    const { suggestions } = await suggestionsFor(
      commands,
      text,
      world,
      async (line, values, focused) => [
        { name: `${line}|${JSON.stringify(values)}|${focused}`, value: 'asked' },
      ],
    );
    return suggestions.map((one) => one.text);
  };

  it('are sent by their own names, with what the words of a person stand for', () => {
    expect(
      read('/watch add wallet:0x1 channel:#DESK style:One by one label:Big: whale  minimum:5'),
    ).toEqual({
      line: 'watch add',
      values: { wallet: '0x1', channel: '7', style: 'each', label: 'Big: whale', minimum: 5 },
    });
    expect(read('/wache add wallet:0x1 name:Wal ping:@team style:einzeln', GERMAN)).toEqual({
      line: 'watch add',
      values: { wallet: '0x1', label: 'Wal', ping: '9', style: 'each' },
    });
    expect(read('/watch rule show')).toEqual({ line: 'watch rule show', values: {} });
  });

  it.each([
    ['/wach add', 'No such command here. Type / to see them.'],
    ['/watch add', 'wallet is required.'],
    ['/watch add wallet:', 'wallet is required.'],
    ['/watch add 0x1 label:a', '"0x1" is no option of /watch add'],
    ['/watch load', 'file is required.'],
  ])('are refused with a word for the person: %s', (text, reason) => {
    expect(() => read(text)).toThrow(reason);
  });

  it('take the file that was picked', async () => {
    const file = { filename: 'a.csv', data: new Uint8Array() };
    expect(readCommand(ENGLISH, '/watch load', world, file).values).toEqual({ file });
    const answers = ['/watch load', '/watch add'].map((text) =>
      suggestionsFor(ENGLISH, text, world, async () => []),
    );
    expect((await Promise.all(answers)).map(({ takesFile }) => takesFile)).toEqual([true, false]);
  });

  it('are suggested step by step: the command, its options, their values', async () => {
    expect(await suggested('/')).toEqual([
      '/watch add wallet:',
      '/watch rule show ',
      '/watch load ',
    ]);
    expect(await suggested('/wa', GERMAN)).toContain('/wache add wallet:');
    expect(await suggested('/watch add wallet:0x')).toEqual([
      '/watch add wallet:watch add|{"wallet":"0x"}|wallet ',
    ]);
    expect(await suggested('/watch add wallet:0x1 ')).toEqual(
      ['label', 'channel', 'style', 'ping', 'minimum'].map(
        (name) => `/watch add wallet:0x1 ${name}:`,
      ),
    );
    const known = async (text: string) =>
      (await suggestionsFor(ENGLISH, text, world, async () => [{ name: 'big fish', value: '0x1' }]))
        .suggestions;
    const labels = async (text: string) => (await known(text)).map(({ label }) => label);
    expect(await labels('/watch add wallet:0x1 mi'), 'no wallet any more').toEqual(['minimum:']);
    expect(await labels('/watch add wallet:big f')).toEqual(['big fish']);
    expect(await labels('/watch add wallet:big xyz'), 'the bot has found it').toEqual(['big fish']);
    expect(await suggested('/watch add ping:')).toEqual([
      '/watch add ping:@Team ',
      '/watch add ping:@everyone ',
    ]);
    expect(read('/watch add wallet:0x1 ping:@everyone').values).toMatchObject({ ping: '1' });
    expect(await suggested('/watch add channel:')).toEqual(['/watch add channel:#desk ']);
    expect(await suggested('/wache add style:ein', GERMAN)).toEqual(['/wache add style:einzeln ']);
    expect(await suggested('/watch rule show')).toEqual([]);
  });
});

describe('npm run demo', () => {
  it('prints the address of its page, serves it, and counts the alerts when it is interrupted', {
    timeout: within(90_000),
  }, async () => {
    const { child, output, said, ended } = startProgram(inject('demoMain'), [
      '--port',
      '0',
      '--hours',
      '1',
    ]);
    const [, address = ''] = await said(/^Open (\S+)/m);
    expect(await (await fetch(address)).text()).toContain('Local Discord');
    await said(/^\[#.* (BUY|SELL|REDEEM|deposited|withdrew) /m);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    const [received, account] = output.stdout.trimEnd().split('\n').slice(-2);
    expect(received).toMatch(/^\d+ signed alerts reached the receiver, 0 of them /);
    expect(account).toMatch(/^\d+ alerts, 0 duplicates, 0 lost$/);
  });
});
