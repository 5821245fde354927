import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Command } from '../../src/sandbox/discord/commands.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { type Account, createAccount } from '../../src/sandbox/reconcile.ts';
import { readPage } from '../../src/sandbox/site/bundle.ts';
import { typedCommands } from '../../src/sandbox/site/commands.ts';
import type { SiteRequest } from '../../src/sandbox/site/requests.ts';
import { startSiteServer } from '../../src/sandbox/site/server.ts';
import type { LedgerRecord } from '../../src/venue-server/ledger.ts';

async function openServer() {
  const asked: SiteRequest[] = [];
  const server = await startSiteServer({
    port: 0,
    assets: await readPage(inject('pageFolder')),
    mediaRoot: 'http://127.0.0.1:9',
    follow: () => null,
    act: async (wanted) => {
      asked.push(wanted);
      if (wanted.do === 'say') throw new Error('Not today.');
      return { done: true };
    },
  });
  onTestFinished(() => server.close());
  const post = (body: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
    fetch(new URL('/act', server.url), { method: 'POST', headers, body });
  return { url: server.url, asked, post };
}

describe('the server of the page', () => {
  it('gives the page with a policy that lets nothing in from elsewhere', async () => {
    const { url } = await openServer();
    for (const path of ['', 'page.js', 'page.css', 'bot.svg', 'person.svg', 'picture.svg']) {
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
    const order = JSON.stringify({ do: 'bot', order: 'kill' });
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
    for (const bad of ['{', '{}', '{"do":"bot","order":"dance"}', '{"do":"command","as":"x"}']) {
      const response = await post(bad);
      expect(response.status, bad).toBe(400);
      expect(await response.json()).toHaveProperty('error');
    }
    expect(asked).toEqual([]);
    const refused = await post(JSON.stringify({ do: 'say', as: '1', channelId: '2', content: 'hello' }));
    expect(await refused.json()).toEqual({ error: 'Not today.' });
  });
});

describe('commands as they are typed', () => {
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
        ],
      },
      { type: 2, name: 'rule', description: 'Rules', options: [{ type: 1, name: 'show', description: 'Show them' }] },
    ],
  };

  it('are one a subcommand, with required options first', () => {
    const typed = typedCommands([command], 'en-US');
    expect(typed.map(({ line }) => line)).toEqual(['watch add', 'watch rule show']);
    expect(typed[0]?.options.map(({ name }) => name)).toEqual(['wallet', 'label']);
  });

  it('are shown in the words of the person’s language, and sent by their own names', () => {
    const [add] = typedCommands([command], 'de');
    expect(add).toMatchObject({ line: 'watch add', label: 'wache add', description: 'Eine mehr' });
    expect(add?.options.find(({ name }) => name === 'label')?.label).toBe('name');
  });
});

describe('the account of a room that people change', () => {
  const WALLET = `0x${'a'.repeat(40)}`;
  const NOW = 1_800_000_000;
  const record = (txHash: string, time: number): LedgerRecord => ({
    kind: 'transfer',
    wallet: WALLET,
    item: { txHash, type: 'deposit', amount: 1, time, address: WALLET },
  });
  const see = (account: Account, txHash: string) => {
    const description = `[transaction](https://explorer.example/tx/${txHash})`;
    account.see({ channelId: '1', embeds: [{ description }] } as unknown as SeenMessage);
  };

  it('lets what happens while a watch begins ring once or not at all, and never twice', () => {
    for (const [times, duplicates] of [
      [0, 0],
      [1, 0],
      [2, 1],
    ] as const) {
      const account = createAccount();
      account.expect(record('0x1', NOW - 1));
      account.watchBegun(WALLET, '1', NOW);
      for (let time = 0; time < times; time += 1) see(account, '0x1');
      expect(account.balance()).toMatchObject({ alerts: times, duplicates, lost: 0 });
    }
  });

  it('demands all that comes after the watch has begun', () => {
    const account = createAccount();
    account.watchBegun(WALLET, '1', NOW);
    account.expect(record('0x2', NOW + 2));
    expect(account.balance().lost).toBe(1);
    see(account, '0x2');
    expect(account.balance()).toMatchObject({ alerts: 1, duplicates: 0, lost: 0, differences: [] });
  });

  it('demands nothing more of a channel that is gone or a watch that has ended', () => {
    for (const end of ['channelGone', 'watchEnded'] as const) {
      const account = createAccount();
      account.watch(WALLET, '1', NOW);
      account.expect(record('0x3', NOW));
      expect(account.balance().lost).toBe(1);
      if (end === 'channelGone') account.channelGone('1');
      else account.watchEnded(WALLET, '1');
      account.expect(record('0x4', NOW));
      expect(account.balance()).toMatchObject({ duplicates: 0, lost: 0 });
    }
  });
});

describe('npm run demo', () => {
  it('prints the address of its page, serves it, and counts the alerts when it is interrupted', {
    timeout: 90_000,
  }, async () => {
    const child = spawn(process.execPath, [inject('demoMain'), '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    const output = createInterface({ input: child.stdout });
    const ended = Promise.all([once(child, 'exit'), once(output, 'close')]);
    const until = (isIt: (line: string) => boolean) =>
      new Promise<string>((resolve) => {
        output.on('line', (line) => isIt(line) && resolve(line));
      });
    output.on('line', (line) => lines.push(line));
    const alert = until((line) => line.startsWith('[#'));
    const address = (await until((line) => line.startsWith('Open '))).split(' ')[1] ?? '';
    expect(await (await fetch(address)).text()).toContain('walletbell');
    await alert;
    child.kill('SIGINT');
    const [[exitCode]] = await ended;
    expect(exitCode).toBe(0);
    expect(lines.at(-1)).toMatch(/^\d+ alerts, 0 duplicates, 0 lost$/);
  });
});
