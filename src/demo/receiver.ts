import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Webhook } from 'standardwebhooks';
import { type Body, bodySchema } from '../alerts-out/body.ts';

/** Newest messages that are shown. */
const SHOWN = 6;
/** Ids by which a repeated message is known. */
const IDS_KEPT = 100_000;
const SECRET_BYTES = 32;

/** A message that came to the receiver. */
export interface ReceivedAlert {
  readonly atMs: number;
  /** Parts of its body; null where its signature is not the bot's, or it is no signed alert. */
  readonly alert:
    | (Pick<Body, 'type'> & { readonly wallet: string; readonly isLate: boolean })
    | null;
  /** True if a message with its id came before. */
  readonly isRepeated: boolean;
}

/** Everything that came to the receiver. */
export interface Received {
  /** Signed alerts, repeated ones not counted. */
  readonly alerts: number;
  readonly repeated: number;
  /** Messages whose signature is not the bot's. */
  readonly refused: number;
  /** Newest first. */
  readonly newest: readonly ReceivedAlert[];
}

/**
 * Receives signed alerts on loopback as somebody's own program would: verifies each with the
 * package of Standard Webhooks, and knows by its id what it has had before.
 */
export async function startReceiver() {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const webhook = new Webhook(secret);
  const ids = new LRUCache<string, true>({ max: IDS_KEPT });
  let received: Received = { alerts: 0, repeated: 0, refused: 0, newest: [] };
  const show = (message: Pick<ReceivedAlert, 'alert' | 'isRepeated'>) =>
    [{ ...message, atMs: Date.now() }, ...received.newest].slice(0, SHOWN);

  function take(text: string, headers: IncomingHttpHeaders): boolean {
    const alert = readAlert(webhook, text, headers);
    if (alert === null) {
      const newest = show({ alert, isRepeated: false });
      received = { ...received, refused: received.refused + 1, newest };
      return false;
    }
    const id = String(headers['webhook-id']);
    const isRepeated = ids.has(id);
    ids.set(id, true);
    const newest = show({ alert, isRepeated });
    if (isRepeated) received = { ...received, repeated: received.repeated + 1, newest };
    else received = { ...received, alerts: received.alerts + 1, newest };
    return true;
  }

  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    // Whoever sent it was killed meanwhile.
    if (text === null) return;
    response.writeHead(take(text, request.headers) ? 204 : 401).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    /** Secret of both sides, of this run alone. */
    secret,
    get received(): Received {
      return received;
    },
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

async function textOf(request: IncomingMessage): Promise<string | null> {
  try {
    return Buffer.concat(await request.toArray()).toString();
  } catch {
    return null;
  }
}

function readAlert(
  webhook: Webhook,
  text: string,
  headers: IncomingHttpHeaders,
): ReceivedAlert['alert'] {
  const given = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    String(headers[name] ?? ''),
  ]);
  try {
    const body = bodySchema.parse(webhook.verify(text, Object.fromEntries(given)));
    return { type: body.type, wallet: body.data.wallet, isLate: body.data.late };
  } catch {
    return null;
  }
}
