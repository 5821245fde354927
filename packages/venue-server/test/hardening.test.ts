import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../src/ledger.ts';
import { activities, readRaw, type Served, serveInTest, WALLET } from './support.ts';

const PATH = `/v1/trader/${WALLET}/activity`;
const KEY = 'Authorization: Bearer demo\r\n';
const CLOSE = 'Connection: close\r\n\r\n';

let venue: Served;
beforeEach(async () => {
  venue = await serveInTest();
});

/** Returns the status of each reply, after checking its envelope and rate headers. */
async function statuses(text: string): Promise<number[]> {
  return readRaw(await venue.raw(text)).map((reply) => reply.status);
}

describe('what is no readable request', () => {
  it.each([
    ['noise', 'hello\r\n\r\n'],
    ['an unknown method', `BREW ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`],
    ['an unknown protocol', `GET ${PATH} HTP/7\r\n\r\n`],
    ['a space in the address', `GET ${PATH} ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      'two lengths',
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    ],
    [
      'a length and chunks',
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['a folded header', `GET ${PATH} HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n d: e\u0001\r\n\r\n`],
  ])('gets 400 in the envelope with rate headers: %s', async (_, text) => {
    expect(await statuses(text)).toEqual([400]);
  });

  it('gets 400 without a Host header', async () => {
    expect(await statuses(`GET ${PATH} HTTP/1.1\r\n${KEY}\r\n`)).toEqual([400]);
  });

  it('does not spoil the answer to the request before it on the same connection', async () => {
    const replies = readRaw(
      await venue.raw(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}\r\nnonsense\r\n\r\n`),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 400]);
  });

  it('gets 405 for CONNECT and 417 for an unknown expectation', async () => {
    expect(await statuses(`CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n`)).toEqual([405]);
    expect(
      await statuses(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}Expect: miracles\r\n\r\n`),
    ).toEqual([417]);
  });
});

describe('size limits', () => {
  it('refuse headers of more than 16 KB with 431', async () => {
    const headers = 'X-Padding: 0123456789\r\n'.repeat(1_000);
    expect(await statuses(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}${headers}\r\n`)).toEqual([
      431,
    ]);
  });
});

describe('a body', () => {
  it('is refused with 400, and a short one does not cost the connection', async () => {
    const refused = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}Content-Length: 5\r\n\r\nhello`;
    const next = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}${CLOSE}`;
    expect(await statuses(refused + next)).toEqual([400, 200]);
  });

  it('is refused before it is sent when the client asks first', async () => {
    const head = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n`;
    expect(await statuses(head)).toEqual([400]);
  });

  it('of no known length ends the connection', async () => {
    const head = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}Transfer-Encoding: chunked\r\n\r\n`;
    expect(await statuses(head)).toEqual([400]);
  });

  it('of length zero is none', async () => {
    expect(
      await statuses(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}Content-Length: 0\r\n${CLOSE}`),
    ).toEqual([200]);
  });
});

describe('other ways to ask', () => {
  it('answers HTTP/1.0, absolute addresses, HEAD without a body, and requests in a row', async () => {
    expect(await statuses(`GET ${PATH} HTTP/1.0\r\n${KEY}\r\n`)).toEqual([200]);
    expect(
      await statuses(`GET http://x${PATH}?limit=1 HTTP/1.1\r\nHost: x\r\n${KEY}${CLOSE}`),
    ).toEqual([200]);
    const head = await venue.raw(`HEAD ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}${CLOSE}`);
    expect(head).toMatch(/^HTTP\/1\.1 405 /);
    expect(head.split('\r\n\r\n')[1]).toBe('');
    const one = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
    const last = `GET /nothing HTTP/1.1\r\nHost: x\r\n${KEY}${CLOSE}`;
    expect(await statuses(one + one + last)).toEqual([200, 200, 404]);
  });

  it('does not change the protocol', async () => {
    const head = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${KEY}Upgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`;
    expect(await statuses(head)).toEqual([200]);
  });
});

describe('slow clients', () => {
  it('get 408 when the request does not come to its end', async () => {
    const strict = await serveInTest({ limits: { headersMs: 100 } });
    const replies = await Promise.all(
      ['', `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Slow: `].map(async (text) =>
        readRaw(await strict.raw(text)),
      ),
    );
    expect(replies.flat().map((reply) => reply.status)).toEqual([408, 408]);
  });

  it('are cut off when they do not read their answers', async () => {
    const title = 'A long title. '.repeat(400);
    const strict = await serveInTest({ limits: { idleMs: 300 } });
    await strict.ledger.addAll(activities(100, () => ({ marketTitle: title })));
    const socket = await strict.connected();
    const request = `GET ${PATH}?limit=100 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
    // Half a megabyte each, which is more than the sockets' buffers hold.
    socket.write(request.repeat(40));
    socket.resume();
    await once(socket, 'data');
    socket.pause();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const watch = setInterval(() => socket.write('GET '), 50);
    await closed;
    clearInterval(watch);
    // A busy machine may itself be too slow for a server with such short timeouts.
    const answered = () => strict.activity('?limit=1').catch(() => null);
    await expect.poll(answered).toMatchObject({ status: 200 });
  });

  it('do not hold up others', async () => {
    const idle = await Promise.all(Array.from({ length: 50 }, venue.connected));
    for (const socket of idle) socket.write('GET /v1/tra');
    expect((await venue.activity()).status).toBe(200);
    for (const socket of idle) socket.destroy();
  });
});

describe('stopping', () => {
  /** Returns the ledger with a gate: no page is returned before the gate emits `released`. */
  function gated() {
    const gate = new EventEmitter();
    const released = once(gate, 'released');
    const { ledger } = venue;
    const activityPage: Ledger['activityPage'] = async (...asked) => {
      gate.emit('arrived');
      await released;
      return ledger.activityPage(...asked);
    };
    return { gate, arrived: once(gate, 'arrived'), ledger: { ...ledger, activityPage } };
  }

  it('finishes the requests in flight, and closes idle connections at once', async () => {
    const { gate, arrived, ledger } = gated();
    const stopping = await serveInTest({ ledger });
    const idle = await stopping.connected();
    const idleClosed = once(idle, 'close');
    const inFlight = stopping.activity();
    await arrived;

    const stopped = stopping.stop();
    await idleClosed;
    gate.emit('released');
    const reply = await inFlight;
    expect(reply.status).toBe(200);
    expect(reply.headers.get('connection')).toBe('close');
    await stopped;
    await expect(fetch(stopping.url)).rejects.toThrow();
  });

  it('cuts off a request that does not end within the grace', async () => {
    const { arrived, ledger } = gated();
    const stopping = await serveInTest({ ledger, limits: { graceMs: 50 } });
    const inFlight = expect(stopping.activity()).rejects.toThrow();
    await arrived;
    await stopping.stop();
    await inFlight;
  });

  it('names host and port when they cannot be bound', async () => {
    const port = Number(new URL(venue.url).port);
    await expect(serveInTest({ port, ledger: venue.ledger })).rejects.toThrow(
      `Cannot listen on 127.0.0.1, port ${port}`,
    );
  });

  it('binds to loopback by default', () => {
    expect(venue.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});
