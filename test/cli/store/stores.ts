import { join } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { run } from '../../../src/cli/store/run.ts';
import { NO_PROGRESS } from '../../../src/lib/progress.ts';
import { isMark } from '../../../src/store/marks.ts';
import { inspectStore, openStore } from '../../../src/store/store.ts';
import { plant } from '../../store/contract.ts';
import { runProgram } from '../../support/program.ts';
import {
  type DatabaseServer,
  hasPostgres,
  hasRedis,
  PASSWORD,
  startPostgres,
  startRedis,
} from '../../support/servers.ts';
import { temporaryFolder } from '../../support/temp.ts';

/**
 * The kinds of stores that there are here, each with a way to a new one: its server is started with
 * the first, and ended after the file's tests. To be called at the top of a file.
 */
export function storeKinds() {
  const servers = new Map<string, Promise<DatabaseServer>>();
  const needed = (name: string) => {
    const server = servers.get(name) ?? (name === 'Redis' ? startRedis() : startPostgres());
    servers.set(name, server);
    return server;
  };
  afterAll(async () => {
    for (const server of servers.values()) await (await server).stop();
    servers.clear();
  });
  return {
    names: ['SQLite', ...(hasRedis ? ['Redis'] : []), ...(hasPostgres ? ['PostgreSQL'] : [])],
    async newStore(name = 'SQLite') {
      return name === 'SQLite'
        ? `sqlite://${join(temporaryFolder(), 'store.sqlite')}`
        : (await needed(name)).newStore();
    },
    /** A store with these documents, and an empty one to copy it to. */
    async pair(documents: Iterable<readonly [string, unknown]>, name = 'SQLite') {
      const [from, to] = [await this.newStore(name), await this.newStore(name)];
      await writeStore(from, documents);
      return [from, to] as const;
    },
    /** Puts a text in the place of a document. */
    async plant(url: string, key: string, planted: string) {
      const name = { 'redis:': 'Redis', 'postgres:': 'PostgreSQL' }[new URL(url).protocol];
      await plant(url, key, planted, name === undefined ? name : (await needed(name)).ask);
    },
  };
}

/** Does what `npm run store` does, in this process. */
export async function runStore(texts: readonly string[], environment: Record<string, string> = {}) {
  const said = { output: '', errors: '' };
  const { exitCode, text } = await run(texts, {
    environment,
    warn: (warning) => (said.errors += `${warning}\n`),
    nowMs: Date.now,
    onFailpoint: () => {},
    progress: NO_PROGRESS,
  });
  said[exitCode === 0 ? 'output' : 'errors'] += `${text}\n`;
  return { exitCode, ...withoutWarnings(said) };
}

/** Does what `npm run store -- copy FROM TO` does in this process, with options as they are typed. */
export function copyStore(from: string, to: string, options = '') {
  return runStore(['copy', from, to, ...options.split(' ').filter(Boolean)]);
}

/** Runs `npm run store` as a process. */
export async function spawnStore(
  texts: readonly string[],
  environment: Record<string, string> = {},
  directory = temporaryFolder(),
) {
  const outcome = await runProgram([inject('storeMain'), ...texts], directory, environment);
  return { ...outcome, ...withoutWarnings(outcome) };
}

/**
 * Of the tests' own server, which runs without fsync.
 *
 * @throws Error if a password is shown
 */
function withoutWarnings({ output, errors }: { readonly output: string; readonly errors: string }) {
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) {
    if ((output + errors).includes(secret))
      throw new Error(`The password is shown: ${output}${errors}`);
  }
  return { output, errors: errors.replace(/^.*PostgreSQL may lose.*\n/gm, '') };
}

/** What `runStore` says where it refuses something. */
export const refused = (why: string | RegExp, exitCode = 1) => ({
  exitCode,
  output: '',
  errors: expect.stringMatching(why),
});

/** Writes documents into a store, whatever it says of itself. */
export async function writeStore(
  url: string,
  documents: Iterable<readonly [string, unknown]>,
): Promise<void> {
  const store = await openStore(url, { shards: null });
  for (const [key, document] of documents) await store.set(key, document);
  await store.close();
}

/** All documents but what a store says of itself. */
export async function contents(url: string): Promise<Map<string, unknown>> {
  const inspection = await inspectStore(url);
  const found = new Map<string, unknown>();
  for await (const [key, document] of inspection.entries())
    if (!isMark(key)) found.set(key, document);
  await inspection.close();
  return found;
}

/** One document of a store. */
export async function documentOf(url: string, key: string): Promise<unknown> {
  const inspection = await inspectStore(url);
  const found = await inspection.get(key);
  await inspection.close();
  return found;
}
