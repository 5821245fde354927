import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

const ROOT = new URL('../../', import.meta.url);
/** Below the project, so that the bundle finds its packages; laid out as the sources are. */
const TARGET = new URL('node_modules/.cache/walletbell-tests/', ROOT);

declare module 'vitest' {
  interface ProvidedContext {
    /** The bot in one JavaScript file. */
    readonly botMain: string;
  }
}

/**
 * Before all tests: bundles the bot once, because tests start it dozens of times and half of a start is the
 * translation of its sources. That it starts from these is tested where its command line is.
 */
export default async function setup(project: TestProject): Promise<void> {
  const botMain = fileURLToPath(new URL('src/main.mjs', TARGET));
  mkdirSync(new URL('src/', TARGET), { recursive: true });
  copyFileSync(new URL('package.json', ROOT), new URL('package.json', TARGET));
  await build({
    entryPoints: [fileURLToPath(new URL('src/main.ts', ROOT))],
    outdir: fileURLToPath(new URL('src/', TARGET)),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  project.provide('botMain', botMain);
}
