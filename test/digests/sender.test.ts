import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MessageFlags } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AUDIBLE } from '../../src/delivery/plan/mentions.ts';
import { createSender } from '../../src/delivery/sender.ts';
import { createPictureSender } from '../../src/digests/picture-sender.ts';
import { createRest } from '../../src/discord/client.ts';

const CHANNEL = '100000000000000002';

/** A Discord that answers everything with a message, and keeps what it was sent. */
async function listen(): Promise<{ readonly apiUrl: string; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    bodies.push(Buffer.concat(parts).toString('latin1'));
    response.setHeader('content-type', 'application/json').end('{"id":"100000000000000009"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { apiUrl: `http://127.0.0.1:${port}/api`, bodies };
}

describe('a digest on its way to Discord', () => {
  it('takes its picture along, and leaves secrets out with and without it', async () => {
    const { apiUrl, bodies } = await listen();
    // Node's own copy of undici comes first, as it does where a library fetches.
    await (await fetch(apiUrl)).text();
    bodies.length = 0;
    const rest = createRest({
      apiUrl,
      token: 'token',
      redact: (text) => text.replaceAll('hush-hush', '[redacted]'),
    });
    const { send } = createSender({ rest, selfId: () => null, canReadHistory: () => true });
    const embed = { description: 'a key: hush-hush', image: { url: 'attachment://digest.png' } };
    for (const picture of [
      { name: 'digest.png', description: 'bars', attachment: Buffer.from('PNG') },
      null,
    ]) {
      const message = { body: { embeds: [embed], picture }, noise: AUDIBLE, nonce: 'once' };
      expect(await send(CHANNEL, message)).toBe('100000000000000009');
    }
    for (const body of bodies) {
      expect(body).toContain('a key: [redacted]');
      expect(body).not.toContain('hush');
      expect(body).toContain('"enforce_nonce":true');
    }
    expect(bodies.map((body) => body.includes('filename="digest.png"'))).toEqual([true, false]);
  });

  it('makes no sound in quiet hours', async () => {
    const { apiUrl, bodies } = await listen();
    const rest = createRest({ apiUrl, token: 'token', redact: (text) => text });
    const sender = createSender({ rest, selfId: () => null, canReadHistory: () => true });
    let nowMs = 0;
    const send = createPictureSender({
      sender,
      canAttach: () => true,
      isQuietAt: (channelId, atMs) => channelId === CHANNEL && atMs < 1_000,
      nowMs: () => nowMs,
    });
    const message = { body: { embeds: [{ description: 'a day' }] }, withoutPicture: null };
    await send(CHANNEL, 0, message);
    nowMs = 1_000;
    await send(CHANNEL, 0, message);
    const flags = bodies.map((body) => JSON.parse(body).flags ?? 0);
    expect(flags).toEqual([MessageFlags.SuppressNotifications, 0]);
  });
});
