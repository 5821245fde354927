import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Webhook } from 'standardwebhooks';
import { type Body, bodySchema } from '../alerts-out/body.ts';

/** Maximum number of newest messages shown. */
const SHOWN = 6;
/** Maximum number of ids kept to recognize a repeated message. */
const IDS_KEPT = 100_000;
const SECRET_BYTES = 32;

/** A message that the receiver has received. */
export interface ReceivedAlert {
  readonly atMs: number;
  /** Parts of its body; null if its signature is not the bot's, or if it is not a signed alert. */
  readonly alert:
    | (Pick<Body, 'type'> & { readonly wallet: string; readonly isLate: boolean })
    | null;
  /** True if a message with the same id came before. */
  readonly isRepeated: boolean;
}

/** Counts of all messages received. */
export interface Received {
  /** Signed alerts, without repeated ones. */
  readonly alerts: number;
  readonly repeated: number;
  /** Messages whose signature is not the bot's. */
  readonly refused: number;
  /** Newest first. */
  readonly newest: readonly ReceivedAlert[];
}

/**
 * Receives signed alerts on loopback like a third-party program: it verifies each with the package
 * of Standard Webhooks, and recognizes repeated ones by their id.
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
    // The sender was killed in the meantime.
    if (text === null) return;
    response.writeHead(take(text, request.headers) ? 204 : 401).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    /** Shared secret of both sides, for this run only. */
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
