import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { firstColumn, page, section } from '../docs/pages.ts';

/**
 * Licences that go with this project's MIT: permissive ones, and MPL-2.0, which asks for the files
 * it covers alone.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]);
/** Packages whose own words are no SPDX expression, with what their licence file holds. */
const READ_BY_HAND: Readonly<Record<string, string>> = { 'discord-markdown-parser': 'Apache-2.0' };

const entrySchema = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  link: z.boolean().optional(),
});
const lockSchema = z.object({
  lockfileVersion: z.number(),
  packages: z.record(z.string(), entrySchema),
});
const namedSchema = z.record(z.string(), z.string());
const manifestSchema = z.object({
  dependencies: namedSchema,
  devDependencies: namedSchema,
  allowScripts: z.record(z.string(), z.boolean()),
});
const workspaceSchema = z.object({
  name: z.string(),
  dependencies: namedSchema,
  devDependencies: namedSchema,
});
const installedSchema = z.object({ version: z.string(), license: z.string().optional() });

const lock = lockSchema.parse(readJson('package-lock.json'));
const manifest = manifestSchema.parse(readJson('package.json'));
/** What comes from the registry: neither this project nor the packages of its own that it links. */
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);
const inProduction = packages.filter(([, { dev }]) => dev !== true);

const workspaces = Object.keys(lock.packages).filter((path) => /^packages\/[^/]+$/.test(path));
const manifests = workspaces.map((path) =>
  workspaceSchema.parse(readJson(join(path, 'package.json'))),
);

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) ?? path;
}

/** Whether an SPDX expression can be met with the allowed licences alone. */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/^\((.*)\)$/, '$1');
  if (text.includes('(')) return false;
  return text
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence.trim())));
}

describe('the dependencies', () => {
  it('carry licences that go with this project, by the lock file and by what is installed', () => {
    const faults = inProduction.flatMap(([path, { license }]) => {
      const name = nameOf(path);
      const file = join(path, 'package.json');
      const installed = existsSync(file)
        ? installedSchema.parse(readJson(file)).license
        : undefined;
      const texts = new Set(
        [license, installed ?? license].map((own) => READ_BY_HAND[name] ?? own ?? 'no licence'),
      );
      return [...texts].filter((own) => !isAllowed(own)).map((own) => `${name}: ${own}`);
    });
    expect(faults).toEqual([]);
    expect(inProduction.length).toBeGreaterThan(100);
  });

  it('would be refused with another licence', () => {
    expect(
      ['GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', 'SEE LICENSE IN x', ''].map(isAllowed),
    ).not.toContain(true);
    expect(['(MIT OR GPL-3.0)', 'MIT AND OFL-1.1', 'ISC'].map(isAllowed)).not.toContain(false);
  });

  it('are pinned: an exact version each, its hash in the lock file, and no host name there', () => {
    const wishes = [manifest, ...manifests].flatMap(({ dependencies, devDependencies }) => [
      ...Object.entries(dependencies),
      ...Object.entries(devDependencies),
    ]);
    expect(wishes.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(lock.lockfileVersion).toBe(3);
    const faults = packages.filter(
      ([, { version, integrity, resolved }]) =>
        version === undefined || !/^sha512-/.test(integrity ?? '') || resolved !== undefined,
    );
    expect(faults.map(([path]) => path)).toEqual([]);
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(
      /https?:\/\/(registry|npm)\b|"resolved": "(?!packages\/)/,
    );
  });

  it('are installed as the lock file says', () => {
    const faults = packages.filter(([path, { version, optional }]) => {
      const file = join(path, 'package.json');
      return existsSync(file)
        ? installedSchema.parse(readJson(file)).version !== version
        : optional !== true;
    });
    expect(faults.map(([path]) => path)).toEqual([]);
  });

  it('run scripts at the installation only where that is allowed by name', () => {
    const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = new Set(withScript.map(([path]) => nameOf(path)));
    expect([...names].toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
    // npm only warns of others, unless it is told to fail.
    expect(readFileSync('.npmrc', 'utf8')).toMatch(/^strict-allow-scripts=true$/m);
  });

  it('bring one undici, which serves the venue and discord.js alike', () => {
    expect(packages.map(([path]) => path).filter((path) => nameOf(path) === 'undici')).toEqual([
      'node_modules/undici',
    ]);
  });

  it('leave out of what is shipped what only the sandbox and the build need', () => {
    const shipped = new Set(inProduction.map(([path]) => nameOf(path)));
    const others = [
      'lit-html',
      '@fontsource/noto-color-emoji',
      'discord-markdown-parser',
      'esbuild',
      'tsx',
    ];
    expect(others.filter((name) => shipped.has(name))).toEqual([]);
  });

  it('are each accounted for, with what they are for', () => {
    const listed = firstColumn(section(page('docs/architecture.md'), '## Dependencies'));
    const wished = [manifest, ...manifests].flatMap(({ dependencies, devDependencies }) => [
      ...Object.keys(dependencies),
      ...Object.keys(devDependencies),
    ]);
    expect(listed.toSorted()).toEqual([...new Set(wished)].toSorted());
  });

  it('make a bill of materials without the network', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      env: { ...process.env, npm_config_offline: 'true' },
      maxBuffer: 2 ** 26,
    });
    const bill = z
      .object({
        bomFormat: z.literal('CycloneDX'),
        components: z.array(
          z.object({
            name: z.string(),
            version: z.string(),
            hashes: z.array(z.unknown()).optional(),
          }),
        ),
      })
      .parse(JSON.parse(stdout));
    const own = new Set(workspaces.map((path) => path.replace('packages/', '')));
    const unhashed = bill.components.filter(
      ({ hashes }) => hashes === undefined || hashes.length === 0,
    );
    expect(unhashed.map(({ name }) => name).filter((name) => !own.has(name))).toEqual([]);
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    const missing = packages.filter(
      ([path, { version }]) => !listed.has(`${nameOf(path)}@${version}`),
    );
    expect(missing.map(([path]) => path)).toEqual([]);
  });
});
