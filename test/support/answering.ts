import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenLocally } from './listen.ts';

/**
 * Serves requests on its own port until the test ends.
 *
 * @returns the URL, without a path
 */
export async function answering(listener: RequestListener): Promise<URL> {
  const { url, close } = await listenLocally(createServer(listener));
  onTestFinished(close);
  return new URL(url);
}
