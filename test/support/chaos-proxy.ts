import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { listenLocally } from './listen.ts';

/** Kinds of damage to an exchange. */
export const HARMS = [
  /** The request does not arrive. */
  'dropBefore',
  /** The request arrives, but the response does not. */
  'dropAfter',
  'delay',
  /** The connection ends in the middle of the body. */
  'cutBody',
  /** Half of the body, sent as if complete. */
  'truncate',
  'error500',
  'error503',
  /** An HTML page of an intermediate proxy, with status 200. */
  'html',
  /** The right body under a wrong content type. */
  'wrongType',
  /** A 429 without a waiting time. */
  'bare429',
  /** Items of a page in a different order. */
  'shuffle',
  /** An item of a page duplicated. */
  'duplicate',
  /** An item of a page made unreadable. */
  'mangle',
] as const;
type Harm = (typeof HARMS)[number];

const pageSchema = z.looseObject({ data: z.looseObject({ items: z.array(z.unknown()) }) });

/** Starts a proxy on loopback that damages a share of the exchanges with a server. */
export async function startChaosProxy(options: {
  readonly target: string;
  readonly random: () => number;
  readonly share: number;
  readonly harms: readonly Harm[];
}) {
  const { target, random, share, harms } = options;
  let isCalm = false;
  const counts = new Map<Harm, number>();
  const choose = (): Harm | null => {
    if (isCalm || random() >= share) return null;
    const harm = harms[Math.floor(random() * harms.length)] ?? 'delay';
    counts.set(harm, (counts.get(harm) ?? 0) + 1);
    return harm;
  };

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const harm = choose();
    const sent = await buffer(incoming);
    if (harm === 'dropBefore') return void outgoing.destroy();
    if (harm === 'error500' || harm === 'error503')
      return void outgoing.writeHead(harm === 'error500' ? 500 : 503).end('oops');
    if (harm === 'bare429')
      return void outgoing.writeHead(429, { 'content-type': 'application/json' }).end('{}');
    if (harm === 'delay') await delay(200 + random() * 1_000);
    const answer = await passOn(target, incoming, sent);
    const { statusCode = 502, headers } = answer;
    const body = await buffer(answer);
    if (harm === 'dropAfter') return void outgoing.destroy();
    if (harm === 'html')
      return void outgoing
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html>Bad gateway</html>');
    const {
      'transfer-encoding': _chunked,
      'content-length': _length,
      connection: _connection,
      ...kept
    } = headers;
    if (harm === 'cutBody') {
      outgoing.writeHead(statusCode, { ...kept, 'content-length': body.length + 1 });
      outgoing.write(body.subarray(0, body.length / 2));
      return void setImmediate(() => outgoing.destroy());
    }
    const harmed = harm === null ? body : rewrite(body, harm, random);
    const type = harm === 'wrongType' ? { 'content-type': 'application/octet-stream' } : {};
    // A 204 has no body, and a length of 0 would imply one.
    const length = statusCode === 204 ? {} : { 'content-length': harmed.length };
    outgoing.writeHead(statusCode, { ...kept, ...type, ...length }).end(harmed);
  };

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return {
    ...(await listenLocally(server)),
    /** Stops the damage. */
    calm() {
      isCalm = true;
    },
    /** Number of times each kind of damage was done. */
    counts,
  };
}

function passOn(target: string, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...incoming.headers, host: new URL(target).host };
    const passed = request(
      `${target}${incoming.url}`,
      { method: incoming.method ?? 'GET', headers },
      resolve,
    );
    passed.on('error', reject).end(body);
  });
}

function rewrite(body: Buffer, harm: Harm, random: () => number): Buffer {
  if (harm === 'truncate') return body.subarray(0, body.length / 2);
  if (harm !== 'shuffle' && harm !== 'duplicate' && harm !== 'mangle') return body;
  const page = pageSchema.safeParse(JSON.parse(body.toString()));
  if (!page.success || page.data.data.items.length === 0) return body;
  const { items } = page.data.data;
  const place = Math.floor(random() * items.length);
  const [item] = items.slice(place, place + 1);
  if (harm === 'shuffle') items.sort(() => random() - 0.5);
  if (harm === 'duplicate') items.splice(Math.floor(random() * items.length), 0, item);
  if (harm === 'mangle') items.splice(place, 1, { ...Object(item), time: 'yesterday' });
  return Buffer.from(JSON.stringify(page.data));
}
