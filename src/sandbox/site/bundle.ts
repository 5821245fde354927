import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that the page's server gives out. */
export interface Asset {
  readonly contentType: string;
  readonly body: Uint8Array;
}

const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/bot.svg': ['bot.svg', 'image/svg+xml'],
  '/person.svg': ['person.svg', 'image/svg+xml'],
  '/picture.svg': ['picture.svg', 'image/svg+xml'],
} as const;

/**
 * The page's files by their address.
 *
 * @param folder the page as the build has made it, dist/page
 */
export async function readPage(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const files = Object.entries(FILES).map(
    async ([path, [name, contentType]]): Promise<[string, Asset]> => [
      path,
      { contentType, body: await readFile(join(folder, name)) },
    ],
  );
  return new Map(await Promise.all(files));
}
