import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import type { TestProject } from 'vitest/node';

const ROOT = new URL('../../', import.meta.url);
/** Below the project, so that the bundle finds what is not in it; laid out as the sources are. */
const TARGET = new URL('node_modules/.cache/walletbell-tests/', ROOT);
/** Programs that tests start several times. */
const PROGRAMS = ['src/doctor/main', 'src/reference/main'];
/** Compiled modules and files, and what libraries only try to load. */
const NOT_BUNDLED = [
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

/** Takes the launcher's first run, which keeps the machine code. */
const KEEP = '--keep-code';
/** Starts the bot's bundle with the machine code that its first run has left. */
const LAUNCHER = `
const { readFileSync, writeFileSync } = require('node:fs');
const { Script } = require('node:vm');
const filename = __dirname + '/main.bundle.js';
const kept = filename + '.code';
const isFirst = process.argv[2] === '${KEEP}';
const options = isFirst ? { filename } : { filename, cachedData: readFileSync(kept) };
const script = new Script(readFileSync(filename, 'latin1'), options);
if (isFirst) process.once('exit', () => writeFileSync(kept, script.createCachedData()));
script.runInThisContext()(exports, require, module, filename, __dirname);
`;

declare module 'vitest' {
  interface ProvidedContext {
    /** The bot, the doctor and the reference venue, each as a JavaScript file. */
    readonly botMain: string;
    readonly doctorMain: string;
    readonly venueMain: string;
  }
}

/**
 * Before all tests: bundles the programs once, because tests start them dozens of times and most of a start is the
 * translation of sources and the search for modules. The bot's machine code is kept besides: it starts in a third of
 * the time. That they start from their sources is tested where the command line is.
 */
export default async function setup(project: TestProject): Promise<void> {
  mkdirSync(new URL('src/', TARGET), { recursive: true });
  copyFileSync(new URL('package.json', ROOT), new URL('package.json', TARGET));
  const shared = {
    bundle: true,
    external: NOT_BUNDLED,
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: [gatewayFiles],
  } satisfies BuildOptions;
  await Promise.all([
    build({
      ...shared,
      entryPoints: [source('src/main')],
      outfile: fileURLToPath(new URL('src/main.bundle.js', TARGET)),
      format: 'cjs',
      define: { 'import.meta.url': 'bundleUrl' },
      banner: {
        js: "(function (exports, require, module, __filename, __dirname) { const bundleUrl = require('node:url').pathToFileURL(__filename).href;",
      },
      footer: { js: '})' },
    }),
    build({
      ...shared,
      entryPoints: PROGRAMS.map((path) => ({ in: source(path), out: path })),
      outdir: fileURLToPath(TARGET),
      outExtension: { '.js': '.mjs' },
      chunkNames: 'src/[name]-[hash]',
      splitting: true,
      format: 'esm',
      banner: { js: COMMONJS },
    }),
  ]);
  const botMain = fileURLToPath(new URL('src/main.cjs', TARGET));
  writeFileSync(botMain, LAUNCHER);
  // Without a configuration it ends as soon as all is loaded.
  spawnSync(process.execPath, [botMain, KEEP], { env: {}, stdio: 'ignore' });
  const [doctorMain = '', venueMain = ''] = PROGRAMS.map((path) => fileURLToPath(new URL(`${path}.mjs`, TARGET)));
  project.provide('botMain', botMain);
  project.provide('doctorMain', doctorMain);
  project.provide('venueMain', venueMain);
}

function source(program: string): string {
  return fileURLToPath(new URL(`${program}.ts`, ROOT));
}

/** Lets discord.js's gateway keep its own file names: the bot knows a fault of it by the file that throws. */
const gatewayFiles: Plugin = {
  name: 'gateway-files',
  setup({ onLoad }) {
    const filter =
      /node_modules[\\/](?:discord\.js[\\/]src[\\/]client[\\/]websocket[\\/].*|@discordjs[\\/]ws[\\/]dist[\\/]index)\.js$/;
    onLoad({ filter }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const needed = new Set([...code.matchAll(/\brequire\((['"][^'"]+['"])\)/g)].map(([, name]) => name));
      const table = [...needed].map((name) => `[${name}, () => require(${name})]`);
      const wrapped = JSON.stringify(`(function (exports, require, module) {${code}\n})`);
      const contents = [
        `const needed = new Map([${table.join(', ')}]);`,
        `const load = require('node:vm').runInThisContext(${wrapped}, { filename: ${JSON.stringify(path)} });`,
        'load.call(exports, exports, (name) => needed.get(name)(), module);',
      ];
      return { contents: contents.join('\n'), loader: 'js' };
    });
  },
};
