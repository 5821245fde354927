import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from './error.ts';

/**
 * Tries whether an address can be listened on, and gives it back at once.
 *
 * @returns why it cannot, by the error's code, such as EADDRINUSE; null if it can
 */
export async function listenFault(host: string, port: number): Promise<string | null> {
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
