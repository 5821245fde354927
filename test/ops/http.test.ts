import { get } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOwnHost, json, ListenError, serveHttp } from '../../src/ops/http.ts';
import { collectingLog, quietLog } from '../support/log.ts';

async function served() {
  const { log, lines } = collectingLog();
  const server = await serveHttp({
    address: { host: '127.0.0.1', port: 0 },
    pages: {
      '/good': async () => json(200, { good: true }),
      '/bad': async () => {
        throw new Error('of the inside');
      },
    },
    log,
  });
  onTestFinished(server.close);
  return { ...server, lines };
}

describe('the HTTP server', () => {
  it('says where it listens', async () => {
    const { url, lines } = await served();
    expect(lines).toEqual([expect.objectContaining({ event: 'http.listening', url })]);
  });

  it('answers GET and HEAD, with or without a query', async () => {
    const { url } = await served();
    const got = await fetch(`${url}/good?x=1`);
    expect(await got.text()).toBe('{"good":true}\n');
    expect(got.headers.get('cache-control')).toBe('no-store');
    const head = await fetch(`${url}/good`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  it('refuses other methods with 405 and what it accepts, and other paths with 404', async () => {
    const { url } = await served();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const body = method === 'POST' ? { body: 'x'.repeat(100_000) } : {};
      const answer = await fetch(`${url}/good`, { method, ...body });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }
    for (const path of ['/', '/good/', '/constructor', '/__proto__', '/%67ood']) {
      expect((await fetch(url + path)).status).toBe(404);
    }
  });

  it('logs a page that fails, and shows nothing of it', async () => {
    const { url, lines } = await served();
    const answer = await fetch(`${url}/bad`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('inside');
    expect(lines.at(-1)).toMatchObject({ event: 'http.failed', path: '/bad' });
  });

  it('refuses headers that are too long, and what is no HTTP', async () => {
    const { url } = await served();
    const answer = await fetch(`${url}/good`, { headers: { long: 'x'.repeat(10_000) } });
    expect(answer.status).toBe(431);
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write('nonsense\r\n\r\n'),
    );
    const text = await new Promise((resolve) => socket.on('data', (data) => resolve(String(data))));
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 400/);
  });

  it('answers nobody whose page has let a name of its own point here', async () => {
    const { url } = await served();
    const { port } = new URL(url);
    const asked = (host: string) =>
      new Promise<number>((resolve, reject) => {
        get(`${url}/good`, { headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        }).on('error', reject);
      });
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(await asked(`${host}:${port}`), host).toBe(200);
    const others = `walletbell 127.0.0.1.evil.example localhost.evil.example rebind.evil.example:${port}`;
    for (const host of others.split(' ')) expect(await asked(host), host).toBe(421);
  });

  it.each([
    ['walletbell:9464', '0.0.0.0', true],
    ['walletbell:9464', '::', true],
    ['10.1.2.3:9464', '0.0.0.0', true],
    ['[fd00::1]', '::', true],
    ['bot.example:9464', 'bot.example', true],
    ['BOT.example', 'bot.example', true],
    ['rebind.evil.example', '0.0.0.0', false],
    ['rebind.evil.example', 'bot.example', false],
    ['walletbell', '127.0.0.1', false],
    ['walletbell', '::1', false],
    ['user@localhost', '127.0.0.1', false],
    ['', '127.0.0.1', true],
  ])('accepts the host "%s" as its own when it listens on %s: %s', (header, boundHost, isOwn) => {
    expect(isOwnHost(header, boundHost)).toBe(isOwn);
  });

  it('names the variable when the port is taken', async () => {
    const { url } = await served();
    const port = Number(new URL(url).port);
    const address = { host: '127.0.0.1', port };
    const second = serveHttp({ address, pages: {}, log: quietLog() });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(/HTTP_PORT .*EADDRINUSE.*0 for a free port/);
  });
});
