import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build as esbuild } from 'esbuild';
import { ROOT, STAMP_FILE, sourcesHash } from './state.js';

const PROGRAMS = {
  main: 'src/main.ts',
  doctor: 'src/cli/doctor/main.ts',
  backup: 'src/cli/backup.ts',
  store: 'src/cli/store/main.ts',
  health: 'src/cli/health.ts',
  polymarket: 'src/polymarket/main.ts',
  venue: 'packages/venue-server/src/main.ts',
  demo: 'src/demo/demo.ts',
  discord: 'packages/local-discord/src/main.ts',
};
/**
 * Programs that a program runs in separate threads.
 *
 * @type {Record<string, Record<string, string>>}
 */
const THREADS = { main: { 'loop-watcher': 'src/ops/loop-watcher.ts' } };
export const PROGRAM_NAMES = Object.keys(PROGRAMS);
/** Files and folders of the demo's page that are served unchanged. */
const PAGE_FILES = ['index.html', 'pictures'];
/**
 * Compiled modules and assets that stay in node_modules/, and optional dependencies of libraries.
 */
export const NOT_BUNDLED = [
  'sqlite3',
  '@resvg/resvg-js',
  '@expo-google-fonts/inter',
  'zlib-sync',
  'bufferutil',
  'utf-8-validate',
  'pg-native',
];
/** Definitions of names that CommonJS modules in the libraries expect. */
const COMMONJS = [
  "import { createRequire as bundleRequire } from 'node:module';",
  "import { dirname as bundleDirname } from 'node:path';",
  "import { fileURLToPath as bundlePath } from 'node:url';",
  'const require = bundleRequire(import.meta.url);',
  'const __filename = bundlePath(import.meta.url);',
  'const __dirname = bundleDirname(__filename);',
].join(' ');

/**
 * Builds dist/: each program with its libraries in a few files, so that it starts in a third of the
 * time and with a third less memory than from its sources. Lazily loaded parts, such as the other
 * stores, stay in separate files.
 *
 * @param {readonly string[]} [programs] some of PROGRAM_NAMES; all if empty
 * @param {{ dist?: string, version?: string, steps?: string }} [other] for tests of updates:
 *   another folder, the version of a later release, and a module that replaces the migration steps
 * @throws {Error} names what esbuild rejects
 */
export async function build(programs = [], other = {}) {
  const names = programs.length === 0 ? PROGRAM_NAMES : programs;
  const entryPoints = [];
  for (const [program, main] of Object.entries(PROGRAMS)) {
    if (!names.includes(program)) continue;
    const modules = { [program]: main, ...THREADS[program] };
    for (const [name, path] of Object.entries(modules))
      entryPoints.push({ in: join(ROOT, path), out: name });
  }
  const dist = other.dist ?? join(ROOT, 'dist');
  const hash = sourcesHash();
  await rm(dist, { recursive: true, force: true });
  const shared = /** @type {const} */ ({
    absWorkingDir: ROOT,
    bundle: true,
    format: 'esm',
    logLevel: 'warning',
  });
  await Promise.all([
    // Not minified, at a cost of 6 MB of memory, so that stacks in a log have readable function
    // names and line numbers.
    esbuild({
      ...shared,
      entryPoints,
      outdir: dist,
      splitting: true,
      platform: 'node',
      target: 'node20.19',
      external: NOT_BUNDLED,
      // Functions and classes have the same names in a stack as in the sources.
      keepNames: true,
      define: {
        BUILT_RELEASE: JSON.stringify({
          ...release(),
          ...(other.version && { version: other.version }),
        }),
      },
      plugins: other.steps === undefined ? [] : [inPlaceOfSteps(resolve(other.steps))],
      banner: { js: COMMONJS },
    }),
    ...(names.includes('demo') ? [buildPage(join(dist, 'page'), shared)] : []),
  ]);
  await writeFile(join(dist, basename(STAMP_FILE)), hash);
}

/** Returns the name of the build: its version, and its commit if known. */
function release() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return { version, commit: process.env['WALLETBELL_COMMIT'] || commitOfGit() };
}

/** Returns the current commit, followed by `+` if tracked files have changed since. */
function commitOfGit() {
  try {
    /** @param {readonly string[]} words */
    const git = (...words) =>
      execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return git('rev-parse', '--short=7', 'HEAD') + (isChanged ? '+' : '');
  } catch {
    // Git is missing, or this is not a clone.
    return 'unknown';
  }
}

/**
 * @param {string} path of a module that exports `STEPS`
 * @returns {import('esbuild').Plugin}
 */
function inPlaceOfSteps(path) {
  return {
    name: 'steps',
    setup({ onResolve }) {
      // The module itself may import the existing steps.
      onResolve({ filter: /\/migrations\/steps\.ts$/ }, ({ importer }) =>
        importer === path ? null : { path },
      );
    },
  };
}

/**
 * Builds the demo's page: its script and styles for browsers, and the files next to them.
 *
 * @param {string} target
 * @param {import('esbuild').BuildOptions} shared
 */
async function buildPage(target, shared) {
  const sources = join(ROOT, 'packages/local-discord/src/page');
  await mkdir(target, { recursive: true });
  await Promise.all([
    esbuild({
      ...shared,
      entryPoints: [
        { in: join(sources, 'main.ts'), out: 'page' },
        { in: join(sources, 'styles/page.css'), out: 'page' },
      ],
      outdir: target,
      minify: true,
      target: 'es2022',
      // Browsers that support woff2 never request the older font format.
      loader: { '.ttf': 'file', '.woff2': 'file', '.woff': 'empty' },
      assetNames: 'fonts/[name]',
    }),
    ...PAGE_FILES.map((name) => cp(join(sources, name), join(target, name), { recursive: true })),
  ]);
}
