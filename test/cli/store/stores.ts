import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sqlite3 from 'sqlite3';
import { inject } from 'vitest';
import { run } from '../../../src/cli/store/run.ts';
import { sqlitePath } from '../../../src/store/address.ts';
import { isMark } from '../../../src/store/marks.ts';
import { inspectStore, openStore } from '../../../src/store/store.ts';
import {
  type DatabaseServer,
  hasPostgres,
  hasRedis,
  PASSWORD,
  startPostgres,
  startRedis,
} from '../../support/servers.ts';
import { temporaryFolder } from '../../support/temp.ts';

/** The kinds of stores that there are here, each with a way to a new one. */
export interface StoreKinds {
  readonly names: readonly string[];
  /** Starts its server if none has been started. */
  newStore(name: string): Promise<string>;
  /** Ends the servers. */
  stop(): Promise<void>;
  /** Puts a text in the place of a document. */
  plant(url: string, key: string, text: string): Promise<void>;
}

export function storeKinds(): StoreKinds {
  const servers = new Map<string, Promise<DatabaseServer>>();
  const needed = (name: string) => {
    const server = servers.get(name) ?? (name === 'Redis' ? startRedis() : startPostgres());
    servers.set(name, server);
    return server;
  };
  return {
    names: ['SQLite', ...(hasRedis ? ['Redis'] : []), ...(hasPostgres ? ['PostgreSQL'] : [])],
    async stop() {
      for (const server of servers.values()) await (await server).stop();
      servers.clear();
    },
    async newStore(name) {
      return name === 'SQLite'
        ? `sqlite://${join(temporaryFolder(), 'store.sqlite')}`
        : (await needed(name)).newStore();
    },
    async plant(url, key, planted) {
      if (url.startsWith('redis:')) {
        await (await needed('Redis')).ask(url, 'SET', `walletbell::${key}`, planted);
      } else if (url.startsWith('postgres:')) {
        await (await needed('PostgreSQL')).ask(
          url,
          `INSERT INTO walletbell VALUES ('walletbell:${key}', '${planted}')`,
        );
      } else {
        await execute(sqlitePath(url), `INSERT INTO keyv VALUES ('walletbell:${key}', '${planted}')`);
      }
    },
  };
}

function execute(path: string, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path);
    database.exec(sql, (error) => database.close(() => (error ? reject(error) : resolve())));
  });
}

/** Does what `npm run store` does, in this process. */
export async function runStore(texts: readonly string[], environment: Record<string, string> = {}) {
  const said = { output: '', errors: '' };
  const exitCode = await run(texts, {
    environment,
    print: (text) => (said.output += `${text}\n`),
    complain: (text) => (said.errors += `${text}\n`),
    nowMs: Date.now,
    onFailpoint: () => {},
  });
  return { exitCode, ...withoutWarnings(said) };
}

/** Runs `npm run store` as a process. */
export async function spawnStore(
  texts: readonly string[],
  environment: Record<string, string> = {},
  directory = temporaryFolder(),
) {
  return spawnProgram(inject('storeMain'), texts, environment, directory);
}

/** Runs one of the programs until it ends. */
export async function spawnProgram(
  main: string,
  texts: readonly string[],
  environment: Record<string, string>,
  directory: string,
) {
  const child = spawn(process.execPath, [main, ...texts], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode: child.exitCode, signal: child.signalCode, ...withoutWarnings({ output, errors }) };
}

/** Of the tests' own server, which runs without fsync. @throws Error if a password is shown */
function withoutWarnings({ output, errors }: { readonly output: string; readonly errors: string }) {
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) {
    if ((output + errors).includes(secret)) throw new Error(`The password is shown: ${output}${errors}`);
  }
  return { output, errors: errors.replace(/^.*PostgreSQL may lose.*\n/gm, '') };
}

/** Writes documents into a store, whatever it says of itself. */
export async function fill(url: string, documents: Iterable<readonly [string, unknown]>): Promise<void> {
  const store = await openStore(url, { shards: null });
  for (const [key, document] of documents) await store.set(key, document);
  await store.close();
}

/** All documents but what a store says of itself. */
export async function contents(url: string): Promise<Map<string, unknown>> {
  const inspection = await inspectStore(url);
  const found = new Map<string, unknown>();
  for await (const [key, document] of inspection.entries()) if (!isMark(key)) found.set(key, document);
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
