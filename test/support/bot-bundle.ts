import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

const ROOT = new URL('../../', import.meta.url);
/** Below the project, so that the bundle finds what is not in it; laid out as the sources are. */
const TARGET = new URL('node_modules/.cache/walletbell-tests/', ROOT);
/** Programs that tests start many times. */
const PROGRAMS = ['src/main', 'src/doctor/main', 'src/reference/main'];
/**
 * Compiled modules and files, and what libraries only try to load. And discord.js: the bot knows a fault of its gateway by
 * the file that throws.
 */
const NOT_BUNDLED = [
  'discord.js',
  '@discordjs/*',
  'sqlite3',
  '@resvg/resvg-js',
  '@expo-google-fonts/inter',
  'zlib-sync',
  'bufferutil',
  'utf-8-validate',
  'pg-native',
];
/** What CommonJS modules among the libraries expect to find. */
const COMMONJS = [
  "import { createRequire as bundleRequire } from 'node:module';",
  "import { dirname as bundleDirname } from 'node:path';",
  "import { fileURLToPath as bundlePath } from 'node:url';",
  'const require = bundleRequire(import.meta.url);',
  'const __filename = bundlePath(import.meta.url);',
  'const __dirname = bundleDirname(__filename);',
].join(' ');

declare module 'vitest' {
  interface ProvidedContext {
    /** The bot, the doctor and the reference venue, each as a JavaScript file. */
    readonly botMain: string;
    readonly doctorMain: string;
    readonly venueMain: string;
  }
}

/**
 * Before all tests: bundles the programs once, because tests start them dozens of times and half of a start
 * is the translation of sources and the search for modules. That they start from their sources is tested where the
 * command line is.
 */
export default async function setup(project: TestProject): Promise<void> {
  mkdirSync(TARGET, { recursive: true });
  copyFileSync(new URL('package.json', ROOT), new URL('package.json', TARGET));
  await build({
    entryPoints: PROGRAMS.map((path) => ({ in: fileURLToPath(new URL(`${path}.ts`, ROOT)), out: path })),
    outdir: fileURLToPath(TARGET),
    outExtension: { '.js': '.mjs' },
    chunkNames: 'src/[name]-[hash]',
    bundle: true,
    splitting: true,
    external: NOT_BUNDLED,
    banner: { js: COMMONJS },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const [botMain = '', doctorMain = '', venueMain = ''] = PROGRAMS.map((path) =>
    fileURLToPath(new URL(`${path}.mjs`, TARGET)),
  );
  project.provide('botMain', botMain);
  project.provide('doctorMain', doctorMain);
  project.provide('venueMain', venueMain);
}
