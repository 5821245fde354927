import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { type Body, bodySchema } from '../../src/alerts-out/body.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/**
 * A receiver that verifies each message and keeps it.
 *
 * @param answer what it answers to a message; it may take its time
 * @param isTimeless whether it takes a message of any time, for tests that turn the bot's clock
 * @param tls its certificate and key; left out: it speaks http
 */
export async function startReceiver(
  answer: (received: Received) => Answer | Promise<Answer> = () => ({ status: 204 }),
  isTimeless = false,
  tls?: ServerOptions,
) {
  const webhook = new Webhook(SECRET);
  const received: Received[] = [];
  const faults: unknown[] = [];
  let told = () => {};
  const listener: RequestListener = async (request, response) => {
    try {
      const text = Buffer.concat(await request.toArray()).toString();
      const verified = isTimeless
        ? signedAtAnyTime(webhook, text, request.headers)
        : webhook.verify(text, request.headers as Record<string, string>);
      const body = bodySchema.parse(verified);
      const message = {
        id: String(request.headers['webhook-id']),
        timestamp: String(request.headers['webhook-timestamp']),
        headers: request.headers,
        body,
      };
      received.push(message);
      told();
      const { status, headers } = await answer(message);
      response.writeHead(status, headers).end();
    } catch (error) {
      // Whoever sent it was killed meanwhile, or cut off.
      if (!request.complete) return;
      faults.push(error);
      told();
      response.writeHead(401).end();
    }
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const listen = async (port: number): Promise<void> => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  const leave = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/alerts`,
    received,
    /** What came and was no signed alert. */
    faults,
    /** Ends all connections. */
    cut: () => server.closeAllConnections(),
    /** Takes no connections any more. */
    leave,
    /** Takes connections again, under the same address. */
    comeBack: () => listen(port),
    /** Resolves once as many messages have come, repeated ones included. */
    async until(count: number): Promise<void> {
      while (received.length < count) {
        if (faults.length > 0) throw faults[0];
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      }
      if (faults.length > 0) throw faults[0];
    },
    close: leave,
  };
}

/** The same for one test. */
export async function openReceiver(...given: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...given);
  onTestFinished(receiver.close);
  return receiver;
}

/** What a message says if its signature is right, however old it is. */
function signedAtAnyTime(webhook: Webhook, text: string, headers: IncomingHttpHeaders): unknown {
  const id = String(headers['webhook-id']);
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signature = webhook.sign(id, at, text);
  if (headers['webhook-signature'] !== signature) throw new Error('The signature is another.');
  return JSON.parse(text);
}
