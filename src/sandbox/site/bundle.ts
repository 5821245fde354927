import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A file that the page's server gives out. */
export interface Asset {
  readonly contentType: string;
  readonly body: Uint8Array;
}

const PAGE = fileURLToPath(new URL('../page/', import.meta.url));
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/bot.svg': ['bot.svg', 'image/svg+xml'],
  '/person.svg': ['person.svg', 'image/svg+xml'],
  '/picture.svg': ['picture.svg', 'image/svg+xml'],
} as const;

/** The page's files by their address. Its program is bundled here, in well under a second. */
export async function bundlePage(): Promise<ReadonlyMap<string, Asset>> {
  const program = build({
    entryPoints: [`${PAGE}main.ts`],
    bundle: true,
    alias: { 'lit/directives/style-map.js': `${PAGE}style-map.ts` },
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  const files = Object.entries(FILES).map(
    async ([path, [name, contentType]]): Promise<[string, Asset]> => [
      path,
      { contentType, body: await readFile(PAGE + name) },
    ],
  );
  const body = (await program).outputFiles[0]?.contents ?? new Uint8Array();
  return new Map([
    ...(await Promise.all(files)),
    ['/page.js', { contentType: 'text/javascript; charset=utf-8', body }],
  ]);
}
