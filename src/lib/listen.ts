import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from './error.ts';

/** An address or name of this machine, and a port; port 0: any free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Returns the URL at which an address is reached by HTTP, without a path. */
export const originOf = ({ host, port }: ListenAddress): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Reads `9464`, `0.0.0.0:9464` or `[::]:9464`; null for anything else. */
export function readListenAddress(text: string): ListenAddress | null {
  const [, ipv6, name, digits] =
    /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text.trim()) ?? [];
  const port = Number(digits);
  return port <= 65_535 ? { host: ipv6 ?? name ?? '127.0.0.1', port } : null;
}

/**
 * Checks whether an address can be listened on, and frees it at once.
 *
 * @returns the error's code if it cannot, such as EADDRINUSE; null if it can
 */
export async function listenFault({ host, port }: ListenAddress): Promise<string | null> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return null;
  } catch (error) {
    return errorCode(error) || String(error);
  } finally {
    server.close();
  }
}
