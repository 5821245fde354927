import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file that the page's server serves. */
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
 * Returns the page's files by URL path; no other file is ever read.
 *
 * @param folder the built page, dist/page
 * @throws Error if the folder does not exist
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
