import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM_NAMES } from '../../src/build/bundle.js';
import { buildFault, nodeFault, ROOT } from '../../src/build/state.js';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temp.ts';
import { within } from '../support/thorough.ts';

/** A project of one program, built. */
async function builtProject(): Promise<string> {
  const root = temporaryFolder();
  for (const folder of ['commands', 'src', 'dist']) mkdirSync(join(root, folder));
  cpSync(join(ROOT, 'src/build'), join(root, 'src/build'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(join(root, 'src/main.ts'), 'console.log(1);\n');
  writeFileSync(join(root, 'dist/main.js'), "console.log('ran', process.argv.slice(2).join());\n");
  const { STAMP_FILE, sourcesHash } = await stateOf(root);
  writeFileSync(STAMP_FILE, sourcesHash());
  return root;
}

/** What is compiled or copied for all programs. */
function builtFiles(): string[] {
  const page = 'packages/local-discord/src/page';
  const bundle = readFileSync(join(ROOT, 'src/build/bundle.js'), 'utf8');
  const modules = [...bundle.matchAll(/'((?:src|packages)\/[\w/-]+\.ts)'/g)];
  const ofPage = ['main.ts', 'styles/page.css', 'index.html', 'pictures/bot.svg'];
  return [...modules.map(([, path = '']) => path), ...ofPage.map((name) => join(page, name))];
}

/** What says of which sources a build is, as the project has it. */
const stateOf = (root: string): Promise<typeof import('../../src/build/state.js')> =>
  import(join(root, 'src/build/state.js'));

async function node(root: string, args: readonly string[], environment?: Record<string, string>) {
  const { exitCode, output, errors } = await runProgram(args, root, environment);
  return { exitCode, output: output + errors };
}

const OTHER_SOURCES = /^The build in dist\/ is not of these sources.*npm run build\.$/;
const NOT_BUILT = /^walletbell is not built.*npm run build\.$/;
const writing = (name: string, text: string) => (root: string) =>
  writeFileSync(join(root, name), text);
const run = (root: string) => node(root, ['src/build/run.js', 'main', 'one', 'two']);

describe('what is started', () => {
  it('needs a Node that is new enough, and says so instead of failing somewhere', () => {
    for (const version of ['18.20.8', '20.18.3', '19.9.0', '9.0.0']) {
      expect(nodeFault(version), version).toBe(
        `walletbell needs Node.js 20.19 or newer; this is ${version}.`,
      );
    }
    for (const version of ['20.19.0', '20.20.1', '22.1.0', '26.10.0'])
      expect(nodeFault(version), version).toBeNull();
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(engines.node).toBe('>=20.19.0');
  });

  it('is what was built, with its own arguments', async () => {
    expect(await run(await builtProject())).toEqual({ exitCode: 0, output: 'ran one,two\n' });
  });

  it.each<[when: string, what: RegExp, change: (root: string) => void]>([
    ['its sources have changed', OTHER_SOURCES, writing('src/main.ts', 'console.log(2);\n')],
    ['there is a new source', OTHER_SOURCES, writing('commands/new.ts', '')],
    ['a dependency has changed', OTHER_SOURCES, writing('package-lock.json', '{"a":1}')],
    ['it was never built', NOT_BUILT, (root) => rmSync(join(root, 'dist'), { recursive: true })],
    ['a build was cut short', NOT_BUILT, (root) => rmSync(join(root, 'dist/sources.sha256'))],
  ])('is refused when %s, with what to type in a line of the log', async (_when, what, change) => {
    const root = await builtProject();
    change(root);
    const { exitCode, output } = await run(root);
    const line = JSON.parse(output);
    expect({ exitCode, ...line }).toMatchObject({ exitCode: 78, level: 60, event: 'start.failed' });
    expect(line.err.message).toMatch(what);
  });

  it(
    'is built anew after an edit where the tools are installed, and not in production',
    async () => {
      const root = await builtProject();
      symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
      for (const path of builtFiles()) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), '');
      }
      writeFileSync(join(root, 'src/cli/health.ts'), "console.log('edited');\n");
      const health = (environment: Record<string, string> = {}) =>
        node(root, ['src/build/run.js', 'health'], environment);
      const refused = await health({ NODE_ENV: 'production' });
      expect(`${refused.exitCode} ${refused.output}`).toMatch(/^78 walletbell is not built/);
      const built = 'edited\nwalletbell: building dist/, because the sources have changed.\n';
      expect(await health()).toEqual({ exitCode: 0, output: built });
      expect(await health()).toEqual({ exitCode: 0, output: 'edited\n' });
      writeFileSync(join(root, 'src/cli/health.ts'), 'console.log(;\n');
      const broken = await health();
      expect(broken.exitCode).toBe(78);
      expect(broken.output).toMatch(/dist\/ cannot be built: .*health\.ts:1:12/s);
    },
    within(180_000),
  );

  it('is not minified, so that the lines and functions of a stack can be read', async () => {
    const main = join(ROOT, 'dist/main.js');
    const { output } = await runProgram([main], temporaryFolder(), { ROLE: 'none' });
    const failed = { event: 'start.failed', err: { type: 'ConfigError' } };
    expect(JSON.parse(output)).toMatchObject(failed);
    const lines = readFileSync(main, 'utf8').split('\n');
    expect(lines.filter((line) => line.length > 1_000)).toEqual([]);
  });

  it('does not depend on times of files, which a copy changes', async () => {
    const root = await builtProject();
    const copy = temporaryFolder();
    cpSync(root, copy, { recursive: true });
    expect((await stateOf(copy)).buildFault('main')).toBeNull();
  });

  it('is of these sources in this very checkout, for every program', () => {
    for (const program of PROGRAM_NAMES) expect(buildFault(program)).toBeNull();
  });
});

describe('what needs no Discord', () => {
  /** Whether a file of dist/, or what it imports at once, has a text in it. */
  function hasLoaded(file: string, text: string, seen = new Set<string>()): boolean {
    if (seen.has(file)) return false;
    seen.add(file);
    const content = readFileSync(join(ROOT, 'dist', file), 'utf8');
    if (content.includes(text)) return true;
    const imported = content.matchAll(/(?:\bfrom|\bimport) ?"\.\/([\w-]+\.js)"/g);
    return [...imported].some(([, next = '']) => hasLoaded(next, text, seen));
  }

  it(
    'starts without loading discord.js: the feed, the back-up, and the bot before its configuration is right',
    () => {
      const feed =
        readdirSync(join(ROOT, 'dist')).find((name) => name.startsWith('feed-app-')) ?? '';
      const loads = ['main.js', 'backup.js', feed, 'doctor.js'].map((file) => [
        file,
        hasLoaded(file, 'discord.js/src/'),
      ]);
      expect(loads).toEqual([
        ['main.js', false],
        ['backup.js', false],
        [feed, false],
        ['doctor.js', true],
      ]);
    },
    within(180_000),
  );
});

describe('the preparation of npm ci', () => {
  const prepare = (root: string) =>
    node(root, ['src/build/main.js'], { npm_lifecycle_event: 'prepare' });

  it('says that it is skipped where the tools were left out, and what to type, and lets npm go on', async () => {
    const root = await builtProject();
    writeFileSync(join(root, 'src/main.ts'), 'console.log(2);\n');
    const skipped = await prepare(root);
    expect(skipped.exitCode).toBe(0);
    expect(skipped.output).toMatch(/skipped.*--omit=dev.*\n.*npm ci --include=dev/);
    const asked = await node(root, ['src/build/main.js']);
    expect(asked).toEqual({ exitCode: 1, output: skipped.output });
  });

  it('says that there is nothing to build where dist/ came along', async () => {
    expect(await prepare(await builtProject())).toEqual({
      exitCode: 0,
      output: 'walletbell: dist/ is of these sources; nothing to build.\n',
    });
  });

  it('builds what is named, and names what is no program', async () => {
    const root = await builtProject();
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    writeFileSync(
      join(root, 'src/main.ts'),
      "console.log('built', process.argv.slice(2).join());\n",
    );
    mkdirSync(join(root, 'src/ops'));
    writeFileSync(join(root, 'src/ops/loop-watcher.ts'), '');
    expect(await node(root, ['src/build/main.js', 'main'])).toEqual({ exitCode: 0, output: '' });
    expect(await run(root)).toEqual({ exitCode: 0, output: 'built one,two\n' });
    const { exitCode, output } = await node(root, ['src/build/main.js', 'dance']);
    expect(exitCode).toBe(64);
    expect(output).toBe(
      'There is no program "dance". Accepted: main, doctor, backup, store, health, polymarket, venue, demo, discord.\n',
    );
  });
});
