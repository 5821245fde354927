import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM_NAMES } from '../../src/build/bundle.js';
import { buildFault, nodeFault, ROOT, sourcesHash, stampFile } from '../../src/build/state.js';
import { temporaryFolder } from '../support/temp.ts';

/** A project of one program, built. */
function builtProject(): string {
  const root = temporaryFolder();
  for (const folder of ['commands', 'src', 'dist']) mkdirSync(join(root, folder));
  cpSync(join(ROOT, 'src/build'), join(root, 'src/build'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(join(root, 'src/main.ts'), 'console.log(1);\n');
  writeFileSync(join(root, 'dist/main.js'), "console.log('ran', process.argv.slice(2).join());\n");
  writeFileSync(stampFile(root), sourcesHash(root));
  return root;
}

interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

function node(root: string, args: readonly string[], environment: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env: environment }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    );
  });
}

const run = (root: string) => node(root, ['src/build/run.js', 'main', 'one', 'two']);

describe('what is started', () => {
  it('needs a Node that is new enough, and says so instead of failing somewhere', () => {
    for (const version of ['18.20.8', '20.18.3', '19.9.0', '9.0.0']) {
      expect(nodeFault(version), version).toBe(`walletbell needs Node.js 20.19 or newer; this is ${version}.`);
    }
    for (const version of ['20.19.0', '20.20.1', '22.1.0', '26.10.0']) expect(nodeFault(version), version).toBeNull();
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(engines.node).toBe('>=20.19.0');
  });

  it('is what was built, with its own arguments', async () => {
    expect(await run(builtProject())).toEqual({ exitCode: 0, output: 'ran one,two\n' });
  });

  it('is refused when the sources have changed since, with what to type', async () => {
    const changes: ((root: string) => void)[] = [
      (root) => writeFileSync(join(root, 'src/main.ts'), 'console.log(2);\n'),
      (root) => writeFileSync(join(root, 'commands/new.ts'), ''),
      (root) => writeFileSync(join(root, 'package-lock.json'), '{"a":1}'),
    ];
    for (const change of changes) {
      const root = builtProject();
      change(root);
      const { exitCode, output } = await run(root);
      expect(exitCode).toBe(78);
      expect(output).toMatch(/^The build in dist\/ is not of these sources.*npm run build\.\n$/);
    }
  });

  it('is refused when it was never built, or a build was cut short', async () => {
    const missing = builtProject();
    const cutShort = builtProject();
    await node(missing, ['-e', "require('fs').rmSync('dist', { recursive: true })"]);
    await node(cutShort, ['-e', "require('fs').rmSync('dist/sources.sha256')"]);
    for (const root of [missing, cutShort]) {
      const { exitCode, output } = await run(root);
      expect(exitCode).toBe(78);
      expect(output).toMatch(/^walletbell is not built.*npm run build\.\n$/);
    }
  });

  it('does not depend on times of files, which a copy changes', () => {
    const root = builtProject();
    const copy = temporaryFolder();
    cpSync(root, copy, { recursive: true });
    expect(buildFault('main', copy)).toBeNull();
  });

  it('is of these sources in this very checkout, for every program', () => {
    for (const program of PROGRAM_NAMES) expect(buildFault(program)).toBeNull();
  });
});

describe('what needs no Discord', () => {
  /** What a file of dist/ and all that it imports at once hold. */
  function loaded(file: string, seen = new Map<string, string>()): string {
    if (!seen.has(file)) {
      const text = readFileSync(join(ROOT, 'dist', file), 'utf8');
      seen.set(file, text);
      for (const [, next = ''] of text.matchAll(/(?:\bfrom|\bimport) ?"\.\/([\w-]+\.js)"/g)) loaded(next, seen);
    }
    return [...seen.values()].join('\n');
  }

  it('starts without loading discord.js: the feed, the back-up, and the bot before its configuration is right', () => {
    const feed = readdirSync(join(ROOT, 'dist')).find((name) => name.startsWith('feed-app-')) ?? '';
    for (const file of ['main.js', 'backup.js', feed]) expect(loaded(file), file).not.toContain('discord.js/src/');
    expect(loaded('doctor.js')).toContain('discord.js/src/');
  });
});

describe('the preparation of npm ci', () => {
  const prepare = (root: string) => node(root, ['src/build/main.js'], { npm_lifecycle_event: 'prepare' });

  it('says that it is skipped where the tools were left out, and what to type, and lets npm go on', async () => {
    const root = builtProject();
    writeFileSync(join(root, 'src/main.ts'), 'console.log(2);\n');
    const skipped = await prepare(root);
    expect(skipped.exitCode).toBe(0);
    expect(skipped.output).toMatch(/skipped.*--omit=dev.*\n.*npm ci --include=dev/);
    const asked = await node(root, ['src/build/main.js']);
    expect(asked).toEqual({ exitCode: 1, output: skipped.output });
  });

  it('says that there is nothing to build where dist/ came along', async () => {
    expect(await prepare(builtProject())).toEqual({
      exitCode: 0,
      output: 'walletbell: dist/ is of these sources; nothing to build.\n',
    });
  });

  it('builds what is named, and names what is no program', async () => {
    const root = builtProject();
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    writeFileSync(join(root, 'src/main.ts'), "console.log('built', process.argv.slice(2).join());\n");
    expect(await node(root, ['src/build/main.js', 'main'])).toEqual({ exitCode: 0, output: '' });
    expect(await run(root)).toEqual({ exitCode: 0, output: 'built one,two\n' });
    const { exitCode, output } = await node(root, ['src/build/main.js', 'dance']);
    expect(exitCode).toBe(64);
    expect(output).toBe(
      'There is no program "dance". Accepted: main, doctor, backup, store, health, venue, demo, discord.\n',
    );
  });
});
