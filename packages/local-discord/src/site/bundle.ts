import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file that the page's server gives out. */
export interface Asset {
  readonly contentType: string;
  readonly file: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/**
 * The page's files by their address; no other is ever read.
 *
 * @param folder the page as the build has made it, dist/page
 * @throws Error when it is not there
 */
export async function readPage(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(folder, { recursive: true });
  return new Map(
    entries.flatMap((name): [string, Asset][] => {
      const contentType = CONTENT_TYPES[extname(name)];
      if (contentType === undefined) return [];
      const path = name === 'index.html' ? '/' : `/${name.replaceAll('\\', '/')}`;
      return [[path, { contentType, file: join(folder, name) }]];
    }),
  );
}
