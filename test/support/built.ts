import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build, PROGRAM_NAMES } from '../../src/build/bundle.js';
import { buildFault, programFile, ROOT } from '../../src/build/state.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The shipped programs, each as a JavaScript file. */
    readonly botMain: string;
    readonly doctorMain: string;
    readonly backupMain: string;
    readonly storeMain: string;
    readonly venueMain: string;
    readonly demoMain: string;
    readonly discordMain: string;
    /** The demo's page. */
    readonly pageFolder: string;
  }
}

/**
 * Runs before all tests. They run the shipped build, so it is rebuilt if the sources have changed.
 */
export default async function setup(project: TestProject): Promise<void> {
  await ensureBuilt();
  project.provide('botMain', programFile('main'));
  project.provide('doctorMain', programFile('doctor'));
  project.provide('backupMain', programFile('backup'));
  project.provide('storeMain', programFile('store'));
  project.provide('venueMain', programFile('venue'));
  project.provide('demoMain', programFile('demo'));
  project.provide('discordMain', programFile('discord'));
  project.provide('pageFolder', join(ROOT, 'dist/page'));
}

/** Rebuilds dist/ if it does not match the sources. */
export async function ensureBuilt(): Promise<void> {
  if (PROGRAM_NAMES.some((name) => buildFault(name) !== null)) await build();
}
