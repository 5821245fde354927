import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sourceFiles } from '../docs/pages.ts';

/** The one file of the feed half that the bot half imports. */
const SEAM = 'src/feed/interface.ts';
const BASE = 'domain language lib';
/**
 * What each folder imports of the others: "feed" for the bot half means the seam alone. `app` and
 * `cli` wire both.
 */
const MAY_IMPORT: Readonly<Record<string, string>> = {
  // What both halves use.
  domain: 'lib',
  language: 'lib',
  lib: '',
  store: 'lib',
  charts: 'language',
  ops: `${BASE} store`,
  polymarket: 'lib',
  // The feed half.
  venue: 'domain lib',
  'poll-policy': 'domain lib',
  feed: `${BASE} ops poll-policy store venue`,
  // The bot half.
  alerts: `${BASE} embeds feed lookups portfolio store watches`,
  'alerts-out': `${BASE} alerts later portfolio store watches`,
  delivery: `${BASE} alerts details embeds later messages portfolio store watches`,
  details: `${BASE} alerts embeds feed lookups portfolio store watches`,
  digests: `${BASE} alerts charts delivery discord embeds feed portfolio scores store watches`,
  discord: `${BASE} delivery embeds feed slash-commands store watches`,
  embeds: `${BASE} portfolio`,
  later: `${BASE} alerts store watches`,
  lookups: `${BASE} charts discord embeds feed portfolio store watches`,
  messages: `${BASE} alerts details embeds portfolio`,
  notices: `${BASE} delivery embeds feed store watches`,
  persons: `${BASE} delivery discord lookups store watches`,
  portfolio: 'domain lib watches',
  scores: `${BASE} charts embeds portfolio watches`,
  'slash-commands': 'language',
  watches: `${BASE} embeds feed portfolio slash-commands store`,
  commands: `${BASE} alerts charts delivery details digests discord embeds feed later lookups
    messages ops persons portfolio scores slash-commands store watches`,
};
const WIRING = ['app', 'cli', 'build', 'demo'];
const FEED_HALF = ['venue', 'poll-policy', 'feed'];

/** `src/feed/nats/wire.ts`: feed; what lies in `src` itself has none. */
function folderOf(path: string): string | undefined {
  const [first, second, third] = path.split('/');
  if (first === 'commands') return first;
  return third === undefined ? undefined : second;
}

/** What a file imports at once, later or as a type: paths of files, and names of modules. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom\s+|\bimport\(\s*|^import\s+)'([^'\n]+)'/gm)].map(
    ([, name = '']) => name,
  );

/** Imports across folders, each `file → file`, that the table does not allow. */
function forbidden(path: string, text: string): string[] {
  const folder = folderOf(path);
  if (folder === undefined || WIRING.includes(folder)) return [];
  const targets = importsOf(text)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name));
  return targets
    .filter((target) => {
      const other = folderOf(target);
      if (other === undefined || other === folder) return false;
      if (!(MAY_IMPORT[folder] ?? '').split(/\s+/).includes(other)) return true;
      return other === 'feed' && target !== SEAM && !FEED_HALF.includes(folder);
    })
    .map((target) => `${path} → ${target}`);
}

const namedSchema = z.record(z.string(), z.string());
const manifestSchema = z.object({ dependencies: namedSchema, devDependencies: namedSchema });

/** Modules that a package names in its package.json, such as `zod`. */
function modulesOf(folder: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { dependencies, devDependencies } = manifestSchema.parse(manifest);
  return Object.keys({ ...dependencies, ...devDependencies });
}

/** `lit-html/directives/guard.js`: lit-html. `@noble/hashes/sha3.js`: @noble/hashes. */
function moduleOf(name: string): string {
  const parts = name.split('/');
  return parts.slice(0, name.startsWith('@') ? 2 : 1).join('/');
}

/** Imports of a file of a package, each `file → import`, that leave the package. */
function leaving(folder: string, path: string, text: string): string[] {
  const modules = modulesOf(folder);
  return importsOf(text)
    .filter((name) => {
      if (name.startsWith('.')) return !join(dirname(path), name).startsWith(`${folder}/`);
      return !name.startsWith('node:') && !modules.includes(moduleOf(name));
    })
    .map((name) => `${path} → ${name}`);
}

/** Imports of a file of the bot, each `file → import`, of a package that is not shipped. */
function unshipped(path: string, text: string): string[] {
  if (path.startsWith('src/demo/')) return [];
  return importsOf(text)
    .filter((name) => name.startsWith('@walletbell/') || /^(?:\.\.\/)+packages\//.test(name))
    .map((name) => `${path} → ${name}`);
}

describe('the walls between folders', () => {
  it('hold: each imports only what the table names', () => {
    const found = ['src', 'commands']
      .flatMap(sourceFiles)
      .flatMap((path) => forbidden(path, readFileSync(path, 'utf8')));
    expect(found).toEqual([]);
  });

  it('are seen through by no import: neither of the other half, nor of a type, nor one made later', () => {
    for (const [path, line] of [
      ['src/feed/learning.ts', "import { x } from '../messages/buttons.ts';"],
      ['src/feed/learning.ts', "import type { X } from '../slash-commands/options.ts';"],
      ['src/feed/learning.ts', "const x = await import('../alerts/build.ts');"],
      ['src/alerts/build.ts', "import { x } from '../feed/poller.ts';"],
      ['src/lib/error.ts', "import { x } from '../venue/client.ts';"],
    ] as const)
      expect(forbidden(path, line)).toHaveLength(1);
    const seam = "import { x } from '../feed/interface.ts';";
    expect(forbidden('src/alerts/build.ts', seam)).toEqual([]);
  });
});

describe('the packages', () => {
  const folders = readdirSync('packages').map((name) => `packages/${name}`);

  it('stand by themselves: they import neither the bot, nor each other, nor what they do not name', () => {
    const found = folders.flatMap((folder) =>
      sourceFiles(folder).flatMap((path) => leaving(folder, path, readFileSync(path, 'utf8'))),
    );
    expect(found).toEqual([]);
    expect(folders).toEqual(['packages/local-discord', 'packages/venue-server']);
  });

  it('are imported by the demo and by tests alone', () => {
    const found = ['src', 'commands']
      .flatMap(sourceFiles)
      .flatMap((path) => unshipped(path, readFileSync(path, 'utf8')));
    expect(found).toEqual([]);
  });

  it('hide no import that crosses their walls', () => {
    const [folder, path] = ['packages/venue-server', 'packages/venue-server/src/record.ts'];
    for (const line of [
      "import type { X } from '../../../src/domain/records.ts';",
      "import { x } from '@walletbell/local-discord/plain';",
      "import 'discord.js';",
      "export { x } from '../../local-discord/src/plain.ts';",
    ])
      expect(leaving(folder, path, line)).toHaveLength(1);
    expect(leaving(folder, path, "import * as z from 'zod';\nimport './ledger.ts';")).toEqual([]);
    for (const line of [
      "const x = await import('@walletbell/venue-server/venue');",
      "import { x } from '../../packages/venue-server/src/venue.ts';",
    ]) {
      expect(unshipped('src/app/bot.ts', line)).toHaveLength(1);
      expect(unshipped('src/demo/site.ts', line)).toEqual([]);
    }
  });
});
